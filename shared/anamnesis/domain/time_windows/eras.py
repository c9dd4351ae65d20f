"""Dates of another age: a month or a day bound to a year in which no memory can have been made is no time window."""

from __future__ import annotations

import re

from anamnesis.domain.time_windows.calendar import YEARS_A_MEMORY_CAN_REACH
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape

_YEARLESS = frozenset({Shape.DAY_OF_MONTH, Shape.MONTH, Shape.WEEKDAY})
#: "Before Christ" and "before our era" behind a year, as folded text has them.
_BEFORE_OUR_ERA = (
    r"(?:b\.? ?c\.?(?: ?e\.?)?|a\. ?(?:de )?c\.?(?: ?n\.)?|a\. ?e\. ?c\.?|v\. ?(?:chr|u\. ?z)\.?|av\.? ?j\.?-? ?c\.?"
    r"|до (?:н\.? ?[эе]\.?|нашо[иі] ери|нашеи эры)|п\.? ?н\.? ?е\.?|p\. ?n\. ?e\.?|m\. ?o\.|i\. ?o\.|sm"
    r"|sebelum masehi|tcn|ق\.? ?م"
    r"|לפנה|ईसा पूर्व|ก่อนคริส)(?![a-z])"
)
_CALLED_BEFORE_OUR_ERA = r"(?:公元前|紀元前|西元前|기원전) ?"
_YEAR_SIGN = r" ?[年년]?の? ?"
#: Not a year: "July 1500 words", a clock time.
_NO_YEAR = r"(?![\d:]|[.,]\d)"
_AFTER = re.compile(
    rf"[ ,/.'-]{{0,3}}(?:(?P<four>\d{{4}}){_NO_YEAR}|(?P<three>\d{{3}})(?= ?(?:$|[?!.,;:)]| (?:ad|ce|n\. ?chr|d\. ?c)))"
    rf"|(?P<era>\d{{1,4}}) ?{_BEFORE_OUR_ERA}|(?P<two>(?:3[2-9]|[4-9]\d)(?![\w%:/-]|[.,]\d)))"
)
_BEFORE = re.compile(
    rf"(?:{_CALLED_BEFORE_OUR_ERA}\d{{1,4}}{_YEAR_SIGN}|(?<!\d)(?P<four>\d{{3,4}})(?:[年년]の? ?|[ ,]{{1,2}}))$"
)
_STATED = re.compile(r"(?<![\d.,:/-])(1\d{3})(?![\d:/%]|[.,]\d)")
_ERA_AFTER = re.compile(rf"(?: ?(?:г|года|год|р|roku)\\.?)? ?{_BEFORE_OUR_ERA}")
#: "44 years ago" and "44 BC" share their last characters in Chinese, Japanese and Korean.
_ERA_CUT = re.compile(r"(?:公元前|紀元前|西元前|기원전) ?\d{1,4} ?[年년]$")
#: How far around an expression its year is looked for, in characters.
_AROUND = 24


def is_of_another_age(text: str, point: Point, frame: Frame) -> bool:
    """Tell whether a month, a weekday or a day of a month belongs to a year outside of what a memory can hold.

    "16 December 1773", "March 44 BC" and "the July Crisis of 1914" do: the year is stated, so that it must not be
    replaced by the latest one. "What did we do in July about 1914?" does not, for "in" makes July a time of its own.
    """
    stated = text[point.end - 1].isdecimal() and _ERA_AFTER.match(text[point.end : point.end + _AROUND])
    if stated or _ERA_CUT.search(text[: point.end][-_AROUND:]):
        return True
    if point.shape not in _YEARLESS or point.relative:
        return False
    earliest = frame.today.year - YEARS_A_MEMORY_CAN_REACH
    trail = text[point.end : point.end + 2 * _AROUND]
    after = _AFTER.match(frame.rules.year_joined_by.sub(" ", trail, count=1))
    if after is not None and (
        after["four"] is None or not earliest <= int(after["four"]) <= frame.today.year
    ):
        return after["two"] is None or point.shape is not Shape.WEEKDAY
    lead = text[max(0, point.start - _AROUND) : point.start]
    before = _BEFORE.search(lead)
    if before is not None and (before["four"] is None or int(before["four"]) < earliest):
        return True
    if frame.rules.cue.search(lead.rstrip()):
        return False
    return any(int(year[1]) < earliest for year in _STATED.finditer(text))
