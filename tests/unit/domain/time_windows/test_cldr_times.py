"""Times counted from now, in the words that CLDR has for them in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from babel import Locale

from anamnesis.domain.time_windows import find_window
from anamnesis.domain.time_windows.calendar import Unit, units_back
from anamnesis.domain.time_windows.rules import known_languages

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2027, 3, 9, 9, 0, tzinfo=PARIS)
UNITS = (Unit.DAY, Unit.WEEK, Unit.MONTH, Unit.QUARTER, Unit.YEAR)


def phrases_of(language: str) -> Iterator[tuple[str, Unit, int]]:
    """Yield (phrase, unit, how many units back), but for signs ("-3 d") and what is said of the future as well."""
    locale = Locale.parse(language)
    fields: Any = locale._data["date_fields"]
    for unit in UNITS:
        for width in ("", "-short", "-narrow"):
            field = fields.get(f"{unit}{width}", {})
            offsets = {int(offset): text for offset, text in dict(field.get("relative", {})).items()}
            yield from ((text, unit, -offset) for offset, text in offsets.items() if offset <= 0)
            past, future = dict(field.get("past", {})), dict(field.get("future", {}))
            for count in (1, 2, 3, 5, 10):
                text = past.get(locale.plural_form(count), "")
                if text and not re.match(r"\W*[-−]", text) and text not in future.values():
                    yield text.replace("{0}", str(count)), unit, count


@pytest.mark.parametrize("language", known_languages())
def test_every_phrase_of_cldr_for_a_time_in_the_past_is_that_time(language: str) -> None:
    """Some 8,000 phrases of CLDR, abbreviated ones too, begin where they say, in all languages that are read (RC-5)."""
    wrong = []
    for text, unit, back in phrases_of(language):
        found = find_window(text, now=NOW, zone=PARIS, language=language)
        first = units_back(unit, back, today=NOW.date(), first_weekday=0)[0]
        if found is None or found.start.date() != first:
            wrong.append((text, found and found.start.date().isoformat()))
    assert wrong == []
