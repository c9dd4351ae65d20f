"""Times counted from now as CLDR has them in every language: "last mo.", "vor 3 Wochen", "wiki iliyopita"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from babel import Locale

from anamnesis.domain.text.folding import fold
from anamnesis.domain.time_windows.calendar import Unit

#: CLDR's three lengths of a date field's name.
_WIDTHS = ("", "-short", "-narrow")
_UNITS = (Unit.DAY, Unit.WEEK, Unit.MONTH, Unit.QUARTER, Unit.YEAR)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAYS_BACK = ("today", "yesterday", "before_yesterday", "three_days_ago")
#: What a form without a number counts, by its plural category: "أسبوعين" are two weeks.
_COUNT_OF = {"one": 1, "two": 2}
#: "-3 д" and "3 g" alone are a temperature and a weight.
_ONLY_A_SIGN = re.compile(r"[-+ ]*")
_LETTER = re.compile(r"[^\W\d_]")
_SPACES = " {0,3}"


def fixed_times(tags: Sequence[str]) -> dict[str, list[str]]:
    """Return the forms of each rule that a phrase of CLDR says by itself: "fixed_week_1" for "last week"."""
    forms: dict[str, list[str]] = {}
    for unit, field in _fields(tags, _UNITS):
        coming = {text for offset, text in field.get("relative", {}).items() if int(offset) > 0}
        for offset, text in field.get("relative", {}).items():
            back = -int(offset)
            if 0 <= back <= 2 + (unit == Unit.DAY) and text not in coming:
                name = _DAYS_BACK[back] if unit == Unit.DAY else f"fixed_{unit}_{back}"
                forms.setdefault(name, []).append(literal(text))
        for category, text in _past(field):
            if "{0}" not in text and category in _COUNT_OF:
                count = _COUNT_OF[category]
                name = _DAYS_BACK[count] if unit == Unit.DAY else f"fixed_{unit}_{count}"
                forms.setdefault(name, []).append(literal(text))
    return forms


def counted_times(tags: Sequence[str]) -> dict[Unit, list[tuple[list[str], list[str]]]]:
    """Return, of each unit, what stands before and after the number that counts it back.

    The pairs of each unit are of up to three kinds (before, after, both), so that no number is left alone.
    """
    kinds: dict[Unit, dict[tuple[bool, bool], tuple[list[str], list[str]]]] = {}
    for unit, field in _fields(tags, _UNITS):
        for _, text in _past(field):
            if text.count("{0}") != 1:
                continue
            before, after = (literal(part.strip()) for part in text.split("{0}"))
            if _ONLY_A_SIGN.fullmatch(fold(text.split("{0}")[0])) and before:
                continue
            lead, trail = kinds.setdefault(Unit(unit), {}).setdefault((bool(before), bool(after)), ([], []))
            lead.append(before)
            trail.append(after)
    return {unit: list(of_kinds.values()) for unit, of_kinds in kinds.items()}


def last_weekdays(tags: Sequence[str]) -> dict[str, list[str]]:
    """Return the forms of "last Monday" … "last Sunday", in groups ``w0`` … ``w6``."""
    groups: dict[str, list[str]] = {f"w{i}": [] for i in range(7)}
    for name, field in _fields(tags, _WEEKDAYS, widths=_WIDTHS[:2]):
        text = field.get("relative", {}).get("-1", field.get("relative", {}).get(-1))
        if text:
            groups[f"w{_WEEKDAYS.index(name)}"].append(literal(text))
    return groups


def literal(text: str) -> str:
    """Return a pattern for a phrase of CLDR: folded, spaces loose, points left out by many."""
    escaped = re.escape(fold(text).strip())
    return escaped.replace(r"\ ", " {1,3}").replace(r"\.", r"\.?")


def number_between(number: str, pairs: tuple[list[str], list[str]]) -> str:
    """Return a pattern for a number with one of the forms before it and one of those after it."""
    before, after = ("|".join(sorted(set(forms), key=lambda f: (-len(f), f))) for forms in pairs)
    lead = f"(?:{before}){_SPACES}" if before else ""
    return f"{lead}{number}" + (f"{_SPACES}(?:{after})" if after else "")


def _past(field: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (plural category, form) of what was; a form that serves what will be as well says neither."""
    coming = set(field.get("future", {}).values())
    for category, text in field.get("past", {}).items():
        if text not in coming and _LETTER.search(text.replace("{0}", "")):
            yield category, text


def _fields(
    tags: Sequence[str], names: Sequence[str], *, widths: Sequence[str] = _WIDTHS
) -> Iterator[tuple[str, dict[str, Any]]]:
    for tag in tags:
        known = _date_fields(tag)
        for name in names:
            for width in widths:
                field = known.get(f"{name}{width}")
                if field:
                    yield name, field


@lru_cache(maxsize=64)
def _date_fields(tag: str) -> dict[str, Any]:
    # Babel reads CLDR's date fields and has no public property for them.
    fields = Locale.parse(tag)._data.get("date_fields", {})  # noqa: SLF001
    return {str(name): {key: dict(value) for key, value in field.items()} for name, field in fields.items()}
