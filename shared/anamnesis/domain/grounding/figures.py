"""Numbers of a sentence, in figures or in words, with their units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import regex

from anamnesis.domain.text.tables import read_table

_UNIT = regex.compile(r"\s?(%|‰|°\s?[cfCF]?|[\p{L}\p{M}µμΩ]+(?:[/·]\p{L}+)?[²³]?)")
_TWO_WORDS = regex.compile(r"\s?([\p{L}\p{M}]+ [\p{L}\p{M}]+)")
#: How units are written, folded; only what is here is compared.
_UNITS: Mapping[str, str] = {
    alias.replace("_", " "): unit
    for unit, aliases in read_table(__package__, "units").items()
    for alias in aliases.split()
}


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a sentence: its possible values ("1,500" has two), its unit if it is a known one, and its word."""

    values: frozenset[float]
    unit: str | None
    at: int


def values_of(token: str) -> frozenset[float]:
    """Every value that a number may have: "1,500" is 1500, or 1.5 where a comma is decimal."""
    text = "".join(token.split()).replace("−", "-").replace("٫", ".").replace("٬", ",")
    readings = (
        {text.replace(",", "").replace(".", "")}
        if regex.fullmatch(r"-?\d{1,3}(?:[.,]\d{3})+", text)
        else set()
    )
    head, sign, tail = text.replace(",", ".").rpartition(".")
    readings.add(f"{head.replace('.', '')}.{tail}" if sign else text)
    return frozenset(value for reading in readings if (value := _value(reading)) is not None)


def _value(figures: str) -> float | None:
    """None of a number too long to be one, or of figures that one table of Unicode knows and the other does not yet."""
    try:
        return float(figures) if len(figures) < 300 else None
    except ValueError:
        return None


def unit_at(text: str, end: int) -> str | None:
    """The unit that stands behind a number which ends there; None for none that is known."""
    found = _UNIT.match(text, end)
    if found is None:
        return None
    name = found[1].replace(" ", "")
    if name in _UNITS:
        return _UNITS[name]
    two = _TWO_WORDS.match(text, end)
    if two and two[1] in _UNITS:
        return _UNITS[two[1]]
    # Without spaces the unit is how the run goes on: "5公里的".
    return next((_UNITS[name[:n]] for n in (4, 3, 2, 1) if name[:1] > "\u2e80" and name[:n] in _UNITS), None)


def unit_of(word: str) -> str | None:
    """The unit that a folded word of some length names; a letter alone may be anything."""
    return _UNITS.get(word) if len(word) > 2 else None


def add_spelled(numbers: list[Number], value: float, at: int) -> None:
    """Add a number in words, joined with the one right before it: "twenty five", "three hundred"."""
    if numbers and numbers[-1].at == at - 1 and len(numbers[-1].values) == 1:
        before = next(iter(numbers[-1].values))
        joined = (
            before * value if value >= 10 and before < value else before + value if value < before else None
        )
        if joined is not None:
            numbers[-1] = Number(frozenset([joined]), None, at)
            return
    numbers.append(Number(frozenset([value]), None, at))
