"""What a sentence says, in a form in which two can be compared: words, numbers, names, denials, directions."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import regex
from babel.core import Locale, UnknownLocaleError

from anamnesis.domain.grounding.figures import Number, add_spelled, unit_at, values_of
from anamnesis.domain.grounding.tables import QUANTITIES, GroundingTable, clause_words, plain, table_of
from anamnesis.domain.text.folding import FoldedText, folded
from anamnesis.domain.text.languages import stop_words
from anamnesis.domain.text.scripts import CLUSTER, CLUSTERED, SPACELESS
from anamnesis.domain.text.terms import index_terms

_TOKEN = regex.compile(
    rf"(?P<number>(?<![[\p{{L}}\p{{M}}\d]--[{SPACELESS}{CLUSTERED}\p{{Hangul}}]])(?:(?<![\d\w)])[-−])?"
    r"(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+)(?:[.,٫٬]\d+)*)"
    rf"|(?P<spaceless>[{SPACELESS}]+)|(?P<clustered>[{CLUSTERED}]+)"
    rf"|(?P<word>[[\p{{L}}\p{{M}}\p{{N}}]--[{SPACELESS}{CLUSTERED}]]+)"
    r"|(?P<sign>[=<>≤≥≠±×÷+∝→])",
    regex.VERSION1,
)
_MEANING = regex.compile(r"[\p{Han}\p{Katakana}]")
#: Han characters that build the sentence.
_BUILDING = frozenset(
    "的了是在和与與就都也把被对對从從到以及或而且其之为為有会會能可这這那個个種种些等中上下所由于於"
)
_SPELLINGS = (
    ("isation", "ization"), ("ise", "ize"), ("ising", "izing"), ("yse", "yze"), ("our", "or"), ("aem", "em"),
    ("oes", "es"), ("oed", "ed"), ("tre", "ter"), ("lled", "led"), ("lling", "ling"), ("ogue", "og"), ("ence", "ense"),
    ("sulph", "sulf"), ("aluminium", "aluminum"), ("behaviour", "behavior"),
)  # fmt: skip
#: Between clauses or items; not between the digits of a number.
_CLAUSE_MARK = regex.compile(r"[;；؛،、，—–]|[,:：](?!\d)")
#: A capital tells no name in these: every noun has one.
_CAPITAL_NOUNS = frozenset({"de", "lb"})


@dataclass(frozen=True, slots=True)
class Word:
    """One word, or one character of a script without spaces.

    Attributes
    ----------
    forms
        Index terms that stand for it; empty for a character of a script without spaces.
    tells
        Whether it says something by itself: no function word.
    name, capital
        Whether it is written as a name; whether it has a capital, at the beginning of a sentence too.
    key
        What stands for it when two sentences are laid side by side.
    """

    text: str
    forms: frozenset[str]
    tells: bool
    name: bool
    key: str
    capital: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence ready for comparison; see the module.

    Attributes
    ----------
    units
        What it says, as sets of interchangeable index terms, each with the number of its word.
    denials
        Numbers of the words that a negation stands at.
    sides
        For each opposite in it: which pair, which side, the number of its word.
    clauses
        Numbers of the words that begin a new clause or item.
    """

    text: str
    plain: str
    language: str
    words: tuple[Word, ...]
    units: tuple[tuple[frozenset[str], int], ...]
    numbers: tuple[Number, ...]
    denials: tuple[int, ...]
    sides: tuple[tuple[int, int, int], ...]
    quantities: Mapping[str, int]
    months: frozenset[int]
    clauses: tuple[int, ...] = ()

    def clause_words(self) -> list[tuple[Word, ...]]:
        """The words of each clause; of a sentence without clauses all of them."""
        bounds = [0, *self.clauses, len(self.words)]
        return [self.words[first:last] for first, last in pairwise(bounds) if first < last]


def read_statement(text: str, language: str) -> Statement:
    """Read a sentence.

    Parameters
    ----------
    text
        One sentence; the caller bounds its length.
    language
        BCP 47 primary tag, "und" when unknown.
    """
    table = table_of(language)
    fold = _folded(text, language)
    read = _Reading(fold, language, table)
    for match in _TOKEN.finditer(fold.text):
        read.add(match)
    return Statement(
        text, fold.text, language, tuple(read.words), tuple(read.units), tuple(read.numbers),
        _denials(fold.text, table, read.starts), _sides(fold.text, table, read.starts),
        _quantities(fold.text, table), frozenset(read.months), _clauses(fold.text, read.words, read.starts),
    )  # fmt: skip


