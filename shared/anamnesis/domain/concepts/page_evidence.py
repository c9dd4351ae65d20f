"""Whether the pages that a concept cites speak of it at all: what a model made up, or had from elsewhere, they do not.

The test is lenient on purpose. Texts inflect and reorder names and a gist says things in other words, so that only the
beginning of a word is looked for and not all words must be there; what it catches are wrong pages and foreign claims.
It cannot tell a true sentence from a false one in the same words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import regex

from anamnesis.domain.concepts.canonical_keys import CONTINUOUS, folded_words, short_form
from anamnesis.domain.files import Page
from anamnesis.domain.text.languages import stop_words

#: Share of a word that must be found: what is left without the endings of Polish, Russian, Hindi or Turkish.
_STEM = 0.7
#: Shorter words (ATP, pH, of) stand or fall as they are, and are only asked for when a name has no longer ones.
_SHORT = 3
#: Share of a name's words that a page must hold: all of two, two of three, three of four. Ours.
_NAME_SHARE = 0.6
#: Share of a gist's longer words that the cited pages must hold. Ours: sentences by people about a page that they had
#: read share half of their words with it or more, those in another language next to none.
_GIST_SHARE = 1 / 3
#: A gist with fewer words to look for cannot be judged.
_LEAST_WORDS = 4
#: Characters that must stand together in scripts without spaces: two of Chinese, Japanese and Korean, more where a
#: syllable takes several signs.
_TOGETHER = 2
_TOGETHER_IN_SYLLABLES = 4
_CONTINUOUS = regex.compile(f"[{CONTINUOUS}]")
_SYLLABIC = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_BRACKETS = regex.compile(r"[(\[（【][^()\[\]（）【】]*[)\]）】]")


class PageTexts:
    """The texts of some pages, folded as names are; each page is folded when it is first asked for."""

    def __init__(self, pages: Iterable[Page]) -> None:
        texts: dict[int, list[str]] = {}
        for page in pages:
            texts.setdefault(page.number, []).append(page.text)
        self._texts = texts
        self._folded: dict[int, tuple[str, str]] = {}

    @property
    def numbers(self) -> frozenset[int]:
        """Which pages there are."""
        return frozenset(self._texts)

    def name(self, name: str, page: int) -> bool:
        """Whether a page names a concept, in any order of its words and with any endings."""
        forms = short_form(name) or (name,)
        bare = _BRACKETS.sub(" ", name)
        return any(self._holds(form, page) for form in dict.fromkeys([*forms, bare]) if form.strip())

    def support(self, text: str, pages: Sequence[int]) -> bool:
        """Whether pages speak of what a gist or definition says; True when it is too short to be judged."""
        words = [word for word in folded_words(text) if len(word) > _SHORT or _CONTINUOUS.search(word)]
        # A script without spaces comes in runs: what counts there is how much of them is found.
        pieces = [piece for word in words for piece in _pieces(word)]
        if len(pieces) < _LEAST_WORDS:
            return True
        found = sum(any(self._has(piece, page) for page in pages) for piece in pieces)
        return found >= _GIST_SHARE * len(pieces)

    def _holds(self, name: str, page: int) -> bool:
        words = folded_words(name)
        longer = [word for word in words if len(word) > _SHORT or _CONTINUOUS.search(word)]
        if not words:
            return False
        if not longer:
            spaced = self._of(page)[0]
            return all(f" {word}" in spaced for word in words)
        found = sum(all(self._has(piece, page) for piece in _pieces(word)) for word in longer)
        return found >= math.ceil(_NAME_SHARE * len(longer))

    def _has(self, piece: str, page: int) -> bool:
        spaced, compact = self._of(page)
        return f" {piece}" in spaced if len(piece) <= _SHORT and piece.isascii() else piece in compact

    def _of(self, page: int) -> tuple[str, str]:
        if page not in self._folded:
            words = folded_words("\n".join(self._texts.get(page, ())))
            self._folded[page] = (f" {' '.join(words)} ", "".join(words))
        return self._folded[page]


def telling_pieces(text: str, language: str) -> frozenset[str]:
    """Return what is looked for of the longer words of a text, function words of its language left out."""
    stops = stop_words(language)
    return frozenset(
        piece
        for word in folded_words(text)
        if word not in stops and (len(word) > _SHORT or _CONTINUOUS.search(word))
        for piece in _pieces(word)
    )


def _pieces(word: str) -> list[str]:
    """What of a word must be found: its beginning, or, in scripts without spaces, all neighbouring characters."""
    if not _CONTINUOUS.search(word):
        return [word[: max(_SHORT, math.ceil(_STEM * len(word)))]]
    together = _TOGETHER_IN_SYLLABLES if _SYLLABIC.search(word) else _TOGETHER
    return [word[at : at + together] for at in range(max(1, len(word) - together + 1))]
