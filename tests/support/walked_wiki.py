"""A student's months, lived through the memory and compiled night by night, as a clone of the wiki gives them."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.ports import WikiRepository
from anamnesis.service.append_episodes import Draft
from support.git_server import git, serving
from support.wired_memory import Memory

_KINDS = {"q": Kind.QUESTION, "a": Kind.ANSWER, "right": Kind.CHECK, "wrong": Kind.CHECK}


def lived(
    history: Path, repository: WikiRepository, *, tenant: str = "school", student: str = "mira"
) -> Memory:
    """Live through a history, each compile as it says; the wiki is kept in `repository`."""
    told = tomllib.loads(history.read_text(encoding="utf-8"))
    memory = Memory(wiki_writer=DeterministicWriter(), replace={"wikis": lambda _: repository})
    memory.clock.at = datetime.combine(told["session"][0]["day"], time(8), UTC)
    for file in told["file"]:
        memory.add_file(
            file["text"].strip().encode(), name=file["name"], pair=Pair(tenant, student, file["subject"])
        )
    for session in told["session"]:
        pair = Pair(tenant, student, session["subject"])
        begin = datetime.combine(session["day"], time(16), UTC)
        memory.clock.at = begin + timedelta(hours=4)
        memory.say(
            *(_draft(turn, begin + timedelta(minutes=n), session) for n, turn in enumerate(session["turns"])),
            pair=pair,
        )
        if session.get("compile"):
            report = memory.compile_wiki(pair.student_scope)
            assert report.findings == (), report.findings
            assert report.revision is not None
    return memory


def cloned(
    repository: WikiRepository, folder: Path, *, tenant: str = "school", student: str = "mira"
) -> Path:
    """An ordinary clone of the student's wiki."""
    with serving(repository, Pair(tenant, student, "any").student_scope) as server:
        git("clone", "--quiet", f"{server.url}/wiki", folder)
    return folder


def _draft(turn: list[str], at: datetime, session: dict[str, Any]) -> Draft:
    kind = _KINDS[turn[0]]
    more: dict[str, Any] = {"session_id": session["id"], "language": session.get("language")}
    if kind is Kind.CHECK:
        topic, text, evaluation = turn[1:]
        more |= {"topic": topic, "evaluation": evaluation, "correct": turn[0] == "right"}
        return Draft(kind, at, text, **more)
    return Draft(kind, at, turn[1], **more)
