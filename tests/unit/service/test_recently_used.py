"""What a warm process keeps: the latest used, within a bound."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from anamnesis.recently_used import RecentlyUsed


def test_the_longest_unused_goes_first() -> None:
    """Beyond the bound what was not used for longest is forgotten; looking whether it is there is no use (SV-12)."""
    kept: RecentlyUsed[str, int] = RecentlyUsed(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert (kept.get("a"), "b" in kept) == (1, True)
    kept.keep("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (1, None, 3)
    kept.forget("a")
    kept.forget("never there")
    assert "a" not in kept


def test_weights_bound_what_is_kept_but_for_the_latest() -> None:
    """What is kept weighs no more than allowed together, and one value that alone weighs more is kept (SV-12)."""
    kept: RecentlyUsed[int, int] = RecentlyUsed(10, lambda value: value)
    kept.keep(1, 6)
    kept.keep(2, 4)
    assert (1 in kept, 2 in kept) == (True, True)
    kept.keep(3, 99)
    assert [key in kept for key in (1, 2, 3)] == [False, False, True]


def test_many_threads_keep_within_the_bound() -> None:
    """Threads that keep, use and forget at once end within the bound, each reading what was kept (SV-12)."""
    kept: RecentlyUsed[int, int] = RecentlyUsed(5)

    def act(number: int) -> None:
        kept.keep(number % 9, number % 9)
        assert kept.get(number % 7) in {None, number % 7}
        kept.forget(number % 3)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(act, range(2_000)))
    assert sum(key in kept for key in range(9)) <= 5
