"""Whole compiles of whatever anybody can write: no text of theirs keeps a wiki from being compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anamnesis.domain.beliefs import Claim
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind, erased
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.gates import Rule, findings
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.writing import tree as tree_module
from anamnesis.domain.wiki.writing.room import beyond_room
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.service.compile_wiki import CompileWiki
from anamnesis.service.deadline import Deadline
from anamnesis.service.wiki_evidence import LoadedEvidence
from contracts.wiki_repository import put
from support.any_evidence import any_evidence, any_text
from support.map_values import concept, contribution, record, subject_map
from support.memory_platform import SteppingClock
from support.memory_wiki import MemoryWikiRepository
from support.wiki_histories import history
from support.wiki_values import SCOPE, ana, belief, evidence, subject_evidence, turn


@dataclass
class Given:
    """The evidence of a test in place of what stores hold."""

    known: WikiEvidence
    withheld: tuple[Episode, ...] = ()
    erasures: dict[Pair, int] = field(default_factory=dict)

    def __call__(self, scope: object, deadline: Deadline) -> LoadedEvidence:
        return LoadedEvidence(self.known, dict(self.erasures), self.withheld)

    def seen(self, scope: object) -> Mapping[Pair, int]:
        return dict(self.erasures)


def compiler(known: WikiEvidence, writer: DeterministicWriter | None = None) -> CompileWiki:
    mine = writer or DeterministicWriter()
    source: Any = Given(known)
    return CompileWiki(MemoryWikiRepository(), source, mine, SteppingClock(), mine)


def tree_of(compile_wiki: CompileWiki) -> Tree:
    head = compile_wiki.repository.head(SCOPE)
    return {} if head is None else compile_wiki.repository.tree(SCOPE, head.id)


def passed(compile_wiki: CompileWiki) -> Tree:
    """Compile; no gate refuses anything."""
    report = compile_wiki(SCOPE)
    assert (report.findings, report.left_out) == ((), ())
    return tree_of(compile_wiki)


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(chance=st.randoms(use_true_random=False))
def test_whatever_is_said_is_compiled_and_compiled_again(chance: Random) -> None:
    """Of any texts in every place each compile passes, the next one with a turn erased, too (WD-2, SV-13)."""
    known = any_evidence(chance)
    compile_wiki = compiler(known)
    passed(compile_wiki)
    source: Any = compile_wiki.evidence
    first, *others = known.subjects
    gone = chance.choice(first.episodes)
    told = tuple(erased(e) if e is gone else e for e in first.episodes)
    left = tuple(row for row in first.beliefs if gone.id not in row.evidence)
    ids = {row.id for row in left}
    left = tuple(row if row.superseded_by in ids else replace(row, superseded_by=None) for row in left)
    source.known = replace(known, subjects=(replace(first, episodes=told, beliefs=left), *others))
    passed(compile_wiki)


NAMES = ("mean", "confidence")


def two(
    one: str, other: str, *, file: str = "cells.pdf", gist: str = "It is.", definition: str = "", said: str = "x y",
    evaluation: str | None = None,
) -> WikiEvidence:  # fmt: skip
    """A student who struggles with one concept, checked twice, and understands the other."""
    mapped = subject_map(
        contribution(
            "f1",
            concept(one, gist=gist, definition=definition or gist, pages=(1,)),
            concept(other, gist="It is too.", pages=(2,)),
        ),
        files={"f1": replace(record("f1"), pages=9, name=file)},
    )
    keys = canonical_key(one), canonical_key(other)

    def missed(position: int) -> Episode:
        more: dict[str, Any] = {
            "concepts": [keys[0]],
            "correct": False,
            "topic": one,
            "evaluation": evaluation,
        }
        return turn(position, said, Kind.CHECK, day=position, **more)

    checks = [missed(1), turn(2, "z w", Kind.CHECK, concepts=[keys[1]], correct=True, topic=other), missed(3)]
    rows = [
        belief(one, Claim.STRUGGLES_WITH, checks[::2]),
        belief(other, Claim.UNDERSTANDS, checks[1:2], number=2),
    ]
    return evidence(subject_evidence(checks, mapped=mapped, beliefs=rows))


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(two("confidence", "mean"), id="a concept called like a word of pages"),
        pytest.param(two("C", "C++"), id="concepts that differ in signs"),
        pytest.param(two("understands osmosis", "osmosis"), id="a concept that sounds like a stance"),
        pytest.param(two("x" * 200, "x" * 200 + "y"), id="names that are cut alike"),
        pytest.param(two("osmosis", "mean", file="Ana understands osmosis.pdf"), id="a file's name"),
        pytest.param(two("osmosis", "mean", gist="Who understands osmosis drinks."), id="what a file says"),
        pytest.param(two("osmosis", "mean", definition="On 2026-13-45: 9 %. Until 2020-02-30: no."), id="no days"),
        pytest.param(two("osmosis", "mean", evaluation="a” she understands osmosis “b"), id="quotation marks"),
        pytest.param(two("right angle", "not"), id="results and denials in names"),
        pytest.param(two("osmosis", "mean", said="7" * 2_000), id="endless figures"),
    ],
)  # fmt: skip
def test_names_and_words_of_others_are_no_claims_of_a_page(known: WikiEvidence) -> None:
    """What concepts and files are called, and what they say, contradicts no belief, day or result (WD-2, SV-13)."""
    tree = passed(compiler(known))
    assert "Struggles with" in "\n".join(tree.values())


class Unlucky(DeterministicWriter):
    """A writer with a flaw: one page of it claims what nothing supports."""

    path = "knowledge/concepts/biology/membrane.md"

    def write(self, evidence: WikiEvidence, current: Tree, **more: Any) -> Tree:
        tree = dict(super().write(evidence, current, **more))
        tree[self.path] = tree[self.path].replace("\n## ", "\nIt won ninety medals. [cite:1]\n\n## ", 1)
        return tree


def test_a_page_that_a_gate_refuses_is_left_out_and_told() -> None:
    """A flaw of ours keeps one page out and no wiki from being compiled; it is told for the alarm (WD-2)."""
    compile_wiki = compiler(ana(), Unlucky())
    report = compile_wiki(SCOPE)
    assert report.findings == ()
    assert {finding.path for finding in report.left_out} == {Unlucky.path}
    tree = tree_of(compile_wiki)
    assert Unlucky.path not in tree
    assert "knowledge/concepts/biology/osmosis.md" in tree
    assert findings(tree, {}, ana()) == ()


AGENTS = """---
title: "What helps"
kind: "learning"
created: "2026-03-09"
updated: "2026-03-09"
sources: ["episode://biology/bio8"]
aliases: []
author: "agent"
---

