"""Search over pages: by words of any script, the telling page first."""

from __future__ import annotations

from datetime import date

import pytest

from anamnesis.domain.wiki.addresses import episode_address
from anamnesis.domain.wiki.finding.search import MAX_PASSAGE_CHARS, MAX_PASSAGES, search
from anamnesis.domain.wiki.page_format import written
from anamnesis.domain.wiki.pages import Page, PageKind, Statement


def page(name: str, *sentences: str, aliases: tuple[str, ...] = ()) -> dict[str, str]:
    """Write one page."""
    path = f"knowledge/concepts/biology/{name}.md"
    told = tuple(Statement(text, (episode_address("biology", f"e{n}"),)) for n, text in enumerate(sentences))
    day = date(2026, 3, 1)
    return {path: written(Page(path, name, PageKind.CONCEPT, day, day, told, aliases=aliases))}


_TREE = {
    **page(
        "osmosis",
        "Water moves through a membrane.",
        "It stops when both sides are alike.",
        aliases=("ósmosis",),
    ),
    **page("diffusion", "Particles spread. Osmosis is a case of it for water."),
    **page("клетка", "Митохондрии дают клетке энергию.", "Ученик путал ядро и цитоплазму."),
    **page("光合作用", "光合作用把光能变成化学能。"),
    **page("प्रकाश-संश्लेषण", "पौधे सूर्य के प्रकाश से भोजन बनाते हैं।"),
    **page("الخلية", "الميتوكوندريا تعطي الخلية طاقة."),
    **page("การสังเคราะห์แสง", "พืชเปลี่ยนพลังงานแสงเป็นพลังงานเคมี"),
    **page("partitions", "The part of a set."),
}


@pytest.mark.parametrize(
    "query, expected",
    [
        ("osmosis", "osmosis"),
        ("what is osmosis?", "osmosis"),
        ("OSMOSIS", "osmosis"),
        ("ósmosis", "osmosis"),
        ("spreading particle", "diffusion"),
        ("митохондрия", "клетка"),
        ("что я путал с ядром?", "клетка"),
        ("光能", "光合作用"),
        ("सूर्य", "प्रकाश-संश्लेषण"),
        ("طاقة", "الخلية"),
        ("พลังงานเคมี", "การสังเคราะห์แสง"),
    ],
)
def test_a_page_is_found_by_its_words(query: str, expected: str) -> None:
    """A page is found by its words in any script, inflected or not, the one that is about them first (WU-2)."""
    hits = search(_TREE, query, limit=5)
    assert [hit.title for hit in hits][:1] == [expected]
    assert hits[0].score > 0


def test_a_word_inside_another_is_no_match() -> None:
    """A word is not found inside another one, its stem is (WU-2)."""
    assert [hit.title for hit in search(_TREE, "art", limit=5)] == []
    assert [hit.title for hit in search(_TREE, "parts", limit=5)] == ["partitions"]


@pytest.mark.parametrize("query", ["", "  ", "?", "what is it?", "\u200b", "[[", "xylophone"])
def test_nothing_is_found_where_nothing_is_asked(query: str) -> None:
    """A query without a telling word, or with one that no page holds, finds nothing rather than anything (RC-3)."""
    assert search(_TREE, query, limit=5) == []
    assert search({}, "osmosis", limit=5) == []


def test_passages_show_where() -> None:
    """A hit shows the lines that hold the words, with their numbers in the file, and no reference list (WU-2)."""
    [hit, *_] = search(_TREE, "membrane water", limit=1)
    lines = _TREE[hit.path].split("\n")
    assert 0 < len(hit.passages) <= MAX_PASSAGES
    for passage in hit.passages:
        assert lines[passage.line - 1].strip().startswith(passage.text[:40])
        assert "episode://" not in passage.text


def test_a_long_line_is_cut() -> None:
    """What a hit shows of a line is bounded, however long the page's line is (SV-12)."""
    tree = {"notes/a.md": "osmosis " + "word " * 50_000}
    [hit] = search(tree, "osmosis", limit=1)
    assert all(len(passage.text) <= MAX_PASSAGE_CHARS for passage in hit.passages)


def test_a_million_characters_of_query_are_read_to_a_bound() -> None:
    """A query of a million characters finds what its beginning asks (SV-12)."""
    assert search(_TREE, "osmosis " + "x" * 1_000_000, limit=1)[0].title == "osmosis"
