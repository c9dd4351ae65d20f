"""Long files on Bedrock: parts read at once, merged under one bound, resumed where a try ended (CM-1)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from anamnesis.domain.concepts import MAX_CONCEPTS_PER_FILE
from anamnesis.domain.errors import ModelUnavailable, StoreUnavailable
from anamnesis.domain.files import Document
from anamnesis.ports import ReadingProgress
from support.bedrock_converse import Slow, bedrock_fake, pages_shown, tool_call
from support.bedrock_reading import KeptProgress, document, item, reader

_LETTERS = "abcdefghijklmnopqrstuvwxyzåäöü"
#: One idea of its own on each page, and one that all share.
BOOK = document(
    *(
        f"The shared idea and the idea {letter}{other} are explained here. " + "Words of the lesson. " * 60
        for other in "abc"
        for letter in _LETTERS
    )
)
SMALL = {"part_bytes": 6_000, "overlap_bytes": 500}


def page_by_page(request: dict[str, Any]) -> dict[str, Any]:
    """A model that records what each page shown explains."""
    shown = pages_shown(request)
    own = [item(f"idea {_LETTERS[(n - 1) % 30]}{'abc'[(n - 1) // 30]}", pages=[n]) for n in shown]
    return tool_call([item("Shared idea", pages=shown), *own])


def failing_at(page: int, failure: Any) -> Callable[[dict[str, Any]], Any]:
    """The same, but for parts with a page."""
    return lambda request: failure if page in pages_shown(request) else page_by_page(request)


def test_long_files_are_read_in_overlapping_parts_under_one_bound() -> None:
    """A long file is read in parts that overlap, their lists become one within the bound, from all over it (CM-1)."""
    with bedrock_fake(page_by_page) as fake:
        result = reader(fake, **SMALL).read(BOOK, file_name="a.pdf")
    assert len(fake.requests) >= 15
    assert {page for request in fake.requests for page in pages_shown(request)} == set(range(1, 91))
    assert sum(len(pages_shown(request)) for request in fake.requests) > 90
    names = [c.name for c in result.concepts]
    assert len(names) == MAX_CONCEPTS_PER_FILE
    assert names.count("Shared idea") == 1
    assert result.concepts[0].pages == tuple(range(1, 91))
    # No tenth of the book is without a concept of its own.
    tenths = {(c.pages[0] - 1) // 9 for c in result.concepts[1:]}
    assert tenths == set(range(10))
    assert result.use.requests == len(fake.requests)
    assert result.use.input_tokens == 100 * len(fake.requests)


def test_parts_are_read_at_once_within_a_bound_and_their_order_does_not_matter() -> None:
    """Parts are read some at a time, never more than allowed, and whichever ends first the list is the same (CM-1)."""

    def first_ones_last(request: dict[str, Any]) -> Slow:
        return Slow(page_by_page(request), 0.3 / pages_shown(request)[0])

    with bedrock_fake(page_by_page) as fake:
        in_order = reader(fake, **SMALL, at_once=1).read(BOOK, file_name="a.pdf")
        assert fake.most_at_once == 1
    with bedrock_fake(first_ones_last) as fake:
        crossed = reader(fake, **SMALL, at_once=4).read(BOOK, file_name="a.pdf")
        assert 2 <= fake.most_at_once <= 4
    assert crossed == in_order


_FOR_GOOD = {"denied": (403, "AccessDeniedException", "no"), "schema": tool_call("no list")}


@pytest.mark.parametrize("failure", _FOR_GOOD.values(), ids=_FOR_GOOD)
def test_a_part_that_fails_fails_all_and_the_next_try_asks_only_for_it(failure: Any) -> None:
    """Half a book is never taken for a whole one; the next try asks only for what is missing (CM-1, SV-14)."""
    kept = KeptProgress()
    with bedrock_fake(failing_at(45, failure)) as fake, pytest.raises(ModelUnavailable) as failed:
        reader(fake, **SMALL).read(BOOK, file_name="a.pdf", progress=kept.progress)
    assert "parts are read" in failed.value.detail
    read_before = len(kept.parts)
    assert read_before
    with bedrock_fake(page_by_page) as fake:
        resumed = reader(fake, **SMALL).read(BOOK, file_name="a.pdf", progress=kept.progress)
        asked_again = len(fake.requests)
    with bedrock_fake(page_by_page) as fake:
        at_once = reader(fake, **SMALL).read(BOOK, file_name="a.pdf")
        assert asked_again == len(fake.requests) - read_before
    assert resumed.concepts == at_once.concepts
    assert resumed.use == at_once.use


def test_time_that_ends_ends_the_reading_and_the_next_try_goes_on() -> None:
    """When the time nears its end no call is begun, and some more tries read the rest (CM-1, SV-14)."""
    kept = KeptProgress()
    asked_before = [0]
    with bedrock_fake(page_by_page) as fake:
        while True:
            calls, lock = iter([100.0] * 12), threading.Lock()

            def left(calls: Any = calls, lock: Any = lock) -> float:
                with lock:
                    return next(calls, 1.0)

            kept.left = left
            try:
                result = reader(fake, **SMALL).read(BOOK, file_name="a.pdf", progress=kept.progress)
                break
            except ModelUnavailable:
                asked_before.append(len(fake.requests))
            assert asked_before[-1] > asked_before[-2]
        # Nothing was asked twice.
        assert len(fake.requests) == len(kept.parts) == result.use.requests
    assert len(asked_before) > 2
    assert len(result.concepts) == MAX_CONCEPTS_PER_FILE


def test_a_model_that_hangs_does_not_hold_up_the_end() -> None:
    """A call that outlasts the time is not waited for (SV-14)."""
    kept = KeptProgress()
    ends = threading.Event()
    kept.left = lambda: 0.2 if ends.is_set() else 16.0

    def hang(request: dict[str, Any]) -> Any:
        ends.set()
        return Slow(page_by_page(request), 1.0)

    with bedrock_fake(failing_at(1, hang)) as fake, pytest.raises(ModelUnavailable):
        reader(fake, **SMALL).read(BOOK, file_name="a.pdf", progress=kept.progress)


@pytest.mark.parametrize("stored", [b"", b"{}", b'{"concepts": 3}', b"\xff"], ids=repr)
def test_what_was_kept_badly_is_read_again(stored: bytes) -> None:
    """A kept part that is damaged, or cannot be fetched or kept, costs its call again and nothing else (SV-14)."""

    def down(*_: Any) -> Any:
        raise StoreUnavailable("down")

    with bedrock_fake(page_by_page) as fake:
        whole = reader(fake, **SMALL).read(BOOK, file_name="a.pdf")
        for progress in (
            ReadingProgress(lambda: 99.0, lambda _: stored, lambda *_: None),
            ReadingProgress(lambda: 99.0, down, down),
        ):
            assert reader(fake, **SMALL).read(BOOK, file_name="a.pdf", progress=progress) == whole


def test_what_was_kept_belongs_to_its_text_and_its_name() -> None:
    """A part of another text, of another file name or for another model is not taken for this one's (CM-1)."""
    kept = KeptProgress()
    lesson = document("The shared idea and the idea aa.")
    with bedrock_fake(page_by_page) as fake:
        for other in (lesson, document("The shared idea and the idea aa!")):
            for name in ("a.pdf", "b.pdf"):
                reader(fake).read(other, file_name=name, progress=kept.progress)
    assert len(kept.parts) == 4


def test_a_page_longer_than_a_part_is_read_whole() -> None:
    """A file of one endless page is read in parts like any other, all of it, under that page's number (CM-1)."""
    words = [f"idea{a}{b}" for a in _LETTERS[:26] for b in _LETTERS[:26]]
    one_page = Document("text/plain", document(" ".join(f"The {w} is explained here." for w in words)).pages)

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        text = request["messages"][0]["content"][0]["text"]
        return tool_call([item(w, pages=[1]) for w in words if f"The {w} is" in text])

    with bedrock_fake(answer) as fake:
        result = reader(fake, part_bytes=3_000, overlap_bytes=200).read(one_page, file_name="a.txt")
        shown = "".join(request["messages"][0]["content"][0]["text"] for request in fake.requests)
    assert all(f"The {w} is" in shown for w in words)
    first_letters = {c.name[4] for c in result.concepts}
    assert len(result.concepts) == MAX_CONCEPTS_PER_FILE
    assert len(first_letters) >= len(fake.requests) - 1 > 5
