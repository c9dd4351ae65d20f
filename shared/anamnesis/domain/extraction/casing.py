"""How a concept's name is written: in the text's own letters, without the capital that a sentence's start gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import regex

from anamnesis.domain.extraction.mentions import Cue, Mention

#: Signs that may stand before a sentence's first word.
_BEFORE = regex.compile(r"^[\s\"“”„«»‚‘’'‹›¿¡(*_–—-]+")
#: A word that a capital may have been put on: nothing but letters, and no other capital ("ATP", "pH", "Ohm's" are not).
_CAPITALISED = regex.compile(r"\p{Lu}[\p{Ll}\p{M}]+(?:-[\p{Ll}\p{M}]+)*")
#: Languages that write nouns with a capital anywhere.
_NOUNS_CAPITALISED = frozenset({"de", "lb"})
#: Languages with two letters i, and how the capitals become small there.
_TURKIC = frozenset({"tr", "az"})
_DOTTED = str.maketrans("Iİ", "ıi")


def written(form: str, mentions: Sequence[Mention], spellings: Mapping[str, str], language: str) -> str:
    """Name `form` as it is written inside a sentence.

    Parameters
    ----------
    form
        The name as one of the mentions has it.
    mentions
        All places that mark the concept.
    spellings
        For each casefolded word, how it is mostly written where no sentence begins.

    Returns
    -------
    str
        As the text has it inside sentences; where the name only opens sentences, stands in headings or was counted
        without case, each word as `spellings` has it, and a word never seen elsewhere without its capital. German
        nouns keep theirs.
    """
    same = [m for m in mentions if m.term.casefold() == form.casefold() and m.cue is not Cue.RECURRING]
    inside = Counter(m.term for m in same if m.sentence and not _begins(m))
    if inside:
        return max(inside, key=lambda term: (inside[term], sum(c.islower() for c in term), term))
    words = form.split(" ")
    if not same:
        return " ".join(spellings.get(word.casefold(), word) for word in words)
    if language in _NOUNS_CAPITALISED:
        return form
    opening = [m.term for m in same if m.sentence]
    words = (opening or [form])[0].split(" ")
    # A heading in title case says nothing of any of its words, a sentence nothing of its first.
    doubtful = len(words) if not opening and all(_CAPITALISED.fullmatch(word) for word in words) else 1
    if opening and any(word[0].isupper() for word in words[1:]):
        # "Isaac Newton", "Guard Cell": where a later word has a capital, the first one's is its own.
        return " ".join(words)
    return " ".join(
        _recased(word, spellings, language) if i < doubtful else word for i, word in enumerate(words)
    )


def _begins(mention: Mention) -> bool:
    return str(_BEFORE.sub("", mention.sentence)).startswith(mention.term)


def _recased(word: str, spellings: Mapping[str, str], language: str) -> str:
    if not _CAPITALISED.fullmatch(word):
        return word
    first = word[0].translate(_DOTTED) if language in _TURKIC else word[0]
    return spellings.get(word.casefold(), first.lower() + word[1:])
