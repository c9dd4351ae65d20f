"""Erase an episode, a subject or all of a student, from every store, and go on where it was cut short (EP-8).

An erasure is a signed deletion record first and then a row of steps, each of which may be repeated. Everything derived
from the log states how many erasures it has seen (``Head.erasures``), so that what was made before an erasure is
refused or remade after it, whoever made it. A job that had read something just before and writes it just after leaves
it where a night finds it: the first one that comes when no such job can be running any more clears everything again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice

from anamnesis.domain.access import Role
from anamnesis.domain.errors import NotFound
from anamnesis.domain.files import FileRecord
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD
from anamnesis.domain.log.episodes import erased
from anamnesis.domain.log.erasures import (
    DeletedPositions,
    Erasure,
    ErasureRequest,
    ErasureScope,
    ErasureStage,
    PairRequest,
    Ranges,
    check_erasures,
    merged,
    ranges_of,
    sign_erasure,
)
from anamnesis.ports import (
    Clock,
    ConceptStore,
    EpisodeLog,
    ErasureStore,
    IdSource,
    Roster,
    Signer,
    UploadArea,
)
from anamnesis.service.clear_erased import LITTER_AGE, ClearErased
from anamnesis.service.deadline import Deadline
from anamnesis.service.erase_files import EraseFiles
from anamnesis.service.erased_events import CHUNK, ErasedEvents
from anamnesis.service.file_events import event_keys
from anamnesis.service.publish_map import PublishMap
from anamnesis.service.recordings import Recordings


@dataclass(frozen=True, slots=True)
class ErasureReport:
    """What an erasure did.

    Attributes
    ----------
    episodes
        Episodes that the request covers and whose contents are gone.
    files
        Uploaded files that are gone with it.
    complete
        Whether everything is gone. Else the same request goes on, and the night finishes it.
    """

    episodes: int
    files: int
    complete: bool

    def __add__(self, other: ErasureReport) -> ErasureReport:
        """Both together."""
        return ErasureReport(
            self.episodes + other.episodes, self.files + other.files, self.complete and other.complete
        )


@dataclass(frozen=True, slots=True)
class EraseMemory:
    """The use case; every method may be called again at any time and goes on where the last call stopped."""

    log: EpisodeLog
    erasures: ErasureStore
    events: ErasedEvents
    roster: Roster
    concepts: ConceptStore
    uploads: UploadArea
    publish: PublishMap
    clear: ClearErased
    signer: Signer
    clock: Clock
    ids: IdSource

    def episode(self, pair: Pair, episode_id: str, by: Role, deadline: Deadline) -> ErasureReport:
        """Erase one event: all its recordings, and the consolidations of its day written with one of them in sight.

        Raises
        ------
        NotFound
            If the log has no such episode.
        """
        length = self.log.head(pair).length
        position = self.log.position_of(pair, episode_id)
        if position is None:
            raise NotFound("no such episode in this log", field="episode_id")
        request = ErasureRequest(ErasureScope.EPISODE, by, self.clock.now())
        recordings = self._recordings.of(pair, position)
        wanted = ranges_of([*recordings, *self._recordings.summaries(pair, recordings)])
        done = self._finish(pair, self._recorded(pair, request, wanted, length), deadline)
        if done is None:
            return ErasureReport(0, 0, complete=False)
        return ErasureReport(len(DeletedPositions(done)), 0, complete=True)

    def subject(self, pair: Pair, by: Role, deadline: Deadline) -> ErasureReport:
        """Erase everything of a student in one subject: the log as it is now, and the files that they uploaded."""
        if self._is_unknown(pair):
            # Who may name any subject must not leave a row for each, nor a night.
            return ErasureReport(0, 0, complete=True)
        asked = self._ask(pair, ErasureRequest(ErasureScope.SUBJECT, by, self.clock.now()))
        return self._carry_out(pair, asked, deadline)

    def student(self, tenant: str, student: str, by: Role, deadline: Deadline) -> ErasureReport:
        """Erase everything of a student, in every subject."""
        request = ErasureRequest(ErasureScope.STUDENT, by, self.clock.now())
        pairs = self.roster.pairs(tenant, student)
        # Asked for everywhere first: from then on each subject's night finishes what is cut short here.
        asked = [(pair, self._ask(pair, request)) for pair in pairs]
        report = ErasureReport(0, 0, complete=True)
        for pair, wanted in asked:
            report += self._carry_out(pair, wanted, deadline)
        return report

    def resume(self, pair: Pair, deadline: Deadline) -> bool:
        """Finish what was begun, and clear once more after what was finished; return whether nothing is left to do.

        While something is left the pair is marked active, so that another night comes by.
        """
        asked = self.roster.requested(pair)
        if asked is not None and asked.stage is ErasureStage.BEGUN:
            return self._resume_request(pair, asked, deadline) and self._left(pair)
        if asked is None and not self.log.head(pair).erasures:
            return True
        records = self.erasures.all(pair)
        swept = asked is None or asked.stage is ErasureStage.SWEPT
        if swept and all(erasure.stage is ErasureStage.SWEPT for erasure in records):
            return True
        genuine, _ = check_erasures(records, pair, self.log.head(pair).length, self.signer)
        finished = [erasure for erasure in genuine if erasure.stage is ErasureStage.ERASED]
        begun = [erasure for erasure in genuine if erasure.stage is ErasureStage.BEGUN]
        if self._finish(pair, begun, deadline) is None or not self.clear(pair, finished, deadline):
            return self._left(pair)
        due = [erasure for erasure in finished if self._is_old(erasure.staged_at)]
        files_due = asked is not None and not swept and self._is_old(asked.staged_at)
        if asked is not None and not swept:
            self._files.sweep(pair, asked, forget=files_due)
        for erasure in due:
            self.erasures.advance(erasure, ErasureStage.SWEPT, at=self.clock.now())
        if asked is not None and files_due:
            self.roster.advance(pair, asked.request, ErasureStage.SWEPT, at=self.clock.now())
        nothing_left = not begun and len(due) == len(finished) and (swept or files_due)
        return nothing_left or self._left(pair)

    @property
    def _recordings(self) -> Recordings:
        return Recordings(self.log, self.erasures, self.events)

    @property
    def _files(self) -> EraseFiles:
        return EraseFiles(self.concepts, self.uploads, self.publish)

    def _is_unknown(self, pair: Pair) -> bool:
        """Whether nothing was ever kept of the pair: both a first episode and a file put it on the roster before."""
        return self.log.head(pair) == EMPTY_HEAD and pair not in self.roster.pairs(pair.tenant, pair.student)

    def _left(self, pair: Pair) -> bool:
        self.roster.revisit(pair, self.clock.now())
        return False

    def _is_old(self, at: datetime | None) -> bool:
        return at is not None and at <= self.clock.now() - LITTER_AGE

    # ------------------------------------------------------------------ requests
    def _ask(self, pair: Pair, request: ErasureRequest) -> PairRequest:
        mine = (file.id for file in self.concepts.files(pair.scope) if file.uploaded_by == pair.student)
        asked = PairRequest(request, self.log.head(pair).length, tuple(mine))
        self.roster.request(pair, asked)
        return asked

    def _resume_request(self, pair: Pair, asked: PairRequest, deadline: Deadline) -> bool:
        if asked.request.scope is not ErasureScope.STUDENT:
            return self._carry_out(pair, asked, deadline).complete
        complete = True
        for other in self.roster.pairs(pair.tenant, pair.student):
            # One that was asked for, or is done, stays as it is.
            wanted = self.roster.requested(other)
            if wanted is None or wanted.request.at < asked.request.at:
                wanted = self._ask(other, asked.request)
            if wanted.stage is ErasureStage.BEGUN:
                complete = self._carry_out(other, wanted, deadline).complete and complete
        return complete

    def _carry_out(self, pair: Pair, asked: PairRequest, deadline: Deadline) -> ErasureReport:
        files = self._files.erase(pair, asked)
        # From here on nobody tells the log anything of these files: whoever was about to has to look again.
        self.erasures.count(pair)
        told = [position for file in files for position in self._events_of(pair, file)]
        wanted = merged([*(((1, asked.length),) if asked.length else ()), *ranges_of(told)])
        mine = self._recorded(pair, asked.request, wanted, asked.length) if wanted else []
        done = self._finish(pair, mine, deadline)
        complete = done is not None
        if complete and all(erasure.stage is not ErasureStage.BEGUN for erasure in mine):
            complete = self.clear(pair, [], deadline)
        if complete:
            now = self.clock.now()
            self.roster.revisit(pair, now)
            self.roster.advance(pair, asked.request, ErasureStage.ERASED, at=now)
        gone = len(DeletedPositions([Erasure("", pair, asked.request, wanted), *(done or ())]))
        return ErasureReport(gone if complete else 0, len(files), complete)

    # ------------------------------------------------------------------ the log
    def _recorded(
        self, pair: Pair, request: ErasureRequest, positions: Ranges, asked_at: int
    ) -> list[Erasure]:
        """The deletion records that cover the positions; one is signed and kept first if a position has none.

        Parameters
        ----------
        asked_at
            Length of the log when the erasure was asked for.
        """
        length = self.log.head(pair).length
        genuine, _ = check_erasures(self.erasures.all(pair), pair, length, self.signer)
        deleted = DeletedPositions(genuine)
        wanted = _positions(positions)
        if any(position not in deleted for position in wanted):
            erasure = Erasure(self.ids.new_id(request.at), pair, request, positions, length=asked_at)
            signed = sign_erasure(erasure, self.signer)
            self.erasures.begin(signed)
            return [signed]
        return [e for e in genuine if any(position in e for position in wanted)]

    def _finish(self, pair: Pair, begun: Sequence[Erasure], deadline: Deadline) -> list[Erasure] | None:
        """Carry out deletion records; return them and what went along, or None when there was too little time."""
        left = [erasure for erasure in begun if erasure.stage is ErasureStage.BEGUN]
        if not left:
            return list(begun) if self._finish_again(pair, begun, deadline) else None
        # The wiki first: whether agents repeat a text can only be told while it is there.
        if not self.clear.wiki(pair, DeletedPositions(left), deadline):
            return None
        positions = iter(DeletedPositions(left))
        days: set[date] = set()
        while chunk := list(islice(positions, CHUNK)):
            if not deadline.left():
                return None
            days |= self._erase(pair, chunk)
        # Whoever recorded one of these events again, or summed up its day, and had looked before it was erased, has
        # either written by now or has to look again.
        if late := self._recordings.since(pair, min(erasure.length for erasure in left), days):
            newest = max(left, key=lambda erasure: erasure.request.at)
            again = self._recorded(pair, newest.request, ranges_of(late), newest.length)
            return self._finish(pair, [*begun, *again], deadline)
        if not self.clear(pair, left, deadline):
            return None
        now = self.clock.now()
        self.roster.revisit(pair, now)
        for erasure in left:
            self.erasures.advance(erasure, ErasureStage.ERASED, at=now)
        return list(begun)

    def _finish_again(self, pair: Pair, finished: Sequence[Erasure], deadline: Deadline) -> bool:
        """Erase what is back where it was erased before, from a backup say; return whether there was time for it."""
        deleted = DeletedPositions(finished)
        present = (e for e in self.log.scan(pair, with_text=False) if e.content is not None)
        back = (episode.position for episode in present if episode.position in deleted)
        found = False
        while chunk := list(islice(back, CHUNK)):
            if not deadline.left():
                return False
            self._erase(pair, chunk)
            found = True
        return self.clear(pair, finished, deadline) if found else True

    def _erase(self, pair: Pair, positions: Sequence[int]) -> set[date]:
        """Erase what stands at these positions; return the student's days that it happened on."""
        episodes = self.log.read(pair, positions)
        gone = {episode.position for episode in episodes if episode == erased(episode)}
        # A row that is no episode any more is not read, and goes with the others.
        self.erasures.erase(
            pair, [p for p in positions if p not in gone], self.events.digests(pair, episodes)
        )
        return {episode.day for episode in episodes}

    def _events_of(self, pair: Pair, record: FileRecord) -> Iterator[int]:
        for key in event_keys(record.id):
            receipt = self.log.receipt(pair, key)
            if receipt is not None:
                yield from range(receipt.first_position, receipt.last_position + 1)


def _positions(ranges: Ranges) -> list[int]:
    return [position for first, last in ranges for position in range(first, last + 1)]
