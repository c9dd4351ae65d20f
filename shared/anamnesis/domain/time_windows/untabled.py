"""Languages without a table: months, weekdays, dates and times counted from now, all from CLDR.

What a student can say beyond that ("since", "between", other words for "last") is in ``partial.toml`` for some of them,
in the keys of the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import regex
from babel import Locale

from anamnesis.domain.text.folding import fold
from anamnesis.domain.text.languages import languages_of_script, stop_words
from anamnesis.domain.text.tables import read_table, tabled_languages

#: Languages that CLDR covers at its level "modern" (common/properties/coverageLevels.txt), less those with a table.
LANGUAGES = (
    "af", "am", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "el", "et", "eu", "fa", "fi", "ga", "gl", "gu",
    "ha", "hr", "hu", "hy", "is", "ka", "kk", "km", "kn", "ky", "lo", "lt", "lv", "mk", "ml", "mn", "mr", "my", "ne",
    "no", "or", "pa", "ro", "si", "sk", "sl", "so", "sq", "sr", "sv", "sw", "ta", "te", "tk", "ur", "uz", "yo", "zu",
)  # fmt: skip
#: Languages in Latin letters whose nouns take endings without which a month cannot be said.
_WITH_ENDINGS = frozenset(
    ["az", "bs", "cs", "et", "eu", "fi", "hr", "hu", "is", "lt", "lv", "sk", "sl", "sq", "tk", "uz"]
)
#: Languages whose weekdays are numbers, so that an ending makes another word of them.
_NUMBERED_WEEKDAYS = frozenset({"el", "fa", "ka"})
#: A planet and a god, wherever a month is called so.
_PLANET = ("mars", "marte")
_UNSPACED = frozenset({"km", "lo", "my"})
#: Languages of a script that are told apart by their words, beside those that `languages_of_script` names.
_OF_SCRIPT = {
    "en": [
        "hu",
        "fi",
        "sw",
        "da",
        "no",
        "hr",
        "sk",
        "sl",
        "lt",
        "lv",
        "et",
        "ca",
        "gl",
        "eu",
        "af",
        "so",
        "ha",
        "zu",
    ],
    "ru": ["mk", "sr", "be", "kk", "mn"],
    "hi": ["mr", "ne"],
}
#: An ending has no more letters; what is no letter to `\w` but part of a syllable counts as one. Ours.
_ENDING = r"[\w\u0900-\u0dff]{0,5}"
#: A shorter stem has no endings: it would be the beginning of too many words. Ours.
_SHORTEST_STEM = 4
_LAST_VOWEL = re.compile(r"(?<=\w{4})[aeiouyаеиоуыяюэёіїαεηιουω](?:ς|ν)?$")
_FLEETING = re.compile(r"(?<=\w{3}[^aeiou\W])[ae](?=[^aeiou\W]{1,2}$)")
_PATTERN_PARTS = re.compile(r"'([^']*)'|([A-Za-z]+)|([^'A-Za-z]+)")
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_SHORTEST_EVIDENCE = 3
#: A longer text without one function word is of no language that is read by its months alone. Ours.
_LONGEST_WITHOUT_EVIDENCE = 60
#: Languages whose months are called like no person elsewhere; "Julie" and "Marta" are months of others.
_OWN_MONTHS = frozenset({"et", "fi", "hr", "hu", "lt", "lv", "sk", "sl", "sw"})
#: Keys of ``partial.toml`` that add to what CLDR has.
_MERGED = frozenset({"months", "weekdays", "doubtful"})


@lru_cache(maxsize=1)
def _partial() -> dict[str, dict[str, Any]]:
    return read_table(__package__, "partial")


def raw_of(language: str) -> dict[str, Any]:
    """Return a table of one of `LANGUAGES`, as if it had been read from a file."""
    locale = Locale.parse(language)
    partial = _partial().get(language, {})
    no_times = stop_words(language)
    endings = language in _WITH_ENDINGS or not _is_latin(locale)
    months = [_inflected(forms, endings=endings) for forms in _forms(locale.months, range(1, 13))]
    endings = endings and language not in _NUMBERED_WEEKDAYS
    weekdays = [_inflected(forms, endings=endings) for forms in _forms(locale.days, range(7))]
    names = {form for forms in _forms(locale.months, range(1, 13)) for form in forms}
    return {
        "cldr": [language],
        "spaced": language not in _UNSPACED,
        "no_short_names": True,
        "months": [_with(own, partial.get("months", ()), i) for i, own in enumerate(months)],
        "weekdays": [_with(own, partial.get("weekdays", ()), i) for i, own in enumerate(weekdays)],
        "doubtful": [*_PLANET, *(names & {fold(word) for word in no_times}), *partial.get("doubtful", ())],
        "weekday": ["{weekday}"],
        "to": ["-"],
        "between": ["{t} ?- ?{t}"],
        **_dates(locale.date_formats["long"].pattern),
    } | {key: value for key, value in partial.items() if key not in _MERGED}


def likely_languages(text: str, *, detected: str) -> list[str]:
    """Return the untabled languages whose function words stand in `text`, most of them first.

    Only words of three letters and more that English has not tell anything; where none does, a month that no other
    language calls so tells as much ("heinäkuussa?"). As many words of English or of the `detected` language tell
    against it. For scripts in which `anamnesis.domain.text.languages` knows the languages apart, nothing is added.
    """
    script = languages_of_script(text)
    candidates = _OF_SCRIPT.get("en" if "en" in script else script[0] if script else "", [])
    words = set(map(str.casefold, _WORD.findall(text)))
    against = max(len(words & stop_words(language)) for language in ("en", detected))
    words = {word for word in words if len(word) >= _SHORTEST_EVIDENCE} - stop_words("en")
    told = {language: len(words & stop_words(language)) for language in candidates}
    most = max(told.values(), default=0)
    if most and most >= against:
        return [language for language, count in told.items() if count == most]
    if against or len(text) > _LONGEST_WITHOUT_EVIDENCE:
        return []
    folded = {fold(word) for word in words}
    return [c for c in candidates if c in _OWN_MONTHS and any(map(_own_months(c).fullmatch, folded))]


@lru_cache(maxsize=32)
def _own_months(language: str) -> re.Pattern[str]:
    locale = Locale.parse(language)
    endings = language in _WITH_ENDINGS
    months = [
        form for forms in _forms(locale.months, range(1, 13)) for form in forms if form not in _elsewhere()
    ]
    inflected = (
        _inflected([form], endings=endings) or re.escape(form)
        for form in months
        if len(form) > _SHORTEST_STEM
    )
    return re.compile("|".join(inflected))


@lru_cache(maxsize=1)
def _elsewhere() -> frozenset[str]:
    """Return the names that languages with a table and Latin letters have for months."""
    locales = (Locale.parse(tag) for tag in tabled_languages(__package__))
    return frozenset(
        form for locale in locales for forms in _forms(locale.months, range(1, 13)) for form in forms
    )


def _is_latin(locale: Locale) -> bool:
    return bool(regex.search(r"\p{Latin}", str(locale.months["format"]["wide"][1])))


def _forms(names: Any, keys: range) -> Iterator[list[str]]:
    for key in keys:
        yield sorted({fold(names[context]["wide"][key]) for context in ("format", "stand-alone")})


def _inflected(forms: list[str], *, endings: bool) -> str:
    """Return a pattern for the forms of a name that CLDR does not have: its stem with any short ending."""
    if not endings:
        return ""
    stems = {stem for form in forms for stem in _stems(form, forms) if len(stem) >= _SHORTEST_STEM}
    return "|".join(f"{re.escape(stem)}{_ENDING}" for stem in sorted(stems, key=lambda s: (-len(s), s)))


def _stems(form: str, forms: list[str]) -> set[str]:
    """Return what endings are put to; "červen" surely loses its last vowel ("v červnu", as "červená" is red)."""
    stem = _LAST_VOWEL.sub("", form.removesuffix("ς"))
    without = _FLEETING.sub("", stem)
    return {without} if any(other.startswith(without) for other in forms) else {stem, without}


def _with(pattern: str, extra: Any, index: int) -> str:
    more = extra[index] if index < len(extra) else ""
    return "|".join(part for part in (pattern, fold(more)) if part)


def _dates(pattern: str) -> dict[str, Any]:
    """Return how days, months and years follow each other, from CLDR's pattern for a long date."""
    order: list[str] = []
    words: dict[int, str] = {}
    for match in _PATTERN_PARTS.finditer(pattern):
        if match[2] and match[2][0] in "yMLd":
            order.append({"y": "year", "d": "day"}.get(match[2][0], "month"))
        elif match[1] and match[1].strip(" .,") and order:
            words[len(order)] = re.escape(fold(match[1].strip(" .,"))).replace(r"\ ", " ")
    of = sorted(set(words.values()))
    gap = r"[.,]{0,2} {0,3}"
    between = gap + (f"(?:(?:{'|'.join(of)}){gap})?" if of else "")
    day_month = [f"{{day}}{between}{{month}}{{y}}", "{month} {day}(?:,? {year})?"]
    if order.index("month") < order.index("day"):
        lead = f"(?:{{year}}{between})?" if order[0] == "year" else ""
        day_month.insert(0, f"{lead}{{month}}{between}{{day}}" + ("" if lead else "{y}"))
    months = [f"{{year}}{between}{{month}}"] if order[0] == "year" else []
    return {"day_month": day_month, "month_year": months, "of": of}
