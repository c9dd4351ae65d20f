"""Embed new episodes for the semantic pool, and keep the unindexed tail short (RC-1, SV-4, SV-5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.working_set.segments import quantise
from anamnesis.ports import Embedder, EpisodeLog, RecordStore, SemanticIndex
from anamnesis.service.episode_vectors import episode_vectors
from anamnesis.service.refresh_working_set import RefreshWorkingSet

#: Episodes since the working set from which it is extended without waiting for the night: bounds what a turn reads.
TAIL_BOUND = 100
#: Positions between two looks at the tail's length: the stream brings episodes one by one, and a look loads the set.
LOOK_EVERY = 25


@dataclass(frozen=True, slots=True)
class IndexEpisodes:
    """The use case; call it with a pair and positions that were appended. Repeating it replaces equal by equal."""

    log: EpisodeLog
    records: RecordStore
    embedder: Embedder
    semantic_index: SemanticIndex | None
    refresh: RefreshWorkingSet

    def __call__(self, pair: Pair, positions: Sequence[int]) -> int:
        """Embed the episodes at `positions`; return how many there were. Of erased ones what was made before goes."""
        read = self.log.read(pair, positions, with_text=False)
        self._forget(pair, [e.position for e in read if e.content is None])
        episodes = [e for e in read if e.content is not None]
        count = len(episodes)
        if episodes and self.semantic_index is None:
            # While a backlog is indexed, the growing working set runs ahead of it and has embedded these already.
            known = self.records.vectors(
                pair, self.embedder.name, after=min(positions) - 1, up_to=max(positions)
            )
            episodes = [episode for episode in episodes if episode.position not in known]
        if episodes:
            vectors = episode_vectors(self.embedder, episodes)
            self.records.save_vectors(
                pair,
                {position: quantise(vector) for position, vector in vectors.items()},
                self.embedder.name,
            )
            if self.semantic_index is not None:
                self.semantic_index.add(pair, vectors)
            # Erased while it was embedded: whoever erased it may have looked for its vector before it was saved.
            again = self.log.read(pair, [episode.position for episode in episodes], with_text=False)
            self._forget(pair, [e.position for e in again if e.content is None])
        if any(position % LOOK_EVERY == 0 for position in positions):
            self.refresh.if_tail_exceeds(pair, TAIL_BOUND)
        return count

    def _forget(self, pair: Pair, positions: Sequence[int]) -> None:
        if positions:
            self.records.delete_vectors(pair, positions)
            if self.semantic_index is not None:
                self.semantic_index.remove(pair, positions)
