"""What new episodes depend on in the log before them: read once, then caught up with at every head.

Most of it is read before the head, so that little lies between reading the head and moving it: what comes in between is
what another writer can get in before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import StudentLayer
from anamnesis.domain.errors import HeadMoved
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Head, Kind
from anamnesis.domain.log.progress import Progress
from anamnesis.ports import BeliefStore, ConceptStore, EpisodeLog, RecordStore
from anamnesis.service.drafts import Draft
from anamnesis.service.project_log import CHUNK, ProjectLog, project_beliefs

#: How many earlier episodes are searched for the question that an answer answers, other sessions' included.
LOOK_BACK = 100
#: Episodes that beliefs may be behind before they are projected first. As many as a projection saves at once.
MAX_LATE = CHUNK
#: Times that beliefs and the position they belong to are read again when a projection came in between. Ours.
MAX_READINGS = 3


@dataclass(frozen=True, slots=True)
class Antecedents:
    """What new episodes depend on.

    Attributes
    ----------
    layer, layered_to
        The student's own concepts, which texts may name, and the position up to which they were looked for.
    beliefs, believed_to
        By concept, and the last position whose outcome is in them; only for a batch with checks.
    asked, asked_last, asked_to
        By session, whether its latest question was about the student's record; the same of the latest of all; the last
        position looked at. Only for a batch with an answer to a question before it.
    intercept
        The student's, as of the latest night; only for a batch with checks.
    erasures
        As of the head that all this was read after.
    """

    layer: StudentLayer
    layered_to: int = 0
    beliefs: Mapping[str, Belief] | None = None
    believed_to: int = 0
    asked: Mapping[str | None, bool] | None = None
    asked_last: bool = False
    asked_to: int = 0
    intercept: float = 0.0
    erasures: int = 0


@dataclass(frozen=True, slots=True)
class ReadAntecedents:
    """Reads it for a batch."""

    log: EpisodeLog
    beliefs: BeliefStore
    concepts: ConceptStore
    records: RecordStore
    project: ProjectLog

    def begin(self, pair: Pair, drafts: Sequence[Draft]) -> Antecedents:
        """What `drafts` depend on, as of about now.

        Raises
        ------
        HeadMoved
            If the beliefs kept changing while they were read.
        """
        checks = any(draft.kind in {Kind.CHECK, Kind.QUIZ} for draft in drafts)
        answers = answers_an_earlier_question(drafts)
        if not checks and not answers:
            return Antecedents(self.concepts.layer(pair))
        head = self.log.head(pair)
        antecedents = self._of_checks(pair, head) if checks else Antecedents(self.concepts.layer(pair))
        if answers:
            latest = self.log.latest(pair, LOOK_BACK) if head.length else []
            antecedents = _with_questions(replace(antecedents, asked={}), latest[::-1])
            antecedents = replace(antecedents, asked_to=latest[0].position if latest else 0)
        return replace(antecedents, erasures=head.erasures)

    def at(self, head: Head, pair: Pair, drafts: Sequence[Draft], known: Antecedents) -> Antecedents:
        """`known` as of `head`, which was read after it: reads only what has come in between.

        Late outcomes are taken in here, as their projection will: where many write, most projections made on the way
        would come to nothing, because another one was first. Texts name what the student's layer held when the call
        came; only a check waits for what was taught right before it, since a topic ties it to a belief.
        """
        if known.beliefs is None and known.asked is None:
            return known
        if known.erasures != head.erasures:
            known = self.begin(pair, drafts)
        positions = [] if known.beliefs is None else [known.layered_to, known.believed_to]
        after = min([*positions, *([] if known.asked is None else [known.asked_to])])
        if after >= head.length:
            return known
        come = [e for e in self._between(pair, after, head.length) if e.position <= head.length]
        if known.beliefs is not None:
            if any(e.kind is Kind.TAUGHT and e.position > known.layered_to for e in come):
                self.project.quietly(pair, up_to=_all_of(head))
                known = replace(known, layer=self.concepts.layer(pair))
            known = _with_outcomes(known, pair, come)
            known = replace(known, layered_to=head.length, believed_to=head.length)
        if known.asked is not None:
            known = replace(_with_questions(known, come), asked_to=head.length)
        return known

    def _of_checks(self, pair: Pair, head: Head) -> Antecedents:
        limits = self.records.self_model(pair)
        return replace(self._with_beliefs(pair, head), intercept=limits.intercept if limits else 0.0)

    def _with_beliefs(self, pair: Pair, head: Head) -> Antecedents:
        antecedents, covered = self._beliefs(pair)
        # Projections from before an erasure may hold what was erased.
        if head.length - covered.position > MAX_LATE or covered.erasures < head.erasures:
            self.project.quietly(pair, up_to=_all_of(head))
            antecedents, _ = self._beliefs(pair)
        return antecedents

    def _beliefs(self, pair: Pair) -> tuple[Antecedents, Progress]:
        """Layer and current beliefs, and what both cover."""
        layered, layer = self.concepts.layer_position(pair), self.concepts.layer(pair)
        for _ in range(MAX_READINGS):
            believed = self.beliefs.projected_to(pair)
            current = {belief.concept: belief for belief in self.beliefs.current(pair)}
            if self.beliefs.projected_to(pair).revision == believed.revision:
                covered = Progress(
                    min(layered.position, believed.position), min(layered.erasures, believed.erasures)
                )
                return Antecedents(layer, layered.position, current, believed.position), covered
        raise HeadMoved("other writers kept changing the beliefs")

    def _between(self, pair: Pair, after: int, up_to: int) -> list[Episode]:
        return list(self.log.scan(pair, after=after, limit=up_to - after, with_text=False))


def answers_an_earlier_question(drafts: Sequence[Draft]) -> bool:
    """Whether an answer in the batch has no question of its session before it there."""
    asked: set[str | None] = set()
    for draft in drafts:
        if draft.kind is Kind.QUESTION:
            asked |= {draft.session_id, None}
        elif draft.kind is Kind.ANSWER and draft.session_id not in asked:
            return True
    return False


def _all_of(head: Head) -> Progress:
    return Progress(head.length, head.erasures)


def _with_outcomes(known: Antecedents, pair: Pair, come: Sequence[Episode]) -> Antecedents:
    """`known` after the outcomes of the episodes that have come, exactly as their projection will have it."""
    current = dict(known.beliefs or {})
    project_beliefs(pair, current, [e for e in come if e.position > known.believed_to], names={})
    return replace(known, beliefs=current)


def _with_questions(known: Antecedents, come: Sequence[Episode]) -> Antecedents:
    """`known` after the questions among the episodes that have come, oldest first."""
    questions = [e for e in come if e.kind is Kind.QUESTION]
    if not questions:
        return known
    asked = {**(known.asked or {}), **{question.session_id: question.about_record for question in questions}}
    return replace(known, asked=asked, asked_last=questions[-1].about_record)
