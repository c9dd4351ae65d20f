"""Numbers of Word's headings and lists, counted as Word shows them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

#: Levels of a list, 0 to 8 (ECMA-376, part 1, 17.9).
_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
#: No number is larger, so that a hostile start makes no long text. Ours.
_MOST = 100_000


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    kind: str = "decimal"
    text: str = ""
    legal: bool = False
    #: The level whose numbers make this one begin again; 0 for never.
    restart: int | None = None


def _letters(value: int) -> str:
    # After z comes aa, then bb.
    repeated, index = divmod(value - 1, 26)
    return chr(ord("a") + index) * min(repeated + 1, 10)


def _roman(value: int) -> str:
    written = ""
    for worth, sign in _ROMAN:
        count, value = divmod(value, worth)
        written += sign * count
    return written


def _in_digits(zero: str) -> Callable[[int], str]:
    return lambda value: "".join(chr(ord(zero) + int(digit)) for digit in str(value))


def _from(alphabet: str) -> Callable[[int], str]:
    return lambda value: alphabet[(value - 1) % len(alphabet)]


_FORMATS: dict[str, Callable[[int], str]] = {
    "lowerLetter": _letters,
    "upperLetter": lambda value: _letters(value).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda value: _roman(value).upper(),
    "decimalZero": lambda value: f"{value:02d}",
    "hindiNumbers": _in_digits("०"),
    "thaiNumbers": _in_digits("๐"),
    "arabicAlpha": _from("أبتثجحخدذرزسشصضطظعغفقكلمنهوي"),
    "arabicAbjad": _from("أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"),
    "hebrew1": _from("אבגדהוזחטיכלמנסעפצקרשת"),
    "hebrew2": _from("אבגדהוזחטיכלמנסעפצקרשת"),
    "russianLower": _from("абвгдежзиклмнопрстуфхцчшщэюя"),
    "russianUpper": _from("АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ"),
    "ganada": _from("가나다라마바사아자차카타파하"),
    "chosung": _from("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"),
    "iroha": _from(
        "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス"
    ),
    "aiueo": _from(
        "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
    ),
}


def _chinese(value: int) -> str:
    digits = "零一二三四五六七八九"
    if not 0 < value < 100:
        return str(value)
    tens, ones = divmod(value, 10)
    return (("" if tens == 1 else digits[tens]) + "十" if tens else "") + (digits[ones] if ones else "")


for _name in ("chineseCounting", "chineseCountingThousand", "ideographDigital", "japaneseCounting",
              "taiwaneseCounting", "taiwaneseCountingThousand", "chineseLegalSimplified"):  # fmt: skip
    _FORMATS[_name] = _chinese


class Numbering:
    """Counts the numbers of a document's paragraphs, in order.

    Parameters
    ----------
    root
        Root of ``numbering.xml``, or None if there is none.
    """

    def __init__(self, root: Element | None) -> None:
        self._abstract: dict[str, dict[int, _Level]] = {}
        self._links: dict[str, str] = {}
        self._of: dict[str, str] = {}
        self._overrides: dict[str, dict[int, int]] = {}
        self._own: dict[str, dict[int, _Level]] = {}
        self._counts: defaultdict[str, list[int | None]] = defaultdict(lambda: [None] * _LEVELS)
        self._begun: set[tuple[str, int]] = set()
        styled: dict[str, str] = {}
        for element in root if root is not None else ():
            if element.tag == "w.abstractNum":
                self._add_abstract(element, styled)
            elif element.tag == "w.num":
                self._add_number(element)
        for abstract, style in list(self._links.items()):
            self._links[abstract] = styled.get(style, abstract)

    def _add_abstract(self, element: Element, styled: dict[str, str]) -> None:
        abstract = element.get("w.abstractNumId", "")
        self._abstract[abstract] = {_value(lvl, "w.ilvl"): _level(lvl) for lvl in element.findall("w.lvl")}
        link, style = element.find("w.numStyleLink"), element.find("w.styleLink")
        if link is not None:
            self._links[abstract] = link.get("w.val", "")
        if style is not None:
            styled[style.get("w.val", "")] = abstract

    def _add_number(self, element: Element) -> None:
        number, abstract = element.get("w.numId", ""), element.find("w.abstractNumId")
        self._of[number] = "" if abstract is None else abstract.get("w.val", "")
        self._overrides[number], self._own[number] = {}, {}
        for override in element.findall("w.lvlOverride"):
            level, start, own = (
                _value(override, "w.ilvl"),
                override.find("w.startOverride"),
                override.find("w.lvl"),
            )
            if start is not None:
                self._overrides[number][level] = _value(start, "w.val")
            if own is not None:
                self._own[number][level] = _level(own)

    def label(self, number: str, level: int) -> str | None:
        """Count a paragraph, and return its number as shown.

        Returns
        -------
        str or None
            "" for a bullet; None where the paragraph has no number after all.
        """
        abstract = self._links.get(self._of.get(number, ""), self._of.get(number, ""))
        levels = {**self._abstract.get(abstract, {}), **self._own.get(number, {})}
        if number == "0" or not levels or not 0 <= level < _LEVELS:
            return None
        mine = levels.get(level, _Level())
        counts = self._counts[abstract]
        self._count(number, level, mine, counts)
        for below in range(level + 1, _LEVELS):
            restart = levels.get(below, _Level()).restart
            if restart is None or level < restart:
                counts[below] = None
        if mine.kind == "bullet":
            return ""
        return self._shown(mine, levels, counts)

    def _count(self, number: str, level: int, mine: _Level, counts: list[int | None]) -> None:
        override = self._overrides.get(number, {}).get(level)
        before = counts[level]
        if override is not None and (number, level) not in self._begun:
            counts[level] = override
        else:
            counts[level] = mine.start if before is None else min(before + 1, _MOST)
        self._begun.add((number, level))

    @staticmethod
    def _shown(mine: _Level, levels: dict[int, _Level], counts: list[int | None]) -> str | None:
        def place(match: re.Match[str]) -> str:
            index = int(match[1]) - 1
            level, counted = levels.get(index, _Level()), counts[index]
            value = level.start if counted is None else counted
            kind = "decimal" if mine.legal else level.kind
            return (
                ""
                if kind in {"none", "bullet"}
                else _FORMATS.get(kind, str)(value)
                if value > 0
                else str(value)
            )

        return _PLACE.sub(place, mine.text).strip() or None


def _level(element: Element) -> _Level:
    def text(tag: str, default: str) -> str:
        found = element.find(tag)
        return default if found is None else found.get("w.val", default)

    restart = text("w.lvlRestart", "")
    legal = element.find("w.isLgl")
    return _Level(
        start=_whole(text("w.start", "0")),
        kind=text("w.numFmt", "decimal"),
        text=text("w.lvlText", ""),
        legal=legal is not None and legal.get("w.val", "1") not in {"0", "false", "off"},
        restart=_whole(restart) if restart else None,
    )


def _value(element: Element, name: str) -> int:
    return _whole(element.get(name, "0"))


def _whole(text: str) -> int:
    return min(int(text), _MOST) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
