"""The placeholders of a language's patterns: numbers, units, days and years, and CLDR's month and weekday names."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Any

from babel import Locale

from anamnesis.domain.text.folding import fold
from anamnesis.domain.time_windows.calendar import Unit
from anamnesis.domain.time_windows.cldr_times import (
    counted_times,
    fixed_times,
    last_weekdays,
    number_between,
)

_SPACE = " {1,3}"
#: Years of the Gregorian calendar that a question can mean.
YEAR_FORM = r"(?<!\d)(?:19|20)\d\d(?!\d)"
#: The order that seasons follow each other in, from the turn of the year's first.
SEASONS = ("spring", "summer", "autumn", "winter")
#: 一 … 三十一, the numbers a day of the month can have.
HAN_NUMBERS = {
    tens + ones: 10 * i + j
    for i, tens in enumerate(("", "十", "二十", "三十"))
    for j, ones in enumerate(("", "一", "二", "三", "四", "五", "六", "七", "八", "九"))
    if 1 <= 10 * i + j <= 31
}
_WORD = re.compile(r"[^\W\d_]+")
_ONE_SPACE = re.compile(r" (?![?*{])")  # a space that is not optional already


def loose(template: str) -> str:
    """Let each space of a pattern that is not optional already stand for one to three."""
    return _ONE_SPACE.sub(_SPACE, template)


def numbers_of(raw: dict[str, Any]) -> dict[str, int]:
    """Return the folded number words of a table and what they count."""
    han = HAN_NUMBERS if raw.get("han_numbers") else {}
    vague = {fold(word): 3 for word in raw.get("vague", ())}
    return han | vague | {fold(word): count for word, count in raw.get("numbers", {}).items()}


def placeholders(language: str, raw: dict[str, Any]) -> dict[str, str]:
    """Return what each placeholder of a table's patterns stands for, as a regular expression over folded text.

    Parameters
    ----------
    language
        BCP 47 primary tag; CLDR's names come from the table's ``cldr`` locales, or from this one.
    raw
        The table as read.

    Returns
    -------
    dict
        ``month+`` and ``weekday+`` hold abbreviations beside the wide names of ``month`` and ``weekday``. What CLDR
        has for times counted from now goes by ``cldr_`` and the rule it is for.
    """
    counts = _counts(raw)
    said = said_by_cldr(language, raw, counts["n"])
    return (
        counts
        | _days_and_years(raw)
        | _names(language, raw)
        | {f"cldr_{rule}": p for rule, p in said.items()}
    )


def said_by_cldr(language: str, raw: dict[str, Any], number: str) -> dict[str, str]:
    """Return, for each rule that CLDR has phrases for, a regular expression over folded text of them.

    A rule "ago_week" counts weeks back by the group ``n`` of `number`; where a language counts in several ways, the
    further ones are "ago_week_1" and so on.
    """
    tags = raw.get("cldr", [language])
    said: dict[str, str] = {}
    for rule, forms in fixed_times(tags).items():
        own = [loose(fold(text)) for text in raw.get(rule, ())]
        new = [
            form for form in forms if not any(text.startswith(form) for text in own)
        ]  # "dün(?!ya)" knows its own limits
        said |= {rule: _any_of(new)} if new else {}
    said |= {
        f"ago_{unit}_{i}": number_between(number, pairs)
        for unit, kinds in counted_times(tags).items()
        for i, pairs in enumerate(kinds)
    }
    weekdays = {} if "weekday_last" in raw else last_weekdays(tags)
    return said | ({"weekday_last": either(weekdays)} if any(weekdays.values()) else {})


def _any_of(forms: list[str]) -> str:
    return "(?:" + "|".join(sorted(set(forms), key=lambda form: (-len(form), form))) + ")"


def _counts(raw: dict[str, Any]) -> dict[str, str]:
    spaced = bool(raw.get("spaced", True))
    words = sorted(numbers_of(raw), key=len, reverse=True)
    number = "(?P<n>" + "|".join([r"\d{1,3}", *map(re.escape, words)]) + ")" + ("" if spaced else " ?")
    unit = either({f"unit_{u}": [loose(fold(w)) for w in raw.get("unit", {}).get(u, ())] for u in Unit})
    gap = rf"(?:(?<=\d) {{0,3}}|{_SPACE})" if spaced and not raw.get("open_right") else " ?"
    counted = f"(?:{number}{gap})?{unit}" if raw.get("unit_alone_is_one") else f"{number}{gap}{unit}"
    fixed = either(
        {
            f"{kind}_{u}": [fold(w) for w in raw.get(kind, {}).get(u, ())]
            for kind in ("single", "dual")
            for u in Unit
        }
    )
    return {
        "n": number,
        "unit": unit,
        "weekend": f"(?:{'|'.join(loose(fold(w)) for w in raw.get('unit', {}).get('weekend', ())) or '(?!)'})",
        "span": f"(?:{fixed}|{counted})",
        "some_unit": f"(?:{fixed}|{unit})",
    }


def _days_and_years(raw: dict[str, Any]) -> dict[str, str]:
    year = f"(?P<year>{fold(raw.get('year_form', YEAR_FORM))})"
    of = "|".join(loose(fold(w)) for w in raw.get("of", ())) or r"(?!)"
    joined_year = f"(?:[ ,/.'-]{{0,3}}(?:(?:{of}) ?)?{year})"
    ordinal = fold(raw.get("ordinal", r"\.?"))
    han = "".join(f"|{word}" for word in reversed(HAN_NUMBERS)) if raw.get("han_numbers") else ""
    first = "".join(f"|{fold(word)}" for word in raw.get("first_day", ()))
    small = "".join(f"|{w}" for w, count in numbers_of(raw).items() if 1 <= count <= 12 and " " not in w)
    written = first + small if raw.get("days_in_words") else first
    figure, day, said = (
        rf"(?P<day>[12]\d(?!\d)|3[01](?!\d)|0?[1-9](?!\d){named})(?:{ordinal})?"
        for named in (han, han + written, han + first + small)
    )
    return {
        "day": day,
        "figure": figure,
        "said": said,
        "day2": day.replace("<day>", "<day2>"),
        "year": year,
        "y": joined_year + "?",
        "yy": joined_year,
    }


def _names(language: str, raw: dict[str, Any]) -> dict[str, str]:
    wide_months: dict[str, list[str]] = {f"m{i}": [] for i in range(1, 13)}
    wide_weekdays: dict[str, list[str]] = {f"w{i}": [] for i in range(7)}
    months = {key: list[str]() for key in wide_months}
    weekdays = {key: list[str]() for key in wide_weekdays}
    for tag in raw.get("cldr", [language]):
        locale = Locale.parse(tag)
        for context in ("format", "stand-alone"):  # genitive and nominative where a language tells them apart
            for i in range(1, 13):
                wide_months[f"m{i}"].append(_name(locale.months[context]["wide"][i]))
                months[f"m{i}"].append(_name(locale.months[context]["abbreviated"][i], dotted=True))
            for i in range(7):
                wide_weekdays[f"w{i}"].append(_name(locale.days[context]["wide"][i]))
                weekdays[f"w{i}"].append(_name(locale.days[context]["abbreviated"][i], dotted=True))
    for i, extra in enumerate(raw.get("months", ()), start=1):
        wide_months[f"m{i}"].append(loose(fold(extra)))
    for i, extra in enumerate(raw.get("weekdays", ())):
        wide_weekdays[f"w{i}"].append(loose(fold(extra)))
    short = not raw.get("no_short_names")
    seasons = {
        f"s{i}": [loose(fold(w)) for w in raw.get("seasons", {}).get(name, ())]
        for i, name in enumerate((*SEASONS, "any"))
    }
    return {
        "month": either(wide_months),
        "weekday": either(wide_weekdays),
        "abbreviated": either(months),
        "month+": either({key: wide_months[key] + (months[key] if short else []) for key in months}),
        "season": either(seasons),
        "weekday+": either({key: wide_weekdays[key] + (weekdays[key] if short else []) for key in weekdays}),
    }


def names_in_cldr(language: str) -> list[str]:
    """Return the names of months and weekdays as CLDR writes them."""
    locale = Locale.parse(language)
    return [*locale.months["format"]["wide"].values(), *locale.days["format"]["wide"].values()]


def words_of(raw: Any) -> frozenset[str]:
    """Return the words of all texts in a table, with their accents, and pairs of neighbours in a text."""
    if isinstance(raw, str):
        words = _WORD.findall(unicodedata.normalize("NFC", raw.casefold()))
        return frozenset(words) | {" ".join(pair) for pair in pairwise(words)}
    values = [*raw, *raw.values()] if isinstance(raw, dict) else raw if isinstance(raw, list) else []
    return frozenset().union(*map(words_of, values))


def _name(cldr: str, *, dotted: bool = False) -> str:
    name = re.escape(fold(cldr).strip(". ")).replace(r"\ ", _SPACE)
    return name + r"\.?" if dotted else name


def either(groups: dict[str, list[str]]) -> str:
    """Return an alternation of named groups, longer forms first; it never matches when all are empty."""
    ranked = sorted(
        (
            (key, sorted({f for f in forms if f}, key=lambda form: (-len(form), form)))
            for key, forms in groups.items()
        ),
        key=lambda item: -max(map(len, item[1]), default=0),
    )
    body = "|".join(f"(?P<{key}>{'|'.join(forms)})" for key, forms in ranked if forms)
    return f"(?:{body or '(?!)'})"
