"""What stands after "X is": tells a definition of X from an instance, a judgement and another name."""

from __future__ import annotations

from itertools import pairwise

import regex

from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.terms_in_text import is_word, tokens

#: Words of a complement that are looked at for a judgement: an article and what follows it.
_LOOKED_AT = 2
#: Letters that short prepositions have at most.
_PREPOSITION = 2
#: A class and something that tells it from others take more words than this, the article counted.
_LEAST_WORDS = 3
#: A name and, in brackets behind it, what it is called elsewhere: words before the first bracket.
_NAME_WORDS = 4


def names_something_else(complement: str, table: CueTable) -> bool:
    """Whether the complement is itself a name being given: "the sound is *what is called* a stimulus"."""
    naming = table.naming_before.match(complement) if table.naming_before else None
    return naming is not None and " ".join(naming[0].casefold().split()) not in table.weak_naming


def is_bracketed_name(complement: str, bracket: regex.Pattern[str], table: CueTable) -> bool:
    """Whether the complement is a name with its foreign name behind it: what is said to be X is an instance of X."""
    found = bracket.search(complement)
    if found is None:
        return False
    before = complement[: found.start()].split("(", 1)[0]
    words = [token for token in tokens(before, table) if is_word(token)]
    return len(words) <= _NAME_WORDS and not any(sign in before for sign in ",;:")


def defines_little(complement: str, table: CueTable) -> bool:
    """Whether the complement gives an example, a judgement or something besides, or is too short for more."""
    words = [token.casefold() for token in tokens(complement[:160], table)]
    spoken = [word for word in words if is_word(word)]
    if len(spoken) < _LEAST_WORDS:
        return True
    instance = table.instances.search(complement, endpos=40) if table.instances else None
    if instance is not None:
        return True
    pairs = [" ".join(pair) for pair in pairwise(spoken[: _LOOKED_AT + 1])]
    # A preposition opens no definition ("je na stole"), but follows the class that one names ("množina s operací").
    looked_at = [
        word for place, word in enumerate(spoken[:_LOOKED_AT]) if not place or len(word) > _PREPOSITION
    ]
    return any(words in table.evaluative or words in table.also for words in (*looked_at, *pairs))


def opens_with_ending(complement: str, ending: regex.Pattern[str]) -> bool:
    """Whether the first word of a complement has the ending by which a language names the class of a thing."""
    words = complement.split(maxsplit=1)
    return bool(words) and ending.search(words[0].rstrip(",;:.")) is not None
