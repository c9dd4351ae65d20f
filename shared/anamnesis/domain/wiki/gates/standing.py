"""What the evidence holds, by address: what a citation may lead to (WK-3, WD-4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anamnesis.domain.files import FileRecord
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.wiki.addresses import Address, Scheme
from anamnesis.domain.wiki.evidence import ConnectorRecord, SubjectEvidence, WikiEvidence
from anamnesis.domain.wiki.gates.findings import Rule
from anamnesis.domain.wiki.sessions import Session, sessions_of


@dataclass(frozen=True, slots=True)
class Standing:
    """The evidence by address.

    Attributes
    ----------
    episodes, sessions, files
        By subject and id; episodes that were erased are there and have no content.
    records
        By connector and path.
    """

    evidence: WikiEvidence
    subjects: Mapping[str, SubjectEvidence]
    episodes: Mapping[tuple[str, str], Episode]
    sessions: Mapping[tuple[str, str], Session]
    files: Mapping[tuple[str, str], FileRecord]
    records: Mapping[tuple[str, str], ConnectorRecord]

    @classmethod
    def of(cls, evidence: WikiEvidence) -> Standing:
        """Index the evidence."""
        return cls(
            evidence,
            {subject.pair.subject: subject for subject in evidence.subjects},
            {(e.pair.subject, e.id): e for subject in evidence.subjects for e in subject.episodes},
            {(session.subject, session.id): session for session in sessions_of(evidence)},
            {
                (subject.pair.subject, file.id): file
                for subject in evidence.subjects
                for file in subject.subject_map.files.values()
            },
            {(record.connector, record.path): record for record in evidence.records},
        )

    def fault(self, address: Address) -> Rule | None:
        """What is wrong with citing an address: it leads to nothing, to what was erased, or None."""
        key = (address.where, address.what)
        if address.scheme is Scheme.EPISODE:
            episode = self.episodes.get(key)
            if episode is None or address.part is not None:
                return Rule.NOWHERE
            return Rule.ERASED if episode.content is None else None
        if address.scheme is Scheme.SESSION:
            return self._of_session(self.sessions.get(key), address.part)
        if address.scheme is Scheme.FILE:
            file = self.files.get(key)
            if file is None or (address.part is not None and file.pages and address.part > file.pages):
                return Rule.NOWHERE
            return Rule.ERASED if file.erased else None
        return Rule.NOWHERE if key not in self.records or address.part is not None else None

    def _of_session(self, session: Session | None, turn: int | None) -> Rule | None:
        if session is None:
            return Rule.NOWHERE
        if turn is None:
            return None
        if turn > len(session.turns):
            return Rule.NOWHERE
        return Rule.ERASED if session.turns[turn - 1].episode.content is None else None

    def episodes_at(self, address: Address) -> tuple[Episode, ...]:
        """The episodes that an address leads to and that still say something."""
        key = (address.where, address.what)
        if address.scheme is Scheme.EPISODE:
            found = [self.episodes[key]] if key in self.episodes else []
        elif address.scheme is Scheme.SESSION and key in self.sessions:
            turns = self.sessions[key].turns
            part = turns if address.part is None else turns[address.part - 1 : address.part]
            found = [turn.episode for turn in part]
        else:
            found = []
        return tuple(episode for episode in found if episode.content is not None)
