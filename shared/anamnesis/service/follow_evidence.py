"""Follow a citation to what it stands on: an episode, turns of a session, a page of a file, a record (WU-2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from anamnesis.domain.concepts import StudentLayer, empty_map
from anamnesis.domain.errors import AnamnesisError, InvalidInput, NotFound
from anamnesis.domain.files import FileRecord
from anamnesis.domain.identifiers import Pair, StudentScope
from anamnesis.domain.wiki.addresses import Address, Scheme
from anamnesis.domain.wiki.evidence import ConnectorRecord, SubjectEvidence, WikiEvidence
from anamnesis.domain.wiki.sessions import sessions_of
from anamnesis.ports import ConceptStore, EpisodeLog, Roster
from anamnesis.recently_used import RecentlyUsed
from anamnesis.service.connectors import Connectors
from anamnesis.service.list_episodes import EpisodePage, ListEpisodes
from anamnesis.service.list_files import ListFiles
from anamnesis.service.withheld import Withheld, without

#: Turns of a session in one reply at most; a page of episodes has as many.
MAX_TURNS: Final = 50
#: Turns whose places are kept in a warm process, over all logs: some 100 bytes each.
MAX_KEPT_TURNS: Final = 100_000
#: Sessions are made of episodes alone.
_NO_MAP: Final = empty_map()


@dataclass(frozen=True, slots=True)
class FollowedEvidence:
    """What stands at an address; what it is not is None or empty.

    Attributes
    ----------
    episodes
        The episode, or turns of the session, with what became known of them later.
    first_turn
        Number of the first of `episodes` in its session.
    next_turn
        From which turn on a session goes on; None when this is its end.
    text
        Of the page of the file; None of a whole file, or when its text is gone.
    """

    address: Address
    episodes: EpisodePage | None = None
    first_turn: int | None = None
    next_turn: int | None = None
    file: FileRecord | None = None
    text: str | None = None
    record: ConnectorRecord | None = None


@dataclass(frozen=True, slots=True)
class FollowEvidence:
    """The use case; call it with a student and an address. Nothing of another student has an address here."""

    log: EpisodeLog
    concepts: ConceptStore
    list_episodes: ListEpisodes
    list_files: ListFiles
    withheld: Withheld
    connectors: Connectors
    roster: Roster
    #: Positions of turns by session, of logs that were asked about; length and erasures tell whether one changed.
    _kept: RecentlyUsed[tuple[str, int, int], dict[str, list[int]]] = field(
        default_factory=lambda: RecentlyUsed(MAX_KEPT_TURNS, lambda kept: sum(map(len, kept.values())))
    )

    def __call__(self, scope: StudentScope, address: Address, *, from_turn: int = 1) -> FollowedEvidence:
        """What stands there.

        Parameters
        ----------
        from_turn
            Of a whole session, the first turn that is wanted.

        Raises
        ------
        NotFound
            If nothing stands there for this student; names ``address``.
        """
        try:
            if address.scheme is Scheme.CONNECTOR:
                return self._record(scope, address)
            pair = Pair(scope.tenant, scope.student, address.where)
            if address.scheme is Scheme.FILE:
                return self._file(pair, address)
            if address.scheme is Scheme.SESSION:
                return self._session(pair, address, from_turn)
            return self._episode(pair, address)
        except (NotFound, InvalidInput) as error:
            raise _nothing(error) from None

    def _episode(self, pair: Pair, address: Address) -> FollowedEvidence:
        if address.part is not None:
            raise NotFound("an episode has no parts")
        return FollowedEvidence(address, self.list_episodes.one(pair, address.what))

    def _session(self, pair: Pair, address: Address, from_turn: int) -> FollowedEvidence:
        positions = self._turns(pair).get(address.what)
        if positions is None:
            raise NotFound("there is no such session")
        first = address.part or from_turn
        count = 1 if address.part else MAX_TURNS
        wanted = positions[first - 1 : first - 1 + count]
        if not wanted:
            raise NotFound("the session has no such turn")
        following = first + len(wanted)
        return FollowedEvidence(
            address,
            self.list_episodes.at(pair, wanted),
            first_turn=first,
            next_turn=following if address.part is None and following <= len(positions) else None,
        )

    def _turns(self, pair: Pair) -> Mapping[str, list[int]]:
        """Positions of the turns of each session, in order."""
        head = self.log.head(pair)
        key = (pair.key, head.length, head.erasures)
        if (kept := self._kept.get(key)) is not None:
            return kept
        told = list(self.log.scan(pair, with_text=False))
        shown = without(told, self.withheld.positions(pair, head))
        subject = SubjectEvidence(pair, tuple(shown), (), _NO_MAP, StudentLayer(), {})
        found = {
            session.id: [turn.episode.position for turn in session.turns]
            for session in sessions_of(WikiEvidence(pair.student_scope, (subject,)))
        }
        self._kept.keep(key, found)
        return found

    def _file(self, pair: Pair, address: Address) -> FollowedEvidence:
        record = self.list_files.one(pair.scope, address.what)
        if record.erased or (address.part is not None and record.pages and address.part > record.pages):
            raise NotFound("the file was erased, or has no such page")
        text = None
        if address.part is not None and record.fingerprint is not None and record.deleted_at is None:
            pages = self.concepts.load_pages(pair.scope, record.fingerprint)
            text = next((page.text for page in pages if page.number == address.part), None)
        return FollowedEvidence(address, file=record, text=text)

    def _record(self, scope: StudentScope, address: Address) -> FollowedEvidence:
        if address.part is not None:
            raise NotFound("a record has no parts")
        subjects = [pair.subject for pair in self.roster.pairs(scope.tenant, scope.student)]
        record = self.connectors.record(scope.tenant, address.where, address.what, subjects=subjects)
        return FollowedEvidence(address, record=record)


def _nothing(error: AnamnesisError) -> NotFound:
    return NotFound(f"nothing stands at this address: {error.detail}", field="address")
