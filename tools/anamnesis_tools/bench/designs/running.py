"""Run the designs over a registered set of questions, twice, each time on memories recorded anew."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anamnesis.ports import Embedder
from anamnesis_tools.bench.designs.file_search import FileSearch
from anamnesis_tools.bench.designs.grading import passes
from anamnesis_tools.bench.designs.prompts import Design, Prompt, PromptMaker
from anamnesis_tools.bench.designs.questions import Question, asked_of
from anamnesis_tools.bench.designs.recording import Recorded, RecordingApplication, recorded
from anamnesis_tools.bench.designs.registration import Registered, registered
from anamnesis_tools.bench.histories.values import History

#: Told how many of how many steps are done, and what is being done.
Progress = Callable[[int, int, str], None]
#: Grades an answer to a question; the second grader, when an endpoint is configured.
AnswerGrader = Callable[[Question, Prompt], bool]


class NothingToAsk(Exception):
    """No question comes out of these histories."""


def silent(done: int, total: int, what: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Graded:
    """One question under one design, once.

    Attributes
    ----------
    passed
        By the grader of prompts.
    tokens
        Of the prompt.
    milliseconds
        What making the design's own part took; 0 for none.
    answer_passed
        By the grader of answers; None without one.
    """

    passed: bool
    tokens: int
    milliseconds: float
    answer_passed: bool | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """Histories recorded in one application, with what finds in their files."""

    makers: Mapping[str, PromptMaker]

    def recorded(self, name: str) -> Recorded:
        """Return a history as recorded."""
        return self.makers[name].recorded


@dataclass(frozen=True, slots=True)
class DesignsRun:
    """What the designs did: by design, a row of gradings for each time, in the order of the questions."""

    registered: Registered
    graded: Mapping[Design, tuple[tuple[Graded, ...], ...]]
    processor_seconds: float


@contextmanager
def remembered(
    histories: Sequence[History], embedder: Embedder, progress: Progress = silent
) -> Iterator[Memory]:
    """Record histories in a memory that lasts as long as the context."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder:
        application = RecordingApplication(Path(folder), embedder)
        searches: dict[str, FileSearch] = {}
        makers = {}
        for number, one in enumerate(recorded(application, histories), start=1):
            subject = one.history.subject
            if subject not in searches:
                searches[subject] = FileSearch(one.history.files, embedder)
            makers[one.history.name] = PromptMaker(application, one, searches[subject])
            progress(number, len(histories), "recording histories")
        yield Memory(makers)


def registered_questions(memory: Memory, histories: Sequence[History], *, seed: int) -> Registered:
    """Make and register the questions of all histories.

    Raises
    ------
    NothingToAsk
        If there are none.
    """
    questions = [
        question
        for history in histories
        for question in asked_of(history, memory.recorded(history.name).shared_map, seed=seed)
    ]
    if not questions:
        raise NothingToAsk("no question comes out of these histories")
    return registered(histories, questions)


def run(
    histories: Sequence[History],
    embedder: Embedder,
    *,
    seed: int,
    times: int = 2,
    on_registered: Callable[[Registered], None] = lambda _: None,
    grade_answer: AnswerGrader | None = None,
    progress: Progress = silent,
) -> DesignsRun:
    """Ask every question of every design, `times` times.

    Parameters
    ----------
    on_registered
        Told the set before any design runs.
    grade_answer
        A second grader; asked the first time only, since each answer costs.

    Raises
    ------
    RuntimeError
        If a memory recorded anew gives other questions, so that the runs are not of the same.
    """
    started = time.process_time()
    graded: dict[Design, list[tuple[Graded, ...]]] = {design: [] for design in Design}
    known: Registered | None = None
    for turn in range(times):
        with remembered(histories, embedder, progress) as memory:
            made = registered_questions(memory, histories, seed=seed)
            if known is None:
                known = made
                on_registered(known)
            if made.sha256 != known.sha256:
                raise RuntimeError("the same histories gave other questions")
            grader = grade_answer if turn == 0 else None
            for design in Design:
                graded[design].append(tuple(_graded(memory, known, design, grader, progress)))
    if known is None:
        raise ValueError("at least one run")
    rows = {design: tuple(of) for design, of in graded.items()}
    return DesignsRun(known, rows, time.process_time() - started)


def _graded(
    memory: Memory, asked: Registered, design: Design, grade: AnswerGrader | None, progress: Progress
) -> Iterator[Graded]:
    for number, question in enumerate(asked.questions, start=1):
        prompt = memory.makers[question.history].made(design, question.text)
        yield Graded(
            passed=passes(question, prompt, memory.recorded(question.history)),
            tokens=prompt.tokens,
            milliseconds=prompt.milliseconds,
            answer_passed=grade(question, prompt) if grade else None,
        )
        progress(number, len(asked.questions), f"asking {design.value}")
