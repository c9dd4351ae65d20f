"""A document in no form yet: sections of paragraphs, lists, tables and figures.

``Quoted`` holds somebody else's words, everything else is ours: whoever writes a form of the document down escapes what
was said and can trust the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from anamnesis.domain.text.one_line import one_line


class Tone(StrEnum):
    """How something is to be taken, for those who see colours; the words say it as well."""

    PLAIN = "plain"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Text:
    """Words of ours."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Words of ours that matter."""

    text: str


class Quoted:
    """Somebody else's words, on one line; a dash where nothing of them can be shown."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = one_line(text) or "–"

    def __repr__(self) -> str:
        return f"Quoted({self.text!r})"


@dataclass(frozen=True, slots=True)
class Code:
    """A stable code or time-zone name, in letters of a fixed width."""

    text: str


@dataclass(frozen=True, slots=True)
class Badge:
    """A short state."""

    text: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Meter:
    """A share (0–1) as a bar, with the words that say the same."""

    share: float
    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Trend:
    """How a share (0–1) went, oldest first, and in words."""

    shares: tuple[float, ...]
    text: str


Inline = Text | Strong | Quoted | Code | Badge | Meter | Trend
Line = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph; a toned one is a notice."""

    line: Line
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption; the first cell of a row names it.

    Attributes
    ----------
    numeric
        Columns that hold numbers.
    """

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    numeric: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class WeekBar:
    """A week of the chart of work; `label` names the month that begins in it, else it is empty."""

    label: str
    turns: int
    passed: int
    missed: int


@dataclass(frozen=True, slots=True)
class WeeksChart:
    """Work by week: turns upwards; below them checks passed upwards and missed downwards.

    Attributes
    ----------
    legend
        What the three are called, in that order.
    """

    bars: tuple[WeekBar, ...]
    legend: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class ReliabilityPoint:
    """One bucket: mean predicted, share that came true (0–1), and how many predictions."""

    predicted: float
    correct: float
    count: int
    label: str


@dataclass(frozen=True, slots=True)
class ReliabilityChart:
    """Predictions against outcomes, with the line on which both are the same."""

    points: tuple[ReliabilityPoint, ...]
    across: str
    up: str
    ticks: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart, its caption, what it shows in words, and the same as a table."""

    caption: str
    text: str
    chart: WeeksChart | ReliabilityChart
    as_table: str
    table: Table


@dataclass(frozen=True, slots=True)
class Story:
    """A part of a section about one thing."""

    title: Line
    lead: Line
    lines: tuple[Line, ...]


Block = Paragraph | Bullets | Table | Figure | Story


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part; `anchor` is a name of ours for links within the page."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure to see first."""

    label: str
    value: str
    note: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report.

    Attributes
    ----------
    language
        BCP 47, of our words.
    right_to_left
        How those are written.
    name
        For the title of a window or tab.
    """

    language: str
    right_to_left: bool
    name: Line
    title: Line
    lead: tuple[Line, ...]
    tiles: tuple[Tile, ...]
    contents: str
    sections: tuple[Section, ...]


def joined(lines: Sequence[Line], between: str) -> Line:
    """Several lines as one, with words of ours in between."""
    parts: list[Inline] = []
    for line in lines:
        if parts and line:
            parts.append(Text(between))
        parts.extend(line)
    return tuple(parts)
