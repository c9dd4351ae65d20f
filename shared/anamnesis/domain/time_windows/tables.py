"""Language tables turned into matchers.

A language joins by one small TOML file in ``tables/``: its words for units and numbers and its sentence patterns. The
names of months and weekdays come from CLDR through Babel, with the inflected forms CLDR lacks in the table. Patterns
are regular expressions over folded text with these placeholders:

``{n}`` a number · ``{unit}`` a unit word · ``{span}`` a number with its unit · ``{weekday}`` · ``{month}`` ·
``{day}`` a day of the month · ``{year}`` · ``{y}`` an optional year with its joining word · ``{t}`` (in ranges) a
time expression that was found before.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from babel import Locale

from anamnesis.domain.cues.folding import fold
from anamnesis.domain.time_windows.calendar import Unit

#: Found expressions are replaced by private-use characters before ranges are looked for, one for one and in turn by
#: either of these two, so that neighbours stay apart.
MARKS = ("\ue000", "\ue001")
#: Rules that say a time by themselves, in the order in which equally long ones win.
POINT_RULES = (
    "today", "yesterday", "before_yesterday", "three_days_ago", "before_last", "this", "last", "ago", "lately", "past_n",
    "day_month", "month_last", "month_this", "month_year", "month", "weekday_in_last_week", "weekday_last", "weekday_ago", "weekday_this", "weekday", "day_only",
    "year", "bare_year",
)  # fmt: skip
RANGE_RULES = ("between", "since", "after", "until", "before")
_SPACE = " {1,3}"
#: Years of the Gregorian calendar that a question can mean.
YEAR_FORM = r"(?<!\d)(?:19|20)\d\d(?!\d)"
#: 一 … 三十一, the numbers a day of the month can have.
_HAN_NUMBERS = {
    tens + ones: 10 * i + j
    for i, tens in enumerate(("", "十", "二十", "三十"))
    for j, ones in enumerate(("", "一", "二", "三", "四", "五", "六", "七", "八", "九"))
    if 1 <= 10 * i + j <= 31
}
_ONE_SPACE = re.compile(r" (?![?*{])")  # a space that is not optional already
_NAMED = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """One language's matchers over folded text.

    Attributes
    ----------
    points
        (rule, pattern) pairs; the expression itself is the group ``atom``.
    ranges
        (rule, pattern) pairs over text in which each expression is a run of one of MARKS.
    numbers
        Number words and what they count.
    cue
        Matches text that ends in a word after which a name is meant as a time ("in", "since").
    no_name
        Matches what, right after a doubtful name, shows that no time is meant ("in 5/6 [of] the pie").
    future
        (before, after): what next to an expression makes it a future one.
    doubtful
        Folded names that mean something else as well and need a cue.
    joined_by
        Matches what may stand between the parts of one expression ("Tuesday [of] last week").
    also_by
        Matches what stands between expressions that are meant together ("June [and] July").
    future_tense
        Matches a text that speaks of the future, where the language has one word for yesterday and tomorrow.
    """

    language: str
    points: tuple[tuple[str, re.Pattern[str]], ...]
    ranges: tuple[tuple[str, re.Pattern[str]], ...]
    numbers: dict[str, int]
    cue: re.Pattern[str]
    no_name: re.Pattern[str]
    future: tuple[re.Pattern[str], re.Pattern[str]]
    doubtful: frozenset[str]
    joined_by: re.Pattern[str]
    also_by: re.Pattern[str]
    future_tense: re.Pattern[str] | None


def known_languages() -> tuple[str, ...]:
    """Return the languages that have a table."""
    return _known()


@lru_cache(maxsize=1)
def _known() -> tuple[str, ...]:
    folder = files(__package__) / "tables"
    return tuple(
        sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml"))
    )


@lru_cache(maxsize=64)
def rules_of(language: str) -> LanguageRules:
    """Return the matchers of `language`, one of `known_languages`."""
    raw = tomllib.loads((files(__package__) / "tables" / f"{language}.toml").read_text(encoding="utf-8"))
    return _Builder(language, raw).build()


class _Builder:
    """Compiles one table."""

    def __init__(self, language: str, raw: dict[str, Any]) -> None:
        self._language = language
        self._raw = raw
        self._spaced = bool(raw.get("spaced", True))
        self._left = r"(?<!\w)" + fold(raw.get("prefix", "")) if self._spaced else r"(?<!\d)"
        self._right = fold(raw.get("suffix", "")) + r"(?!\w)" if self._spaced else ""
        if raw.get("open_right"):
            self._right = r"(?![a-z])"
        han = _HAN_NUMBERS if raw.get("han_numbers") else {}
        self._numbers = han | {fold(word): count for word, count in raw.get("numbers", {}).items()}
        self._locales = [Locale.parse(tag) for tag in raw.get("cldr", [language])]
        self._parts = self._placeholders()

    def build(self) -> LanguageRules:
        raw = self._raw
        points = [(rule, self._point(rule, text)) for rule in POINT_RULES for text in self._templates(rule)]
        ranges = [(rule, self._range(text)) for rule in RANGE_RULES for text in raw.get(rule, ())]
        points += [
            (f"fixed_{unit}_{back}", self._point("today", text))
            for unit, words in raw.get("fixed", {}).items()
            for back, texts in enumerate(words)
            for text in texts
        ]
        tense = raw.get("future_tense")
        return LanguageRules(
            language=self._language,
            points=tuple(points),
            ranges=tuple(ranges),
            numbers=self._numbers,
            cue=re.compile(rf"(?:{self._words('cue')})$"),
            no_name=re.compile(rf"(?:{self._words('no_name')})"),
            future=(
                re.compile(rf"(?:{self._words('future_before')})$"),
                re.compile(rf"(?:{self._words('future_after')})"),
            ),
            doubtful=frozenset(fold(name) for name in raw.get("doubtful", ())),
            joined_by=re.compile(rf" ?(?:{self._words('joined_by')}|,)? ?"),
            also_by=re.compile(rf" ?(?:{self._words('also_by')}|&|,) ?"),
            future_tense=re.compile(fold(tense)) if tense else None,
        )

    def _words(self, key: str) -> str:
        """Alternation of a list of words, spaces kept loose; matches nothing when the list is empty."""
        words = [self._loose(fold(word)) for word in self._raw.get(key, ())]
        left, right = (r"(?<!\w)", "") if self._spaced else ("", "")
        return "|".join(f"{left}{word}{right}" for word in words) or r"(?!)"

    @staticmethod
    def _loose(template: str) -> str:
        return _ONE_SPACE.sub(_SPACE, template)

    def _templates(self, rule: str) -> list[str]:
        templates = [str(text) for text in self._raw.get(rule, ())]
        if rule == "day_month":
            to = "|".join(self._raw.get("to", ("-",)))
            templates = [t.replace("{day}", f"{{day}} ?(?:{to}) ?{{day2}}") for t in templates] + templates
        if rule == "month":
            templates.append("{month}")
        if rule == "month_year":
            templates.append("{month}{y!}")
        if rule == "bare_year":
            templates.append("{year}")
        return templates

    def _point(self, rule: str, template: str) -> re.Pattern[str]:
        short = rule not in {"month", "weekday", "month_this"}
        body = _NAMED.sub(lambda m: self._part(m[1], short=short), self._loose(_folded_template(template)))
        return re.compile(f"{self._left}(?P<atom>{body}){self._right}")

    def _part(self, name: str, *, short: bool) -> str:
        if short and f"{name}+" in self._parts:
            return self._parts[f"{name}+"]
        return self._parts[name]

    def _range(self, template: str) -> re.Pattern[str]:
        mark = f"(?P<t>{MARKS[0]}+|{MARKS[1]}+)"
        body = (
            self._loose(fold(template)).replace("{t}", mark, 1).replace("{t}", mark.replace("<t>", "<u>"), 1)
        )
        guard = r"(?<!\w)" if self._spaced and not template.startswith("{t}") else ""
        return re.compile(guard + body)

    def _placeholders(self) -> dict[str, str]:
        raw = self._raw
        words = sorted(self._numbers, key=len, reverse=True)
        number = "(?P<n>" + "|".join([r"\d{1,3}", *map(re.escape, words)]) + ")"
        if not self._spaced:
            number += " ?"
        unit = _either(
            {f"unit_{u}": [self._loose(fold(w)) for w in raw.get("unit", {}).get(u, ())] for u in Unit}
        )
        gap = rf"(?:(?<=\d) {{0,3}}|{_SPACE})" if self._spaced and not raw.get("open_right") else " ?"
        counted = f"(?:{number}{gap})?{unit}" if raw.get("unit_alone_is_one") else f"{number}{gap}{unit}"
        fixed = _either(
            {
                f"{kind}_{u}": [fold(w) for w in raw.get(kind, {}).get(u, ())]
                for kind in ("single", "dual")
                for u in Unit
            }
        )
        year = f"(?P<year>{fold(raw.get('year_form', YEAR_FORM))})"
        of = "|".join(self._loose(fold(w)) for w in raw.get("of", ())) or r"(?!)"
        joined_year = f"(?:[ ,/.'-]{{0,3}}(?:(?:{of}) ?)?{year})"
        ordinal = fold(raw.get("ordinal", r"\.?"))
        others = (*raw.get("first_day", ()), *(reversed(_HAN_NUMBERS) if raw.get("han_numbers") else ()))
        first = "".join(f"|{fold(word)}" for word in others)
        day = rf"(?P<day>[12]\d(?!\d)|3[01](?!\d)|0?[1-9](?!\d){first})(?:{ordinal})?"
        parts = {
            "n": number,
            "unit": unit,
            "span": f"(?:{fixed}|{counted})",
            "day": day,
            "day2": day.replace("<day>", "<day2>"),
            "year": year,
            "y": joined_year + "?",
            "yy": joined_year,
        }
        return parts | self._names()

    def _names(self) -> dict[str, str]:
        """Month and weekday names: wide ones alone, and with abbreviations under ``month+``, ``weekday+``."""
        months: dict[str, list[str]] = {f"m{i}": [] for i in range(1, 13)}
        weekdays: dict[str, list[str]] = {f"w{i}": [] for i in range(7)}
        short_months = {key: list[str]() for key in months}
        short_weekdays = {key: list[str]() for key in weekdays}
        for locale in self._locales:
            for context in ("format", "stand-alone"):
                for i in range(1, 13):
                    months[f"m{i}"].append(_name(locale.months[context]["wide"][i]))
                    short_months[f"m{i}"].append(_name(locale.months[context]["abbreviated"][i], dotted=True))
                for i in range(7):
                    weekdays[f"w{i}"].append(_name(locale.days[context]["wide"][i]))
                    short_weekdays[f"w{i}"].append(_name(locale.days[context]["abbreviated"][i], dotted=True))
        for i, extra in enumerate(self._raw.get("months", ()), start=1):
            months[f"m{i}"].append(self._loose(fold(extra)))
        for i, extra in enumerate(self._raw.get("weekdays", ())):
            weekdays[f"w{i}"].append(self._loose(fold(extra)))
        if self._raw.get("no_short_names"):
            short_months, short_weekdays = {key: [] for key in months}, {key: [] for key in weekdays}
        return {
            "month": _either(months),
            "weekday": _either(weekdays),
            "month+": _either({k: months[k] + short_months[k] for k in months}),
            "weekday+": _either({k: weekdays[k] + short_weekdays[k] for k in weekdays}),
        }


def _folded_template(template: str) -> str:
    return fold(template).replace("{y!}", "{yy}")


def _name(cldr: str, *, dotted: bool = False) -> str:
    name = re.escape(fold(cldr).strip(". ")).replace(r"\ ", _SPACE)
    return name + r"\.?" if dotted else name


def _either(groups: dict[str, list[str]]) -> str:
    """Alternation of named groups, longer forms first within and across groups; never matches when all are empty."""
    ranked = sorted(
        ((key, sorted({f for f in forms if f}, key=len, reverse=True)) for key, forms in groups.items()),
        key=lambda item: -max(map(len, item[1]), default=0),
    )
    body = "|".join(f"(?P<{key}>{'|'.join(forms)})" for key, forms in ranked if forms)
    return f"(?:{body or '(?!)'})"
