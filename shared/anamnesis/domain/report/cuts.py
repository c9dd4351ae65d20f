"""Lists cut to what a report has room for, with the number of what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from anamnesis.domain.report.values import Cut

T = TypeVar("T")


def first_of(items: Sequence[T], most: int, total: int | None = None) -> Cut[T]:
    """The first `most` of `items`, of `total` (by default as many as there are items)."""
    shown = tuple(items[:most])
    return Cut(shown, max(0, (len(items) if total is None else total) - len(shown)))


def last_of(items: Sequence[T], most: int, total: int | None = None) -> Cut[T]:
    """The last `most` of `items`, in their order, of `total`."""
    shown = tuple(items[max(0, len(items) - most) :])
    return Cut(shown, max(0, (len(items) if total is None else total) - len(shown)))
