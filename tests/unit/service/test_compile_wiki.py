"""Compiling a wiki from a memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.errors import Busy, Unfinished
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.gates import Rule
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.revisions import COMPILER
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.service.deadline import Deadline
from contracts.wiki_repository import history, put
from support.tiny_writer import TinyWriter
from support.wired_memory import ANA, BEN, NOW, Memory, answer, check, question

SCOPE = ANA.student_scope


def lived_in() -> Memory:
    """A day of work."""
    memory = Memory()
    memory.add_file()
    memory.say(
        question("What is osmosis?", at=NOW),
        answer("Osmosis moves water.", at=NOW + timedelta(minutes=1)),
        check("Osmosis", correct=False, at=NOW + timedelta(minutes=2)),
        question("Remember that Lunar tides are pulled by the moon.", at=NOW + timedelta(minutes=3)),
    )
    return memory


class Spoiling(TinyWriter):
    """A writer that adds a page of its own."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text

    def write(self, evidence: WikiEvidence, current: Tree, **more: Any) -> Tree:
        return {**super().write(evidence, current, **more), self.path: self.text}


def test_a_day_of_work_becomes_a_commit() -> None:
    """Everything recorded is in the tree of one commit, which says what is new (WD-1, WK-5)."""
    memory = lived_in()
    report = memory.compile_wiki(SCOPE)
    assert report.revision is not None
    assert report.findings == ()
    assert memory.raw_wikis.head(SCOPE) == report.revision
    tree = memory.raw_wikis.tree(SCOPE, report.revision.id)
    assert set(report.written) == set(tree)
    assert "pulled by the moon" in "\n".join(tree.values())
    assert report.revision.author == COMPILER
    assert report.revision.message.startswith("First compile: 1 session, 1 concept\n\n- New: ")


class Inventing(DeterministicWriter):
    """A writer that adds a mark to one page, which a gate lets pass, and a claim without evidence to another."""

    def write(self, evidence: WikiEvidence, current: Tree, **more: Any) -> Tree:
        tree = dict(super().write(evidence, current, **more))
        tree[MARKED] = tree[MARKED].replace("\nkind:", f'\nsynthesis: "a-model {"0" * 24}"\nkind:')
        tree[SPOILED] = tree[SPOILED].replace("\n## ", "\nThe student won ninety medals.\n\n## ", 1)
        return tree


MARKED, SPOILED = "knowledge/concepts/biology/osmosis.md", "knowledge/concepts/biology/lunar-tide.md"


def test_what_a_gate_refuses_of_a_writer_the_fallback_writes() -> None:
    """Pages of a writer that a gate refuses are the deterministic writer's, the others stay, as is told (WD-3)."""
    memory = lived_in()
    compile_wiki = replace(memory.compile_wiki, writer=Inventing(), fallback=DeterministicWriter())
    report = compile_wiki(SCOPE)
    assert (report.findings, report.held_back) == ((), 1)
    tree = memory.raw_wikis.tree(SCOPE, report.revision.id)
    plain = DeterministicWriter().write(memory.wiki_evidence(SCOPE, Deadline.never()).evidence, {})
    assert {path for path in tree if tree[path] != plain[path]} == {MARKED}
    again = compile_wiki(SCOPE)
    assert (again.revision, again.held_back) == (None, 1)
    alone = replace(compile_wiki, fallback=None)(SCOPE)
    assert {finding.path for finding in alone.findings} == {SPOILED}


def test_a_night_has_its_student_s_wiki_compiled() -> None:
    """Each night of a pair that has a log ends in a message for its student's wiki, one of nobody in none (WD-1)."""
    memory = lived_in()
    for _ in range(2):
        memory.run_night(ANA, NOW.date())
    memory.run_night(BEN, NOW.date())
    assert memory.raw_wiki_queue.sent == [SCOPE, SCOPE]


