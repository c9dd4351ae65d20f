"""Recall for an agent: an extractive answer at once, and the records behind it as files (WU-3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from anamnesis.domain.identifiers import Pair, StudentScope
from anamnesis.domain.log.episodes import Episode, Head
from anamnesis.domain.recall import FITTED, RecallQuery, Recollection, Weights, question_words, recall
from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.wiki.addresses import episode_address
from anamnesis.domain.wiki.finding.places import places_of
from anamnesis.domain.wiki.finding.recollections import Recollected, synthesis
from anamnesis.domain.wiki.finding.search import Hit
from anamnesis.domain.wiki.finding.start_files import Handed, hand_out, session_files
from anamnesis.domain.wiki.pages import KNOWLEDGE, NOTES, Tree
from anamnesis.domain.wiki.revisions import Revision
from anamnesis.ports import Embedder, EpisodeLog, Roster, WikiRepository
from anamnesis.service.find_in_wiki import FindInWiki
from anamnesis.service.history import HistoryReader
from anamnesis.service.understanding import Asked, understand
from anamnesis.service.withheld import Withheld

#: Pages of knowledge and notes that are named, and handed out, beside the records. Ours.
PAGES: Final = 5
_NOWHERE: Final = Handed((), (), 0)


@dataclass(frozen=True, slots=True)
class WikiRecall:
    """What a recall brings.

    Attributes
    ----------
    revision
        Of the wiki that the files are of; None before the first compile.
    text
        The synthesis, in Markdown.
    recalled
        In the order in which they happened, which is how the synthesis numbers them.
    pages
        Pages that speak of it, best first.
    handed
        The files of the sessions that hold the records, and the pages.
    """

    revision: Revision | None
    text: str
    recalled: tuple[Recollected, ...]
    pages: tuple[Hit, ...]
    handed: Handed


@dataclass(frozen=True, slots=True)
class RecallWiki:
    """The use case; call it with what is looked for, in words."""

    roster: Roster
    log: EpisodeLog
    histories: HistoryReader
    withheld: Withheld
    embedder: Embedder
    repository: WikiRepository
    find: FindInWiki
    weights: Weights = FITTED

    def __call__(
        self,
        scope: StudentScope,
        description: str,
        *,
        now: datetime,
        zone: ZoneInfo,
        limit: int,
        have: Mapping[str, str],
        max_bytes: int,
    ) -> WikiRecall:
        """Look through the whole history of all subjects; what does not match is left out (RC-3).

        A time in the description is a window (RC-5). One embedding, whatever the number of subjects.

        Parameters
        ----------
        limit
            Most episodes recalled.
        have, max_bytes
            As of ``hand_out``.
        """
        asked = understand(description, now=now, zone=zone)
        episodes = self._recalled(scope, asked, now=now, limit=limit)
        head = self.repository.head(scope)
        tree: Tree = {} if head is None else self.repository.tree(scope, head.id)
        pages: tuple[Hit, ...] = ()
        if head is not None:
            pages = self.find.hits(
                scope, head, lambda: tree, description, levels=(KNOWLEDGE, NOTES), limit=PAGES
            )
        addresses = {e.id: episode_address(e.pair.subject, e.id) for e, _ in episodes}
        places = places_of(tree, addresses.values())
        recalled = sorted(
            (Recollected(e, places.get(addresses[e.id]), found.repeats) for e, found in episodes),
            key=lambda one: (one.episode.occurred_at, one.episode.pair.subject, one.episode.position),
        )
        best = [places[addresses[e.id]] for e, _ in episodes if addresses[e.id] in places]
        paths = [path for place in best for path in session_files(place.path)]
        wanted = iter([*(hit.path for hit in pages), *paths])
        handed = hand_out(tree, wanted, have=have, max_bytes=max_bytes) if tree else _NOWHERE
        told = synthesis(description, recalled, [(hit.path, hit.title) for hit in pages])
        return WikiRecall(head, told, tuple(recalled), pages, handed)

    def _recalled(
        self, scope: StudentScope, asked: Asked, *, now: datetime, limit: int
    ) -> list[tuple[Episode, Recollection]]:
        """Episodes of all subjects that match, best first."""
        window = asked.window
        period = None if window is None else (window.start, window.end)
        query = RecallQuery(
            words=question_words(asked.about, detect_language(asked.about)),
            now=now,
            vector=self.embedder.embed_query(asked.about) if asked.about else None,
            window=None if window is None else (window.start.timestamp(), window.end.timestamp()),
            asks_something=bool(asked.about),
            embedder=self.embedder.name,
        )
        found: list[tuple[Pair, Recollection]] = []
        for pair in self.roster.pairs(scope.tenant, scope.student):
            recalled = recall(
                self.histories.load(pair, window=period).segments,
                query,
                limit=limit,
                embedder_floor=self.embedder.floor,
                match_threshold=self.embedder.match_threshold,
                weights=self.weights,
            )
            if recalled.matched:
                found += [(pair, memory) for memory in recalled.memories]
        best = sorted(found, key=lambda one: (-one[1].score, one[0].subject, one[1].position))[:limit]
        told = {pair: self._read(pair, [m.position for p, m in best if p == pair]) for pair, _ in best}
        return [
            (episode, memory)
            for pair, memory in best
            if (episode := told[pair].get(memory.position)) is not None and episode.content is not None
        ]

    def _read(self, pair: Pair, positions: list[int]) -> dict[int, Episode]:
        rows = self.log.read(pair, positions)
        head: Head = self.log.head(pair)
        return {row.position: row for row in self.withheld.left_out(pair, rows, head)}
