"""Write the consolidation of a day, once however often a night runs (NI-1, NI-2)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from anamnesis.domain.errors import Busy
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Head, Kind, span_of
from anamnesis.domain.night.consolidation import consolidate, days_to_sum_up_again, told_of
from anamnesis.ports import ConceptStore, EpisodeLog
from anamnesis.service.append_episodes import AppendEpisodes, Draft
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_layer import names_of
from anamnesis.service.withheld import Withheld

#: Episodes of a day read at a time.
_PAGE = 500
#: Times that a day is summed up anew because something was erased while it was read.
TRIES = 5


class _ErasedMeanwhile(Exception):
    """What was read of the day may hold what is erased by now."""


@dataclass(frozen=True, slots=True)
class DaySummary:
    """The consolidation of a day.

    Attributes
    ----------
    episode_id
        Also of one that was erased for its own sake.
    new
        Whether this call wrote it.
    """

    episode_id: str
    new: bool


@dataclass(frozen=True, slots=True)
class SumUpDays:
    """Part of a night; call it with a pair and one of the student's days."""

    log: EpisodeLog
    concepts: ConceptStore
    maps: MapCache
    append: AppendEpisodes
    withheld: Withheld

    def __call__(self, pair: Pair, day: date) -> DaySummary | None:
        """Sum up a day, or return the consolidation that it has; None for a quiet day.

        Raises
        ------
        Busy
            If the log was erased from again and again meanwhile.
        """
        first = key = f"night:{day.isoformat()}:consolidation"
        gone: Episode | None = None
        while (receipt := self.log.receipt(pair, key)) is not None:
            # Written by an earlier run; episodes that came in late since do not rewrite a day's record.
            [*written] = self.log.read(pair, [receipt.first_position], with_text=False)
            # A receipt or row that somebody changed is the chain's to name; the rest of the night goes on.
            if not receipt.vouches_for(written) or (gone and written[0].position <= gone.position):
                return None
            gone = written[0]
            if gone.content is not None:
                return DaySummary(gone.id, new=False)
            # Erased: when it went with an episode of its day, what remains is summed up anew, once.
            key = f"{first}:after {gone.position}"
        if gone is not None and day not in days_to_sum_up_again(self._episodes_of(pair, day)):
            return DaySummary(gone.id, new=False)
        for _ in range(TRIES):
            with suppress(_ErasedMeanwhile):
                written_id = self._sum_up(pair, day, key)
                return None if written_id is None else DaySummary(written_id, new=True)
        raise Busy("this log keeps being erased from")

    def _sum_up(self, pair: Pair, day: date, key: str) -> str | None:
        seen = self.log.head(pair)

        def recheck(head: Head) -> None:
            if head.erasures != seen.erasures:
                raise _ErasedMeanwhile

        names = names_of(self.maps.load(pair.scope), self.concepts.layer(pair))
        of_day = self.withheld.left_out(pair, list(self._episodes_of(pair, day)), seen)
        consolidation = consolidate(of_day, day=day, names=names)
        if consolidation is None:
            return None
        last = max(told_of(of_day), key=lambda episode: (episode.occurred_at, episode.position))
        draft = Draft(
            Kind.CONSOLIDATION,
            # With the day's last event, by the clock that it had: so it lies in the same day as that for everybody.
            last.local_occurred_at,
            consolidation.text,
            summary=consolidation.summary,
            language=consolidation.language,
        )
        return self.append(pair, key, [draft], recheck=recheck)[0].id

    def _episodes_of(self, pair: Pair, day: date) -> Iterator[Episode]:
        start, end = span_of(day)
        cursor: str | None = None
        while True:
            page, cursor = self.log.between(
                pair, start=start, end=end, kind=None, cursor=cursor, limit=_PAGE, with_text=False
            )
            yield from (episode for episode in page if episode.day == day)
            if cursor is None:
                return
