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
#: A unit of measure with nothing but a letter from the right, a space or a bracket before it.
_LONGEST_UNIT = 14
_UNIT_ALONE = regex.compile(
    r"(?<![\p{Latin}\p{N}=+*/^(-])(?:[kcmdnµμMGTh]?(?:m|g|l|L|s|A|V|W|J|N|Pa|Hz|mol|eV|B|b|cal|bar|Wh|lm|Ω|t)[²³23]?"
    r"|min|h|ha|km/h|m/s[²2]?|mg/[dl]?[lL]|g/cm[³3]|kg/m[²³23]|rpm|mmHg|°C|°F|px|dpi|dB|ppm|USD|EUR|GBP|MB/s|[kMG]bit/s)$"
)
#: A percent sign before its number and a minus sign behind it, as a maker that follows other rules draws them.
_MINUS_LAST = regex.compile(r"(?<!\S)(\p{Nd}+(?:[.,٫٬]\p{Nd}+)*)([-−])(?!\S)")
_PERCENT_FIRST = regex.compile(r"(?<![\p{Nd}])([%٪‰])\s?(\p{Nd}+(?:[.,٫٬]\p{Nd}+)*)(?![\p{Nd}%٪‰.,٫])")
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
        plain = not right_to_left and not holds_right_to_left(bare)
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
    text = _brackets_paired(text.replace(NAMELESS, ""))
    return str(_MINUS_LAST.sub(r"\2\1", _PERCENT_FIRST.sub(r"\2\1", text))) if right_to_left else text


def _directions(units: Sequence[Unit], *, right_to_left: bool) -> list[bool]:
    """For each unit whether it is read from the right."""
    classes = [_class_of(unit.text) for unit in units]
    kinds = ["N" if one in _NUMBER else one if one in {"R", "L"} else "-" for one in classes]
    numbers = _number_types([unit.text for unit in units], classes) if right_to_left else classes
    for place in _signs_of_numbers(classes, numbers):
        kinds[place] = "N"
    _join_formulae(kinds, [unit.text for unit in units], right_to_left=right_to_left)
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


def _class_of(text: str) -> str:
    """Bidirectional class of a unit: its letter's, "R" for Arabic letters as well."""
    found = {unicodedata.bidirectional(char) for char in text}
    if found & RIGHT:
        return "R"
    return next((one for one in ("L", "EN", "AN", "ES", "ET", "CS") if one in found), "ON")


def _number_types(texts: Sequence[str], classes: Sequence[str]) -> list[str]:
    """The classes of a line from the right, where a number behind an Arabic letter is "AN" (UAX #9, rule W2)."""
    found = list(classes)
    arabic = False
    for place in range(len(classes) - 1, -1, -1):
        if classes[place] in {"R", "L"}:
            arabic = any(unicodedata.bidirectional(char) == "AL" for char in texts[place])
        elif classes[place] == "EN" and arabic:
            found[place] = "AN"
    return found


def _signs_of_numbers(classes: Sequence[str], numbers: Sequence[str]) -> list[int]:
    """Places of the signs that are part of numbers (UAX #9, rules W4 and W5)."""
    found = []
    for place, one in enumerate(classes):
        before = numbers[place - 1] if place else ""
        after = numbers[place + 1] if place + 1 < len(numbers) else ""
        between = before == after and (before == "EN" or (before == "AN" and one == "CS"))
        if (one in {"ES", "CS"} and between) or (
            one == "ET" and "EN" in _beyond_terminators(classes, numbers, place)
        ):
            found.append(place)
    return found


def _beyond_terminators(classes: Sequence[str], numbers: Sequence[str], place: int) -> set[str]:
    """What stands on both sides of a run of terminators: "%", "°", currencies."""
    first = last = place
    while first > 0 and classes[first - 1] == "ET":
        first -= 1
    while last + 1 < len(classes) and classes[last + 1] == "ET":
        last += 1
    return {numbers[at] for at in (first - 1, last + 1) if 0 <= at < len(numbers)}


def _join_formulae(kinds: list[str], texts: Sequence[str], *, right_to_left: bool) -> None:
    """Numbers that follow Latin letters are part of what these write: "f(x) = 2x + 1" (UAX #9, rule W7).

    On a line from the right "120 km/h" looks as "km/h 120" would: a unit is read behind its number.
    """
    before = ""
    for place, kind in enumerate(kinds):
        if kind == "N" and before == "L" and not (right_to_left and _is_after_unit(kinds, texts, place)):
            kinds[place] = "L"
        elif kind != "-":
            before = kind


def _is_after_unit(kinds: Sequence[str], texts: Sequence[str], place: int) -> bool:
    """Whether a number stands right of a unit alone, a space between them."""
    end = place
    while end > 0 and kinds[end - 1] == "N":
        end -= 1
    left = "".join(texts[max(0, end - _LONGEST_UNIT) : end])
    return left.endswith(" ") and _UNIT_ALONE.search(left.rstrip()) is not None


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
