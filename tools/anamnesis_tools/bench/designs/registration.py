"""The question set, registered by its hash before any design has run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from anamnesis.domain.log.canonical_json import canonical_json
from anamnesis_tools.bench.designs.questions import Question
from anamnesis_tools.bench.histories.values import History

VERSION = 1


@dataclass(frozen=True, slots=True)
class Registered:
    """Questions, and the histories that they are asked of.

    Attributes
    ----------
    sha256
        Of the canonical JSON (RFC 8785) of both: whoever has the data and the seed gets the same.
    data_sha256
        Of the histories alone.
    """

    histories: tuple[History, ...]
    questions: tuple[Question, ...]
    sha256: str
    data_sha256: str

    def as_record(self) -> dict[str, Any]:
        """JSON form of what was registered."""
        return _record(self.data_sha256, self.questions)


def question_id(question: Question) -> str:
    """Return a short name of a question and what its answer must rest on: the same in every set that asks it."""
    return _digest(question.as_record())[:10]


def registered(histories: Sequence[History], questions: Sequence[Question]) -> Registered:
    """Register a set."""
    data = _digest([history.as_record() | {"files": _files(history)} for history in histories])
    return Registered(tuple(histories), tuple(questions), _digest(_record(data, questions)), data)


def _record(data_sha256: str, questions: Sequence[Question]) -> dict[str, Any]:
    return {
        "version": VERSION,
        "histories_sha256": data_sha256,
        "questions": [question.as_record() for question in questions],
    }


def _files(history: History) -> list[str]:
    return [f"{file.name} {hashlib.sha256(file.data).hexdigest()}" for file in history.files]


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()
