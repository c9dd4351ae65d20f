"""Find what goes with an event that is erased: its other recordings, and the summaries of its day (EP-8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Kind, span_of
from anamnesis.ports import EpisodeLog, ErasureStore
from anamnesis.service.erased_events import CHUNK, INSTANT, ErasedEvents


@dataclass(frozen=True, slots=True)
class Recordings:
    """Looks through a log for what an erasure takes along.

    The same event (``ErasedEvents``) may have been recorded more than once, under two idempotency keys. All of its
    recordings have one time, which stays when they are erased, so that they are found by it.
    """

    log: EpisodeLog
    erasures: ErasureStore
    events: ErasedEvents

    def of(self, pair: Pair, position: int) -> list[int]:
        """Where the event of this position stands, this position included.

        Of an event that was erased before, recordings of every event that was erased at its time.
        """
        told = self.log.read(pair, [position])
        if not told:
            return [position]
        wanted = set(self.events.digests(pair, told).values())
        at = told[0].occurred_at
        found = {position}
        for page in self.events.pages(pair, at, at + INSTANT):
            digests = self.events.digests(pair, page)
            known = wanted or self.erasures.known(pair, set(digests.values()))
            found |= {p for p, digest in digests.items() if digest in known}
        return sorted(found)

    def summaries(self, pair: Pair, positions: Sequence[int]) -> list[int]:
        """Where a night summed up a day of these episodes with one of them in sight, and what it said is there yet."""
        first: dict[date, int] = {}
        for episode in self.log.read(pair, positions, with_text=False):
            day = episode.day
            first[day] = min(episode.position, first.get(day, episode.position))
        return [
            episode.position
            for day, position in first.items()
            for page in self.events.pages(pair, *span_of(day), Kind.CONSOLIDATION)
            for episode in page
            if episode.day == day and episode.position > position and episode.content is not None
        ]

    def since(self, pair: Pair, after: int, days: Collection[date]) -> list[int]:
        """What of the log behind this position repeats an erased event, or sums up one of these days."""
        found: list[int] = []
        recorded = iter(self.log.scan(pair, after=after, with_text=False))
        while chunk := list(islice(recorded, CHUNK)):
            live = [episode for episode in chunk if episode.content is not None]
            digests = self.events.digests(pair, self.log.read(pair, [e.position for e in live]))
            known = self.erasures.known(pair, set(digests.values()))
            found += [
                e.position
                for e in live
                if digests.get(e.position) in known or (e.kind is Kind.CONSOLIDATION and e.day in days)
            ]
        return found
