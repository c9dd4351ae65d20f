"""Work for later, and how much of it a tenant may ask for."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Protocol

from anamnesis.domain.identifiers import Pair, StudentScope


class RequestCounter(Protocol):
    """How many requests each tenant sent in a window of time, over all processes (SV-12)."""

    def add(self, tenant: str, window: datetime, count: int) -> int:
        """Add to a tenant's count of the window that begins then (0 at first) and return the new count.

        No addition is lost, however many processes add at once. Counts of past windows may go.
        """


class NightQueue(Protocol):
    """Fans the night out over pairs."""

    def send(self, pairs: Iterable[Pair], night: date) -> int:
        """Queue one message per pair; return how many."""


class WikiQueue(Protocol):
    """Has the wikis compiled of students of whom something new was recorded."""

    def send(self, scope: StudentScope) -> None:
        """Queue one message; a student may be queued twice, since a wiki compiled twice is a wiki compiled once."""
