"""Cue tables of the facts: one TOML file a language, patterns over folded text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any

from anamnesis.domain.text.folding import fold
from anamnesis.domain.text.languages import reading_order
from anamnesis.domain.text.tables import read_language, tabled_languages

#: Vowel signs are part of a word, which the pattern language does not know of them.
_LETTER = r"[\w\u0900-\u0dff]"


class FactCues:
    """One language's cues; a pattern is compiled when it is first used.

    Attributes
    ----------
    language
        BCP 47 primary tag.
    spaced
        Whether the language puts spaces between words.
    """

    def __init__(self, language: str, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.language = language
        self.spaced = bool(raw.get("spaced", True))

    @cached_property
    def mine(self) -> re.Pattern[str]:
        """Words that make a goal the student's own: "my", "I have", "due"."""
        return self._any_of("mine")

    @cached_property
    def goals(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Kinds of goals, such as ``exam``, and the words for them."""
        return tuple(
            (kind, _compiled("|".join(_longest_first(words)), spaced=self.spaced))
            for kind, words in self._raw["goals"].items()
        )

    @cached_property
    def weak(self) -> re.Pattern[str]:
        """Words for goals that mostly mean something else in a subject: "test", "report", "competition"."""
        return self._any_of("weak")

    @cached_property
    def doing(self) -> re.Pattern[str]:
        """Words that say that somebody is at work on something: "I'm preparing", "due"."""
        return self._any_of("doing")

    @cached_property
    def ways(self) -> re.Pattern[str]:
        """Words for ways of explaining and learning, without which a liking is one for the subject."""
        return self._any_of("ways")

    @cached_property
    def dislike(self) -> re.Pattern[str]:
        """Words that make a liking the opposite of one."""
        return self._any_of("dislike")

    @cached_property
    def coming(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Words for days ahead that no reader of past times knows: ``tomorrow``, ``after_tomorrow``, ``next_week``."""
        return tuple((name, self._any_of(name)) for name in ("after_tomorrow", "tomorrow", "next_week"))

    @cached_property
    def prefer(self) -> re.Pattern[str]:
        """Sentences that say how the student likes to work."""
        return self._any_of("prefer")

    @cached_property
    def answer_in(self) -> tuple[re.Pattern[str], ...]:
        """Sentences that ask for a language; the group ``name`` names it."""
        return self._each("answer_in")

    @cached_property
    def call_me(self) -> tuple[re.Pattern[str], ...]:
        """Sentences that say what to call the student; the group ``name`` says it."""
        return self._each("call_me")

    @cached_property
    def short(self) -> re.Pattern[str]:
        """Words for brevity."""
        return self._any_of("short")

    @cached_property
    def long(self) -> re.Pattern[str]:
        """Words for length and detail."""
        return self._any_of("long")

    @cached_property
    def person(self) -> re.Pattern[str] | None:
        """Words that a person's name follows ("my teacher …"); None where it goes before them."""
        words = self._raw.get("person", ())
        return _compiled("|".join(_longest_first(words)), spaced=True) if words else None

    @cached_property
    def not_name(self) -> re.Pattern[str]:
        """What stands where a name would and is none, in scripts without capitals: "my teacher said"."""
        return self._any_of("not_name")

    def is_no_name(self, name: str) -> bool:
        """Whether a word beside a title is no name: all of it, or how it begins where no spaces part words."""
        bare = fold(name)
        return (self.not_name.fullmatch if self.spaced else self.not_name.match)(bare) is not None

    @cached_property
    def named(self) -> re.Pattern[str] | None:
        """A name beside its title, in scripts without capitals; the group ``name`` is the name."""
        pattern = self._raw.get("named")
        return _compiled(pattern, spaced=False) if pattern else None

    def _any_of(self, key: str) -> re.Pattern[str]:
        return _compiled("|".join(self._raw.get(key, ())) or "(?!)", spaced=self.spaced)

    def _each(self, key: str) -> tuple[re.Pattern[str], ...]:
        return tuple(_compiled(pattern, spaced=self.spaced) for pattern in self._raw.get(key, ()))


@lru_cache(maxsize=1)
def fact_languages() -> tuple[str, ...]:
    """Return the languages that have a table."""
    return tabled_languages(__package__)


@lru_cache(maxsize=64)
def fact_cues(language: str) -> FactCues:
    """Return the cues of `language`, one of ``fact_languages``."""
    return FactCues(language, read_language(__package__, language))


def cues_for(text: str, language: str | None) -> Iterator[FactCues]:
    """Yield the cues of the languages that `text` may be in, the likeliest first."""
    yield from map(fact_cues, _languages_of(text, language))


@lru_cache(maxsize=8_192)  # goals, preferences and people are looked for in one sentence one after the other
def _languages_of(text: str, language: str | None) -> tuple[str, ...]:
    readings = reading_order(text, known=fact_languages(), language=language)
    return tuple(reading.language for reading in readings if reading.trusted)


def _longest_first(words: Any) -> list[str]:
    return sorted(words, key=lambda word: (-len(word), word))


def _compiled(text: str, *, spaced: bool) -> re.Pattern[str]:
    body = fold(text).replace("(?<name>", "(?P<name>")
    return re.compile(rf"(?<!{_LETTER})(?:{body})(?!{_LETTER})" if spaced else f"(?:{body})")
