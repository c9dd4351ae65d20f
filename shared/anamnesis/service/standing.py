"""What the log says, up to one head, that new episodes depend on; a moved head is caught up with, not read anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import StudentLayer
from anamnesis.domain.errors import HeadMoved
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Head, Kind
from anamnesis.domain.log.progress import Progress
from anamnesis.ports import BeliefStore, ConceptStore, EpisodeLog
from anamnesis.service.drafts import Draft
from anamnesis.service.project_log import ProjectLog, project_beliefs

#: How many earlier episodes are searched for the question that an answer answers, other sessions' included.
LOOK_BACK = 100
#: Times that beliefs and the position they belong to are read again when a projection came in between. Ours.
MAX_READINGS = 3


@dataclass(frozen=True, slots=True)
class Standing:
    """What new episodes depend on, as of a head.

    Attributes
    ----------
    layer
        The student's own concepts, which texts may name.
    beliefs
        By concept, for a batch with checks; else empty.
    believed_to
        Position of the last episode whose outcome is in `beliefs`.
    asked
        By session, whether its latest question was about the student's record; only for a batch with an answer to a
        question before it.
    asked_last
        The same of the latest question of all.
    """

    head: Head
    layer: StudentLayer
    beliefs: Mapping[str, Belief]
    believed_to: int
    asked: Mapping[str | None, bool]
    asked_last: bool


@dataclass(frozen=True, slots=True)
class ReadStanding:
    """Reads it for a batch: in full the first time, then only the episodes between two heads."""

    log: EpisodeLog
    beliefs: BeliefStore
    concepts: ConceptStore
    project: ProjectLog

    def __call__(self, pair: Pair, head: Head, drafts: Sequence[Draft], known: Standing | None) -> Standing:
        """What `drafts` depend on as of `head`.

        Parameters
        ----------
        known
            What was read for the same drafts at an earlier head of this log.

        Raises
        ------
        HeadMoved
            If the beliefs kept changing while they were read.
        """
        if known is None or head.length < known.head.length or head.erasures != known.head.erasures:
            return self._in_full(pair, head, drafts)
        return known if head == known.head else self._further(pair, head, drafts, known)

    def _in_full(self, pair: Pair, head: Head, drafts: Sequence[Draft]) -> Standing:
        checks = _has_checks(drafts)
        if checks:
            # Predictions rest on beliefs, and a topic may be one that the student named: up to the log with both.
            self.project.quietly(pair, up_to=Progress(head.length, head.erasures))
        standing = Standing(head, self.concepts.layer(pair), {}, head.length, {}, asked_last=False)
        if checks:
            beliefs, believed_to = self._beliefs(pair)
            standing = replace(standing, beliefs=beliefs, believed_to=believed_to)
            if believed_to < head.length:
                late = self._between(pair, believed_to, head.length)
                standing = _with_outcomes(standing, pair, late)
        if head.length and answers_an_earlier_question(drafts):
            standing = _with_questions(standing, self.log.latest(pair, LOOK_BACK)[::-1])
        return standing

    def _further(self, pair: Pair, head: Head, drafts: Sequence[Draft], known: Standing) -> Standing:
        come = self._between(pair, known.head.length, head.length)
        standing = replace(known, head=head)
        checks = _has_checks(drafts)
        if any(episode.kind is Kind.TAUGHT for episode in come):
            if checks:
                self.project.quietly(pair, up_to=Progress(head.length, head.erasures))
            standing = replace(standing, layer=self.concepts.layer(pair))
        if checks:
            standing = _with_outcomes(standing, pair, come)
        if answers_an_earlier_question(drafts):
            standing = _with_questions(standing, come)
        return standing

    def _between(self, pair: Pair, after: int, up_to: int) -> list[Episode]:
        return list(self.log.scan(pair, after=after, limit=up_to - after, with_text=False))

    def _beliefs(self, pair: Pair) -> tuple[dict[str, Belief], int]:
        """Current beliefs by concept, and the position that they belong to."""
        for _ in range(MAX_READINGS):
            before = self.beliefs.projected_to(pair)
            current = {belief.concept: belief for belief in self.beliefs.current(pair)}
            if self.beliefs.projected_to(pair).revision == before.revision:
                return current, before.position
        raise HeadMoved("other writers kept changing the beliefs")


def answers_an_earlier_question(drafts: Sequence[Draft]) -> bool:
    """Whether an answer in the batch has no question of its session before it there."""
    asked: set[str | None] = set()
    for draft in drafts:
        if draft.kind is Kind.QUESTION:
            asked |= {draft.session_id, None}
        elif draft.kind is Kind.ANSWER and draft.session_id not in asked:
            return True
    return False


def _has_checks(drafts: Sequence[Draft]) -> bool:
    return any(draft.kind in {Kind.CHECK, Kind.QUIZ} for draft in drafts)


def _with_outcomes(standing: Standing, pair: Pair, episodes: Sequence[Episode]) -> Standing:
    """`standing` after the outcomes of `episodes`, exactly as their projection will have it."""
    new = [e for e in episodes if standing.believed_to < e.position <= standing.head.length]
    if not new:
        return standing
    current = dict(standing.beliefs)
    project_beliefs(pair, current, new, names={})
    return replace(standing, beliefs=current, believed_to=new[-1].position)


def _with_questions(standing: Standing, episodes: Sequence[Episode]) -> Standing:
    """`standing` after the questions among `episodes`, oldest first."""
    questions = [e for e in episodes if e.kind is Kind.QUESTION and e.position <= standing.head.length]
    if not questions:
        return standing
    asked = {**standing.asked, **{question.session_id: question.about_record for question in questions}}
    return replace(standing, asked=asked, asked_last=questions[-1].about_record)
