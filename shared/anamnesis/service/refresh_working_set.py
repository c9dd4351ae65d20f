"""Extend a pair's working set by the episodes appended since (NI-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Head, erased
from anamnesis.domain.log.erasures import DeletedPositions
from anamnesis.domain.passages import episode_passage
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import blanked, build_segment, concatenate, empty_segment, quantise
from anamnesis.ports import Embedder, EpisodeLog, ErasureStore, RecordStore
from anamnesis.service.deadline import Deadline
from anamnesis.service.withheld import Withheld, without

#: Episodes loaded at a time.
CHUNK = 256
#: Passages embedded between two saves, and two looks at the clock: what a run that is killed may lose, and at most 4 s
#: of a busy processor (0.04 to 0.23 s each). Making missing vectors is 99 % of a first night. Ours.
EMBEDDED_AT_ONCE = 16
#: The growing set is published each time it has grown by this part of itself, and by a chunk at least: a publication
#: writes the whole set, so that all of them together write a small multiple of the last one.
GROWTH = 0.25
#: Most consecutive missing rows that the set keeps empty places for; what lies behind more is read as tail.
MAX_GAP = 10_000


@dataclass(frozen=True, slots=True)
class RefreshWorkingSet:
    """The use case; call it with a pair. Extends the stored set, or rebuilds it when the embedder changed."""

    log: EpisodeLog
    erasures: ErasureStore
    records: RecordStore
    embedder: Embedder
    withheld: Withheld

    def __call__(
        self, pair: Pair, *, at_most: int | None = None, deadline: Deadline | None = None
    ) -> Segment:
        """Publish a working set that covers the log as of now, or `at_most` episodes more than before; return it.

        Episodes whose vectors are not there yet are embedded on the way, so that the set is complete. Vectors are saved
        and the set is published while it grows: a run that is killed leaves less to do for the next one.

        Raises
        ------
        Unfinished
            If the deadline came before the end of the log; vectors made until then are saved.
        """
        deadline = deadline or Deadline.never()
        # The head first: what is erased after this is not counted, so that a set which still holds it never takes the
        # place of one without it.
        head = self.log.head(pair)
        withheld = self.withheld.positions(pair, head)
        stored = self.forget(pair, head)
        if stored is None or stored.embedder != self.embedder.name:
            stored = self._empty(head)
        extended = stored
        published = stored.last_position
        length = head.length
        if at_most is not None:
            length = min(length, stored.last_position + at_most)
        while True:
            after = extended.last_position
            chunk = islice(self.log.scan(pair, after=after, limit=CHUNK, with_text=False), CHUNK)
            # Rows beyond the head belong to no chain (or to a later call).
            episodes = before_chasm([episode for episode in chunk if episode.position <= length], after)
            if not episodes:
                break
            episodes = without(episodes, withheld)
            vectors = self._vectors(pair, episodes, deadline)
            added = build_segment(
                without_gaps(episodes, after),
                first_position=after + 1,
                vectors=vectors,
                embedder=self.embedder.name,
                dimension=self.embedder.dimension,
            )
            extended = concatenate(extended, replace(added, erasures=head.erasures))
            if extended.last_position - published >= max(CHUNK, GROWTH * published):
                self.records.save_working_set(pair, extended)
                published = extended.last_position
        if extended.last_position > published:
            self.records.save_working_set(pair, extended)
        return extended

    def forget(self, pair: Pair, head: Head | None = None) -> Segment | None:
        """Publish the stored set without what was erased since it was made, and return it; None when there is none.

        Parameters
        ----------
        head
            As read before; None to read it here.
        """
        head = head or self.log.head(pair)
        stored = self.records.working_set(pair)
        if stored is None or stored.erasures >= head.erasures:
            return stored
        deleted = DeletedPositions(self.erasures.all(pair))
        forgetful = blanked(stored, deleted, erasures=head.erasures)
        self.records.save_working_set(pair, forgetful)
        return forgetful

    def _empty(self, head: Head) -> Segment:
        nothing = empty_segment(
            first_position=1, embedder=self.embedder.name, dimension=self.embedder.dimension
        )
        return replace(nothing, erasures=head.erasures)

    def _vectors(
        self, pair: Pair, episodes: Sequence[Episode], deadline: Deadline
    ) -> dict[int, npt.NDArray[np.int8]]:
        """Quantised vectors of `episodes`; the ones that no indexing run has stored yet are made here."""
        first, last = episodes[0].position, episodes[-1].position
        vectors = self.records.vectors(pair, self.embedder.name, after=first - 1, up_to=last)
        missing = [e for e in episodes if e.position not in vectors and e.content is not None]
        for start in range(0, len(missing), EMBEDDED_AT_ONCE):
            deadline.check()
            some = missing[start : start + EMBEDDED_AT_ONCE]
            made = self.embedder.embed_passages([episode_passage(episode) for episode in some])
            added = {e.position: quantise(vector) for e, vector in zip(some, made, strict=True)}
            self.records.save_vectors(pair, added, self.embedder.name)
            vectors = {**vectors, **added}
        return vectors

    def if_tail_exceeds(self, pair: Pair, bound: int) -> None:
        """Extend the set by a chunk, only when more than `bound` episodes came since the stored set.

        A chunk is what a call of the indexing function has time for, and more than comes between two of its looks.
        """
        stored = self.records.working_set(pair)
        covered = stored.last_position if stored is not None else 0
        if self.log.head(pair).length - covered > bound:
            self(pair, at_most=CHUNK)


def before_chasm(episodes: Sequence[Episode], after: int) -> list[Episode]:
    """The first of `episodes`, ascending, up to a gap of more than ``MAX_GAP`` positions.

    A forged row at a far position, together with a forged head, would otherwise cost an empty place for each position
    in between.
    """
    near: list[Episode] = []
    for episode in episodes:
        if episode.position - after > MAX_GAP:
            break
        near.append(episode)
        after = episode.position
    return near


def without_gaps(episodes: Sequence[Episode], after: int) -> list[Episode]:
    """`episodes`, ascending, with an erased one at every missing position from ``after + 1`` on.

    A row that somebody removed is a break that verification names; it must end neither the nights nor reading.
    """
    filled: list[Episode] = []
    for episode in episodes:
        blank = replace(erased(episode), id="")
        filled += [replace(blank, position=p) for p in range(after + len(filled) + 1, episode.position)]
        filled.append(episode)
    return filled
