"""Whatever students say of themselves, in any language and at any length, their wiki can be compiled."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from anamnesis.domain.wiki.facts.cues import fact_languages
from anamnesis.domain.wiki.gates import Rule, findings
from anamnesis.domain.wiki.page_format import escaped
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.service.deadline import Deadline
from support.wired_memory import ANA, NOW, Memory, check, question

_CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8")
)
PREFERENCES = "knowledge/learnings/preferences.md"


def told(*texts: str, language: str = "en") -> Memory:
    """A student who said these on two days each, in sessions of their own."""
    memory = Memory(wiki_writer=DeterministicWriter())
    for number, text in enumerate([*texts, *texts]):
        at = NOW + timedelta(days=number)
        memory.say(question(text, at=at, session_id=f"s{number}", language=language))
    return memory


def compiled(memory: Memory) -> Tree:
    report = memory.compile_wiki(ANA.student_scope)
    assert report.findings == ()
    assert report.revision is not None
    return memory.raw_wikis.tree(ANA.student_scope, report.revision.id)


@pytest.mark.parametrize("language", fact_languages())
def test_facts_of_every_language_pass_the_gates(language: str) -> None:
    """What is read out of any language's wishes, goals and names is supported by what it cites (WD-2, WD-7)."""
    cases = [case for part in _CASES.values() for case in part if case["language"] == language]
    tree = compiled(told(*(case["text"] for case in cases), language=language))
    assert PREFERENCES in tree


@pytest.mark.parametrize(
    "sentence, language",
    [
        ("ฉันชอบ" + "คำตอบสั้นๆ พร้อมตัวอย่างเสมอ " * 12, "th"),
        ("我喜欢" + "简短的回答和例子、" * 12, "zh"),
        ("I prefer " + "*[_`<|~$ " * 40, "en"),
        ("我的考试是5月12日，" + "内容是细胞和光合作用还有遗传学、" * 20, "zh"),
        ("My exam is on 8 August " + "*[_`<|~$ " * 40, "en"),
        ("My teacher Ms Rivera says " + "*[_`<|~$ " * 40, "en"),
    ],
)
def test_long_wishes_do_not_keep_a_wiki_from_being_compiled(sentence: str, language: str) -> None:
    """However many long things are said, each page of facts stays within its size (WK-2, SV-12)."""
    compiled(told(*(f"{sentence}{number}" for number in range(25)), language=language))


def test_long_names_of_missed_checks_do_not_either() -> None:
    """A page of mistakes stays within its size whatever the checks are called (WK-2, SV-12)."""
    memory = Memory(wiki_writer=DeterministicWriter())
    for number in range(45):
        for hours, correct in enumerate((False, False, True)):
            at = NOW + timedelta(days=number, hours=hours)
            memory.say(check("膜_" * 60 + str(number), correct=correct, at=at, session_id=f"s{number}"))
    compiled(memory)


@pytest.mark.parametrize(
    "name", ["Not never", "Wrong 100% of 55", "until 2026-01-01", "Ana” “said", "不", "لا أحد", "[[x|y]] <b>"]
)
def test_a_name_may_say_anything(name: str) -> None:
    """What a student wants to be called is their word, whatever words it is made of (WD-2, WD-7)."""
    compiled(told(f"Please call me {name}", f"我叫{name}"))


def test_a_wish_that_was_not_made_is_refused() -> None:
    """That long answers are preferred is refused of somebody who wished for short ones, and the reverse (WD-2)."""
    memory = told("我更喜欢简短的回答", language="zh")
    tree = compiled(memory)
    evidence = memory.wiki_evidence(ANA.student_scope, Deadline.never()).evidence
    assert escaped("Prefers short answers") in tree[PREFERENCES]
    spoilt = {**tree, PREFERENCES: tree[PREFERENCES].replace("Prefers short", "Prefers long")}
    assert [f.rule for f in findings(spoilt, tree, evidence)] == [Rule.UNSUPPORTED]
