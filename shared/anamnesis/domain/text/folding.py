"""Text folded for matching, with the way back to the text as it stands.

Students write without accents, in capitals, in full-width or native digits, in decomposed Unicode. Matching happens
on a fold that removes such differences; every folded character remembers the stretch of the original it came from.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import regex

_CLUSTER = regex.compile(r"\X")
#: Letters that Unicode does not decompose but that people type, or fonts show, as another letter.
_ALIKE = str.maketrans(
    {
        "ı": "i", "ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe",
        "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ـ": "",
        "ё": "е", "‘": "'", "’": "'", "ʼ": "'", "`": "'", "´": "'", "׳": "'", "״": '"', "“": '"', "”": '"',
        "–": "-", "—": "-", "‒": "-", "−": "-", "‐": "-", "‑": "-", "〜": "~", "～": "~", "،": ",", "؟": "?",
        "॰": ".", "।": ".", "。": ".", "、": ",",
    }
)  # fmt: skip
#: Marks that carry no meaning for matching: Hindi nukta (फ़/फ), and Arabic and Hebrew vowel points, by their ranges.
_DROPPED_MARKS = frozenset({0x093C, 0x0670, *range(0x064B, 0x0660), *range(0x0591, 0x05C8)})
#: Scripts whose combining marks are vowels and must stay.
_MARKED_LETTERS = range(0x0900, 0x0FFF)


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A folded text and its origin.

    Attributes
    ----------
    original
        The text as it stands.
    text
        The fold.
    starts, ends
        For each folded character, the half-open stretch of `original` it came from.
    """

    original: str
    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def quote(self, start: int, end: int) -> str:
        """Return the stretch of the original behind ``text[start:end]``."""
        return self.original[self.starts[start] : self.ends[end - 1]] if start < end else ""


@lru_cache(maxsize=8192)
def _fold_cluster(cluster: str) -> str:
    folded: list[str] = []
    for char in unicodedata.normalize("NFKC", cluster).casefold().translate(_ALIKE):
        for part in _decomposed(char):
            category = unicodedata.category(part)
            if category == "Nd":
                folded.append(str(unicodedata.decimal(part)))
            elif category in {"Cc", "Zs", "Zl", "Zp", "Co", "Cs"}:
                folded.append(" ")
            elif category != "Cf":
                folded.append(part)
    return "".join(folded).translate(_ALIKE)


def _decomposed(char: str) -> str:
    """Strip accents, but neither vowel signs nor the jamo of a Hangul syllable nor kana voicing."""
    if ord(char) in _DROPPED_MARKS:
        return ""
    if ord(char) in _MARKED_LETTERS or ord(char) >= 0x2E80:
        return char
    if char == "й":  # a letter of its own; its breve is no accent
        return char
    return "".join(c for c in unicodedata.normalize("NFD", char) if not unicodedata.combining(c))


def folded(text: str) -> FoldedText:
    """Fold `text` for matching: NFKC, case, accents, digits, look-alike punctuation, white space one for one.

    Parameters
    ----------
    text
        Any text; the caller bounds its length, the work is linear in it.
    """
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _CLUSTER.finditer(text):
        piece = _fold_cluster(match.group()) if match.end() - match.start() <= 16 else " "
        pieces.append(piece)
        starts.extend([match.start()] * len(piece))
        ends.extend([match.end()] * len(piece))
    return FoldedText(original=text, text="".join(pieces), starts=tuple(starts), ends=tuple(ends))


def fold(text: str) -> str:
    """Return the fold alone."""
    return folded(text).text
