"""Episodes of a time window with what became known of them later (SV-6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from anamnesis.domain.errors import InvalidInput, NotFound
from anamnesis.domain.grounding.values import GroundingRecord
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind, checked_moment
from anamnesis.domain.night.records import CitationCheck
from anamnesis.ports import EpisodeLog, ErasureStore, RecordStore
from anamnesis.service.withheld import Withheld

#: Characters that a reply tells at most, unless one episode alone has more. Lambda sends 6 MiB, and its JSON spells a
#: character in up to 12 bytes.
PAGE_CHARS = 400_000


@dataclass(frozen=True, slots=True)
class EpisodePage:
    """Episodes oldest first, what is known of them by position, and the cursor of the next page.

    Attributes
    ----------
    checks
        The latest look-up of an episode's citations.
    erased_on
        UTC day of the request that erased an episode.
    groundings
        What was found of an answer's claims.
    """

    episodes: tuple[Episode, ...]
    checks: Mapping[int, CitationCheck]
    erased_on: Mapping[int, date]
    groundings: Mapping[int, GroundingRecord]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class ListEpisodes:
    """The use case; call it with a pair and a window, or ask for one."""

    log: EpisodeLog
    records: RecordStore
    erasures: ErasureStore
    withheld: Withheld

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
        """A page of episodes with ``start <= occurred_at < end``, at most ``PAGE_CHARS`` characters of them.

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
            pair, start=start, end=end, kind=kind, cursor=cursor, limit=limit, max_chars=PAGE_CHARS
        )
        return self._annotated(pair, episodes, following)

    def one(self, pair: Pair, episode_id: str) -> EpisodePage:
        """One episode, as a page of its own.

        Raises
        ------
        NotFound
            If the log has no such episode.
        """
        position = self.log.position_of(pair, episode_id)
        episodes = self.log.read(pair, [position]) if position is not None else []
        if not episodes:
            raise NotFound("no such episode", field="episode_id")
        return self._annotated(pair, episodes, None)

    def at(self, pair: Pair, positions: Sequence[int]) -> EpisodePage:
        """Episodes at some positions, as a page of their own."""
        return self._annotated(pair, self.log.read(pair, positions), None)

    def _annotated(self, pair: Pair, episodes: Sequence[Episode], following: str | None) -> EpisodePage:
        episodes = self.withheld.left_out(pair, episodes, self.log.head(pair))
        wanted = {episode.position for episode in episodes if episode.evidence}
        checks = (
            {c.position: c for c in self.records.citation_checks(pair) if c.position in wanted}
            if wanted
            else {}
        )
        answers = {e.position for e in episodes if e.kind is Kind.ANSWER and e.content is not None}
        groundings = (
            {g.position: g for g in self.records.groundings(pair) if g.position in answers} if answers else {}
        )
        return EpisodePage(tuple(episodes), checks, self._erased_on(pair, episodes), groundings, following)

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


def chars_of(episode: Episode) -> int:
    """Characters that an episode tells."""
    said = episode.content
    return sum(map(len, (said.summary, said.text, said.topic or "", said.evaluation or ""))) if said else 0
