"""Letters as they stand on a line, from the left, into the order in which they are written and read.

Right-to-left: the inverse of the Unicode bidirectional algorithm (UAX #9) for a line without embeddings: the direction
of the line is that of most of its letters, runs of the other direction are turned round, numbers are read from the
left.

Indic: a vowel sign that stands left of its consonants follows them in Unicode, and *reph*, drawn above the end of a
syllable, opens it (Unicode Standard, chapter 12, rules R1 to R15 of Devanagari).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import regex

from anamnesis.domain.reading.printed.direction import RIGHT, holds_right_to_left
from anamnesis.domain.reading.printed.glyphs import NAMELESS
from anamnesis.domain.reading.printed.spacing import Unit

_NUMBER = frozenset({"EN", "AN"})
#: Signs that hold a number together ("12/03/2026", "3,5", "50%") when they stand between or at its digits.
_IN_NUMBERS = frozenset(".,:/-+%‰°$€£₪")
_BETWEEN_DIGITS = frozenset(".,:/")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "‹": "›"}
_MIRROR = {**_BRACKETS, **{right: left for left, right in _BRACKETS.items()}}

#: Where each Indic block of the common layout begins: Devanagari … Malayalam (Unicode Standard, table 12-1).
_FIRST_INDIC = "\u0900"
_INDIC = range(0x0900, 0x0D80, 0x80)
_VISUAL, _REPH = "\ue000", "\ue001"


def _class(*offsets: int) -> str:
    return "".join(chr(block + offset) for block in _INDIC for offset in offsets)


_CONSONANTS = _class(*range(0x15, 0x3A), *range(0x58, 0x60), 0x70, 0x71) + "\u0d9a-\u0dc6"
_NUKTA, _VIRAMA = _class(0x3C), _class(0x4D) + "\u0dca"
_SIGNS = _class(*range(0x3E, 0x4D), 0x62, 0x63) + "\u0dcf-\u0ddf"
_ENDS = _class(0x01, 0x02, 0x03)
#: Vowel signs that stand left of their consonants.
_LEFT_SIGNS = frozenset(
    "\u093f\u094e\u09bf\u09c7\u09c8\u0a3f\u0abf\u0b47\u0bc6\u0bc7\u0bc8\u0d46\u0d47\u0d48\u0dd9\u0dda\u0ddb"
)
_CLUSTER = f"[{_CONSONANTS}][{_NUKTA}]?(?:[{_VIRAMA}][\u200c\u200d]?[{_CONSONANTS}][{_NUKTA}]?)*"
_LEFT_SIGN = regex.compile(f"{_VISUAL}(.)((?:{_CLUSTER})(?:[{_VIRAMA}]{_VISUAL}?)*)")
_RAISED_R = regex.compile(f"((?:{_CLUSTER})[{_SIGNS}]*[{_ENDS}]?){_REPH}(.)")
_END_BEFORE_SIGN = regex.compile(f"([{_ENDS}])([{_SIGNS}]+)")
_SIGN_BEFORE_NUKTA = regex.compile(f"([{_SIGNS}{_VIRAMA}])([{_NUKTA}])")
_INDIC_LETTER = regex.compile("[\u0900-\u0dff]")
#: Two-part vowel signs whose parts are drawn apart: the parts as they come, and the sign.
_PARTS = (
    ("\u0e4d\u0e32", "\u0e33"),
    ("\u0ecd\u0eb2", "\u0eb3"),
    ("\u093e\u0947", "\u094b"),
    ("\u093e\u0948", "\u094c"),
)


def line_text(units: Sequence[Unit], *, right_to_left: bool) -> str:
    """Text of a line in logical order.

    Parameters
    ----------
    units
        From left to right.
    right_to_left
        Direction of the line.
    """
    bare = "".join([unit.text for unit in units])
    if not bare or max(bare) < _FIRST_INDIC:
        # Hebrew and Arabic lie below Devanagari.
        plain = not holds_right_to_left(bare)
        return bare if plain else _turned(units, right_to_left=right_to_left)
    if holds_right_to_left(bare):
        return _turned(units, right_to_left=right_to_left)
    text = "".join(_marked(unit) for unit in units).replace(NAMELESS, "")
    return _syllables(text) if _INDIC_LETTER.search(text) else _composed(text)


def _marked(unit: Unit) -> str:
    """The unit's text, with signs for what stands elsewhere than it is written."""
    # A sign under the next letter was drawn by a maker that does not know where it stands, in the order of writing.
    if unit.alone and not unit.covered and unit.text[0] in _LEFT_SIGNS:
        return _VISUAL + unit.text
    reph = next((mark for mark in unit.marks if len(mark.text) == 2 and mark.text[1] in _VIRAMA), None)
    return unit.text.replace(reph.text, _REPH + reph.text[0], 1) if reph else unit.text


