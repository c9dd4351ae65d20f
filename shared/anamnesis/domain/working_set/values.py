"""The working set: a compact, columnar snapshot of a pair's whole history that one turn scores with array operations.

A segment covers consecutive positions. The night stores one for the whole history; the episodes appended since form a
second, short one that the read path builds on the fly. Recall takes any number of segments, so that a turn's store
requests stay constant in the length of the history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

#: Order of ``Kind`` values behind ``Segment.kinds``; append only, stored segments refer to it.
KIND_ORDER = ("question", "answer", "check", "quiz", "file", "taught", "consolidation")
KIND_CODES: Mapping[str, int] = {kind: code for code, kind in enumerate(KIND_ORDER)}


@dataclass(frozen=True, slots=True)
class Postings:
    """An inverted index: sorted uint64 terms, and for term i the rows ``rows[offsets[i]:offsets[i + 1]]``, ascending.

    Attributes
    ----------
    terms
        Shape (t,), uint64, ascending: 64-bit hashes of terms or of concept keys.
    offsets
        Shape (t + 1,), int64.
    rows
        Shape (p,), uint32: row numbers of the segment.
    counts
        Shape (p,), uint16: how often the term stands in that row.
    """

    terms: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.int64]
    rows: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint16]


class Derived:
    """What is worked out of a segment's columns once, when it is first asked for, and kept as long as the segment is.

    Threads that ask at once may work it out twice; they get equal arrays.
    """

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[str, tuple[object, npt.NDArray[np.float32]]] = {}

    def get(
        self, name: str, made_of: object, make: Callable[[], npt.NDArray[np.float32]]
    ) -> npt.NDArray[np.float32]:
        """Return the array of this name, made if it is not there yet.

        Parameters
        ----------
        made_of
            What it depends on besides the segment: with another object it is made anew, and replaces the one before.
        """
        kept = self._kept.get(name)
        if kept is None or kept[0] is not made_of:
            kept = self._kept[name] = (made_of, make())
        return kept[1]


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive episodes of one pair as arrays of n rows; row r is position ``first_position + r``.

    Attributes
    ----------
    ids
        Shape (n,), fixed-width ASCII bytes: episode ids.
    occurred
        Shape (n,), int64: seconds since the epoch, UTC.
    kinds
        Shape (n,), uint8: index into KIND_ORDER.
    salience
        Shape (n,), float32.
    outcome
        Shape (n,), int8: 1 passed, 0 missed, -1 no outcome.
    about_record
        Shape (n,), bool: questions about the record and the answers that narrate it (RC-6).
    cites
        Shape (n,), bool: has evidence (for the night's verification).
    folds
        Shape (n,), uint64: hash of kind, outcome and normalised sentence; equal means "the same memory" (RC-4).
    lengths
        Shape (n,), uint32: number of indexed terms.
    asking
        Shape (n,), uint8: how much of the text asks, in hundredths.
    term_postings, concept_postings
        See Postings; concepts are indexed by the hash of their canonical key.
    vectors
        Shape (n, d), int8: quantised unit vectors; all zero where not embedded yet.
    embedder
        Name of the embedder behind ``vectors``.
    erasures
        ``Head.erasures`` of the log that it was made from: what was erased later is still in it.
    version
        What the stored copy it was loaded from is known by; empty for one built in memory. Two nights may publish
        different sets over the same positions (new vectors, new terms), and a reader must see that.
    derived
        What was worked out of these columns; a changed copy (``dataclasses.replace``) starts without any.
    """

    first_position: int
    ids: npt.NDArray[np.bytes_]
    occurred: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.uint8]
    salience: npt.NDArray[np.float32]
    outcome: npt.NDArray[np.int8]
    about_record: npt.NDArray[np.bool_]
    cites: npt.NDArray[np.bool_]
    folds: npt.NDArray[np.uint64]
    lengths: npt.NDArray[np.uint32]
    asking: npt.NDArray[np.uint8]
    term_postings: Postings
    concept_postings: Postings
    vectors: npt.NDArray[np.int8]
    embedder: str
    erasures: int = 0
    version: str = ""
    derived: Derived = field(default_factory=Derived, init=False, repr=False, compare=False)

    @property
    def last_position(self) -> int:
        """Position of the last row; ``first_position - 1`` when empty."""
        return self.first_position + len(self.occurred) - 1
