"""Language of a whole document, by which the cue table is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import regex

from anamnesis.domain.extraction.cues import cue_table
from anamnesis.domain.files import Page
from anamnesis.domain.text.languages import UNDETERMINED, detect_language, languages_of_script
from anamnesis.domain.text.tables import tabled_languages

_SAMPLES = 7
_SAMPLE_CHARS = 1_000
#: Fewest grammatical words that may overrule the detection, and by how much they must outnumber its own.
_LEAST_WORDS, _MORE = 3, 2
#: Letters that no other language in use writes, where the detection of short texts does not know their language.
_OWN_LETTERS = {"hu": "őű"}
#: What such a letter says against grammatical words. Ours: most sentences hold one, and "a" in each says nothing.
_LETTER_SAYS = 10
_WORD = regex.compile(r"[\p{L}\p{M}]+")


def document_language(pages: Sequence[Page]) -> str:
    """Language of most of several samples over the whole text; "und" when nothing can be said.

    Where a sample is short, the few grammatical words of the cue tables are surer than long word lists: they overrule
    the detection when those of another language of the script stand in the text at least twice as often.
    """
    text = "\n".join(page.text for page in pages)
    last = max(0, len(text) - _SAMPLE_CHARS)
    starts = sorted({last * i // (_SAMPLES - 1) for i in range(_SAMPLES)})
    samples = [text[start : start + _SAMPLE_CHARS] for start in starts]
    votes = Counter(detect_language(sample) for sample in samples)
    votes.pop(UNDETERMINED, None)
    detected = votes.most_common(1)[0][0] if votes else UNDETERMINED
    return _overruled(detected, " ".join(samples))


def _overruled(detected: str, text: str) -> str:
    words = Counter(_WORD.findall(text.casefold()))
    script = languages_of_script(text)
    of_script = (*script, *_OWN_LETTERS) if "en" in script else script
    tabled = [language for language in of_script if language in _tabled()]
    evidence = {language: sum(words[word] for word in _grammatical(language)) for language in tabled}
    for language, letters in _OWN_LETTERS.items():
        # "a" is Hungarian "the" and "and", "at", "to" elsewhere: only beside the letters does it say anything.
        seen = sum(text.count(letter) for letter in letters)
        if language in evidence:
            evidence[language] = evidence[language] + _LETTER_SAYS * seen if seen else 0
    if detected not in evidence and detected != UNDETERMINED:
        return detected
    best = max(evidence, key=lambda language: evidence[language], default=detected)
    enough = evidence.get(best, 0) >= _LEAST_WORDS and evidence[best] >= _MORE * evidence.get(detected, 0)
    return best if enough else detected


@cache
def _tabled() -> frozenset[str]:
    """Return the languages that have a cue table."""
    return frozenset(tabled_languages(__package__))


@cache
def _grammatical(language: str) -> frozenset[str]:
    table = cue_table(language)
    return table.articles | table.linkers | table.conjunctions
