"""What an address of evidence leads to: whether it is there, and not erased (WK-3, WD-4)."""

from __future__ import annotations

from collections.abc import Iterable

from anamnesis.domain.wiki.addresses import Address, Scheme
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.sessions import Session


class Resolver:
    """Knows every address that stands in a student's evidence.

    Parameters
    ----------
    sessions
        From ``sessions_of`` the same evidence.
    """

    def __init__(self, evidence: WikiEvidence, sessions: Iterable[Session]) -> None:
        self._episodes = {
            (subject.pair.subject, episode.id)
            for subject in evidence.subjects
            for episode in subject.episodes
            if episode.content is not None
        }
        self._turns = {
            (session.subject, session.id): {turn.number for turn in session.said} for session in sessions
        }
        #: Pages by file; 0 where they are not counted.
        self._files = {
            (subject.pair.subject, record.id): record.pages
            for subject in evidence.subjects
            for record in subject.subject_map.files.values()
            if not record.erased
        }
        self._records = {(record.connector, record.path) for record in evidence.records}

    def __contains__(self, address: object) -> bool:
        """Whether there is evidence at an address; an erased turn says nothing and is none."""
        if not isinstance(address, Address):
            return False
        place = (address.where, address.what)
        part = address.part
        if address.scheme is Scheme.EPISODE:
            return place in self._episodes and part is None
        if address.scheme is Scheme.SESSION:
            return place in self._turns and (part is None or part in self._turns[place])
        if address.scheme is Scheme.FILE:
            pages = self._files.get(place)
            return pages is not None and (part is None or not pages or part <= pages)
        return place in self._records and part is None
