"""The wiki of the demo's story: what it says of a summer of work, and that its citations lead to their evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest

from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.addresses import Scheme, read_address
from anamnesis.domain.wiki.page_format import ReadPage, read
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.offline import concept_reader, file_reader
from anamnesis.service.drafts import Draft
from anamnesis_tools.demo import story
from support.wired_memory import ANA, Memory

SCOPE = ANA.student_scope


class Demo(NamedTuple):
    """The memory after the story, and its wiki."""

    memory: Memory
    tree: Tree


@pytest.fixture(scope="module")
def demo() -> Demo:
    """Ana's summer over the real course files, as the offline readers read them."""
    memory = Memory(wiki_writer=DeterministicWriter())
    memory.concept_reader = concept_reader()  # type: ignore[assignment]
    memory.fresh()
    memory.clock.at = datetime(2026, 6, 2, 8, tzinfo=UTC)
    files = {}
    for path in sorted(story.COURSE.iterdir()):
        pages = file_reader().read(path.read_bytes(), declared_media_type="").pages
        data = "\f".join(page.text.replace("\f", " ") for page in pages).encode()
        files[path.name] = memory.add_file(data, name=path.name).id
    for batch in story.first_student(files):
        memory.clock.at = datetime.fromisoformat(batch.episodes[-1]["occurred_at"])
        memory.say(*map(draft, batch.episodes), key=batch.key)
    report = memory.compile_wiki(SCOPE)
    assert (report.findings, report.left_out) == ((), ())
    head = memory.raw_wikis.head(SCOPE)
    assert head is not None
    return Demo(memory, memory.raw_wikis.tree(SCOPE, head.id))


def draft(told: dict[str, Any]) -> Draft:
    evidence = tuple((cited["file_id"], cited["page"]) for cited in told.get("evidence", ()))
    given = {
        name: told[name]
        for name in ("session_id", "language", "topic", "evaluation", "correct", "score")
        if name in told
    }
    return Draft(
        Kind(told["kind"]),
        datetime.fromisoformat(told["occurred_at"]),
        told["text"],
        evidence=evidence,
        **given,
    )


def pages(tree: Tree, prefix: str) -> Iterator[ReadPage]:
    return (read(path, text) for path, text in sorted(tree.items()) if path.startswith(prefix))


def test_the_story_s_concepts_have_pages(demo: Demo) -> None:
    """What the course is about and what Ana worked on has a page each, that says where she stands (WK-1, WK-2)."""
    titles = {page.title.casefold(): page for page in pages(demo.tree, "knowledge/concepts/")}
    for concept in ("osmosis", "cell membrane", "phospholipid", "fotosíntesis"):
        assert concept in titles, sorted(titles)
    stands = re.search(
        r"(Understands|Struggles with) osmosis: \w+ confidence", demo.tree[titles["osmosis"].path]
    )
    assert stands is not None
    assert "Does an axolotl" not in "\n".join(demo.tree.values())


def test_july_is_told_and_august_is_empty(demo: Demo) -> None:
    """Every day of work has its session, by its own day, and the month without work has none (WK-1, RC-5)."""
    days = {batch.day.isoformat() for batch in story.first_student(dict.fromkeys(story.FILE_OF.values(), ""))}
    found = {path.split("/")[1][:10] for path in demo.tree if path.endswith("/summary.md")}
    assert found == days
    assert any(day.startswith("2026-07") for day in found)
    assert not any(day.startswith("2026-08") for day in found)


def test_wrong_answers_are_found_by_a_keyword(demo: Demo) -> None:
    """Each missed check stands on a page of notes as wrong, with what was said of it, cited (WK-1, WK-3)."""
    notes = "\n".join(text for path, text in demo.tree.items() if path.startswith("notes/"))
    missed = [
        told
        for batch in story.first_student(dict.fromkeys(story.FILE_OF.values(), "f"))
        for told in batch.episodes
        if told.get("correct") is False and told.get("evaluation") not in {None, "", "No topic given."}
    ]
    assert missed
    for told in missed:
        line = next((line for line in notes.split("\n") if told["evaluation"].rstrip(".")[:60] in line), None)
        assert line is not None, told
        assert ": wrong" in line
        assert "[cite:" in line


def test_every_citation_of_the_story_leads_to_its_evidence(demo: Demo) -> None:
    """Each address that any page names is followed to an episode, a turn or a file's page, as the API does (WK-3)."""
    schemes = set()
    addresses = {a for page in pages(demo.tree, "") for a in page.references.values()}
    for address in addresses:
        assert address is not None
        found = demo.memory.follow_evidence(SCOPE, read_address(str(address)))
        if address.scheme is Scheme.FILE:
            assert found.file is not None
        else:
            assert found.episodes is not None
            assert all(episode.content for episode in found.episodes.episodes)
        schemes.add(address.scheme)
    assert schemes == {Scheme.EPISODE, Scheme.SESSION, Scheme.FILE}
    assert len(addresses) > 100
