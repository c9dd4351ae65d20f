"""The words of a report in one language: tables in ``words``, plurals, numbers and dates by CLDR (Babel)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import cache
from string import Formatter
from typing import Any, Final

from babel import Locale
from babel.dates import format_date, format_skeleton, format_time
from babel.numbers import format_decimal, format_percent

from anamnesis.domain.report.document import Inline, Line, Text
from anamnesis.domain.text.tables import read_table

#: Languages with a table of words.
LANGUAGES: Final = ("ar", "en", "es", "hi", "id")

Value = str | int | Inline | Line


class Wording:
    """One language's words; a message is named by its table and key, such as ``chain.verified``."""

    def __init__(self, language: str, messages: Mapping[str, Any]) -> None:
        self.language = language
        self._messages = messages
        # The world's English: "4 May 2026" is read alike everywhere.
        self._locale = Locale.parse("en_001" if language == "en" else language)

    @property
    def right_to_left(self) -> bool:
        """How the language is written."""
        return self._locale.text_direction == "rtl"

    def line(self, key: str, n: int | None = None, /, **values: Value) -> Line:
        """A message with its places filled in.

        Parameters
        ----------
        n
            The number that decides on the plural; it fills the place ``{n}``.
        values
            Numbers are written as the language does; strings are ours, what others said comes as ``Quoted``.
        """
        parts: list[Inline] = []
        for part in self._filled(key, n, values):
            # Neighbouring words of ours are one text.
            if isinstance(part, Text) and parts and isinstance(last := parts[-1], Text):
                parts[-1] = Text(last.text + part.text)
            else:
                parts.append(part)
        return tuple(parts)

    def say(self, key: str, n: int | None = None, /, **values: str | int) -> str:
        """A message whose places hold words of ours only."""
        return "".join(part.text for part in self._filled(key, n, values))

    def _filled(self, key: str, n: int | None, values: Mapping[str, Value]) -> Iterator[Inline]:
        for literal, name, _, _ in Formatter().parse(self._message(key, n)):
            if literal:
                yield Text(literal)
            if name is None:
                continue
            value: Value = self.number(n) if name == "n" and n is not None else values[name]
            if isinstance(value, tuple):
                yield from value
            elif isinstance(value, int):
                yield Text(self.number(value))
            else:
                yield Text(value) if isinstance(value, str) else value

    def _message(self, key: str, n: int | None) -> str:
        table, _, name = key.partition(".")
        found = self._messages[table][name]
        if isinstance(found, str):
            return found
        if n is None:
            raise ValueError(f"{key} has plurals and needs a number")
        by_form: Mapping[str, str] = found
        return by_form.get(self._locale.plural_form(n), by_form["other"])

    def number(self, value: float) -> str:
        """A number, with two decimals at most."""
        return format_decimal(round(value, 2), locale=self._locale)

    def percent(self, share: float) -> str:
        """A share of 0–1 as a whole percentage."""
        return format_percent(share, locale=self._locale)

    def day(self, day: date) -> str:
        """A day, its parts kept on one line."""
        # CLDR's medium date in Arabic is all digits, which nobody reads at a glance.
        written = format_date(day, format="long" if self.language == "ar" else "medium", locale=self._locale)
        return written.replace(" ", "\u00a0")

    def moment(self, moment: datetime) -> str:
        """A day and time, in the zone that `moment` carries."""
        return f"{self.day(moment.date())}, {format_time(moment, format='short', locale=self._locale)}"

    def month(self, day: date) -> str:
        """A month with its year."""
        return format_skeleton("yMMMM", day, locale=self._locale)

    def short_month(self, day: date) -> str:
        """A month's short name, with its year in January."""
        return format_skeleton("yMMM" if day.month == 1 else "MMM", day, locale=self._locale)


@cache
def wording(language: str) -> Wording:
    """The words of one of ``LANGUAGES``."""
    return Wording(language, read_table(__package__, f"words/{language}"))
