"""What is made from the log and from files, and kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import Contribution, StudentLayer, SubjectMap
from anamnesis.domain.files import FileRecord, Page
from anamnesis.domain.grounding.values import GroundingRecord
from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis.domain.log.progress import Progress
from anamnesis.domain.night.records import CitationCheck, SelfModel
from anamnesis.domain.working_set import Segment


class BeliefStore(Protocol):
    """Belief rows and how far the log has been turned into them (BE-2)."""

    def projected_to(self, pair: Pair) -> Progress:
        """What the stored rows cover of the log; nothing at first."""

    def current(self, pair: Pair) -> list[Belief]:
        """Rows that nothing supersedes, by concept key; reads no superseded row."""

    def history(self, pair: Pair) -> list[Belief]:
        """All rows, oldest first."""

    def get(self, pair: Pair, belief_id: str) -> Belief | None:
        """One row."""

    def save(
        self,
        pair: Pair,
        *,
        inserted: Sequence[Belief],
        changed: Sequence[Belief],
        projected_to: Progress,
        expected: Progress,
        removed: Collection[str] = (),
    ) -> None:
        """Insert rows, store the new pointer, confidence or history of changed ones, and delete rows by their ids.

        One transaction, or several when there are many rows: each then only if nobody else has saved since the one
        before, the rows of one concept together, and the last moves the projection.

        Parameters
        ----------
        projected_to
            What the rows cover; its revision does not matter, each transaction counts the stored one up.
        expected
            The ``projected_to`` that the caller read before the rows. Saving again what is stored changes nothing.
        removed
            Only for what the law wants gone (EP-8): other rows are superseded, never deleted (BE-2).

        Raises
        ------
        RevisionMoved
            If another writer has saved since.
        """


class ConceptStore(Protocol):
    """Files, what each one says, the merged map of a subject, and each student's own layer."""

    def add_file(self, record: FileRecord) -> None:
        """Store a new file record."""

    def get_file(self, scope: SubjectScope, file_id: str) -> FileRecord | None:
        """One record, deleted and replaced ones included."""

    def files(self, scope: SubjectScope) -> list[FileRecord]:
        """Every record of the subject, oldest first."""

    def update_file(self, record: FileRecord, *, expected: FileRecord) -> int:
        """Store a record's new state and return the subject's new revision.

        `expected` is the record that the caller read and decided upon.

        Raises
        ------
        NotFound
            If the file was never added.
        RevisionMoved
            If the stored status, fingerprint, successor or time of deletion is no longer that of `expected`.
        """

    def save_contribution(
        self, scope: SubjectScope, contribution: Contribution, record: FileRecord, *, expected: FileRecord
    ) -> int:
        """Store what a file says and its record (status read) together; return the subject's new revision.

        Raises
        ------
        NotFound, RevisionMoved
            As for ``update_file``; nothing is stored then.
        """

    def contributions(self, scope: SubjectScope) -> list[Contribution]:
        """Contributions of the files that are current (not replaced, not deleted), by file id."""

    def extraction_of(self, scope: SubjectScope, fingerprint: str) -> Contribution | None:
        """What was read from these bytes before in this subject, whatever became of that file."""

    def revision(self, scope: SubjectScope) -> int:
        """Grows by one with each change of a file's state or contribution; 0 at first."""

    def published_revision(self, scope: SubjectScope) -> int | None:
        """The revision of the published map, for one small read; None before the first."""

    def save_map(self, scope: SubjectScope, subject_map: SubjectMap) -> None:
        """Publish a merged map.

        Raises
        ------
        RevisionMoved
            If a map of the same or a later revision is published already.
        """

    def load_map(self, scope: SubjectScope, *, known: SubjectMap | None = None) -> SubjectMap:
        """The published map; `known` itself when it is still the published revision; an empty map at revision 0."""

    def save_pages(self, scope: SubjectScope, fingerprint: str, pages: Sequence[Page]) -> None:
        """Keep a file's page texts."""

    def load_pages(self, scope: SubjectScope, fingerprint: str) -> list[Page]:
        """Page texts kept before; empty when there are none."""

    def delete_pages(self, scope: SubjectScope, fingerprint: str) -> None:
        """Remove page texts; nothing happens when there are none."""

    def erase_file(self, record: FileRecord, *, expected: FileRecord) -> int:
        """Store what stays of an erased file and remove what was read from it; return the subject's new revision.

        Raises
        ------
        NotFound, RevisionMoved
            As for ``update_file``; nothing is removed then.
        """

    def sweep(self, pair: Pair, *, until: datetime) -> None:
        """Remove what was written before `until` for the pair's layer or its subject and that nothing refers to."""

    def layer(self, pair: Pair) -> StudentLayer:
        """The student's own layer."""

    def save_layer(
        self, pair: Pair, layer: StudentLayer, *, projected_to: Progress, expected: Progress
    ) -> None:
        """Store the layer and what it covers of the log, and count its revision up.

        `expected` is the ``layer_position`` that the caller read before the layer. Saving again what is stored changes
        nothing.

        Raises
        ------
        RevisionMoved
            If another writer has saved since.
        """

    def layer_position(self, pair: Pair) -> Progress:
        """What the stored layer covers of the log; nothing at first."""


class RecordStore(Protocol):
    """What is known about a pair's episodes afterwards."""

    def save_vectors(self, pair: Pair, vectors: Mapping[int, npt.NDArray[np.int8]], embedder: str) -> None:
        """Keep the quantised vectors (int8, shape (d,)) of episodes by position; the same position again replaces."""

    def vectors(
        self, pair: Pair, embedder: str, *, after: int = 0, up_to: int | None = None
    ) -> dict[int, npt.NDArray[np.int8]]:
        """Vectors by position, from ``after + 1`` to `up_to` inclusive (None: to the end), that this embedder made."""

    def delete_vectors(self, pair: Pair, positions: Collection[int]) -> None:
        """Remove the vectors of episodes, whichever embedder made them."""

    def save_working_set(self, pair: Pair, segment: Segment) -> bool:
        """Publish a working set and return whether it is the published one now.

        One that has seen fewer erasures than the published one is ignored, and of equal ones that which covers fewer
        positions.
        """

    def sweep_working_sets(self, pair: Pair) -> None:
        """Remove every stored working set but the published one."""

    def working_set(self, pair: Pair, *, known: Segment | None = None) -> Segment | None:
        """The published working set; `known` itself when that is still it; None when there is none."""

    def save_citation_checks(self, pair: Pair, checks: Sequence[CitationCheck]) -> None:
        """Keep results of verification, the latest per episode."""

    def citation_checks(self, pair: Pair) -> list[CitationCheck]:
        """The latest result per episode, by position."""

    def delete_citation_checks(self, pair: Pair, positions: Collection[int]) -> None:
        """Remove the results of episodes."""

    def save_grounding(self, pair: Pair, record: GroundingRecord) -> None:
        """Keep what was found of an answer's claims, the latest per episode; finding the same again changes nothing."""

    def groundings(self, pair: Pair) -> list[GroundingRecord]:
        """The latest result per answer, by position."""

    def delete_groundings(self, pair: Pair, positions: Collection[int]) -> None:
        """Remove the results of answers; nothing happens where there is none."""

    def save_self_model(self, pair: Pair, self_model: SelfModel) -> None:
        """Keep the self-model composed by a night; one of an earlier night than the stored one is ignored."""

    def self_model(self, pair: Pair) -> SelfModel | None:
        """The latest self-model."""

    def delete_self_model(self, pair: Pair) -> None:
        """Remove the self-model; the next night composes another."""
