"""A turn's time budget, passed down instead of guessed (BL-3)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from anamnesis.domain.errors import Unfinished


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on a monotonic clock.

    Parameters
    ----------
    monotonic
        The clock, in seconds.
    at
        When the time is up.
    """

    monotonic: Callable[[], float]
    at: float

    @classmethod
    def after(cls, seconds: float, monotonic: Callable[[], float]) -> Deadline:
        """The deadline `seconds` from now."""
        return cls(monotonic, monotonic() + seconds)

    @classmethod
    def never(cls) -> Deadline:
        """A deadline that does not come, for work that something else bounds."""
        return cls(time.monotonic, math.inf)

    def check(self) -> None:
        """Stop here when the time is up.

        Raises
        ------
        Unfinished
            As said.
        """
        if not self.left():
            raise Unfinished(
                "there was not time for all of it; the same request again goes on where it stopped"
            )

    def left(self, *, reserve: float = 0.0) -> float:
        """Seconds left beyond `reserve`, at least 0."""
        return max(0.0, self.at - reserve - self.monotonic())
