"""Answers that are not in the log, in the export of a student."""

from __future__ import annotations

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.tutoring.answers import GIVEN_UP, KEPT, AnswerFailed, AnswerState, AnswerStatus, Failing
from anamnesis.service.deadline import Deadline
from anamnesis.service.export_memory import ExportPage
from support.memory_answers import ScriptedTutor
from support.wired_memory import ANA, Memory, chat


def started(made: Memory, key: str) -> str:
    name = made.answering()(chat(f"What is osmosis, {key}?"), key).answer_id
    assert name is not None
    return name


def exported(made: Memory) -> list[ExportPage]:
    pages = [made.export(ANA.tenant, ANA.student, cursor=None)]
    while pages[-1].cursor is not None:
        pages.append(made.export(ANA.tenant, ANA.student, cursor=pages[-1].cursor))
    return pages


def answers(made: Memory) -> list[AnswerState]:
    return [answer for page in exported(made) for answer in page.answers]


def test_what_the_log_does_not_hold_of_answers_is_exported() -> None:
    """Answers that wait or have failed are in the export with what was said, recorded ones once, as episodes (SV-6)."""
    made = Memory(tutor=ScriptedTutor(("Half", AnswerFailed(Failing.TOO_SLOW, "late")), ("Whole.",)))
    failed, done, waits = (started(made, key) for key in ("failed", "done", "waits"))
    made.write_answer(ANA, failed)
    made.write_answer(ANA, done)
    found = {answer.id: answer for answer in answers(made)}
    assert found.keys() == {failed, waits}
    assert (found[failed].status, found[failed].text) == (AnswerStatus.FAILED, "Half")
    assert (found[waits].status, found[waits].text) == (AnswerStatus.WAITING, "")
    texts = [e.content.text for page in exported(made) for e in page.episodes if e.content is not None]
    assert texts.count("Whole.") == 1
    made.clock.at += GIVEN_UP
    assert {a.id: a.reason for a in answers(made)} == {failed: Failing.TOO_SLOW, waits: Failing.INTERRUPTED}
    made.clock.at += KEPT
    assert answers(made) == []


def test_many_answers_come_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that one reply has no room for follow on further pages, each once, all else once (SV-6, SV-12)."""
    made = Memory(tutor=ScriptedTutor(*[("word " * 40, AnswerFailed(Failing.TOO_SLOW, "late"))] * 5))
    names = [started(made, str(number)) for number in range(5)]
    for name in names:
        made.write_answer(ANA, name)
    monkeypatch.setattr("anamnesis.service.export_memory.PAGE_CHARS", 400)
    pages = exported(made)
    assert [answer.id for page in pages for answer in page.answers] == sorted(names)
    assert max(len(page.answers) for page in pages) == 2
    assert [page.rest is not None for page in pages].count(True) == 1
    assert [e.position for page in pages for e in page.episodes] == [1, 2, 3, 4, 5]
    with pytest.raises(InvalidInput):
        made.export(ANA.tenant, ANA.student, cursor="WyJhIiwwLDFd")  # ["a",0,1]


@pytest.mark.parametrize("what", ["question", "subject", "student"])
def test_unfinished_answers_go_with_what_is_erased(what: str) -> None:
    """With its question, its subject or the student an unfinished answer is gone everywhere (EP-8)."""
    made = Memory(tutor=ScriptedTutor(("Half", AnswerFailed(Failing.TOO_SLOW, "late"))))
    made.write_answer(ANA, started(made, "failed"))
    started(made, "waits")
    assert len(answers(made)) == 2
    if what == "question":
        asked = next(e for e in made.log.scan(ANA) if e.kind is Kind.QUESTION)
        made.erase.episode(ANA, asked.id, Role.STUDENT, Deadline.never())
    elif what == "subject":
        made.erase.subject(ANA, Role.STUDENT, Deadline.never())
    else:
        made.erase.student(ANA.tenant, ANA.student, Role.STUDENT, Deadline.never())
    assert (made.raw_answers.asked, made.raw_answers.states, answers(made)) == ({}, {}, [])


def test_an_answer_that_may_quote_what_is_erased_is_not_exported() -> None:
    """What was begun before an erasure and is still stored beside it is not in the export either (EP-8)."""
    made = Memory(tutor=ScriptedTutor())
    name = started(made, "waits")
    kept = made.raw_answers.states[ANA, name]
    made.erase.subject(ANA, Role.STUDENT, Deadline.never())
    made.raw_answers.states[ANA, name] = kept
    assert answers(made) == []
