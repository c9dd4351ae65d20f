"""Terms with an abbreviation, or their name in another language, in brackets behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.mentions import Cue, Mention
from anamnesis.domain.extraction.terms_in_text import is_name, joined, last_term, tokens

_ABBREVIATION = regex.compile(r"[(（](\p{Lu}[\p{Lu}\p{N}.-]{1,7})s?[)）]")
#: "(ang. reinforcement)", "(del inglés …)", "(lat. …)": the name of the term in the language it comes from.
FOREIGN = regex.compile(
    r"\s*[(（](?:z?\s?(?:ang|łac|gr|niem|franc|fr|lat|latin|engl?|inglés|inglese|ingl|ing|griech|англ|лат|греч)\.?|"
    r"(?:del |en |do |em |in |auf |dal |w |dari |dalam )?(?:bahasa )?(?:inglés|inglês|anglais|englisch|inglese|inggris|"
    r"latín|latim|latin|griego|grego|grec|greek|yunani|belanda|anglicky|İngilizce|tiếng Anh))"
    r"[:\s]\s*[„“\"«]?([^()（）]{2,60})[)）]",
    regex.IGNORECASE,
)
_LATIN_BRACKET = regex.compile(r"\s*[(（]\s*(?:\p{L}+[.:]\s*)?([\p{Latin}][\p{Latin} '-]{2,50})[)）]")
_OTHER_SCRIPTS = frozenset(
    {"ar", "fa", "ur", "he", "hi", "bn", "ta", "te", "gu", "ru", "uk", "bg", "el", "th", "hy"}
)


def bracketed(
    sentence: str, page: int, order: int, table: CueTable, counts: dict[str, int]
) -> Iterator[Mention]:
    """Names with an abbreviation or a foreign name in brackets behind them."""
    for match in _ABBREVIATION.finditer(sentence):
        words = _expansion(_words_before(sentence[: match.start()], table), match[1], table)
        if words:
            yield Mention(joined(words), Cue.ABBREVIATION, page, order, sentence, match[1])
    for match in FOREIGN.finditer(sentence):
        words = last_term(sentence[: match.start()], table, len(match[1].split()), counts)
        if words:
            yield Mention(joined(words), Cue.FOREIGN, page, order, sentence)
    if table.language in _OTHER_SCRIPTS:
        for match in _LATIN_BRACKET.finditer(sentence):
            words = last_term(sentence[: match.start()], table, len(match[1].split()), counts)
            if words:
                yield Mention(joined(words), Cue.FOREIGN, page, order, sentence)


def _words_before(left: str, table: CueTable) -> list[str]:
    """Up to six words right before a bracket, back to the nearest sign."""
    read = tokens(left[-200:], table)
    start = len(read)
    while start > max(0, len(read) - 6) and read[start - 1][0].isalnum():
        start -= 1
    return read[start:]


def _expansion(words: Sequence[str], abbreviation: str, table: CueTable) -> list[str]:
    """Words before an abbreviation whose initials are its letters, else those that begin with its first letter."""
    letters = "".join(c.casefold() for c in abbreviation if c.isalpha())
    tails = [list(words[-length:]) for length in range(1, len(words) + 1)]
    named = [tail for tail in tails if is_name(tail, table)]
    for tail in named:
        initials = "".join(word[0].casefold() for word in tail if word.casefold() not in table.linkers)
        if initials == letters or "".join(word[0].casefold() for word in tail) == letters:
            return tail
    begun = [tail for tail in named if tail[0][0].casefold() == letters[:1] and len(tail) >= len(letters) - 1]
    return begun[0] if begun else []
