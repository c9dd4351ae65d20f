"""Windows of time, and what a tenant's limit grants within one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.throttling import MAX_LEASE, WINDOW, Window, granted, lease_size

START = datetime(2000, 1, 1, tzinfo=UTC)
MOMENTS = st.timedeltas(timedelta(0), timedelta(days=36_500)).map(lambda since: START + since)


@given(MOMENTS)
def test_windows_lie_end_to_end(moment: datetime) -> None:
    """Each moment lies in one window of a minute, whatever its zone, and is told when the next begins (SV-12)."""
    window = Window.at(moment)
    assert window.start <= moment < window.start + WINDOW
    assert Window.at(window.start) == window
    assert Window.at(moment.astimezone(timezone(timedelta(hours=5, minutes=45)))) == window
    waited = moment + timedelta(seconds=window.seconds_left(moment))
    assert 1 <= window.seconds_left(moment) <= 60
    assert Window.at(waited) == Window(window.start + WINDOW)


@given(st.integers(1, 100_000), st.lists(st.integers(1, 50), max_size=200))
def test_all_that_is_granted_is_the_limit_and_no_more(limit: int, leases: list[int]) -> None:
    """Whatever leases are asked for, they are granted in full up to the limit and nothing beyond it (SV-12)."""
    counted = total = 0
    for asked in leases:
        counted += asked
        given_out = granted(asked, counted, limit)
        assert 0 <= given_out <= asked
        total += given_out
    assert total == min(limit, sum(leases))


@given(st.integers(1, 10_000_000))
def test_a_lease_is_a_small_part_of_the_limit(limit: int) -> None:
    """A process takes ten at once at most, and never more than a hundredth of the limit or one (SV-12)."""
    assert 1 <= lease_size(limit) <= MAX_LEASE
    assert lease_size(limit) == 1 or lease_size(limit) * 100 <= limit
