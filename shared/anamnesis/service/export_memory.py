"""Everything that is kept of a student, page by page, in a form that others can read and check (SV-6)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from anamnesis.domain import cursors
from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import StudentLayer
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.files import FileRecord
from anamnesis.domain.grounding.values import GroundingRecord
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Head
from anamnesis.domain.log.erasures import Erasure
from anamnesis.domain.night.records import CitationCheck, SelfModel
from anamnesis.domain.tutoring.answers import AnswerState, AnswerStatus
from anamnesis.ports import (
    AnswerStore,
    BeliefStore,
    Clock,
    ConceptStore,
    EpisodeLog,
    ErasureStore,
    RecordStore,
    Roster,
)
from anamnesis.service.list_episodes import PAGE_CHARS, chars_of
from anamnesis.service.project_log import ProjectLog
from anamnesis.service.withheld import Withheld, without

#: Episodes in a page at most. Ours.
PAGE_EPISODES = 200
#: Longest cursor that is read, in characters: a subject of 128 bytes, escaped and encoded.
MAX_CURSOR_CHARS = 1_500


@dataclass(frozen=True, slots=True)
class SubjectExport:
    """What is kept of a student in one subject besides the episodes.

    Attributes
    ----------
    beliefs
        Every row, superseded ones included, oldest first.
    files
        The files that this student uploaded; what they say belongs to the subject.
    """

    head: Head
    beliefs: tuple[Belief, ...]
    layer: StudentLayer
    files: tuple[FileRecord, ...]
    checks: tuple[CitationCheck, ...]
    groundings: tuple[GroundingRecord, ...]
    self_model: SelfModel | None
    erasures: tuple[Erasure, ...]


@dataclass(frozen=True, slots=True)
class ExportPage:
    """Some episodes of one subject, and on its last page what else there is.

    Attributes
    ----------
    pair
        None when nothing is kept of the student.
    answers
        Answers of the subject that are not in the log (yet), as who looks sees them.
    cursor
        Of the next page; None on the last one of the last subject.
    """

    pair: Pair | None
    episodes: tuple[Episode, ...]
    rest: SubjectExport | None
    cursor: str | None
    answers: tuple[AnswerState, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportMemory:
    """The use case; call it with a student and the cursor of the page before."""

    roster: Roster
    log: EpisodeLog
    beliefs: BeliefStore
    concepts: ConceptStore
    records: RecordStore
    erasures: ErasureStore
    answers: AnswerStore
    project: ProjectLog
    withheld: Withheld
    clock: Clock

    def __call__(self, tenant: str, student: str, *, cursor: str | None) -> ExportPage:
        """A page; subjects in order of their names, episodes in order of the log, then answers in order of their ids.

        Raises
        ------
        InvalidInput
            If the cursor is none that a page came with (field ``cursor``).
        """
        subject, after, told = ("", 0, None) if cursor is None else _read(cursor)
        left = [pair for pair in self.roster.pairs(tenant, student) if pair.subject >= subject]
        if not left:
            return ExportPage(None, (), None, None)
        pair = left[0]
        if pair.subject != subject:
            after, told = 0, None
        following = _cursor(left[1].subject, 0) if len(left) > 1 else None
        if told is not None:
            return self._answers(ExportPage(pair, (), None, following), pair, after, told)
        episodes = self._episodes(pair, after)
        last = episodes[-1].position if episodes else after
        head = self.log.head(pair)
        withheld = self.withheld.positions(pair, head)
        episodes = without(episodes, withheld)
        if last < head.length and episodes:
            return ExportPage(pair, tuple(episodes), None, _cursor(pair.subject, last))
        page = ExportPage(pair, tuple(episodes), self._rest(pair, withheld), following)
        return self._answers(page, pair, last, "")

    def _episodes(self, pair: Pair, after: int) -> list[Episode]:
        page: list[Episode] = []
        left = PAGE_CHARS
        for episode in self.log.scan(pair, after=after, limit=PAGE_EPISODES):
            left -= chars_of(episode)
            if left < 0 and page:
                break
            page.append(episode)
        return page

    def _answers(self, page: ExportPage, pair: Pair, last: int, told: str) -> ExportPage:
        """A page with the answers behind one, and what comes behind those that it has room for."""
        now = self.clock.now()
        kept = self.answers.all_answers(pair, at=now)
        erasures = self.log.head(pair).erasures
        answers: list[AnswerState] = []
        left = PAGE_CHARS
        for answer in kept:
            # One that was begun before something was erased may quote it; one that is done is in the log.
            if answer.id <= told or answer.erasures != erasures or answer.status is AnswerStatus.DONE:
                continue
            left -= len(answer.text)
            if left < 0 and answers:
                return replace(
                    page, answers=tuple(answers), cursor=_cursor(pair.subject, last, answers[-1].id)
                )
            answers.append(answer.seen(now))
        return replace(page, answers=tuple(answers))

    def _rest(self, pair: Pair, withheld: Collection[int]) -> SubjectExport:
        if withheld:
            # What was projected before may tell of it, and must not be told for a store that fails.
            self.project(pair)
        else:
            self.project.quietly(pair)
        return SubjectExport(
            head=self.log.head(pair),
            beliefs=tuple(self.beliefs.history(pair)),
            layer=self.concepts.layer(pair),
            files=tuple(f for f in self.concepts.files(pair.scope) if f.uploaded_by == pair.student),
            checks=tuple(c for c in self.records.citation_checks(pair) if c.position not in withheld),
            groundings=tuple(g for g in self.records.groundings(pair) if g.position not in withheld),
            self_model=self.records.self_model(pair),
            erasures=tuple(self.erasures.all(pair)),
        )


def _cursor(subject: str, after: int, answer: str | None = None) -> str:
    return cursors.encoded([subject, after] if answer is None else [subject, after, answer])


def _read(cursor: str) -> tuple[str, int, str | None]:
    """The subject, position and answer behind which to go on; with an answer all that comes before them is told."""
    problem = InvalidInput("is not a cursor that was given out", field="cursor")
    if len(cursor) > MAX_CURSOR_CHARS:
        raise problem
    try:
        value = cursors.decoded(cursor)
    except ValueError:
        raise problem from None
    if not isinstance(value, list) or len(value) not in {2, 3}:
        raise problem
    subject, after, *behind = value
    if not isinstance(subject, str) or type(after) is not int or not 0 <= after < 10**12:
        raise problem
    if not all(isinstance(answer, str) for answer in behind):
        raise problem
    return subject, after, behind[0] if behind else None
