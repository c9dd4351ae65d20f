"""What each language says it with when it denies, turns, counts, greets, instructs, or speaks of a shared past.

A language joins by one TOML file in ``tables/``. Values are regular expressions over folded text, alternatives parted
by ``|``; where a language puts spaces between words they begin and end at the edge of a word.

``negations``, ``never``, ``negation_endings``
    Words that deny, phrases with such a word that deny nothing ("not only"), endings of verbs that deny.
``opposites``
    Pairs of sides parted by ``|``: words, ``*`` for any ending, that turn a statement round ("increas*|decreas*").
``all``, ``most``, ``some``, ``none``, ``only``
    How much of something a statement is about.
``chat``, ``instructions``
    How a sentence begins that is courtesy, or asks for or announces something.
``comparisons``
    How one thing is held against another, with the groups ``pole`` (written ``@pole`` for any word of the measures),
    ``std`` (``@std``: what it is held against), ``less`` and ``mid`` (``@mid``: what stands between the two).
``measures``
    Pairs of the words that it is held by, as ``opposites``: heavier and lighter.
``prefixes``
    Letters that may be joined to the front of an opposite: the Arabic "and".
``limits``
    How a tutor says that the files or its memory do not hold an answer.
``memory``, ``right``, ``wrong``, ``knows``, ``struggles``
    How it speaks of work done together, of what came of it, and of what the student understands.
``numbers``
    Numbers in words, ``word=value``.
``spaced``, ``substring``
    False where words are not parted by spaces; true where a negation stands inside words.
"""

from __future__ import annotations

import unicodedata
from functools import cached_property, lru_cache
from typing import Any

import regex

from anamnesis.domain.text.folding import fold
from anamnesis.domain.text.tables import read_language, read_table, tabled_languages

#: A letter or sign of one clause.
_WITHIN = "[^,;:،؛。，；、]"

QUANTITIES = ("all", "most", "some", "none", "only")


def plain(text: str, language: str) -> str:
    """Fold a text or a pattern; Vietnamese keeps its marks, which tell its words apart."""
    return unicodedata.normalize("NFC", text).casefold() if language == "vi" else fold(text)


