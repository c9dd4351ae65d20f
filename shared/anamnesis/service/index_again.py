"""Index what was recorded in a span of time again, when the stream no longer says which episodes that was (SV-14)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.ports import EpisodeLog
from anamnesis.service.index_episodes import IndexEpisodes

#: How far a recording process's clock may be from the stream's, which names the span. Ours.
SLACK = timedelta(days=1)
#: Longest span: dead letters are kept for 14 days.
LONGEST = timedelta(days=31)
#: Positions indexed in one call: what the function has time for, several times over.
CHUNK = 64


@dataclass(frozen=True, slots=True)
class IndexAgain:
    """The use case; ask for the pairs of a span, then call it for each until it says that nothing is left.

    Indexing replaces equal by equal, so that it does no harm to episodes that were indexed already.
    """

    log: EpisodeLog
    index: IndexEpisodes

    def pairs(self, start: datetime, end: datetime) -> list[Pair]:
        """Every pair that something was recorded for between `start` and `end` (aware datetimes).

        Raises
        ------
        InvalidInput
            If the span ends before it starts, or is longer than ``LONGEST``.
        """
        if not timedelta(0) <= end - start <= LONGEST:
            raise InvalidInput("the span ends before it starts, or is too long", field="end")
        first, last = (start - SLACK).astimezone(UTC).date(), (end + SLACK).astimezone(UTC).date()
        days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
        return list(dict.fromkeys(pair for day in days for pair in self.log.active_pairs(day)))

    def __call__(
        self, pair: Pair, start: datetime, end: datetime, *, after: int = 0
    ) -> tuple[int, int | None]:
        """Index a chunk of the pair's episodes from position ``after + 1`` on.

        Erased episodes belong to every span: their rows changed at a time that they do not tell.

        Returns
        -------
        tuple
            How many positions were given to the index, and the position to go on after; None at the end of the log.
        """
        earliest, latest = start - SLACK, end + SLACK
        # `recorded_at` may go backwards, so no row ends the search.
        wanted = (
            episode.position
            for episode in self.log.scan(pair, after=after, with_text=False)
            if episode.content is None or earliest <= episode.recorded_at <= latest
        )
        positions = list(islice(wanted, CHUNK))
        if positions:
            self.index(pair, positions)
        return len(positions), positions[-1] if len(positions) == CHUNK else None