# What helps

- The student calls [[knowledge/concepts/biology/plasmolysis|a shrinking wonder of nature]] the water walk. [cite:1]
- See [a most marvellous page](../concepts/biology/plasmolysis.md), the water walk. [cite:1]

## References

1. `episode://biology/bio8`
"""
NOTED = "- In class: [the wonderful shrinking](plasmolysis.md), the water walk. [cite:7]"


def test_what_agents_wrote_stands_when_the_pages_that_it_links_to_go() -> None:
    """A page that goes leaves the words of agents' links to it, and these need no new support (WK-3, WK-6, WD-2)."""
    compile_wiki = compiler(ana())
    tree = dict(passed(compile_wiki))
    path = "knowledge/concepts/biology/osmosis.md"
    number = next(
        line[0] for line in tree[path].split("\n") if "episode://biology/bio8" in line and line[0].isdigit()
    )
    note = NOTED.replace("[cite:7]", f"[cite:{number}]")
    tree[path] = tree[path].replace("\n## References", f"\n## Notes\n\n{note}\n\n## References")
    tree["knowledge/learnings/of-an-agent.md"] = AGENTS
    put(compile_wiki.repository, SCOPE, tree)
    source: Any = compile_wiki.evidence
    first, general = source.known.subjects
    mapped = replace(
        first.subject_map, concepts=tuple(c for c in first.subject_map.concepts if c.key != "plasmolysis")
    )
    source.known = replace(source.known, subjects=(replace(first, subject_map=mapped), general))
    after = passed(compile_wiki)
    assert "a shrinking wonder of nature the water walk" in after["knowledge/learnings/of-an-agent.md"]
    assert "In class: the wonderful shrinking, the water walk." in after[path]
    assert not any("plasmolysis.md" in text for text in after.values())


def test_words_of_agents_that_a_gate_refuses_by_now_go_alone() -> None:
    """What agents repeat of a text that is being erased goes from their page, and all else is compiled (WD-4, WK-6)."""
    compile_wiki = compiler(ana())
    tree = dict(passed(compile_wiki))
    secret = "Grandmother keeps her savings in the blue teapot on the shelf."
    tree["knowledge/learnings/of-an-agent.md"] = AGENTS.replace("a shrinking wonder of nature", secret)
    put(compile_wiki.repository, SCOPE, tree)
    source: Any = compile_wiki.evidence
    source.withheld = (turn(99, secret),)
    report = compile_wiki(SCOPE)
    assert (report.findings, {f.rule for f in report.left_out}) == ((), {Rule.ERASED})
    assert "savings" not in "\n".join(tree_of(compile_wiki).values())
    assert tree_of(compile_wiki).keys() == tree.keys() - {"knowledge/learnings/of-an-agent.md"}


@pytest.mark.parametrize("most", [12, 20, 40])
def test_a_history_that_has_no_room_is_a_wiki_of_its_newest(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much is recorded the tree stays within its bounds, oldest transcripts first left out (WD-2, SV-12)."""
    monkeypatch.setattr(tree_module, "beyond_room", partial(beyond_room, most_files=most))
    known = history(12)
    compile_wiki = compiler(known)
    tree = dict(passed(compile_wiki))
    assert len([path for path in tree if "index" not in path and path != "CHANGELOG.md"]) == most
    days = [path.split("/")[1] for path in tree if path.endswith("/transcript.md")]
    every = [path.split("/")[1] for path in compiler_tree(known) if path.endswith("/transcript.md")]
    assert days == sorted(every)[len(every) - len(days) :]
    assert compile_wiki(SCOPE).revision is None


def compiler_tree(known: WikiEvidence) -> list[str]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tree_module, "beyond_room", lambda tree: set())
        return sorted(DeterministicWriter().write(known, {}))


def test_any_text_has_all_kinds() -> None:
    """The texts that the tests above are made of come in many scripts (SV-13)."""
    told = "".join(any_text(Random(seed)) for seed in range(200))
    assert all(letter in told for letter in "生اनกéע"[:5])
