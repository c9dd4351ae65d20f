"""Numbers in words and years of eras, written as figures before a text is read: "twenty-five", 二零二四年, 令和6年."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from anamnesis.domain.text.folding import FoldedText
from anamnesis.domain.time_windows.rules import LanguageRules

_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {
    "〇": 0, "○": 0, "两": 2, "兩": 2,
}  # fmt: skip
_HAN_PLACES = {"十": 10, "百": 100, "千": 1_000}
_HAN_YEAR = re.compile(r"([〇○零一二三四五六七八九两兩十百千]{3,9})(?= ?年)")
#: Larger counts than the tables know: 三十五天前 is not 五天前.
_HAN_COUNT = re.compile(
    r"(?<![十百千])([一二两兩三四五六七八九十百]{2,6})(?= ?(?:天|日間|日前|周|週|个|個|[かケヶカヵ箇]月|年))"
)
_LARGEST_IN_TABLES = 31
_KOREAN_DIGITS = {char: value for value, char in enumerate("영일이삼사오육칠팔구")}
_KOREAN_PLACES = {"십": 10, "백": 100, "천": 1_000}
_KOREAN_NUMBER = re.compile(
    r"(?<![가-힣])([일이삼사오육칠팔구]?[십백천][일이삼사오육칠팔구십백천]*)(?= ?(?:년|월|일|주|개월|달))"
)
_KOREAN_DAY = re.compile(r"(?:(?<=월)|(?<=월 ))([일이삼사오육칠팔구])(?=일)")
#: Days counted by words of their own, written with the sign for days.
_KOREAN_DAYS = {
    "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10, "보름": 15,
}  # fmt: skip
_KOREAN_COUNT_OF_DAYS = re.compile(rf"(?<![가-힣])(?:{'|'.join(_KOREAN_DAYS)})(?= ?(?:전|동안|간))")
#: Eras by which years are counted in Chinese and Japanese, and the year before their first. Ours: no library has them.
_ERAS = {
    "康熙": 1661, "雍正": 1722, "乾隆": 1735, "嘉庆": 1795, "嘉慶": 1795, "道光": 1820, "咸丰": 1850, "咸豐": 1850,
    "同治": 1861, "光绪": 1874, "光緒": 1874, "宣统": 1908, "宣統": 1908, "民国": 1911, "民國": 1911,
    "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018,
}  # fmt: skip
_ERA_YEAR = re.compile(rf"({'|'.join(_ERAS)}) ?(\d{{1,3}}|元|[一二三四五六七八九十百]{{1,5}})(?= ?年)")


def in_figures(fold: FoldedText, rules: LanguageRules) -> FoldedText:
    """Return `fold` with its numbers in words (13 … 2,999) and years of eras as figures, each still quoting its words.

    Work is linear in the text; the caller bounds it.
    """
    for matches_in, value_of in _rewritings(rules):
        names = rules.names(fold.text)
        found = [
            (m, value_of(m))
            for m in matches_in(fold.text)
            if not any(first < m.end() and m.start() < last for first, last in names)
        ]
        if any(value is not None for _, value in found):
            fold = _replaced(fold, [(m.start(), m.end(), str(v)) for m, v in found if v is not None])
    return fold


def _replaced(fold: FoldedText, changes: list[tuple[int, int, str]]) -> FoldedText:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for start, end, figures in [*changes, (len(fold.text), len(fold.text), "")]:
        pieces += [fold.text[done:start], figures]
        starts += [*fold.starts[done:start], *[fold.starts[start] if figures else 0] * len(figures)]
        ends += [*fold.ends[done:start], *[fold.ends[end - 1] if figures else 0] * len(figures)]
        done = end
    return FoldedText(original=fold.original, text="".join(pieces), starts=tuple(starts), ends=tuple(ends))


_Rewriting = tuple[Callable[[str], Iterator[re.Match[str]]], Callable[[re.Match[str]], int | str | None]]


def _rewritings(rules: LanguageRules) -> list[_Rewriting]:
    if rules.language in {"zh", "ja"}:
        return [
            (_ERA_YEAR.finditer, _era_year),
            (_HAN_YEAR.finditer, lambda m: _han(m[1])),
            (_HAN_COUNT.finditer, _count),
        ]
    if rules.language == "ko":
        return [
            (_KOREAN_COUNT_OF_DAYS.finditer, lambda m: f"{_KOREAN_DAYS[m[0]]}일"),
            (_KOREAN_DAY.finditer, lambda m: _KOREAN_DIGITS[m[1]]),
            (_KOREAN_NUMBER.finditer, lambda m: _placed(m[1], _KOREAN_DIGITS, _KOREAN_PLACES)),
        ]
    spelled = rules.spelled
    return [] if spelled is None else [(spelled.runs, lambda m: spelled.value(m.group()))]


def _era_year(match: re.Match[str]) -> int | None:
    year = 1 if match[2] == "元" else int(match[2]) if match[2].isdecimal() else _han(match[2])
    return None if year is None else _ERAS[match[1]] + year


def _count(match: re.Match[str]) -> int | None:
    value = _placed(match[1], _HAN_DIGITS, _HAN_PLACES) if any(c in _HAN_PLACES for c in match[1]) else None
    return value if value is not None and value > _LARGEST_IN_TABLES else None


def _han(text: str) -> int | None:
    if not any(char in _HAN_PLACES for char in text):  # digit by digit: 二零二四
        return (
            int("".join(str(_HAN_DIGITS[char]) for char in text))
            if len(text) == 4 or len(text) == 1
            else None
        )
    return _placed(text, _HAN_DIGITS, _HAN_PLACES)


def _placed(text: str, digits: Mapping[str, int], places: Mapping[str, int]) -> int | None:
    """Return the value of figures each followed by its place: 二千二十四; None when the places do not fall."""
    total, digit, last = 0, None, 10_000
    for char in text:
        if char in places:
            if places[char] >= last:
                return None
            last = places[char]
            total += (1 if digit is None else digit) * last
            digit = None
        elif digits[char] == 0:
            continue
        elif digit is not None:
            return None
        else:
            digit = digits[char]
    return total + (digit or 0)
