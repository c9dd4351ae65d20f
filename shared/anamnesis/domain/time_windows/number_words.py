"""Numbers in words, by the words that a language's table names: "twenty-five", "zweitausendvierundzwanzig"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from anamnesis.domain.text.folding import fold

#: Smaller numbers are words that the patterns of a table know themselves; larger ones are no days, weeks or years.
_COUNTED = range(13, 3_000)
#: "Nineteen eighty-four", "twenty twenty-four": the way years are said.
_CENTURIES = frozenset({19, 20})
_BETWEEN = "[ -]{1,2}"


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@dataclass(frozen=True, slots=True)
class SpelledNumbers:
    """How one language says numbers.

    Attributes
    ----------
    hint
        Matches where a number word begins; most texts need none of the two larger patterns, which take long to make.
    run_pattern, token_pattern
        Match a run of number words, and one word in the group ``v`` with its place in `values`.
    values
        What the words count.
    tens_multiply
        True where "hai mươi" is two tens, and "on beş" ten and five.
    units_lead
        True where units come before tens: "einundzwanzig".
    """

    hint: re.Pattern[str]
    run_pattern: str
    token_pattern: str
    values: tuple[int, ...]
    tens_multiply: bool
    units_lead: bool

    def runs(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the runs of number words in a folded text."""
        if self.hint.search(text):
            yield from _compiled(self.run_pattern).finditer(text)

    def value(self, text: str) -> int | None:
        """Return what a run of words counts, from 13 to 2,999; None when they are no one number ("two three")."""
        thousands = rest = 0
        for match in _compiled(self.token_pattern).finditer(text):
            value = self.values[int(str(match.lastgroup)[1:])]
            if value >= 1_000 and not thousands and rest < 10:
                thousands, rest = value * max(rest, 1), 0
                continue
            added = (
                self._hundreds(rest, value) if value >= 100 else self._below_hundred(rest, value, thousands)
            )
            if added is None:
                return None
            rest = added
        whole = thousands + rest
        return whole if whole in _COUNTED else None

    def word(self, text: str) -> int:
        """Return what one word counts, 1 for another."""
        match = _compiled(self.token_pattern).fullmatch(text)
        return 1 if match is None else self.values[int(str(match.lastgroup)[1:])]

    @staticmethod
    def _hundreds(rest: int, value: int) -> int | None:
        if value == 100 and rest < 100:
            return max(rest, 1) * value
        return value if value < 1_000 and not rest else None  # "setecientos"

    def _below_hundred(self, rest: int, value: int, thousands: int) -> int | None:
        tens, units = divmod(rest % 100, 10)
        if rest in _CENTURIES and value >= 10 and not thousands:
            return rest * 100 + value
        if value == 10 and self.tens_multiply and not tens and units > 1:
            return rest - units + units * value
        if value < 10 and not units and (tens != 1 or self.tens_multiply):
            return rest + value
        if rest % 100 in {60, 80} and 10 < value < 20:  # "soixante-douze", "quatre-vingt-quinze"
            return rest + value
        leads = self.units_lead and value >= 20 and not tens
        return rest + value if leads or not rest % 100 else None


def spelled_numbers(raw: dict[str, Any]) -> SpelledNumbers | None:
    """Return the number words of a table, or None when it has only small ones."""
    if "spelled" not in raw:
        return None
    small = {fold(word): count for word, count in raw.get("numbers", {}).items() if " " not in word}
    words = small | {fold(word): count for word, count in raw["spelled"].items()}
    for word in (*raw.get("not_spelled", ()), *raw.get("vague", ())):
        words.pop(fold(word), None)
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    word = "|".join(longest_first)
    joiner = "|".join(fold(text) for text in raw.get("spelled_by", ())) or r"(?!)"
    between = f"(?:{_BETWEEN})?(?:(?:{joiner})(?:{_BETWEEN})?)?"
    left, right = (r"(?<!\w)", r"(?!\w)") if raw.get("spaced", True) else ("", "")
    return SpelledNumbers(
        hint=re.compile(f"{left}(?:{word})"),
        run_pattern=f"{left}(?:{word})(?:{between}(?:{word})){{0,7}}{right}",
        token_pattern="|".join(f"(?P<v{i}>{body})" for i, body in enumerate(longest_first)),
        values=tuple(words[body] for body in longest_first),
        tens_multiply=bool(raw.get("tens_multiply")),
        units_lead=bool(raw.get("units_lead")),
    )
