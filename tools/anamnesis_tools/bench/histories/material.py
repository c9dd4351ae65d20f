"""What histories are made of: terms of chapters, logs of practice, tutoring dialogues and chats, as published.

The data lie in a folder that the caller names (``learning_logs/``, ``chapters/``, ``dialogues/``); three short courses
of our own stand beside this file, for languages that the folder has no chapter in. A log of practice has no chapter of
its own either: the sentences that its questions are made of are its handout.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from anamnesis_tools.bench.histories.values import CourseFile

HERE = Path(__file__).parent
MARKDOWN = "text/markdown"
#: Longest definition told in an answer, in characters.
_DEFINITION_CHARS = 600
#: Longest text of the books that is asked or answered.
_QUESTION_CHARS = 400


@dataclass(frozen=True, slots=True)
class Term:
    """A term and what the book says of it."""

    name: str
    definition: str


@dataclass(frozen=True, slots=True)
class Course:
    """A subject: its file, its terms, and questions of the book with their answers.

    Attributes
    ----------
    exercises
        Question and answer; the answer may be empty.
    """

    subject: str
    language: str
    files: tuple[CourseFile, ...]
    terms: tuple[Term, ...]
    exercises: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """One answer of a log of practice; `correct` is None where the learner only studied."""

    fact: str
    item: str
    correct: bool | None
    feedback: str
    answer: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A tutoring dialogue about one problem: who said what, and whether the student solved it in the end."""

    problem: str
    confusion: str
    turns: tuple[tuple[str, str], ...]
    solved: bool


class Material:
    """Everything in a folder, read when it is first needed.

    Raises
    ------
    FileNotFoundError
        If a part that is asked for is not in the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def chapters(self) -> dict[str, Course]:
        """Courses by language and subject, such as ``en:biology``, of the chapters in the folder."""
        found = {}
        for path in sorted((self._folder / "chapters").glob("*.json")):
            chapter = json.loads(path.read_text(encoding="utf-8"))
            text = path.with_suffix(".md")
            found[f"{chapter['lang']}:{chapter['subject']}"] = Course(
                subject=f"{chapter['subject']}-{chapter['lang']}",
                language=chapter["lang"],
                files=(CourseFile(text.name, MARKDOWN, text.read_bytes()),),
                terms=tuple(_terms(chapter["glossary"])),
                exercises=tuple(_exercises(chapter["modules"])),
            )
        return found

    @cached_property
    def own_courses(self) -> dict[str, Course]:
        """The short courses beside this file, by language."""
        named = tomllib.loads((HERE / "courses" / "terms.toml").read_text(encoding="utf-8"))
        return {language: _own_course(language, terms) for language, terms in named.items()}

    def course(self, kind: str) -> Course:
        """Return a chapter's course, such as ``en:biology``, or one of our own, such as ``own:hi``."""
        origin, _, language = kind.partition(":")
        if origin == "own":
            return self.own_courses[language]
        if kind not in self.chapters:
            raise FileNotFoundError(f"the folder has no chapter {kind} in chapters/")
        return self.chapters[kind]

    @cached_property
    def practice(self) -> dict[str, list[Trial]]:
        """Trials in order by learner."""
        paths = sorted((self._folder / "learning_logs").glob("*.json"))
        if not paths:
            raise FileNotFoundError("the folder has no log in learning_logs/")
        return {
            learner["student"]: [_trial(event) for event in learner["events"]]
            for learner in json.loads(paths[0].read_text(encoding="utf-8"))
        }

    @cached_property
    def handout(self) -> CourseFile:
        """The facts that practice is about, as a file: a section for each few of them."""
        facts = list(dict.fromkeys(trial.fact for trials in self.practice.values() for trial in trials))
        sections = [facts[start : start + 4] for start in range(0, len(facts), 4)]
        text = "\n\n".join(
            [
                "# Describing samples",
                *(f"## Part {n}\n\n" + "\n\n".join(some) for n, some in enumerate(sections, 1)),
            ]
        )
        return CourseFile("describing-samples.md", MARKDOWN, text.encode())

    @cached_property
    def dialogues(self) -> list[Dialogue]:
        """MathDial's dialogues."""
        found = json.loads((self._folder / "dialogues" / "mathdial_60.json").read_text(encoding="utf-8"))
        return [
            Dialogue(
                problem=one["question"],
                confusion=one["confusion"] or "",
                turns=tuple((turn["role"], turn["text"]) for turn in one["turns"]),
                solved=one["solved_at_end"] == "Yes",
            )
            for one in found
        ]

    @cached_property
    def chats(self) -> list[tuple[str, str]]:
        """MemoryBank's exchanges, users and days in order."""
        path = self._folder / "dialogues" / "memorybank_en_8_users.json"
        return [
            (exchange["query"], exchange["response"])
            for user in json.loads(path.read_text(encoding="utf-8"))
            for day in user["history"].values()
            for exchange in day
        ]


def _terms(glossary: Sequence[Mapping[str, Any]]) -> Iterator[Term]:
    seen = set()
    for entry in glossary:
        # Synonyms share an entry; the first one is the book's own word.
        name = entry["term"].split(",")[0].split("(")[0].strip()
        definition = " ".join(entry["definition"].split())[:_DEFINITION_CHARS]
        if name and definition and name.casefold() not in seen:
            seen.add(name.casefold())
            yield Term(name, f"{name}: {definition}")


def _exercises(modules: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for module in modules:
        for asked in module["questions"]:
            question, answer = asked["q"].strip(), asked["answer"] or ""
            if asked["options"] and len(answer) == 1:
                place = ord(answer) - ord("A")
                answer = asked["options"][place] if 0 <= place < len(asked["options"]) else ""
            if 0 < len(question) <= _QUESTION_CHARS and len(answer) <= _DEFINITION_CHARS:
                yield question, answer.strip()


def _own_course(language: str, names: Sequence[str]) -> Course:
    path = HERE / "courses" / f"{language}.md"
    text = path.read_text(encoding="utf-8")
    stop = "।" if language == "hi" else "."
    sentences = [s.strip() + stop for line in text.splitlines() for s in line.split(stop) if s.strip()]
    terms = []
    for name in names:
        said = next((s for s in sentences if s.startswith(f"{name} ")), None)
        if said is None:
            raise ValueError(f"{path.name} does not explain {name}")
        terms.append(Term(name, said))
    file = CourseFile(f"course-{language}.md", MARKDOWN, path.read_bytes())
    return Course(f"science-{language}", language, (file,), tuple(terms))


def _trial(event: Mapping[str, Any]) -> Trial:
    number, _, fact = event["kc"].partition(" ")
    return Trial(
        fact=fact if number.isdigit() else event["kc"],
        item=event["item"],
        correct={"CORRECT": True, "INCORRECT": False}.get(event["outcome"]),
        feedback=event["feedback"],
        answer=event["correct_answer"].split("|")[0],
    )
