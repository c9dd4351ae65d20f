from __future__ import annotations

import tomllib
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.time_windows import find_window

MADRID = ZoneInfo("Europe/Madrid")
NOW = datetime(2026, 11, 25, 12, 0, tzinfo=MADRID)
FRIENDS = tomllib.loads((Path(__file__).parent / "false_friends.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", FRIENDS)
def test_what_only_looks_like_a_date_is_no_window(language: str) -> None:
    """A modal verb, a planet, a fraction, a book, a section, an age or the future never becomes a window (RC-5)."""
    told = None if language == "any" else language
    wrong = [
        (sentence, window.phrase)
        for sentence in FRIENDS[language].split("\n")
        for expected in {told, None}
        if (window := find_window(sentence, now=NOW, zone=MADRID, language=expected)) is not None
    ]
    assert wrong == []


def test_the_sentences_that_only_look_dated_are_many() -> None:
    """At least 400 sentences in 20 languages are held to it (RC-5)."""
    assert sum(len(sentences.split("\n")) for sentences in FRIENDS.values()) >= 400
    assert len(FRIENDS) > 20
