"""What a time expression is once it is found: its shape, its days, and what it is resolved against."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from anamnesis.domain.time_windows.calendar import Span
from anamnesis.domain.time_windows.rules import LanguageRules


class Shape(StrEnum):
    """What an expression names; decides what it can be joined with."""

    DAY = "day"
    DAY_OF_MONTH = "day of month"  # a day and month without a year
    WEEKDAY = "weekday"
    WEEK = "week"
    MONTH = "month"  # a month without a year
    YEAR = "year"
    SEASON = "season"
    SPAN = "span"


@dataclass(frozen=True, slots=True)
class Point:
    """One expression: where it stands in the folded text, what it names, and the days it covers.

    Attributes
    ----------
    weak
        True when it counts only inside a larger expression ("1984", "may").
    anchored
        True when its wording cannot well mean anything else ("3 weeks ago"), False for a lone name or word.
    short
        True for an abbreviated name ("in Sept"), which is believed when it is written with a capital.
    relative
        True when it is counted from now ("yesterday"), False for what is named ("July", "Monday", "2024").
    season
        0 = spring … 3 = winter for a season, else None.
    """

    start: int
    end: int
    shape: Shape
    span: Span
    weak: bool = False
    anchored: bool = True
    short: bool = False
    relative: bool = False
    season: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """What expressions are resolved against: today in the student's zone, and the locale's habits.

    `southern` is True south of the equator, where summer begins in December. `any_age` is True where a text is nothing
    but a time, which may then lie further back than any memory.
    """

    today: date
    first_weekday: int
    month_first: bool
    rules: LanguageRules
    southern: bool = False
    any_age: bool = False
