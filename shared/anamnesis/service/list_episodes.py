"""Episodes of a time window with what became known of them later (SV-6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind, checked_moment
from anamnesis.domain.night.records import CitationCheck
from anamnesis.ports import EpisodeLog, ErasureStore, RecordStore


@dataclass(frozen=True, slots=True)
class EpisodePage:
    """Episodes oldest first, what is known of them by position, and the cursor of the next page.

    Attributes
    ----------
    checks
        The latest look-up of an episode's citations.
    erased_on
        UTC day of the request that erased an episode.
    """

    episodes: tuple[Episode, ...]
    checks: Mapping[int, CitationCheck]
    erased_on: Mapping[int, date]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class ListEpisodes:
    """The use case; call it with a pair and a window."""

    log: EpisodeLog
    records: RecordStore
    erasures: ErasureStore

    def __call__(
        self,
        pair: Pair,
        *,
        start: datetime | None,
        end: datetime | None,
        kind: Kind | None,
        cursor: str | None,
        limit: int,
    ) -> EpisodePage:
        """A page of episodes with ``start <= occurred_at < end``.

        Raises
        ------
        InvalidInput
            If the window ends before it starts or lies outside all plausible time, or the cursor is not one of ours.
        """
        for moment, field in ((start, "from"), (end, "to")):
            if moment is not None:
                checked_moment(moment, field=field)
        if start is not None and end is not None and end < start:
            raise InvalidInput("must not be before from", field="to")
        episodes, following = self.log.between(
            pair, start=start, end=end, kind=kind, cursor=cursor, limit=limit
        )
        wanted = {episode.position for episode in episodes if episode.evidence}
        checks = (
            {c.position: c for c in self.records.citation_checks(pair) if c.position in wanted}
            if wanted
            else {}
        )
        return EpisodePage(tuple(episodes), checks, self._erased_on(pair, episodes), following)

    def _erased_on(self, pair: Pair, episodes: Sequence[Episode]) -> dict[int, date]:
        gone = [episode.position for episode in episodes if episode.content is None]
        records = self.erasures.all(pair) if gone else []
        # The oldest record of a position is the one that erased it.
        return {
            position: erasure.request.at.date()
            for erasure in reversed(records)
            for position in gone
            if position in erasure
        }