class _Reading:
    """What has been read of a sentence so far, token by token.

    Attributes
    ----------
    words
        Every token, or piece of one in a script without spaces, and in ``starts`` where each begins.
    units
        Sets of forms that tell something, each with the number of its word.
    """

    def __init__(self, fold: FoldedText, language: str, table: GroundingTable) -> None:
        self.words: list[Word] = []
        self.starts: list[int] = []
        self.units: list[tuple[frozenset[str], int]] = []
        self.numbers: list[Number] = []
        self.months: set[int] = set()
        self._fold, self._language, self._table = fold, language, table
        self._names = month_names(language)
        self._stops = _stops(language)

    def add(self, match: regex.Match[str]) -> None:
        """Read the next token."""
        if match.lastgroup == "number":
            self._number(match)
        elif match.lastgroup in {"spaceless", "clustered"}:
            self._run(match, clustered=match.lastgroup == "clustered")
        elif match.lastgroup == "sign":
            self._keep(Word(match[0], frozenset(), False, False, match[0]), match.start())
        else:
            self._word(match)

    def _keep(self, word: Word, start: int) -> None:
        self.words.append(word)
        self.starts.append(start)

    def _number(self, match: regex.Match[str]) -> None:
        value = values_of(match[0])
        self.numbers.append(Number(value, unit_at(self._fold.text, match.end()), len(self.words)))
        self._keep(Word(match[0], frozenset(), True, False, str(max(value, default=0))), match.start())

    def _run(self, match: regex.Match[str], *, clustered: bool) -> None:
        """A run of letters without spaces: its pairs are what it tells, its letters or syllables are its words."""
        token, start = match[0], match.start()
        terms = index_terms(self._fold.quote(start, match.end()), self._language)
        pieces = CLUSTER.findall(token) if clustered else list(token)
        for pair in dict.fromkeys(t for t in terms if len(t) > 1 or clustered):
            self.units.append((frozenset([pair]), len(self.words) + _piece(token, pieces, pair)))
        for piece in pieces:
            tells = clustered or (bool(_MEANING.match(piece)) and piece not in _BUILDING)
            self._keep(Word(piece, frozenset(), tells, False, piece), start)
            start += len(piece)

    def _word(self, match: regex.Match[str]) -> None:
        token, begins = match[0], not self.words
        original = self._fold.quote(match.start(), match.end())
        word = _word(token, original, self._language, self._stops, begins=begins)
        spelled = self._table.numbers.get(token)
        month = self._names.get(token)
        if month is not None and (len(token) > 3 or (original[:1].isupper() and not begins)):
            self.months.add(month)
        if spelled is not None:
            add_spelled(self.numbers, spelled, len(self.words))
        elif word.tells:
            self.units.append((word.forms, len(self.words)))
        self._keep(word, match.start())


def _clauses(text: str, words: list[Word], starts: list[int]) -> tuple[int, ...]:
    """Numbers of the words that stand behind a comma or the like, or behind an "and" or "while"."""
    behind_marks = {bisect_left(starts, mark.end()) for mark in _CLAUSE_MARK.finditer(text)}
    behind_words = {at + 1 for at, word in enumerate(words) if word.text in clause_words()}
    return tuple(sorted(at for at in behind_marks | behind_words if 0 < at < len(words)))


def _denials(text: str, table: GroundingTable, starts: list[int]) -> tuple[int, ...]:
    """Numbers of the words that deny; a "never" says when and denies nothing."""
    if not starts:
        return ()
    found = table.negations.finditer(text)
    return tuple(_index(starts, m.start()) for m in found if m.groupdict().get("never") is None)


def _piece(token: str, pieces: list[str], pair: str) -> int:
    """Which piece of a run without spaces a pair begins with."""
    at, passed = token.find(pair), 0
    for number, piece in enumerate(pieces):
        if passed >= at:
            return number
        passed += len(piece)
    return 0


def _folded(text: str, language: str) -> FoldedText:
    if language != "vi":
        return folded(text)
    form = unicodedata.normalize("NFC", text)
    lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in form)
    span = range(len(form))
    return FoldedText(form, lowered, tuple(span), tuple(i + 1 for i in span))


@lru_cache(maxsize=64)
def _stops(language: str) -> frozenset[str]:
    return frozenset(plain(word, language) for word in stop_words(language))


@lru_cache(maxsize=65_536)
def word_forms(original: str, language: str) -> frozenset[str]:
    """Index terms that stand for a word, with other spellings of it."""
    forms = {*index_terms(original, language)}
    if language == "en":
        for form in tuple(forms):
            for one, other in _SPELLINGS:
                if one in form:
                    forms.update(index_terms(form.replace(one, other), language))
    return frozenset(forms)


def _word(token: str, original: str, language: str, stops: frozenset[str], *, begins: bool) -> Word:
    forms = word_forms(original, language) or frozenset([token])
    acronym = len(original) > 1 and sum(map(str.isupper, original)) >= 2
    capital = original[:1].isupper() and not begins and language not in _CAPITAL_NOUNS
    tells = token not in stops and (len(token) > 1 or acronym or not token.isascii())
    # A capital by itself names something: vitamin C, the P wave.
    tells = tells or (capital and len(token) == 1 and token not in stops)
    name = (acronym or capital) and (tells or acronym)
    return Word(
        token,
        forms,
        tells or name,
        name,
        min(forms, key=lambda form: (len(form), form)),
        original[:1].isupper(),
    )


@lru_cache(maxsize=64)
def month_names(language: str) -> dict[str, int]:
    """Months by their names as CLDR has them, folded."""
    try:
        months = Locale.parse(language).months
    except (UnknownLocaleError, ValueError):
        return {}
    return {
        plain(name, language): number
        for usage in ("format", "stand-alone")
        for number, name in months[usage]["wide"].items()
        if not any(c.isdigit() for c in name)
    }


@lru_cache(maxsize=64)
def names_of_peoples(language: str) -> frozenset[str]:
    """Index terms of the names that CLDR has for languages of one word: most are the adjective of a people as well."""
    try:
        languages = Locale.parse(language).languages
    except (UnknownLocaleError, ValueError):
        return frozenset()
    return frozenset(
        form for name in languages.values() if name.isalpha() for form in word_forms(name, language)
    )


def _index(starts: list[int], at: int) -> int:
    return max(0, bisect_right(starts, at) - 1)


def _sides(text: str, table: GroundingTable, starts: list[int]) -> tuple[tuple[int, int, int], ...]:
    found: list[tuple[int, int, int]] = []
    for pair, sides in enumerate(table.opposites):
        for side, pattern in enumerate(sides):
            found.extend((pair, side, _index(starts, match.start())) for match in pattern.finditer(text))
    return tuple(found)


def _quantities(text: str, table: GroundingTable) -> Mapping[str, int]:
    return {name: len(table.quantities[name].findall(text)) for name in QUANTITIES}
