"""The table of one language: what it says of the language, and the matchers for parts of a time and numbered units."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from anamnesis.domain.text.folding import fold
from anamnesis.domain.time_windows.calendar import Unit
from anamnesis.domain.time_windows.names import (
    either,
    loose,
    names_in_cldr,
    numbers_of,
    placeholders,
    words_of,
)
from anamnesis.domain.time_windows.number_words import spelled_numbers

PART_RULES = ("half1", "half2", "early", "mid", "late", "latter")
NAMED = re.compile(r"\{(\w+)\}")
#: Vowel signs of Devanagari are letters of a word too, though `\w` leaves them out: सप्ताह is not in सप्ताहांत.
_VOWEL_SIGNS = "\u0900-\u0903\u093a-\u094f"
_NO_LETTER_BEFORE = rf"(?<![\w{_VOWEL_SIGNS}])"
_NO_LETTER_AFTER = rf"(?![\w{_VOWEL_SIGNS}])"

Pattern = re.Pattern[str]


class PartRules:
    """What a language's table says of itself, and its matchers for parts, numbered units and years alone.

    Attributes
    ----------
    language
        BCP 47 primary tag.
    numbers
        Number words and what they count.
    articles
        Folded articles that may stand before a unit or a name.
    doubtful
        Folded names that mean something else as well and need a cue.
    not_alone
        Those of them that are no time either when they are all that is said ("minggu": week, Sunday).
    compounds
        True where one word can hold a month and a unit of it ("Septemberwoche").
    cued
        False where no word such as "in" tells that a name is meant as a time.
    vague
        Number words that count nothing exactly ("a few").
    doubtful_units
        Units whose names are common words as well ("this term"), believed at the end of a clause alone.
    doubtful_seasons
        Names of seasons that are common words as well, so that even "this spring" may be none.
    seasons_by_month
        True where a season is three whole months to its speakers, as in Russian; False where it begins with the
        equinox or solstice.
    spelled
        How numbers are said in words; None where only the small ones of `numbers` are known.
    """

    def __init__(self, language: str, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.spelled = spelled_numbers(raw)
        self._spaced = bool(raw.get("spaced", True))
        self._left = _NO_LETTER_BEFORE + fold(raw.get("prefix", "")) if self._spaced else r"(?<!\d)"
        self._right = fold(raw.get("suffix", "")) + _NO_LETTER_AFTER if self._spaced else ""
        if raw.get("open_right"):
            self._right = r"(?![a-z])"
        self._compiled: dict[tuple[str, str], Pattern] = {}
        self.language = language
        self.numbers = numbers_of(raw)
        self.articles = frozenset(fold(word) for word in raw.get("articles", ()))
        self.doubtful = frozenset(fold(name) for name in raw.get("doubtful", ()))
        self.not_alone = frozenset(fold(name) for name in raw.get("not_alone", ()))
        self.compounds = any("{month}" in text for text in raw.get("ordinals", {}).get("nth", ()))
        self.cued = bool(raw.get("cue"))
        self.vague = frozenset(fold(word) for word in raw.get("vague", ()))
        self.doubtful_units = frozenset(Unit(name) for name in raw.get("doubtful_units", ()))
        self.doubtful_seasons = tuple(fold(name) for name in raw.get("doubtful_seasons", ()))
        self.seasons_by_month = bool(raw.get("seasons_by_month"))

    @cached_property
    def written_words(self) -> frozenset[str]:
        """The table's words with their accents where these tell words apart ("qua", past, and "quả"), else none."""
        if not self._raw.get("accents_tell_words"):
            return frozenset()
        return words_of(self._raw) | words_of(names_in_cldr(self.language))

    @cached_property
    def year_alone(self) -> Pattern:
        """Match a whole text that is a year of any age and says so: "in 1789", "14 AD"."""
        said = [
            loose(fold(t)).replace("{year}", r"\d{3,4}") for t in self._raw.get("year", ()) if "{year}" in t
        ]
        era = "|".join(loose(fold(word)) for word in self._raw.get("our_era", ())) or r"(?!)"
        said += [self.short_year.pattern]
        particle = r"\w?" if self._raw.get("open_right") else ""
        said += [rf"(?:\w{{1,3}} )?\d{{1,4}} ?(?:{era})", rf"(?:\w{{1,3}} )?(?:{era}) ?\d{{1,4}}"]
        return re.compile(rf" *(?:{'|'.join(said)}){particle}[ ?!.]*")

    @cached_property
    def short_year(self) -> Pattern:
        """Match a whole text that is a year in two figures."""
        return re.compile(f" *(?:{fold(self._raw.get('short_year', r'(?!)'))})[ ?!.]*")

    @cached_property
    def ordinals(self) -> tuple[Pattern, ...]:
        """Match a numbered unit of something longer, in groups ``o1`` … ``o5`` or ``last``: "the second Tuesday"."""
        named = self._raw.get("ordinals", {})
        if not named:
            return ()
        order = either({key: [loose(fold(w)) for w in words] for key, words in named["forms"].items()})
        halves = named.get("half", ())
        extra = {f"w{i}": [fold(w)] for i, w in enumerate(named.get("weekdays", ())) if w}
        parts = self._parts | {
            "ord": order,
            "what": rf"(?:{self._part('weekday', abbreviated=True)}|{self._parts['unit']})",
            "bare": either(extra),
            "half": either({"half": [fold(word) for word in halves]}),
            "n": self._parts["n"],
            "unit": self._parts["unit"],
        }
        return tuple(
            re.compile(self._left + NAMED.sub(lambda m: parts[m[1]], loose(fold(text))) + self._right)
            for text in (*named.get("nths", ("{ord} {n} {unit}",)), *named.get("nth", ("{ord} {what}",)))
        )

    @cached_property
    def ordinal_gap(self) -> Pattern:
        """Match what may stand between a numbered unit and its whole ("the first week [of the month of] May")."""
        words = "|".join(
            loose(fold(w)) for key in ("joined_by", "of", "nth_of") for w in self._raw.get(key, ())
        )
        suffix = f"(?:{fold(self._raw['suffix'])})?" if "suffix" in self._raw else ""
        return re.compile(rf"{suffix}[ ,]{{0,3}}(?:(?:{words or '(?!)'})[ ,]{{0,3}}){{0,3}}")

    @cached_property
    def parts(self) -> tuple[tuple[str, Pattern], ...]:
        """(rule, pattern) pairs; a pattern matches text that ends in the words for a part ("the end of")."""
        named = self._raw.get("parts", {})
        return tuple(
            (
                rule,
                re.compile(
                    rf"{self._left}(?P<atom>{'|'.join(loose(fold(text)) for text in named[rule])}) {{0,3}}$"
                ),
            )
            for rule in PART_RULES
            if rule in named
        )

    @cached_property
    def parts_after(self) -> tuple[tuple[str, Pattern], ...]:
        """(rule, pattern) pairs; a pattern matches text that begins with the words for a part ("月末")."""
        named = self._raw.get("parts_after", {})
        suffix = f"(?:{fold(self._raw['suffix'])})?" if "suffix" in self._raw else ""
        return tuple(
            (
                rule,
                re.compile(
                    rf"{suffix} {{0,3}}(?:{'|'.join(loose(fold(t)) for t in named[rule])}){self._right}"
                ),
            )
            for rule in PART_RULES
            if rule in named
        )

    @cached_property
    def bare_unit(self) -> Pattern:
        """Match a unit of which only a part is named, with its article: "the end of [the year]"."""
        article = "|".join(loose(fold(word)) for word in self._raw.get("articles", ())) or r"(?!)"
        return re.compile(f"{self._left}(?:(?:{article}) ?)?(?P<atom>{self._parts['unit']}){self._right}")

    def _part(self, name: str, *, abbreviated: bool) -> str:
        return self._parts.get(f"{name}+" if abbreviated else name, "") or self._parts[name]

    def _words(self, key: str) -> str:
        """Alternation of a list of words, spaces kept loose; matches nothing when the list is empty."""
        left = r"(?<!\w)" if self._spaced else ""
        return "|".join(left + loose(fold(word)) for word in self._raw.get(key, ())) or r"(?!)"

    @cached_property
    def _parts(self) -> dict[str, str]:
        return placeholders(self.language, self._raw)
