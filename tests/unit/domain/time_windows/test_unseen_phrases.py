"""Phrases and lookalikes written before the reading was run on them; their files say what was right at first."""

from __future__ import annotations

import tomllib
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.time_windows import find_window

FOLDER = Path(__file__).parent / "unseen"
PARIS = ZoneInfo("Europe/Paris")


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


SETS = {name: read(name) for name in ("first", "second", "third", "fourth", "untabled")}
LOOKALIKES = read("lookalikes")


@pytest.mark.parametrize(
    "name, language", [(name, tag) for name, cases in SETS.items() for tag in cases["said"]]
)
def test_what_is_said_is_the_window_that_was_expected(name: str, language: str) -> None:
    """Times of thirty languages are the windows expected before they were read, but for named ones (RC-5)."""
    cases = SETS[name]
    meant = cases["meant"] | cases.get("meant_in", {}).get(language, {})
    now = datetime.fromisoformat(cases["now"]).replace(tzinfo=PARIS)
    wrong = []
    for kind, text in cases["said"][language].items():
        found = find_window(text, now=now, zone=PARIS, language=language)
        first, end = meant[kind]
        if (
            found is None
            or found.end.date().isoformat() != end
            or first not in {"any", found.start.date().isoformat()}
        ):
            wrong.append(text)
    assert wrong == [text for text in cases["said"][language].values() if text in cases["missed"]]


@pytest.mark.parametrize("language", LOOKALIKES["sentences"])
def test_what_only_looks_dated_is_no_window_even_where_it_was_never_seen(language: str) -> None:
    """Names, streets, feasts, scores and fractions are no windows in thirty languages, but for named ones (RC-5)."""
    now = datetime(2027, 3, 9, 9, 0, tzinfo=PARIS)
    sentences = LOOKALIKES["sentences"][language].split("\n")
    wrong = [
        sentence
        for sentence in sentences
        if any(find_window(sentence, now=now, zone=PARIS, language=tag) for tag in (language, None))
    ]
    assert wrong == [sentence for sentence in sentences if sentence in LOOKALIKES["known"]]