def test_nothing_new_makes_no_commit() -> None:
    """A compile that finds nothing new leaves the head where it is, and one of nobody makes no wiki (WD-1, NI-2)."""
    memory = lived_in()
    first = memory.compile_wiki(SCOPE).revision
    again = memory.compile_wiki(SCOPE)
    assert (again.revision, again.written, again.removed) == (None, (), ())
    assert memory.raw_wikis.head(SCOPE) == first
    assert memory.compile_wiki(BEN.student_scope).revision is None
    assert memory.raw_wikis.head(BEN.student_scope) is None


def test_only_what_changed_is_in_the_commit() -> None:
    """A new session's compile writes its page and the indexes that list it, and nothing else (WD-1)."""
    memory = lived_in()
    memory.compile_wiki(SCOPE)
    memory.say(question("What is a cell?", at=NOW + timedelta(days=1)))
    report = memory.compile_wiki(SCOPE)
    index, *session = report.written
    assert index == "knowledge/index.md"
    assert [path.rsplit("/", 1)[1] for path in session] == ["summary.md", "transcript.md"]
    assert report.removed == ()


def test_a_refused_tree_changes_nothing() -> None:
    """A tree that fails a gate is not committed, and the report says where and why (WD-2)."""
    memory = lived_in()
    memory.compile_wiki(SCOPE)
    before = memory.raw_wikis.head(SCOPE)
    memory.wiki_writer = Spoiling("notes/biology/bad.md", "no front matter")
    memory.fresh()
    report = memory.compile_wiki(SCOPE)
    assert report.refused
    assert report.revision is None
    assert (report.findings[0].path, report.findings[0].rule) == ("notes/biology/bad.md", Rule.FRONT_MATTER)
    assert memory.raw_wikis.head(SCOPE) == before


def test_a_compile_stops_in_time() -> None:
    """A compile without time left changes nothing and says that it is not done (WD-2)."""
    memory = lived_in()
    with pytest.raises(Unfinished):
        memory.compile_wiki(SCOPE, Deadline.after(0, lambda: 0.0))
    assert memory.raw_wikis.head(SCOPE) is None


def test_what_is_being_erased_is_not_compiled() -> None:
    """From the moment that an erasure begins its contents reach no new revision (EP-8, WD-4)."""
    memory = lived_in()
    told = memory.raw_log.episodes[ANA][-1]
    memory.erase.episode(ANA, told.id, Role.STUDENT, Deadline.after(0, lambda: 0.0))
    assert memory.raw_log.episodes[ANA][-1].content is not None
    report = memory.compile_wiki(SCOPE)
    assert report.revision is not None
    assert "moon" not in memory.raw_wikis.everything(SCOPE)
    assert "Lunar" not in memory.raw_wikis.everything(SCOPE)


def test_two_compilers_at_once_are_one() -> None:
    """A compile whose head moved begins again from the new head (WK-6, WD-2)."""
    memory = lived_in()
    other = memory.compile_wiki

    class Meddling(TinyWriter):
        left = 1

        def write(self, evidence: WikiEvidence, current: Tree, **more: Any) -> Tree:
            if self.left:
                self.left -= 1
                memory.say(question(f"Another {self.left}?", at=NOW + timedelta(days=9 + self.left)))
                other(SCOPE)
            return super().write(evidence, current, **more)

    memory.wiki_writer = Meddling()
    memory.fresh()
    report = memory.compile_wiki(SCOPE)
    assert report.findings == ()
    assert "Another 0?" in "".join(memory.raw_wikis.tree(SCOPE, memory.raw_wikis.head(SCOPE).id).values())


def test_a_wiki_that_keeps_changing_is_given_up() -> None:
    """A compile that other writers always get before says so, and loses nothing of theirs (WK-6)."""
    memory = lived_in()
    numbers = count()

    class Committing(TinyWriter):
        def write(self, evidence: WikiEvidence, current: Tree, **more: Any) -> Tree:
            put(memory.raw_wikis, SCOPE, {**current, "CHANGELOG.md": str(next(numbers))})
            return super().write(evidence, current, **more)

    memory.wiki_writer = Committing()
    memory.fresh()
    with pytest.raises(Busy):
        memory.compile_wiki(SCOPE)
    assert len(history(memory.raw_wikis, SCOPE)) == next(numbers)
