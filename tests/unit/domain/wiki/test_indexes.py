"""Indexes: what exists, one line a page, within any budget."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.text.tokens import estimate_tokens
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import MAX_PAGE_BYTES
from anamnesis.domain.wiki.writing.index_pages import entries_of
from anamnesis.domain.wiki.writing.index_within import MIN_INDEX_TOKENS, index_within
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from support.map_values import concept, contribution, record, subject_map
from support.wiki_checks import faults
from support.wiki_values import ana, evidence, subject_evidence, turn

SCRIPTS = {
    "Latin": "osmosis", "Arabic": "الأسموزية", "Hebrew": "אוסמוזה", "Devanagari": "परासरण", "Thai": "ออสโมซิส",
    "Han": "渗透作用", "Kana": "しんとう", "Hangul": "삼투압", "Cyrillic": "осмос", "Ge'ez": "ኦስሞሲስ", "Tamil": "சவ்வூடு",
}  # fmt: skip


def write(wiki: WikiEvidence) -> dict[str, str]:
    tree = dict(DeterministicWriter().write(wiki, {}))
    assert faults(tree, wiki) == []
    return tree


def long_wiki(word: str, sessions: int = 60) -> WikiEvidence:
    """Sessions on as many concepts, each named by a word and a number."""
    names = [f"{word} {n}" for n in range(sessions)]
    said = [
        turn(n + 1, f"{word}? " * 12, day=3 * n, session=f"s{n}", concepts=[name])
        for n, name in enumerate(names)
    ]
    return evidence(subject_evidence(said, subject=word))


@cache
def tree_in(script: str) -> dict[str, str]:
    return write(long_wiki(SCRIPTS[script], sessions=30))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(SCRIPTS)), st.integers(MIN_INDEX_TOKENS, 3_000))
def test_an_index_keeps_any_budget_in_any_script(script: str, budget: int) -> None:
    """Whatever the script and the budget from 100 tokens on, the index fits it and says what it leaves out (WU-1)."""
    tree = tree_in(script)
    index = index_within(tree, budget)
    assert estimate_tokens(index) <= budget
    total = len(entries_of(tree))
    shown = sum(line.startswith("- ") for line in index.split("\n"))
    assert shown >= 1
    assert (f"Left out: {total - shown} page" in index) == (shown < total)


def test_a_budget_too_small_for_any_index_is_refused() -> None:
    """Below 100 tokens there is no index worth its place: the caller is told the field (WU-1)."""
    with pytest.raises(InvalidInput) as refused:
        index_within({}, MIN_INDEX_TOKENS - 1)
    assert refused.value.field == "budget_tokens"


def test_more_room_shows_no_less() -> None:
    """With more tokens an index shows at least as many pages, and with enough of them all (WU-1)."""
    tree = write(ana())
    counts = [index_within(tree, budget).count("\n- ") for budget in (100, 200, 400, 800, 1_600, 3_200)]
    assert counts == sorted(counts)
    assert counts[-1] == len(entries_of(tree))
    assert "Left out" not in index_within(tree, 3_200)


def test_what_was_worked_on_comes_before_what_was_not() -> None:
    """In a small index the concept that the student worked on stands before those never met (WU-1)."""
    index = index_within(write(ana()), 220)
    assert "osmosis" in index
    assert "plasmolysis" not in index


def test_the_main_index_has_a_line_for_each_page() -> None:
    """While it fits, knowledge/index.md names every page with its state and day (WK-1)."""
    tree = write(ana())
    index = read("knowledge/index.md", tree["knowledge/index.md"])
    linked = {link for line in index.lines for link in line.links}
    assert {entry.path for entry in entries_of(tree)} <= linked
    line = next(
        line.text for line in index.lines if "biology/osmosis|" in line.text and "concepts" in line.text
    )
    assert line.endswith("Understands osmosis: high confidence (0.82), last checked 2026-03-09. (2026-03-09)")


def test_a_large_wiki_keeps_its_indexes_within_a_page_and_loses_nothing() -> None:
    """Of 700 concepts and 400 sessions every page is reached from the main index, which stays one page (WK-1)."""
    names = [f"term {n}" for n in range(700)]
    mapped = subject_map(
        *(contribution(f"f{n}", *(concept(name) for name in names[n * 50 : n * 50 + 50])) for n in range(14)),
        files={f"f{n}": record(f"f{n}") for n in range(14)},
    )
    said = [
        turn(n, f"What is {names[n]}?", day=n, session=f"s{n}", concepts=[names[n]]) for n in range(1, 401)
    ]
    tree = write(evidence(subject_evidence(said, mapped=mapped)))
    reached, waiting = set(), ["knowledge/index"]
    while waiting:
        path = waiting.pop()
        if path not in reached and f"{path}.md" in tree:
            reached.add(path)
            if read(path, tree[f"{path}.md"]).front["kind"] == "index":  # type: ignore[index]
                waiting += [link for line in read(path, tree[f"{path}.md"]).lines for link in line.links]
    kinds = {entry.path for entry in entries_of(tree) if not entry.path.startswith("notes/")}
    assert kinds <= reached
    assert "sessions/2026-03.md" in tree


def test_an_agents_page_is_listed_like_any_other() -> None:
    """A page that an agent wrote stands in the index with its title (WK-6)."""
    text = (
        '---\ntitle: "Plan"\nkind: "project"\ncreated: "2026-03-01"\nupdated: "2026-03-01"\nsources: []\n'
        'aliases: []\nauthor: "agent"\n---\n\n# Plan\n\nFinish by May.\n'
    )
    tree = DeterministicWriter().write(ana(), {"knowledge/projects/plan.md": text})
    assert tree["knowledge/projects/plan.md"] == text
    assert (
        "[[knowledge/projects/plan|Plan]] ([open](projects/plan.md)): Finish by May."
        in tree["knowledge/index.md"]
    )


def test_a_session_without_concepts_is_told_by_its_words() -> None:
    """A line of a session says what mattered in it, in the student's words (WU-1)."""
    said = [
        turn(1, "Hello", Kind.ANSWER, session="g", subject="general"),
        turn(2, "My cat is called Momo.", Kind.TAUGHT, session="g", subject="general"),
    ]
    tree = write(evidence(subject_evidence(said, subject="general")))
    assert "The student taught “My cat is called Momo.”" in tree["sessions/index.md"]


def test_a_greeting_is_not_what_tells_most_of_a_session() -> None:
    """Of turns that matter alike a session is told by the one that says most, and not by its greeting (WU-1)."""
    said = [
        turn(1, "Hello there! How are you today?", Kind.ANSWER),
        turn(2, "Water goes to the side where more salt is solved.", Kind.ANSWER),
    ]
    tree = write(evidence(subject_evidence(said)))
    assert "): The tutor answered “Water goes to the side" in tree["sessions/index.md"]


def test_an_index_of_hundreds_of_subjects_fits_its_page() -> None:
    """However many subjects a student makes, the main index stays a page, and says how many more there are (WK-2)."""
    names = [f"{'渗透作用' * 7}{number}" for number in range(120)]
    known = evidence(
        *(subject_evidence([turn(1, subject=name, concepts=["osmosis"])], subject=name) for name in names)
    )
    text = DeterministicWriter().write(known, {})["knowledge/index.md"]
    assert len(text.encode()) <= MAX_PAGE_BYTES
    assert "in their folders" in text
