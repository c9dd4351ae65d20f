"""Time, chance and waiting: what a pure program cannot have."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The time."""

    def now(self) -> datetime:
        """Aware, in UTC."""


class IdSource(Protocol):
    """Fresh identifiers and salts."""

    def new_id(self, at: datetime) -> str:
        """A ULID stamped with `at`: 26 characters, sorts by time."""

    def new_salt(self) -> str:
        """16 random bytes as hex."""


class Backoff(Protocol):
    """Waiting between tries, with jitter."""

    def pause(self, attempt: int, waited: float = 0.0) -> None:
        """Wait before try number `attempt` + 1 (`attempt` counts from 1), `waited` seconds after the first."""
