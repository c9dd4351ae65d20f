"""The window a text asks about: which language to read it in, ranges, and the reading chosen.

Decisions. Weeks begin on Monday, the world's default in CLDR, unless the language tag names a territory with another
first day ("en-US", "ar-EG"). Figures such as 5/6/2026 are read in the order of the tag's territory, or else of the
territory of the zone. The past is preferred throughout, as a memory holds nothing else: a window that begins after
`now`, or ended before any tutor's memory could, is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import regex
from babel import Locale, UnknownLocaleError
from babel.core import get_global

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.text.folding import FoldedText, folded
from anamnesis.domain.text.languages import detect_language, primary_tag, reading_order, stop_words
from anamnesis.domain.time_windows.calendar import YEARS_A_MEMORY_CAN_REACH, Span, local_midnight
from anamnesis.domain.time_windows.lookalikes import is_another_word, is_spoken_of
from anamnesis.domain.time_windows.ordinals import with_ordinals
from anamnesis.domain.time_windows.parts import with_part
from anamnesis.domain.time_windows.points import find_points, joined
from anamnesis.domain.time_windows.ranges import ranges_of, with_companions
from anamnesis.domain.time_windows.rules import known_languages, rules_of
from anamnesis.domain.time_windows.seasons import southern_zones
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape
from anamnesis.domain.time_windows.spelled import in_figures
from anamnesis.domain.time_windows.untabled import LANGUAGES, likely_languages

#: How much of a longer text is read, at its head and at its tail: a question, not the passage pasted with it.
READ_CHARACTERS = 1_000
#: A day or month of another age is what a subject is about, even alone; a year or a third of one is not.
_DAYS_OF_A_PART = 100
#: No time alone is longer, in folded characters.
_LONGEST_TIME = 60
_NOUNS_WITH_CAPITALS = frozenset({"de"})
_CAPITALISED_AFTER = regex.compile(r" \p{Lu}\p{Ll}{2,}")
#: Not the first word of a sentence, which has a capital of its own.
_CAPITALISED_BEFORE = regex.compile(r"[\p{L}\p{N}] (\p{Lu}\p{Ll}{2,}) $")
#: "कल-कारखाने" are factories, and nothing of yesterday.
_COMPOUND = re.compile(r"-[^\W\d_]")
#: Shorter names of months are words of many languages. Ours.
_LONG_NAME = 5
_FIGURES = re.compile(r"\d{2,4}")
_PUNCTUATION = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """A span of time that a text asks about.

    Attributes
    ----------
    start, end
        Aware datetimes in the student's zone; `end` is exclusive.
    phrase
        The words that say so, as they stand in the text.
    relative
        True when the time is counted from now ("yesterday", "last week"), so that it can only be the student's own;
        False for months, weekdays, dates and years, which may as well be what a subject is about.
    language
        BCP 47 primary tag of the language it was read in; a name that many share may be read in any of them.
    """

    start: datetime
    end: datetime
    phrase: str
    relative: bool = False
    language: str = "en"


def find_window(
    text: str, *, now: datetime, zone: ZoneInfo, language: str | None = None
) -> TimeWindow | None:
    """Find the span of time that `text` asks about.

    Parameters
    ----------
    text
        A question in any language; of a long one the first and the last 1,000 characters are read.
    now
        The aware time of asking.
    zone
        The student's time zone; days begin at its midnights.
    language
        A BCP 47 tag of the language to expect; None when unknown. The text may well be in another one.

    Returns
    -------
    TimeWindow or None
        The first window in the text, None when it names none, or one beyond the years that the calendar has.

    Raises
    ------
    InvalidInput
        If `now` has no offset.
    """
    if now.utcoffset() is None:
        raise InvalidInput("must carry an offset", field="now")
    parts = [text] if len(text) <= 2 * READ_CHARACTERS else [text[:READ_CHARACTERS], text[-READ_CHARACTERS:]]
    for part in parts:
        try:
            window = _find(part, now=now, zone=zone, language=language)
        except (OverflowError, ValueError):  # a day before the year 1 or after 9999: the calendar ends there
            return None
        if window is not None:
            return window
    return None


def _find(text: str, *, now: datetime, zone: ZoneInfo, language: str | None) -> TimeWindow | None:
    fold = folded(text)
    best: TimeWindow | None = None
    detected = detect_language(text, hint=language)
    spoken = {primary_tag(language), detected}
    for candidate, believed, alone in reading_order(text, known=known_languages(), language=language):
        # "Неделя" is Sunday in Bulgarian and a week in Russian.
        trusted = believed and (candidate in spoken or candidate not in LANGUAGES)
        found = _in_language(fold, candidate, now=now, zone=zone, language=language, trusted=trusted)
        if found is not None and (best is None or len(found.phrase) > len(best.phrase)):
            best = found
        if best is not None and alone:
            return best
    if best is not None:
        return best
    found_in = (
        _in_language(fold, candidate, now=now, zone=zone, language=language, trusted=True)
        for candidate in likely_languages(text, detected=detected)
    )
    return next((found for found in found_in if found is not None), None)


def _in_language(
    fold: FoldedText, candidate: str, *, now: datetime, zone: ZoneInfo, language: str | None, trusted: bool
) -> TimeWindow | None:
    rules = rules_of(candidate)
    if rules.future_tense and rules.future_tense.search(fold.text):
        return None
    today = now.astimezone(zone).date()
    first_weekday, month_first = _habits(candidate, language, zone.key)
    frame = Frame(
        today=today,
        first_weekday=first_weekday,
        month_first=month_first,
        rules=rules,
        southern=zone.key in southern_zones(),
    )
    fold = in_figures(fold, rules)
    for point in _readings(fold, frame, trusted=trusted):
        window = _window(point.span, today, zone)
        if window is not None:
            phrase = fold.quote(point.start, point.end)
            return TimeWindow(*window, phrase=phrase, relative=point.relative, language=candidate)
    if trusted and len(fold.text) <= _LONGEST_TIME and _FIGURES.search(fold.text):
        return _of_any_age(fold, frame, zone, trusted=trusted)
    return None


@lru_cache(maxsize=256)
def _habits(candidate: str, tag: str | None, zone: str) -> tuple[int, bool]:
    """Return the first day of the week (0 = Monday) and whether figures put the month before the day."""
    territory = _territory(tag) if primary_tag(tag) == candidate else None
    local = territory or get_global("zone_territories").get(zone)
    locale = Locale.parse(candidate)
    first_weekday = Locale.parse(candidate).first_week_day
    for name, used in ((territory, "week"), (local, "order")):
        if name:
            try:
                known = Locale.parse(f"{candidate}_{name}")
            except (UnknownLocaleError, ValueError):
                continue
            if used == "week":
                first_weekday = known.first_week_day
            else:
                locale = known
    pattern = locale.date_formats["short"].pattern.casefold()
    return first_weekday, pattern.find("m") < pattern.find("d") and not pattern.startswith("y")


def _territory(tag: str | None) -> str | None:
    parts = (tag or "").replace("_", "-").split("-")[1:]
    return next((part.upper() for part in parts if len(part) == 2 and part.isalpha()), None)


def _of_any_age(fold: FoldedText, frame: Frame, zone: ZoneInfo, *, trusted: bool) -> TimeWindow | None:
    """Read a text that is nothing but a time of any age: "in 1789", "since the end of 1989", "14 AD"."""
    said = _PUNCTUATION.sub("", fold.text)
    for point in _readings(fold, replace(frame, any_age=True), trusted=trusted):
        long = (point.span[1] - point.span[0]).days > _DAYS_OF_A_PART and point.span[0] <= frame.today
        if long and _PUNCTUATION.sub("", fold.text[point.start : point.end]) == said:
            start, end = (local_midnight(day, zone) for day in point.span)
            return TimeWindow(start, end, phrase=fold.quote(point.start, point.end))
    figures = _FIGURES.search(fold.text) if frame.rules.year_alone.fullmatch(fold.text) else None
    if figures is None:
        return None
    year = int(figures[0])
    if frame.rules.short_year.fullmatch(fold.text):
        year += 2000 if year <= frame.today.year % 100 else 1900
    if not 1 <= year <= frame.today.year:
        return None
    start, end = (local_midnight(date(year + i, 1, 1), zone) for i in range(2))
    return TimeWindow(start, end, phrase=fold.quote(0, len(fold.text)).strip())


def _readings(fold: FoldedText, frame: Frame, *, trusted: bool) -> Iterator[Point]:
    """Yield the readings of `text`, ranges first, then single expressions in order."""
    text = fold.text
    written = frame.rules.written_words
    found = [p for p in find_points(text, frame) if not is_another_word(p, fold, written)]
    found = with_ordinals(found, text, frame)
    points = [p for p in joined(found, text, frame) if not _is_in_a_name(p, fold, frame)]
    points = [with_part(p, text, frame) for p in points]
    if not points:
        return
    yield from ranges_of(points, text, frame)
    strong = [
        p
        for p in (_strengthened(p, fold, frame) for p in points)
        if not p.weak and (trusted or p.anchored or _is_cued_month(p, text, frame))
    ]
    if strong:
        yield with_companions(strong, text, frame)
        yield from strong


def _is_cued_month(point: Point, text: str, frame: Frame) -> bool:
    """Tell whether a month of another language follows its own word for "in": "en julio what did we do?"."""
    if point.shape is not Shape.MONTH or point.end - point.start < _LONG_NAME:
        return False
    return bool(frame.rules.cue.search(text[max(0, point.start - 24) : point.start].rstrip()))


def _strengthened(point: Point, fold: FoldedText, frame: Frame) -> Point:
    """Believe a doubtful expression that follows a word such as "in", or that is all there is."""
    if not point.weak:
        return point
    text = fold.text
    lead = text[max(0, point.start - 24) : point.start].rstrip()
    trail = text[point.end : point.end + 24].lstrip()
    alone = (
        not _PUNCTUATION.sub("", text[: point.start] + text[point.end :])
        and point.shape is not Shape.DAY_OF_MONTH
        and text[point.start : point.end] not in frame.rules.not_alone
    )
    cue = frame.rules.season_cue if point.shape is Shape.SEASON else frame.rules.cue
    cued = bool(cue.search(lead)) and not frame.rules.no_name.match(trail)
    if point.shape is Shape.MONTH and frame.rules.cue_suffix.match(text, point.end):
        return replace(point, weak=False)
    capital = any(c.isupper() for c in fold.quote(point.start, point.end))
    if point.short and not capital:
        return point
    dated = capital and point.shape is Shape.DAY_OF_MONTH
    return replace(point, weak=not (cued or dated or (alone and point.shape is not Shape.YEAR)))


def _is_in_a_name(point: Point, fold: FoldedText, frame: Frame) -> bool:
    """Tell whether a month or day belongs to a proper name: "the April Theses", "after Bloody Sunday", "Mayo Clinic".

    Capitals show it, where a language does not write all its nouns or a writer all words with one.
    """
    if point.relative:
        return bool(_COMPOUND.match(fold.text, point.end))
    if point.shape not in {Shape.MONTH, Shape.WEEKDAY, Shape.DAY_OF_MONTH}:
        return False
    language = frame.rules.language
    capitals = language not in _NOUNS_WITH_CAPITALS
    if is_spoken_of(point, fold, language, articles=frame.rules.articles, trusted_capitals=capitals):
        return True
    lead = fold.quote(max(0, point.start - 24), point.start)
    trail = fold.quote(point.end, min(point.end + 24, len(fold.text)))
    cued = frame.rules.cue.search(fold.text[max(0, point.start - 24) : point.start].rstrip())
    if cued or fold.original.istitle():
        return False
    if _CAPITALISED_AFTER.match(trail):
        return True
    before = None if frame.rules.language in _NOUNS_WITH_CAPITALS else _CAPITALISED_BEFORE.search(lead)
    return before is not None and before[1].casefold() not in stop_words(frame.rules.language)


def _window(span: Span, today: date, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    first, last = span
    if first > today or last.year < today.year - YEARS_A_MEMORY_CAN_REACH:
        return None
    start, end = local_midnight(first, zone), local_midnight(last, zone)
    if start >= end:  # the zone skipped that day when it crossed the date line: the day before it is meant
        start = local_midnight(first - timedelta(days=1), zone)
    return start, end
