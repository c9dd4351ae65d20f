"""Several segments seen as one history: the same arrays, whatever the split."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from anamnesis.domain.messages.intents import RecordFocus
from anamnesis.domain.text.terms import term_hash
from anamnesis.domain.working_set import KIND_CODES, Postings, Segment
from anamnesis.domain.working_set.segments import ERASED_FOLD, NO_SIMILARITY, similarities, vector_lengths

BoolRows = npt.NDArray[np.bool_]
FloatRows = npt.NDArray[np.float32]
RowNumbers = npt.NDArray[np.int64]

_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class History:
    """All episodes of a pair as arrays of n rows, in the order of the segments.

    Attributes
    ----------
    first_rows
        Row of each segment's first episode.
    positions, occurred, kinds, salience, outcome, folds, lengths, asking
        Shape (n,); see ``Segment``.
    tellable
        Shape (n,), bool: not erased, and no question about the record or answer that narrates it (RC-6).
    """

    segments: tuple[Segment, ...]
    first_rows: tuple[int, ...]
    positions: RowNumbers
    occurred: RowNumbers
    kinds: npt.NDArray[np.uint8]
    salience: FloatRows
    outcome: npt.NDArray[np.int8]
    folds: npt.NDArray[np.uint64]
    lengths: npt.NDArray[np.uint32]
    asking: npt.NDArray[np.uint8]
    tellable: BoolRows

    @classmethod
    def of(cls, segments: Sequence[Segment]) -> History:
        """View segments, in any order, as one history.

        Raises
        ------
        ValueError
            If two segments hold the same position.
        """
        ordered = tuple(sorted((s for s in segments if len(s.occurred)), key=lambda s: s.first_position))
        if any(b.first_position <= a.last_position for a, b in pairwise(ordered)):
            raise ValueError("segments of one history must not overlap")
        sizes = [len(s.occurred) for s in ordered]
        folds = _joined([s.folds for s in ordered], np.uint64)
        return cls(
            segments=ordered,
            first_rows=tuple(int(n) for n in np.cumsum([0, *sizes])[:-1]),
            positions=_joined([s.first_position + np.arange(len(s.occurred)) for s in ordered], np.int64),
            occurred=_joined([s.occurred for s in ordered], np.int64),
            kinds=_joined([s.kinds for s in ordered], np.uint8),
            salience=_joined([s.salience for s in ordered], np.float32),
            outcome=_joined([s.outcome for s in ordered], np.int8),
            folds=folds,
            lengths=_joined([s.lengths for s in ordered], np.uint32),
            asking=_joined([s.asking for s in ordered], np.uint8),
            tellable=~_joined([s.about_record for s in ordered], np.bool_) & (folds != ERASED_FOLD),
        )

    def __len__(self) -> int:
        return len(self.occurred)

    def is_kind(self, *kinds: str) -> BoolRows:
        """Mark rows of any of these kinds."""
        rows: BoolRows = self.kinds == KIND_CODES[kinds[0]]
        for kind in kinds[1:]:
            rows |= self.kinds == KIND_CODES[kind]
        return rows

    def in_focus(self, focus: RecordFocus) -> BoolRows:
        """Mark the rows that the focus asks for."""
        if focus is RecordFocus.TAUGHT:
            return self.is_kind("taught")
        if focus in {RecordFocus.WRONG, RecordFocus.RIGHT}:
            checked = self.is_kind("check", "quiz")
            checked &= self.outcome == (1 if focus is RecordFocus.RIGHT else 0)
            return checked
        return np.ones(len(self), dtype=np.bool_)

    def id_at(self, row: int) -> str:
        """Return the episode id at a row."""
        segment = bisect_right(self.first_rows, row) - 1
        return bytes(self.segments[segment].ids[row - self.first_rows[segment]]).decode("ascii")

    def rows_of(self, position: int) -> RowNumbers:
        """Find the row of a position: shape (1,), or (0,) when no segment holds it."""
        row = int(np.searchsorted(self.positions, position))
        held = row < len(self) and int(self.positions[row]) == position
        return np.array([row] if held else [], dtype=np.int64)

    def term_rows(self, terms: Iterable[str]) -> tuple[RowNumbers, FloatRows]:
        """Find the rows that hold any of these index terms, ascending, and the largest count of one of them in each."""
        return self._posted(terms, lambda segment: segment.term_postings)

    def concept_rows(self, key: str) -> RowNumbers:
        """Find the rows that touch the concept, ascending."""
        return self._posted((key,), lambda segment: segment.concept_postings)[0]

    def _posted(
        self, terms: Iterable[str], postings_of: Callable[[Segment], Postings]
    ) -> tuple[RowNumbers, FloatRows]:
        rows: list[RowNumbers] = [np.empty(0, dtype=np.int64)]
        counts: list[FloatRows] = [np.empty(0, dtype=np.float32)]
        for term in terms:
            key = np.uint64(term_hash(term))
            for first_row, segment in zip(self.first_rows, self.segments, strict=True):
                postings = postings_of(segment)
                at = int(np.searchsorted(postings.terms, key))
                if at < len(postings.terms) and postings.terms[at] == key:
                    span = slice(int(postings.offsets[at]), int(postings.offsets[at + 1]))
                    rows.append(postings.rows[span].astype(np.int64) + first_row)
                    counts.append(postings.counts[span].astype(np.float32))
        distinct, inverse = np.unique(np.concatenate(rows), return_inverse=True)
        largest = np.zeros(len(distinct), dtype=np.float32)
        np.maximum.at(largest, inverse, np.concatenate(counts))
        return distinct, largest

    def cosines(self, probes: npt.NDArray[np.float32], embedder: str | None) -> FloatRows:
        """Compare probes, shape (k, d), with every row: shape (n, k), ``NO_SIMILARITY`` where no vector is comparable.

        Parameters
        ----------
        embedder
            Name of the probes' embedder; segments of another one are not compared. None trusts the caller.
        """
        cosines = np.full((len(probes), len(self)), NO_SIMILARITY, dtype=np.float32)
        for rows, segment in self._of_embedder(embedder):
            cosines[:, rows] = similarities(segment, probes).T
        return cosines.T

    def standing_cosines(self, probes: npt.NDArray[np.float32], embedder: str | None) -> FloatRows:
        """As ``cosines``, for probes that are the same object in every turn: each segment keeps its own."""
        if not len(probes):
            return np.empty((len(self), 0), dtype=np.float32)
        cosines = np.full((len(self), len(probes)), NO_SIMILARITY, dtype=np.float32)
        for rows, segment in self._of_embedder(embedder):
            cosines[rows] = segment.derived.get(
                "standing_cosines", probes, partial(similarities, segment, probes)
            )
        return cosines

    def _of_embedder(self, embedder: str | None) -> Iterator[tuple[slice, Segment]]:
        """Segments whose vectors can be compared with this embedder's, and where their rows are."""
        for first_row, segment in zip(self.first_rows, self.segments, strict=True):
            if embedder in {None, segment.embedder}:
                yield slice(first_row, first_row + len(segment.occurred)), segment

    def with_vectors(self, rows: RowNumbers, embedder: str | None) -> RowNumbers:
        """Those of the rows, ascending, that have a vector of this embedder."""
        found = [np.empty(0, dtype=np.int64)]
        for of_segment, segment in self._of_embedder(embedder):
            start, stop = np.searchsorted(rows, (of_segment.start, of_segment.stop))
            found.append(rows[start:stop][vector_lengths(segment)[rows[start:stop] - of_segment.start] > 0])
        return np.concatenate(found)

    def unit_vectors(self, rows: RowNumbers, embedder: str | None) -> npt.NDArray[np.float32]:
        """Vectors of those of the rows, ascending, that have one of this embedder: shape (m, d), unit length."""
        found, lengths = [], []
        for of_segment, segment in self._of_embedder(embedder):
            start, stop = np.searchsorted(rows, (of_segment.start, of_segment.stop))
            own = rows[start:stop] - of_segment.start
            lengths.append(vector_lengths(segment)[own])
            found.append(segment.vectors[own[lengths[-1] > 0]].astype(np.float32))
        if not found:
            return np.empty((0, 0), dtype=np.float32)
        length = np.concatenate(lengths)
        unit: npt.NDArray[np.float32] = np.concatenate(found) / length[length > 0, None]
        return unit


def _joined(parts: Sequence[npt.NDArray[_Scalar]], dtype: type[_Scalar]) -> npt.NDArray[_Scalar]:
    return np.concatenate(parts).astype(dtype, copy=False) if parts else np.empty(0, dtype=dtype)
