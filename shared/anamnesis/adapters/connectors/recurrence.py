"""Which recurrences of a calendar are followed: those of lessons and dates, within a bound on the work (SV-12).

A rule of RFC 5545 can ask for a million events a day, or for one on 31 February, which is looked for until the year
9999. A rule of another shape than those below is taken away and its event counts once.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any, Final

from anamnesis.domain.wiki.connectors import AHEAD, BEFORE

#: Events of all recurrences together that are made, and how many days are passed over for the price of one. Ours: some
#: two seconds of work.
MAX_OCCURRENCES: Final = 10_000
_PASSED_OVER: Final = 30
#: Days of each frequency's step; those within a day describe no lessons.
_STEPS: Final = {"DAILY": 1.0, "WEEKLY": 7.0, "MONTHLY": 30.0, "YEARLY": 365.0}
_LARGEST_INTERVAL: Final = 1_000
_MONTH_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
#: What repeats an event within its day: its start says when that is.
_WITHIN_A_DAY: Final = ("BYHOUR", "BYMINUTE", "BYSECOND")
_PLAIN: Final = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"})


class Recurrences:
    """Takes recurrences away that cannot be followed; what is left takes bounded work.

    Parameters
    ----------
    fetched_at
        As of the calendar: what is reached is counted from it.
    """

    def __init__(self, fetched_at: datetime) -> None:
        self._first = fetched_at - BEFORE
        self._last = fetched_at + AHEAD
        self._left = float(MAX_OCCURRENCES)

    def bound(self, event: Any, start: date) -> None:
        """Leave only recurrences of an event that are followed."""
        event.pop("EXRULE", None)
        rules = event.get("RRULE", [])
        rules = rules if isinstance(rules, list) else [rules]
        if rules and not (len(rules) == 1 and self._is_followed(rules[0], start)):
            event.pop("RRULE")
        dates = event.get("RDATE", [])
        count = sum(len(getattr(d, "dts", ())) for d in (dates if isinstance(dates, list) else [dates]))
        if not self._paid(count):
            event.pop("RDATE")

    def _is_followed(self, rule: Any, start: date) -> bool:
        for name in _WITHIN_A_DAY:
            rule.pop(name, None)
        given = {str(name).upper(): list(values) for name, values in rule.items()}
        step = _STEPS.get(str(given.get("FREQ", [""])[0]).upper())
        interval = given.get("INTERVAL", [1])[0]
        if step is None or not isinstance(interval, int) or not 1 <= interval <= _LARGEST_INTERVAL:
            return False
        if not _is_plain(given, interval, start):
            return False
        at = datetime.combine(start, time.min, tzinfo=UTC)
        days = step * interval
        before = max((self._first - at).days, 0) / days
        within = max((self._last - max(at, self._first)).days, 0) / days
        each = max(1, len(given.get("BYDAY", ())), len(given.get("BYMONTHDAY", ()))) if step > 1 else 1
        each *= max(1, len(given.get("BYMONTH", ())))
        return self._paid(each * (1 + before / _PASSED_OVER + within))

    def _paid(self, price: float) -> bool:
        if price > self._left:
            return False
        self._left -= price
        return True


def _is_plain(given: Mapping[str, list[Any]], interval: int, start: date) -> bool:
    """Whether a rule surely comes to something: each of these shapes has a day within some years."""
    frequency = str(given["FREQ"][0]).upper()
    parts = given.keys() - _PLAIN
    weekdays = [str(day).lstrip("+").upper() for day in given.get("BYDAY", ())]
    numbered = any(not day.isalpha() for day in weekdays)
    if frequency in {"DAILY", "WEEKLY"}:
        return parts <= {"BYDAY"} and not numbered and (frequency == "WEEKLY" or interval == 1 or not parts)
    if interval > 1 and parts - {"BYMONTH"}:
        # "The 31st of every 12th month" may be none: rare, and so not followed.
        return False
    months = given.get("BYMONTH", [])
    if parts <= {"BYMONTH", "BYMONTHDAY"}:
        longest = [_MONTH_DAYS[int(m) - 1] for m in months if _is_within(m, 1, 12)] if months else [31]
        days = [abs(int(day)) for day in given.get("BYMONTHDAY", [start.day])]
        return bool(longest) and all(1 <= day <= max(longest) for day in days)
    if "BYDAY" in parts and parts <= {"BYDAY", "BYMONTH", "BYSETPOS"}:
        places = given.get("BYSETPOS", [])
        numbers = [abs(int(day[:-2] or 1)) for day in weekdays]
        whole = all(1 <= n <= 4 for n in numbers) and all(_is_within(m, 1, 12) for m in months)
        return whole and (not places or (not numbered and all(1 <= abs(int(p)) <= 4 for p in places)))
    return False


def _is_within(value: Any, least: int, most: int) -> bool:
    return str(value).isdecimal() and least <= int(value) <= most
