"""What every ``RequestCounter`` promises."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from anamnesis.ports import RequestCounter

MINUTE = datetime(2026, 7, 3, 9, tzinfo=UTC)
_numbers = count(1)

#: Tenants that differ only in what a key must not lose.
LOOK_ALIKE = ("A", "a", "A#1", "A%231", "A 1", "А", "Å", "A\u030a", "REQUESTS")


class RequestCounterContract:
    """Sums by tenant and window."""

    @pytest.fixture
    def tenant(self) -> str:
        return f"tenant {next(_numbers)}"

    def test_counts_add_up(self, store: RequestCounter, tenant: str) -> None:
        """Each addition is answered with the sum of all so far (SV-12)."""
        assert [store.add(tenant, MINUTE, asked) for asked in (1, 10, 3)] == [1, 11, 14]

    def test_windows_are_apart(self, store: RequestCounter, tenant: str) -> None:
        """Each window starts at nothing and changes no other (SV-12)."""
        next_minute = MINUTE + timedelta(minutes=1)
        assert store.add(tenant, MINUTE, 5) == 5
        assert store.add(tenant, next_minute, 1) == 1
        assert store.add(tenant, MINUTE, 1) == 6

    def test_tenants_are_apart(self, store: RequestCounter, tenant: str) -> None:
        """Tenants whose names look alike have counts of their own (SV-11, SV-12)."""
        for number, name in enumerate(LOOK_ALIKE, start=1):
            assert store.add(tenant + name, MINUTE, number) == number
        assert store.add(tenant, MINUTE, 1) == 1

    def test_no_addition_is_lost(self, store: RequestCounter, tenant: str) -> None:
        """However many add at once, each sum is given out once and the last one is the whole (SV-12)."""
        with ThreadPoolExecutor(max_workers=8) as threads:
            sums = Counter(threads.map(lambda _: store.add(tenant, MINUTE, 10), range(40)))
        assert sums == Counter(range(10, 401, 10))
