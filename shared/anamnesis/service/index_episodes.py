"""Embed new episodes for the semantic pool, and keep the unindexed tail short (RC-1, SV-4, SV-5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.working_set.segments import quantise
from anamnesis.ports import Embedder, EpisodeLog, RecordStore, SemanticIndex
from anamnesis.service.episode_vectors import episode_vectors, with_those_before, with_those_behind
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
        """Embed the episodes at `positions`; return how many there were.

        Of erased ones what was made before goes, and what came right behind one is embedded anew.
        """
        read = self._read(pair, with_those_before(positions))
        gone = with_those_behind(p for p in positions if p in read and read[p].content is None)
        self._forget(pair, gone)
        if behind := gone - read.keys():
            read |= self._read(pair, behind)
        wanted = gone.union(positions)
        episodes = [e for e in read.values() if e.position in wanted and e.content is not None]
        count = sum(episode.position in positions for episode in episodes)
        if episodes and self.semantic_index is None:
            # While a backlog is indexed, the growing working set runs ahead of it and has embedded these already.
            known = self.records.vectors(pair, self.embedder.name, after=min(wanted) - 1, up_to=max(wanted))
            episodes = [episode for episode in episodes if episode.position not in known]
        if episodes:
            self._embed(pair, episodes, read)
        if any(position % LOOK_EVERY == 0 for position in positions):
            self.refresh.if_tail_exceeds(pair, TAIL_BOUND)
        return count

    def _embed(self, pair: Pair, episodes: Sequence[Episode], read: Mapping[int, Episode]) -> None:
        """Make and store the vectors of `episodes`, which are among those read, as are the ones before them."""
        vectors = episode_vectors(self.embedder, episodes, read.values())
        quantised = {position: quantise(vector) for position, vector in vectors.items()}
        self.records.save_vectors(pair, quantised, self.embedder.name)
        if self.semantic_index is not None:
            self.semantic_index.add(pair, vectors)
        # Erased while it was embedded: whoever erased it may have looked for its vector before it was saved.
        # What is forgotten here is made anew when the change of the erased row comes by.
        again = self._read(pair, with_those_before(episode.position for episode in episodes))
        lost = [p for p, e in again.items() if e.content is None and read[p].content is not None]
        self._forget(pair, with_those_behind(lost))

    def _read(self, pair: Pair, positions: Iterable[int]) -> dict[int, Episode]:
        read = self.log.read(pair, sorted(positions), with_text=False)
        return {episode.position: episode for episode in read}

    def _forget(self, pair: Pair, positions: Collection[int]) -> None:
        if positions:
            self.records.delete_vectors(pair, positions)
            if self.semantic_index is not None:
                self.semantic_index.remove(pair, positions)
