"""Extend a pair's working set by the episodes appended since (NI-1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Head
from anamnesis.domain.log.erasures import DeletedPositions
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.gaps import before_chasm, without_gaps
from anamnesis.domain.working_set.segments import (
    blanked,
    build_segment,
    concatenate,
    empty_segment,
    quantise,
    with_vectors,
    without_vectors,
)
from anamnesis.ports import Embedder, EpisodeLog, ErasureStore, RecordStore
from anamnesis.service.deadline import Deadline
from anamnesis.service.episode_vectors import episode_vectors, with_those_before, with_those_behind
from anamnesis.service.withheld import Withheld, telling_nothing_of, without

#: Episodes loaded at a time.
CHUNK = 256
#: Episodes embedded between two saves, and two looks at the clock: what a run that is killed may lose, and at most 4 s
#: of a busy processor (two passages each, 0.04 to 0.23 s). Making missing vectors is 99 % of a first night. Ours.
EMBEDDED_AT_ONCE = 8
#: The set is published each time that this part of it has changed, and a chunk at least: a publication writes the whole
#: set, so that all of them together write a small multiple of the last one.
GROWTH = 0.25
#: Rows whose words are indexed between two publications at least: about a second. Ours.
ROWS_AT_ONCE = 5_000
#: Positions over which the vectors of a chunk are asked for at most.
MAX_SPAN = 4 * CHUNK


@dataclass(frozen=True, slots=True)
class Refreshed:
    """A published working set, and what was done for it.

    Attributes
    ----------
    indexed
        Episodes that joined it.
    vectors_made
        Vectors that nobody had made before.
    """

    segment: Segment
    indexed: int
    vectors_made: int


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
        """As ``run``; return the set alone."""
        return self.run(pair, at_most=at_most, deadline=deadline).segment

    def run(self, pair: Pair, *, at_most: int | None = None, deadline: Deadline | None = None) -> Refreshed:
        """Publish a working set that covers the log as of now, with a vector for every episode.

        Words first: indexing them takes a thousandth of the time that embedding takes, so that an imported history or
        what came while nothing was indexed is found by its words at once, and by its meaning as vectors are made.
        Vectors are saved and the set is published on the way: a run that is killed leaves less to do for the next one.

        Parameters
        ----------
        at_most
            Most episodes whose vectors are made or fetched here; the set may then be published without some.

        Raises
        ------
        Unfinished
            If the deadline came before the end; what was made until then is saved.
        """
        deadline = deadline or Deadline.never()
        # The head first: what is erased after this is not counted, so that a set which still holds it never takes the
        # place of one without it.
        head = self.log.head(pair)
        withheld = self.withheld.positions(pair, head)
        stored = self.forget(pair, head)
        if stored is None or stored.embedder != self.embedder.name:
            stored = self._empty(head)
        published = _Published(self.records, pair, stored)
        covered = stored.last_position
        self._add_words(pair, published, head, withheld, deadline)
        made = self._add_vectors(pair, published, withheld, at_most, deadline)
        return Refreshed(published.segment, published.last_position - covered, made)

    def if_tail_exceeds(self, pair: Pair, bound: int) -> None:
        """Extend the set, only when more than `bound` episodes came since, or as many of it have no vector.

        A chunk of vectors is what a call of the indexing function has time for, and more than comes between two of its
        looks.
        """
        stored = self.records.working_set(pair)
        covered = stored.last_position if stored is not None else 0
        lacking = 0 if stored is None else len(without_vectors(stored))
        if max(lacking, self.log.head(pair).length - covered) > bound:
            self(pair, at_most=CHUNK)

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

    def forget_behind(self, pair: Pair, stored: Segment, deleted: DeletedPositions) -> None:
        """Publish a stored set without the vectors of what came right behind deleted episodes, if it has any.

        Somebody may have embedded them together just before and saved that just after; the next run makes them anew.
        """
        nothing = np.zeros(stored.vectors.shape[1], dtype=np.int8)
        told = {
            position: nothing
            for position in with_those_behind(deleted)
            if position not in deleted
            and position <= stored.last_position
            and stored.vectors[position - stored.first_position].any()
        }
        if told:
            self.records.save_working_set(pair, with_vectors(stored, told))

    def _add_words(
        self,
        pair: Pair,
        published: _Published,
        head: Head,
        withheld: Collection[int],
        deadline: Deadline,
    ) -> None:
        """Extend the set to the head, with the vectors that there are already."""
        while True:
            after = published.last_position
            chunk = islice(self.log.scan(pair, after=after, limit=CHUNK, with_text=False), CHUNK)
            # Rows beyond the head belong to no chain (or to a later call).
            episodes = before_chasm([e for e in chunk if e.position <= head.length], after)
            if not episodes:
                break
            last = episodes[-1].position
            added = build_segment(
                without_gaps(without(episodes, withheld), after),
                first_position=after + 1,
                vectors=telling_nothing_of(
                    withheld, self.records.vectors(pair, self.embedder.name, after=after, up_to=last)
                ),
                embedder=self.embedder.name,
                dimension=self.embedder.dimension,
            )
            published.grow(replace(added, erasures=head.erasures))
            if not deadline.left():
                published.now()
                deadline.check()
        published.now()

    def _add_vectors(
        self,
        pair: Pair,
        published: _Published,
        withheld: Collection[int],
        at_most: int | None,
        deadline: Deadline,
    ) -> int:
        """Give the rows their vectors that have none yet, oldest first; return how many were made here."""
        total = 0
        try:
            for some in near_each_other(without_vectors(published.segment)[:at_most]):
                vectors, made = self._vectors(pair, some, withheld, deadline)
                published.fill(vectors)
                total += made
        finally:
            # Of a chunk that the deadline cut short the next run finds the vectors where they are saved.
            published.now()
        return total

    def _empty(self, head: Head) -> Segment:
        nothing = empty_segment(
            first_position=1, embedder=self.embedder.name, dimension=self.embedder.dimension
        )
        return replace(nothing, erasures=head.erasures)

    def _vectors(
        self, pair: Pair, positions: Sequence[int], withheld: Collection[int], deadline: Deadline
    ) -> tuple[dict[int, npt.NDArray[np.int8]], int]:
        """Quantised vectors of the episodes there, and how many of them were made here: no run had stored them yet."""
        first, last = positions[0], positions[-1]
        stored = telling_nothing_of(
            withheld, self.records.vectors(pair, self.embedder.name, after=first - 1, up_to=last)
        )
        vectors = {position: stored[position] for position in positions if position in stored}
        unmade = {position for position in positions if position not in stored}
        read = self.log.read(pair, with_those_before(unmade), with_text=False) if unmade else []
        read = without(read, withheld)
        missing = [episode for episode in read if episode.position in unmade and episode.content is not None]
        for start in range(0, len(missing), EMBEDDED_AT_ONCE):
            deadline.check()
            some = missing[start : start + EMBEDDED_AT_ONCE]
            made = episode_vectors(self.embedder, some, read)
            added = {position: quantise(vector) for position, vector in made.items()}
            self.records.save_vectors(pair, added, self.embedder.name)
            vectors |= added
        return vectors, len(missing)


class _Published:
    """A set that changes, and is published each time that enough of it has changed."""

    def __init__(self, records: RecordStore, pair: Pair, stored: Segment) -> None:
        self._records = records
        self._pair = pair
        self.segment = stored
        #: Rows behind the set that it does not have yet: each time that rows join it, all of it is copied.
        self._behind: Segment | None = None
        self._changed = 0

    @property
    def last_position(self) -> int:
        """Up to where it goes."""
        return (self._behind or self.segment).last_position

    def grow(self, added: Segment) -> None:
        """Go on with more rows."""
        self._behind = added if self._behind is None else concatenate(self._behind, added)
        if len(self._behind.occurred) >= max(ROWS_AT_ONCE, GROWTH * len(self.segment.occurred)):
            self.now()

    def fill(self, vectors: Mapping[int, npt.NDArray[np.int8]]) -> None:
        """Go on with these rows' vectors."""
        if vectors:
            self.segment = with_vectors(self.segment, vectors)
            self._changed += len(vectors)
        if self._changed >= max(CHUNK, GROWTH * len(self.segment.occurred)):
            self.now()

    def now(self) -> None:
        """Publish what has changed."""
        if self._behind is not None:
            self._changed += len(self._behind.occurred)
            self.segment = concatenate(self.segment, self._behind)
            self._behind = None
        if self._changed:
            self._records.save_working_set(self._pair, self.segment)
            self._changed = 0


def near_each_other(positions: Sequence[int]) -> Iterator[list[int]]:
    """Cut ascending positions into chunks whose vectors one short query finds."""
    some: list[int] = []
    for position in positions:
        if some and (len(some) == CHUNK or position - some[0] >= MAX_SPAN):
            yield some
            some = []
        some.append(position)
    if some:
        yield some
