"""Whether pairs of a name and a text are terms and what they mean, by their looks and not by a language's words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from statistics import median

import regex

from anamnesis.domain.concepts.proper_names import is_person
from anamnesis.domain.concepts.validation import clean_name, name_refusal
from anamnesis.domain.extraction.lists.cards import is_field

#: Longest term, in characters and words; longest in a script that sets no spaces between words.
_MOST_CHARS, _MOST_WORDS, _MOST_SQUARES = 60, 6, 20
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}'’\u200c\u200d-]*")
_STOP = regex.compile(r"[.。।؟?!！？][\"'”’»)\]]*$")
#: Words that a meaning has at least, and letters where words are not told apart by spaces. Ours.
_MEANING_WORDS, _MEANING_LETTERS = 3, 5
#: Shares of a list's entries: that are named and told, whose names differ, whose texts are questions. Ours.
_GOOD_SHARE, _DISTINCT_SHARE, _ASKED_SHARE = 0.7, 0.9, 0.3
#: Fewest entries, and of pairs of words, which say less each. Ours.
LEAST_ENTRIES, _LEAST_PAIRS = 3, 4
#: Longest half of a pair of words, in words and in characters.
_PAIR_WORDS, _PAIR_CHARS = 4, 40
#: A letter alone is a word where a sign is one.
_ONE_LETTER_IS_A_WORD = regex.compile(r"[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}\p{Ethiopic}]")
#: Brackets and signs that values of programs have.
_OF_CODE = regex.compile(r"[{}\[\]<>=\\|]|^[\"'].*[\"']$|^--?\w")
#: What leads to a page number in a table of contents, and a name that is nothing but brackets.
_LEADERS = regex.compile(r"(?:\s?[.…·_]){4,}\s*\S*\s*$")
_ALL_BRACKETS = regex.compile(r"^[(（\[【].*[)）\]】]$")
_ASKED = ("?", "？", "؟", "՞", "፧")
#: Names are told by capitals where most of a list's longer terms are in them: typography, not short forms.
_SHOUTED_LETTERS = 5


def bare(term: str) -> str:
    """A term without emphasis, numbering and the colon behind it."""
    text = regex.sub(r"^\s*(?:[-*+•●▪◦‣·–]\s+|\(?\d{1,3}[.)]\s+)", "", term)
    return " ".join(
        regex.sub(r"\*{1,3}|(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}])|`", "", text).split()
    ).strip(" :：")


@lru_cache(maxsize=4_096)
def is_term(term: str) -> bool:
    """Whether a text can be a term of a list: short, no sentence, and nothing that never names an idea."""
    if not term or len(term) > _MOST_CHARS or len(term.split()) > _MOST_WORDS or _STOP.search(term):
        return False
    letters = sum(1 for c in term if c.isalpha())
    if _OF_CODE.search(term) or _ALL_BRACKETS.match(term):
        return False
    if not letters or (letters == 1 and not _ONE_LETTER_IS_A_WORD.search(term)):
        return False
    if _UNSPACED.search(term) and len(term) > _MOST_SQUARES and " " not in term:
        return len(term) <= 2 * _MOST_SQUARES and regex.search(r"\p{Han}|\p{Hiragana}", term) is None
    return name_refusal(clean_name(term)) is None


def tells(meaning: str) -> bool:
    """Whether a text can say what a term means: words enough, and not figures for the most part."""
    words = _WORD.findall(meaning)
    letters = sum(len(word) for word in words)
    if letters < sum(1 for c in meaning if c.isdigit()) or _LEADERS.search(meaning):
        return False
    if _UNSPACED.search(meaning):
        return letters >= _MEANING_LETTERS
    return len([word for word in words if len(word) > 1]) >= _MEANING_WORDS


def is_list_of_terms(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether pairs are terms with meanings."""
    if len(pairs) < LEAST_ENTRIES or not _are_distinct(pairs):
        return False
    good = sum(1 for term, meaning in pairs if is_term(term) and tells(meaning))
    asked = sum(1 for _, meaning in pairs if meaning.endswith(_ASKED))
    if 2 * sum(1 for term, _ in pairs if is_field(term)) >= len(pairs):
        return False
    # One person among terms is refused later; a list of them is refused whole, trades that no table knows included.
    if 2 * sum(1 for term, meaning in pairs if is_person(term, f"{term}: {meaning}")) >= len(pairs):
        return False
    return good >= _GOOD_SHARE * len(pairs) and asked <= _ASKED_SHARE * len(pairs)


def is_list_of_words(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether pairs are words of one language with those of another, or with a word or two that say the same."""
    if len(pairs) < _LEAST_PAIRS or not _are_distinct(pairs) or not _are_distinct([(b, a) for a, b in pairs]):
        return False
    return sum(1 for pair in pairs if is_pair(*pair)) >= _DISTINCT_SHARE * len(pairs)


def is_pair(term: str, meaning: str) -> bool:
    """Whether both halves are a word or few, without figures."""
    short = all(len(half.split()) <= _PAIR_WORDS and 0 < len(half) <= _PAIR_CHARS for half in (term, meaning))
    return (
        short
        and is_term(term)
        and any(c.isalpha() for c in meaning)
        and not any(c.isdigit() for c in term + meaning)
    )


def turned_round(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether the meaning comes first: the first halves are much longer, the second ones are terms."""
    if len(pairs) < LEAST_ENTRIES:
        return False
    first, second = (median(len(pair[side]) for pair in pairs) for side in (0, 1))
    return first > 1.5 * second and is_list_of_terms([(term, meaning) for meaning, term in pairs])


def unshouted(terms: Sequence[str]) -> list[str]:
    """Terms in capitals as words, where the list writes all its terms so."""
    long = [term for term in terms if sum(1 for c in term if c.isalpha()) >= _SHOUTED_LETTERS]
    if not long or not all(term.isupper() for term in long):
        return list(terms)
    return [term.capitalize() if term in long else term for term in terms]


def _are_distinct(pairs: Sequence[tuple[str, str]]) -> bool:
    return len({term.casefold() for term, _ in pairs}) >= _DISTINCT_SHARE * len(pairs)
