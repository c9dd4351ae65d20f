"""Names that are no ideas: parts and dates of a course, lone adjectives, code, misread words, orders to a model (CM-2).

All of it is told by the name alone, in every language of the tables at once: a file's language is not always known,
and its names are not always in it.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import Any

import regex
from babel import Locale

from anamnesis.domain.text.tables import read_table

#: Longer names are looked at no further: none of what is told here is so long.
_LOOKED_AT_CHARS = 120
#: Locales whose weekdays and months no concept is named by.
_LOCALES = [
    "en", "es", "pt", "fr", "de", "it", "nl", "pl", "cs", "hu", "sv", "ro", "tr", "id", "vi", "ru", "uk", "bg", "el",
    "ar", "he", "hi", "th", "zh", "zh_Hant", "ja", "ko",
]  # fmt: skip
#: Names of days and months that are ideas too: planet, market, medium, hearth, week.
_ALSO_IDEAS = frozenset({"mars", "pazar", "среда", "ocak", "minggu"})
#: Code: words joined by "_", a call, and humps behind a first word that code begins its names by. Other humps and
#: capitals are names of things ("JavaScript", "mRNA", "SQL").
_CODE = regex.compile(
    r"[\p{L}\p{N}]+_[\p{L}\p{N}_]+|_+\p{L}[\p{L}\p{N}_]*|[\p{L}_][\p{L}\p{N}_.]*\(.{0,40}\)"
    r"|(?:my|get|set|is|has|to|from|on|new|add|do|num|str|int|max|min|tmp|temp|test|make|create|print|read|write|load"
    r"|parse|init|foo|bar)(?:\p{Lu}\p{Ll}+)+\d*"
    r"|(?:My|Get|Set|Is|Has|To|On|New|Add|Do|Num|Str|Tmp|Temp|Test|Make|Create|Print|Read|Write|Load|Parse|Init|Foo|Bar)"
    r"(?:\p{Lu}\p{Ll}+)+\d*|\p{Ll}+(?:\.\p{Ll}+)*\.(?:py|js|ts|java|cpp|txt|html|css|json|csv|exe|md|pdf)"
)
#: A figure that looks like a letter within a word ("sh0rtage"): letters on both sides, two small ones behind it.
_MISREAD = regex.compile(r"\p{L}[01]\p{Ll}{2}")
#: Keys pressed together ("Ctrl+S", "Strg+Umschalt+N", "⌘ C"), and one that is named as a key.
_SHORTCUT = regex.compile(
    r"(?:(?:ctrl|control|strg|alt|shift|umschalt|mayús|maj|cmd|command|option|win|fn|meta|⌘|⌥|⇧)\s*[+\-–]?\s*(?:key\s*)?[+\-–]\s*)+"
    r"(?:[\p{L}\p{N}]{1,12}|[^\s\p{L}\p{N}])(?:\s+(?:key|keys|taste|touche))?"
    r"|F\d{1,2}(?:\s+key)?|(?:the\s+)?(?:enter|return|esc|escape|tab|shift|ctrl|alt|delete|del|backspace|arrow|home|end"
    r"|page up|page down|caps lock|space)\s+(?:key|keys|bar)",
    regex.IGNORECASE,
)
_QUOTED = regex.compile(r"[\"'“”„«»‘’「」『』《》]")
_PARTED = regex.compile(r"[\s.…]+")
_MOST_INTERFACE_WORDS = 5
#: A word and one to four capitals, with a prime or a figure.
_LABELLED = regex.compile(r"([\p{L}\p{M}]{2,20})\s+[A-ZА-ЯΑ-Ω]{1,4}['’′]?\d{0,2}")
_NUMBERED = regex.compile(r"(.{2,20}?)\s*[#№]?\s*(?:\p{Nd}{1,3}|[ivx]{1,4})[a-z]?")


def is_code(name: str) -> bool:
    """Whether a name is an identifier, a call or a file of some code."""
    return _CODE.fullmatch(name.strip()[:_LOOKED_AT_CHARS]) is not None


@lru_cache(maxsize=4_096)
def is_of_an_interface(name: str) -> bool:
    """Whether a name is of a program's button, menu or key: what it does and what it is ("Save button", "Ctrl+S").

    Kinds of these ("radio button", "drop-down menu") are ideas of a subject; one that is named by a command is none.
    """
    if _SHORTCUT.fullmatch(name.strip()[:_LOOKED_AT_CHARS]):
        return True
    folded = _QUOTED.sub("", _folded(name))
    words = [word for word in _PARTED.split(folded) if word]
    elements, commands = _beginning_words("elements"), _beginning_words("commands")
    if 1 < len(words) <= _MOST_INTERFACE_WORDS:
        kinds = [word in elements for word in words]
        said = [word in commands or word in _words("linking") for word in words]
        if any(kinds) and all(a or b for a, b in zip(kinds, said, strict=True)):
            return any(word in commands and word not in elements for word in words)
    # Written as one word, or without spaces: "Dateimenü", "保存按钮".
    return any(
        (folded.endswith(element) and folded[: -len(element)].strip() in commands)
        or (folded.startswith(element) and folded[len(element) :].strip() in commands)
        for element in elements
        if element in folded and len(element) < len(folded)
    )


@cache
def _beginning_words(kind: str) -> frozenset[str]:
    """Return the single words of a kind, of all languages, with what several words of one entry are made of."""
    return frozenset(word for entry in _words(kind) for word in (entry, *entry.split()))


def is_label(name: str) -> bool:
    """Whether a name is of a part of a drawing or a proof: "point A", "triangle ABC", "रेखा AB"."""
    match = _LABELLED.fullmatch(name.strip()[:_LOOKED_AT_CHARS])
    return match is not None and _folded(match[1]) in _words("labelled")


def is_misread(name: str) -> bool:
    """Whether a figure stands in a word where recognition took it for a letter."""
    return _MISREAD.search(name[:_LOOKED_AT_CHARS]) is not None


def is_of_the_course(name: str) -> bool:
    """Whether a name is of what a course is organised by: exams, hours, a numbered week, a weekday or a month."""
    folded = _folded(name)
    if folded in _words("course") or folded in _dates():
        return True
    numbered = _NUMBERED.fullmatch(folded)
    return numbered is not None and numbered[1] in _words("counted")


def is_date(word: str) -> bool:
    """Whether a word is the name of a weekday or a month."""
    return _folded(word) in _dates()


def is_description(name: str) -> bool:
    """Whether a name is a lone adjective or adverb that says how important, hard or printed something is."""
    return _folded(name) in _words("describing")


def is_order(name: str) -> bool:
    """Whether a name is an order to a model, or the boast of one that was given."""
    folded = _folded(name)
    orders = _raw()["orders"]
    if folded in orders["whole"]:
        return True
    # Either order: in Hindi, Japanese, Korean and Turkish the verb comes last.
    return (
        _beginnings("verbs").search(folded) is not None and _beginnings("objects").search(folded) is not None
    )


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name[:_LOOKED_AT_CHARS]).casefold().split())


@cache
def _raw() -> dict[str, dict[str, Any]]:
    return read_table(__package__, "not_ideas")


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(_folded(word) for words in _raw()[kind].values() for word in words)


@cache
def _beginnings(kind: str) -> regex.Pattern[str]:
    """Return what finds the beginning of a word; scripts without spaces have no such place."""
    words = sorted((_folded(word) for word in _raw()["orders"][kind]), key=len, reverse=True)
    return regex.compile(
        "|".join(
            rf"(?:(?<!\p{{L}})|(?<=[\p{{Han}}\p{{Kana}}]))(?:[מבלכהו]{{1,3}}|ال|لل?)?{regex.escape(w)}"
            for w in words
        )
    )


@cache
def _dates() -> frozenset[str]:
    names = set()
    for code in _LOCALES:
        locale = Locale.parse(code)
        for width in (locale.days, locale.months):
            for form in ("format", "stand-alone"):
                names |= {_folded(name) for name in width[form]["wide"].values()}
    return frozenset(name for name in names - _ALSO_IDEAS if any(c.isalpha() for c in name))