def _syllables(text: str) -> str:
    text = _LEFT_SIGN.sub(r"\2\1", text).replace(_VISUAL, "")
    text = _RAISED_R.sub(
        lambda match: f"{match[2]}\u094d{match[1]}" if match[2] == "\u0930" else match[1], text
    )
    text = _SIGN_BEFORE_NUKTA.sub(r"\2\1", text.replace(_REPH, ""))
    return _composed(_END_BEFORE_SIGN.sub(r"\2\1", text))


def _composed(text: str) -> str:
    for parts, sign in _PARTS:
        text = text.replace(parts, sign)
    return text


def _turned(units: Sequence[Unit], *, right_to_left: bool) -> str:
    levels = _directions(units, right_to_left=right_to_left)
    runs: list[tuple[bool, list[Unit]]] = []
    for unit, right in zip(units, levels, strict=True):
        if not runs or runs[-1][0] != right:
            runs.append((right, []))
        runs[-1][1].append(unit)
    if right_to_left:
        runs.reverse()
    text = "".join(unit.text for right, run in runs for unit in (reversed(run) if right else run))
    return _brackets_paired(text.replace(NAMELESS, ""))


def _directions(units: Sequence[Unit], *, right_to_left: bool) -> list[bool]:
    """For each unit whether it is read from the right."""
    kinds: list[str] = []
    for unit in units:
        classes = {unicodedata.bidirectional(char) for char in unit.text}
        kinds.append("R" if classes & RIGHT else "L" if "L" in classes else "N" if classes & _NUMBER else "-")
    for place, unit in enumerate(units):
        if kinds[place] == "-" and unit.text in _IN_NUMBERS:
            beside = [kinds[i] for i in (place - 1, place + 1) if 0 <= i < len(units)]
            # At the end of a line, what stands beside one digit ends a sentence.
            within = set(beside) == {"N"} and (len(beside) == 2 or unit.text not in _BETWEEN_DIGITS)
            if within or ("N" in beside and unit.text in "%‰°$€£₪"):
                kinds[place] = "N"
    _join_formulae(kinds)
    directions: list[bool] = []
    for place, kind in enumerate(kinds):
        if kind in "RLN":
            directions.append(kind == "R")
            continue
        before = next((k for k in reversed(kinds[:place]) if k != "-"), "")
        after = next((k for k in kinds[place + 1 :] if k != "-"), "")
        # Numbers beside a sign count as the line's direction, as by rule N1, unless Latin letters are on both sides.
        sides = {_side(before, right_to_left=right_to_left), _side(after, right_to_left=right_to_left)}
        directions.append(sides == {True} or (len(sides) > 1 and right_to_left))
    return directions


def _join_formulae(kinds: list[str]) -> None:
    """Numbers that follow Latin letters are part of what these write: "f(x) = 2x + 1" (UAX #9, rule W7)."""
    before = ""
    for place, kind in enumerate(kinds):
        if kind == "N" and before == "L":
            kinds[place] = "L"
        elif kind != "-":
            before = kind


def _side(kind: str, *, right_to_left: bool) -> bool:
    return right_to_left if kind in {"", "N"} else kind == "R"


def _brackets_paired(text: str) -> str:
    """Turn brackets round where that pairs more of them.

    Whether a bracket is stored as the character or as the shape that a line from right to left shows differs from maker
    to maker; pairs tell.
    """
    mirrored = "".join(_MIRROR.get(char, char) for char in text)
    best = mirrored if _pairs(mirrored) > _pairs(text) else text
    brackets = sum(1 for char in text if char in _MIRROR)
    if 2 * _pairs(best) < brackets:
        # Not all of one kind: a bracket beside Latin letters may be stored the other way.
        beside = "".join(_by_place(best, place) for place in range(len(best)))
        best = beside if _pairs(beside) >= _pairs(best) else best
    return best


def _by_place(text: str, place: int) -> str:
    """A character; of a bracket the half that its place between words and spaces asks for."""
    char = text[place]
    if char not in _MIRROR:
        return char
    before = text[place - 1] if place else " "
    after = text[place + 1] if place + 1 < len(text) else " "
    opens = char in _BRACKETS
    if before.isspace() and not after.isspace():
        return char if opens else _MIRROR[char]
    if after.isspace() and not before.isspace():
        return _MIRROR[char] if opens else char
    return char


def _pairs(text: str) -> int:
    pairs = 0
    waiting: list[str] = []
    for char in text:
        if char in _BRACKETS:
            waiting.append(_BRACKETS[char])
        elif waiting and char == waiting[-1]:
            waiting.pop()
            pairs += 1
    return pairs
