"""Remove what other stores hold of erased episodes (EP-8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.erasures import DeletedPositions, Erasure
from anamnesis.ports import AnswerStore, Clock, ConceptStore, ErasureStore, RecordStore, SemanticIndex
from anamnesis.service.clear_wiki import ClearWiki
from anamnesis.service.deadline import Deadline
from anamnesis.service.episode_vectors import with_those_behind
from anamnesis.service.erased_events import ErasedEvents
from anamnesis.service.project_log import ProjectLog
from anamnesis.service.refresh_working_set import RefreshWorkingSet

#: Episodes cleared from other stores between two looks at the clock. Ours.
CLEARED_AT_ONCE = 1_000
#: Age from which an object that nothing refers to is litter, and a finished erasure is swept: no call lasts as long as
#: this (functions have 5 minutes), and no two clocks are as far apart. Ours.
LITTER_AGE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class ClearErased:
    """The use case; call it with deletion records. Repeating it is safe, and finds what came in between."""

    erasures: ErasureStore
    events: ErasedEvents
    records: RecordStore
    answers: AnswerStore
    concepts: ConceptStore
    semantic_index: SemanticIndex | None
    project: ProjectLog
    refresh: RefreshWorkingSet
    wiki: ClearWiki
    clock: Clock

    def __call__(self, pair: Pair, erasures: Sequence[Erasure], deadline: Deadline) -> bool:
        """Clear every store but the log itself; return whether there was time for everything."""
        deleted = DeletedPositions(erasures)
        # All of them, since any may have been asked with a block that held what goes, and may quote it.
        self.answers.drop_answers(pair)
        positions = iter(deleted)
        while chunk := list(islice(positions, CLEARED_AT_ONCE)):
            if not deadline.left():
                return False
            # The vector of what came right behind tells of it too: refreshing the working set makes that anew. In the
            # index it stays until whoever indexes the row's change replaces it, since nobody else would put it back.
            self.records.delete_vectors(pair, with_those_behind(chunk))
            if self.semantic_index is not None:
                self.semantic_index.remove(pair, chunk)
        checks = [c.position for c in self.records.citation_checks(pair) if c.position in deleted]
        self.records.delete_citation_checks(pair, checks)
        found = [g.position for g in self.records.groundings(pair) if g.position in deleted]
        self.records.delete_groundings(pair, found)
        if deleted:
            self.erasures.forget_receipts(pair, deleted, self.events.sealer(pair))
        litter = self.clock.now() - LITTER_AGE
        self.erasures.sweep(pair, deleted, until=litter)
        self.project(pair)
        stored = self.refresh.forget(pair)
        if stored is not None:
            self.refresh.forget_behind(pair, stored, deleted)
        self.records.sweep_working_sets(pair)
        self.concepts.sweep(pair, until=litter)
        self.records.delete_self_model(pair)
        return self.wiki(pair, deleted, deadline)