class GroundingTable:
    """One language's table; a pattern is compiled when it is first used."""

    def __init__(self, language: str, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.language = language
        self.spaced = bool(raw.get("spaced", True))

    @cached_property
    def negations(self) -> regex.Pattern[str]:
        """Words that deny; a match of the group ``never`` denies nothing."""
        never = self._raw.get("never", "(?!)")
        words = self._raw.get("negations", "(?!)")
        found = rf"(?:{self._edged(f'(?P<never>{never})')}|{self._negations(words)})"
        ending = self._raw.get("negation_endings")
        if ending:
            found = rf"{found}|(?<=\w)(?:{ending.removesuffix('$')})(?!\w)"
        return regex.compile(plain(found, self.language).replace("(?p<", "(?P<"))

    def _negations(self, words: str) -> str:
        return f"(?:{words})" if self._raw.get("substring") else self._edged(words)

    @cached_property
    def opposites(self) -> tuple[tuple[regex.Pattern[str], regex.Pattern[str]], ...]:
        """Pairs of patterns of words of the one side and of the other."""
        return self._pairs("opposites")

    @cached_property
    def measures(self) -> tuple[tuple[regex.Pattern[str], regex.Pattern[str]], ...]:
        """Pairs of patterns of words by which one thing is held against another: "heavier" and "lighter"."""
        return self._pairs("measures")

    @cached_property
    def comparisons(self) -> tuple[regex.Pattern[str], ...]:
        """How one thing is held against another; the first one that is found counts."""
        poles = "|".join(pattern.pattern for sides in self.measures for pattern in sides) or "(?!)"
        parts = {
            "@pole": f"(?P<pole>{poles})",
            "@std": f"(?P<std>{_WITHIN}{{1,80}})",
            "@mid": f"(?P<mid>{_WITHIN}{{0,60}}?)",
        }
        found = []
        for pattern in self._raw.get("comparisons", ()):
            written = plain(str(pattern), self.language).replace("(?p<", "(?P<")
            for name, part in parts.items():
                written = written.replace(name, part)
            found.append(regex.compile(written))
        return tuple(found)

    def _pairs(self, key: str) -> tuple[tuple[regex.Pattern[str], regex.Pattern[str]], ...]:
        pairs = (str(pair).split("|") for pair in self._raw.get(key, ()))
        return tuple((self._side(one), self._side(other)) for one, other in pairs)

    def _side(self, words: str) -> regex.Pattern[str]:
        """Words parted by spaces; ``_`` stands for a space within one, ``*`` for any ending."""
        listed = (regex.escape(plain(word, self.language)) for word in words.split())
        either = "|".join(word.replace(r"\*", r"\w*").replace("_", " ") for word in listed)
        before = plain(str(self._raw.get("prefixes", "")), self.language)
        joined = f"(?:{before})?" if before else ""
        return regex.compile(rf"(?<!\w){joined}(?:{either})(?!\w)" if self.spaced else f"(?:{either})")

    @cached_property
    def quantities(self) -> dict[str, regex.Pattern[str]]:
        """Patterns by ``QUANTITIES``."""
        return {name: self.of(name) for name in QUANTITIES}

    def of(self, key: str) -> regex.Pattern[str]:
        """The pattern of a key that holds one; matches nothing where the language has none."""
        return _compiled(self._edged(self._raw.get(key, "(?!)")), self.language)

    @lru_cache(maxsize=128)  # noqa: B019 tables live as long as the process
    def beginning(self, key: str) -> regex.Pattern[str]:
        """The pattern of a key at the beginning of a sentence, marks and an interjection aside."""
        body = self._edged(self._raw.get(key, "(?!)"), begins=False)
        # Folded, "\W" would be "\w": then "pressure" would begin like "sure".
        return regex.compile(rf"[\W_]*{plain(body, self.language)}")

    def _edged(self, pattern: str, *, begins: bool = True) -> str:
        if not self.spaced:
            return f"(?:{pattern})"
        if self._raw.get("substring"):
            # Endings join the word.
            return rf"(?<!\w)(?:{pattern})" if begins else f"(?:{pattern})"
        return rf"(?<!\w)(?:{pattern})(?!\w)" if begins else rf"(?:{pattern})(?!\w)"

    @cached_property
    def numbers(self) -> dict[str, float]:
        """Values of numbers in words."""
        pairs = (pair.split("=") for pair in str(self._raw.get("numbers", "")).split())
        return {plain(word, self.language): float(value) for word, value in pairs}


@lru_cache(maxsize=1024)
def _compiled(pattern: str, language: str) -> regex.Pattern[str]:
    return regex.compile(plain(pattern, language))


@lru_cache(maxsize=1)
def tabled() -> frozenset[str]:
    """Languages that have a table."""
    return frozenset(tabled_languages(__package__))


@lru_cache(maxsize=64)
def table_of(language: str) -> GroundingTable:
    """The table of a language; an empty one where there is none."""
    if language not in tabled():
        return GroundingTable(language, {"spaced": language not in {"lo", "km", "my"}})
    return GroundingTable(language, read_language(__package__, language))


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    return read_table(__package__, "words")


@lru_cache(maxsize=64)
def articles(language: str) -> frozenset[str]:
    """Articles of a language, folded."""
    return frozenset(str(_words()["articles"].get(language, "")).split())


@lru_cache(maxsize=1)
def noun_leads() -> frozenset[str]:
    """Articles and prepositions of all languages: words behind which things are named."""
    every = " ".join([str(_words()["prepositions"]), *_words()["articles"].values()])
    return frozenset(every.split())


@lru_cache(maxsize=1)
def joining_words() -> frozenset[str]:
    """Words between two things that may stand in either order."""
    return frozenset(str(_words()["joins"]).split())


@lru_cache(maxsize=1)
def time_joining_words() -> frozenset[str]:
    """Words between two times that are named together: "and", "then"."""
    return joining_words() | frozenset(str(_words()["thens"]).split())


@lru_cache(maxsize=1)
def clause_words() -> frozenset[str]:
    """Words between two clauses, folded; Vietnamese ones with their marks."""
    return joining_words() | frozenset(str(_words()["contrasts"]).split())


@lru_cache(maxsize=1)
def postpositions() -> frozenset[str]:
    """Words behind a noun that tell what it is in the sentence, folded."""
    return frozenset(fold(str(_words()["postpositions"])).split())


@lru_cache(maxsize=64)
def ordinals(language: str) -> tuple[regex.Pattern[str], ...]:
    """Patterns over folded text of "first", "second" and so on, as far as a language's are known."""
    spaceless = language in {"zh", "ja", "ko"}
    listed = plain(str(_words()["ordinals"].get(language, "")), language).split()
    edged = (word if spaceless else rf"(?<!\w)(?:{word})(?!\w)" for word in listed)
    return tuple(regex.compile(word.replace("_", " ")) for word in edged)


@lru_cache(maxsize=1)
def frame_words() -> frozenset[str]:
    """Words of claims about the record that no topic has."""
    return frozenset(str(_words()["frame"]).split())
