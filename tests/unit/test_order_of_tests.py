"""Every test is run once and by one process, whatever the processes; what takes longest comes first."""

from __future__ import annotations

from pathlib import Path

from support.order_of_tests import (
    FIRST_ON_THE_STACK,
    LONGEST,
    SHARING_A_STACK,
    WITH_A_STACK_OF_THEIR_OWN,
    place_of,
    unit_of,
)

CHECKOUT = Path(__file__).parents[2]


def test_what_is_named_is_there() -> None:
    """A file that moved is noticed, since its place in the order of tests would be lost (SV-2)."""
    assert [name for name in (*LONGEST, *WITH_A_STACK_OF_THEIR_OWN) if not (CHECKOUT / name).exists()] == []


def test_only_files_with_a_stack_of_their_own_leave_the_others() -> None:
    """End-to-end tests that share a deployed stack are one unit of work, and no other files are (SV-2)."""
    files = [path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "tests").rglob("test_*.py")]
    together = {file for file in files if unit_of(f"{file}::test_it[a::b]") == SHARING_A_STACK}
    assert together == {f for f in files if f.startswith("tests/e2e/")} - set(WITH_A_STACK_OF_THEIR_OWN)
    assert all(unit_of(f"{file}::test_it[a::b]") == file for file in set(files) - together)
    own = {
        f for f in files if f.startswith("tests/e2e/") and "LocalStack(" in (CHECKOUT / f).read_text("utf-8")
    }
    assert own == set(WITH_A_STACK_OF_THEIR_OWN)


def test_the_longest_come_first() -> None:
    """Of two units the one that is named stands before the one that is not, in the order of their names (SV-2)."""
    places = [place_of(f"{name}/test_x.py::test" if name == SHARING_A_STACK else name) for name in LONGEST]
    assert places == sorted(set(places))
    assert place_of("tests/unit/test_order_of_tests.py::test_it") > places[-1]
    assert place_of(FIRST_ON_THE_STACK) < place_of("tests/e2e/test_access.py::test_it")
