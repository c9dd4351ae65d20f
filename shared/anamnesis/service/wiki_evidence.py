"""Everything that a student's memory holds, as a compile of the wiki reads it (WD-1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import StudentLayer
from anamnesis.domain.concepts.readiness import concept_readiness, with_layer
from anamnesis.domain.identifiers import Pair, StudentScope
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.wiki.evidence import ConnectorRecord, SubjectEvidence, WikiEvidence
from anamnesis.ports import BeliefStore, ConceptStore, EpisodeLog, Roster
from anamnesis.service.connectors import Connectors
from anamnesis.service.deadline import Deadline
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_log import ProjectLog
from anamnesis.service.withheld import Withheld, without

#: Most episodes that a wiki is made of, the latest of each subject: what a function of 3 GB holds and compiles within
#: 15 minutes, with room (``anamnesis bench wiki``). Ours: forty questions a day, with their answers, for seven years.
MAX_EPISODES: Final = 200_000


@dataclass(frozen=True, slots=True)
class LoadedEvidence:
    """What was read.

    Attributes
    ----------
    evidence
        Without what is withheld: signed as deleted, and not gone yet.
    seen
        How many erasures each log had seen before anything was read: another count by now means that what was read may
        not be shown.
    withheld
        What is withheld and still there, with its texts: nobody may repeat it.
    """

    evidence: WikiEvidence
    seen: Mapping[Pair, int]
    withheld: tuple[Episode, ...]


@dataclass(frozen=True, slots=True)
class LoadWikiEvidence:
    """The use case; call it with a student."""

    roster: Roster
    log: EpisodeLog
    beliefs: BeliefStore
    concepts: ConceptStore
    maps: MapCache
    project: ProjectLog
    withheld: Withheld
    connectors: Connectors | None = None

    def __call__(self, scope: StudentScope, deadline: Deadline) -> LoadedEvidence:
        """Read every subject of a student, in the order of their names, and what connectors say of them (WD-6).

        Raises
        ------
        Unfinished
            If the time is up between two subjects.
        """
        seen = self.seen(scope)
        subjects: list[SubjectEvidence] = []
        hidden: list[Episode] = []
        most = MAX_EPISODES // max(1, len(seen))
        for pair in sorted(seen, key=lambda pair: pair.subject):
            deadline.check()
            self.project(pair)
            # A student's script may have filled a log: the latest of it count, and the others stay in the log.
            told = list(deque(self.log.scan(pair), maxlen=most))
            left_out = self.withheld.positions(pair, self.log.head(pair))
            hidden.extend(e for e in told if e.position in left_out and e.content is not None)
            subjects.append(self._subject(pair, without(told, left_out), {e.id for e in hidden}))
        return LoadedEvidence(
            WikiEvidence(scope, tuple(subjects), self._records(scope, seen)), seen, tuple(hidden)
        )

    def seen(self, scope: StudentScope) -> Mapping[Pair, int]:
        """How many erasures each log of the student has seen by now: one request for each subject, and one."""
        pairs = self.roster.pairs(scope.tenant, scope.student)
        return {pair: self.log.head(pair).erasures for pair in pairs}

    def _records(self, scope: StudentScope, pairs: Collection[Pair]) -> tuple[ConnectorRecord, ...]:
        if self.connectors is None:
            return ()
        return tuple(self.connectors.records(scope.tenant, [pair.subject for pair in pairs]))

    def _subject(self, pair: Pair, episodes: list[Episode], hidden: Collection[str]) -> SubjectEvidence:
        subject_map = self.maps.load(pair.scope)
        layer = _without_taught(self.concepts.layer(pair), hidden)
        shown = with_layer(subject_map, layer)
        return SubjectEvidence(
            pair=pair,
            episodes=tuple(episodes),
            beliefs=_without_evidence(self.beliefs.history(pair), hidden),
            subject_map=subject_map,
            layer=layer,
            readiness={concept.key: concept_readiness(concept, layer) for concept in shown.concepts},
        )


def _without_taught(layer: StudentLayer, hidden: Collection[str]) -> StudentLayer:
    """The layer without what withheld episodes taught, names of concepts that nothing else names included."""
    if not hidden:
        return layer
    taught = {
        key: kept
        for key, notes in layer.taught.items()
        if (kept := tuple(note for note in notes if note.episode_id not in hidden))
    }
    gone = layer.taught.keys() - taught.keys()
    own = {key: name for key, name in layer.own_concepts.items() if key not in gone}
    return replace(layer, taught=taught, own_concepts=own)


def _without_evidence(rows: list[Belief], hidden: Collection[str]) -> tuple[Belief, ...]:
    """Rows that something else than withheld episodes stands behind, without these."""
    if not hidden:
        return tuple(rows)
    left = [replace(row, evidence=tuple(e for e in row.evidence if e not in hidden)) for row in rows]
    return tuple(row for row in left if row.evidence)
