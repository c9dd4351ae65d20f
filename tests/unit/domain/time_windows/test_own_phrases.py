"""Phrases of 18 languages written before the reading was tried on them; their file says what was right at first."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.time_windows import find_window

PHRASES = tomllib.loads((Path(__file__).parent / "own_phrases.toml").read_text(encoding="utf-8"))
MADRID = ZoneInfo("Europe/Madrid")
NOW = datetime(2026, 11, 25, 12, 0, tzinfo=MADRID)
#: "Fin de semaine" is a weekend in Canada and the end of a week in France; "in den letzten Tagen" says no number.
AMBIGUOUS = {"en fin de semaine dernière", "in den letzten Tagen"}
LANGUAGES = list(PHRASES["first"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_students_say_in_each_language_is_the_window_they_mean(language: str) -> None:
    """Seasons, numbered weeks, parts of years, numbers in words and ranges are right in every language (RC-5)."""
    wrong = []
    for part in PHRASES.values():
        for text, first, end in part[language]:
            found = find_window(text, now=NOW, zone=MADRID, language=language)
            days = found and (found.start.date().isoformat(), found.end.date().isoformat())
            if days != (first, end) and text not in AMBIGUOUS:
                wrong.append((text, days))
    assert wrong == []


def test_every_process_reads_the_same() -> None:
    """No window depends on the order in which a process happens to keep its names (RC-5)."""
    program = (
        "from datetime import datetime, UTC; from zoneinfo import ZoneInfo;"
        "from anamnesis.domain.time_windows import find_window as f;"
        "print([(w := f(t, now=datetime(2026, 11, 25, tzinfo=UTC), zone=ZoneInfo('UTC'))) and w.start.isoformat()"
        " for t in ['十月的第一个星期一', '上个周末', '先週末', '지난 주말', 'पिछले सप्ताहांत'"
        ", 'in der zweiten Septemberwoche']])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
    assert "None" not in said.pop()
