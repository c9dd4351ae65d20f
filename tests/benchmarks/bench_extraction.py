"""How fast concepts are read without a model: ``pytest tests/benchmarks/bench_extraction.py``; no part of the tests."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.files import Document, Page
from support.extraction_passages import CHAPTERS, COURSES, Lesson

#: A chapter, and a book of 600 pages.
LENGTHS = {"chapter": (100_000, 20), "book": (1_800_000, 600)}


def _document(text: str, chars: int, pages: int) -> Document:
    """A text repeated to a length, with numbers in it so that its sentences differ, cut into pages."""
    repeats = chars // len(text) + 1
    whole = "\n\n".join(f"{text}\n\nPart {number}." for number in range(repeats))[:chars]
    size = chars // pages + 1
    return Document(
        "text/markdown",
        tuple(Page(n, whole[at : at + size]) for n, at in enumerate(range(0, chars, size), start=1)),
    )


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(
    "lesson", [CHAPTERS[0], *COURSES[:3], COURSES[9]], ids=lambda lesson: lesson.language
)
def test_reading_speed(benchmark: BenchmarkFixture, lesson: Lesson, length: str) -> None:
    """Characters per second, in the extra information of ``--benchmark-json``."""
    chars, pages = LENGTHS[length]
    document = _document(lesson.text, chars, pages)
    reader = OfflineConceptReader()
    benchmark.pedantic(  # type: ignore[no-untyped-call]
        reader.read, args=(document,), kwargs={"file_name": "x"}, rounds=1, warmup_rounds=0
    )
    if benchmark.stats:
        benchmark.extra_info["chars_per_second"] = round(chars / benchmark.stats.stats.mean)
