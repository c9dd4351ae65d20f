"""Merge what every current file of a subject says into its map and publish it (CM-3 … CM-8)."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.concepts.subject_map import build_map
from anamnesis.domain.errors import RevisionMoved
from anamnesis.domain.identifiers import SubjectScope
from anamnesis.ports import ConceptStore, Embedder


@dataclass(frozen=True, slots=True)
class PublishMap:
    """The use case; call it with a scope after any change to the subject's files.

    The map is a pure function of the contributions, so two publishers at once cannot disagree: the later revision
    wins, and whoever wrote the later change reads the earlier one too.
    """

    concepts: ConceptStore
    embedder: Embedder

    def __call__(self, scope: SubjectScope) -> None:
        """Publish the map of the subject's present revision; nothing is merged when that is published already."""
        # The revision is read first: contributions read after it can only be newer, never missing.
        revision = self.concepts.revision(scope)
        published = self.concepts.published_revision(scope)
        if published is not None and published >= revision:
            return
        subject_map = build_map(
            self.concepts.contributions(scope),
            files={record.id: record for record in self.concepts.files(scope)},
            revision=revision,
            embedder=self.embedder.name,
            merge_threshold=self.embedder.merge_threshold,
            dimension=self.embedder.dimension,
        )
        try:
            self.concepts.save_map(scope, subject_map)
        except RevisionMoved:
            # A later revision is published; it was merged after our change was stored, so it holds it.
            return
