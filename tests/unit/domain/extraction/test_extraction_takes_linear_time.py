"""Reading takes time in proportion to the text, also for texts made to take long (CM-1)."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.concepts.validation import name_refusal, validate
from anamnesis.domain.concepts.values import ExtractedConcept
from anamnesis.domain.extraction.cues import cue_table
from anamnesis.domain.extraction.negation import affirmed
from anamnesis.domain.files import Document, Page

#: Twice the text takes about twice the time: between the two of linear and the eight of cubic growth.
_MOST_GROWTH = 6
_ROUNDS = 5


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times as long `work` takes for twice the size: the best of some rounds, in processor time."""

    def best(n: int) -> float:
        times = []
        for _ in range(_ROUNDS):
            started = time.process_time()
            work(n)
            times.append(time.process_time() - started)
        return max(min(times), 1e-6)

    best(size)
    return best(2 * size) / best(size)


@pytest.mark.parametrize(
    "language, unit, negation",
    [
        ("ja", "水を通す膜の中では塩が動か", "ない。"),
        ("tr", "suyungeçtiğibirzardan", " değil."),
        ("hi", "झिल्लीपारगम्य", " नहीं है।"),
        ("ko", "물이지나가는막", "없이"),
        ("en", "membrane", " not "),
    ],
)
def test_a_negation_is_read_in_linear_time(language: str, unit: str, negation: str) -> None:
    """What a negation reaches is found in time in proportion to the sentence, however long its words are (CM-1)."""
    table = cue_table(language)
    negated = [n for n in (negation, " nicht ") if table.negations and table.negations.search(f" {n}")][:1]
    ending = negated[0] if negated else ""

    def work(n: int) -> None:
        for _ in range(50):
            affirmed("。" + (unit * n)[: 2 * n] + "、" + (unit * n)[: 2 * n] + ending, table)

    assert growth(work, 30) < _MOST_GROWTH


@pytest.mark.parametrize(
    "unit",
    [
        "水が膜を通って動くことではない。",
        "Geçirgen bir zardan suyun geçişi değildir. ",
        "osmosis is the ",
        "**a ",
        "(A ",
        "is called a, ",
        "not without ",
        "a-",
        "に",
        "\u0301",
    ],
)
def test_a_long_text_is_read_in_linear_time(unit: str) -> None:
    """Twice as long a text of one repeated piece takes about twice as long to read, not four or eight times (CM-1)."""
    reader = OfflineConceptReader()

    def work(n: int) -> None:
        text = unit * (n // len(unit))
        reader.read(Document("text/plain", (Page(1, text),)), file_name="x")

    assert growth(work, 10_000) < _MOST_GROWTH


@pytest.mark.parametrize("unit", ["\n", " \n", "a", "：", "# ", "a."])
def test_the_validator_takes_linear_time(unit: str) -> None:
    """A model's names and gists, however long, are checked in time in proportion to their length (CM-2)."""

    def work(n: int) -> None:
        text = unit * (n // len(unit))
        name_refusal(text)
        validate([ExtractedConcept("osmosis", text, text, (), (), (1,))], page_count=1)

    assert growth(work, 4_000) < 3.5
