"""Long files in overlapping parts (CM-1)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.concepts.file_parts import MARK_BYTES, parts, size
from anamnesis.domain.files import Page

_texts = st.one_of(
    st.text(max_size=400),
    st.text(alphabet="ab. \n", max_size=2_000),
    st.text(alphabet="अआ漢字ภ์ا😀 。।", max_size=900),
    st.just("\ud800" * 50),
)


def pages_of(*texts: str) -> list[Page]:
    return [Page(number, text) for number, text in enumerate(texts, start=1)]


def bytes_of(part: tuple[Page, ...]) -> int:
    return sum(size(page.text) + MARK_BYTES for page in part)


@given(st.lists(_texts, max_size=12), st.integers(100, 1_000), st.integers(0, 300))
def test_all_text_is_in_parts_of_their_size(texts: list[str], part_bytes: int, overlap_bytes: int) -> None:
    """Every character of every page stands in a part, in order, under its number, and no part is too large (CM-1)."""
    pages = pages_of(*texts)
    cut = parts(pages, part_bytes=part_bytes, overlap_bytes=overlap_bytes)
    assert cut == parts(pages, part_bytes=part_bytes, overlap_bytes=overlap_bytes)
    assert all(part and bytes_of(part) <= part_bytes for part in cut)
    numbers = [page.number for part in cut for page in part]
    assert set(numbers) == {page.number for page in pages if page.text.strip()}
    for part in cut:
        assert [page.number for page in part] == sorted(page.number for page in part)
    for page in pages:
        pieces = [piece.text for part in cut for piece in part if piece.number == page.number]
        reached = 0
        for piece in pieces:
            # Each piece begins within what was reached so far, or exactly there: nothing is left out.
            found = [at for at in range(reached + 1) if page.text.startswith(piece, at)]
            assert found
            reached = max(reached, max(found) + len(piece)) if max(found) + len(piece) >= reached else reached
        assert reached == len(page.text) or not page.text.strip()


def test_pages_are_cut_only_when_they_must_be() -> None:
    """A page that fits a part stands in one as a whole, and parts begin with the end of the part before (CM-1)."""
    pages = pages_of(*(f"Page {n}. " + "Some words of it. " * 20 for n in range(1, 30)))
    cut = parts(pages, part_bytes=2_000, overlap_bytes=300)
    whole = [page for part in cut for page in part if page in pages]
    assert whole == pages
    for part in cut[1:]:
        first = part[0]
        assert first not in pages
        assert pages[first.number - 1].text.endswith(first.text)
        assert first.text.startswith("Some words")


def test_short_pages_overlap_whole() -> None:
    """Where a whole page fits into the overlap, it is repeated whole (CM-1)."""
    pages = pages_of(*(f"Slide {n}: a few words." for n in range(1, 40)))
    cut = parts(pages, part_bytes=600, overlap_bytes=140)
    assert all(page in pages for part in cut for page in part)
    assert all(set(one) & set(other) for one, other in pairwise(cut))


@pytest.mark.parametrize(
    "sentence",
    ["Osmosis moves water. ", "परासरण जल को गति देता है। ", "渗透作用移动水分子。", "การออสโมซิสเคลื่อนย้ายน้ำ "],
)
def test_a_long_page_is_cut_between_sentences_in_every_script(sentence: str) -> None:
    """A page longer than a part is cut behind a sentence, or a space where the script has no full stop (CM-1)."""
    cut = parts(pages_of(sentence * 300), part_bytes=2_000, overlap_bytes=200)
    assert len(cut) > 3
    assert all(part[0].text.rstrip().endswith(sentence.rstrip()) for part in cut)
    assert all(part[0].text.lstrip().startswith(sentence.rstrip()[:8]) for part in cut)


def test_a_million_characters_without_a_space_are_cut_in_linear_time() -> None:
    """Text without any border is cut where a part is full, and none of it is lost (CM-1)."""
    cut = parts(pages_of("漢" * 1_000_000), part_bytes=100_000, overlap_bytes=2_000)
    assert 30 <= len(cut) <= 33
    assert sum(len(part[0].text) for part in cut) >= 1_000_000
    assert parts([], part_bytes=1_000, overlap_bytes=10) == []
    assert parts(pages_of("", " \n"), part_bytes=1_000, overlap_bytes=10) == []
