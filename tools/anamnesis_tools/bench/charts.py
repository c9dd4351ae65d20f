"""Charts as SVG files that stand alone: the same figures give the same bytes.

Drawn as the report's charts are: numbers and names stand beside the marks, and shapes and dashes tell the series apart,
so that nobody needs the colours. A file brings its own few colours, which fit a light and a dark page.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10

_WIDTH, _HEIGHT = 780.0, 400.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 150.0, 62.0, 58.0
_PLOT_WIDTH, _PLOT_HEIGHT = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
#: Of a letter on average, so that names beside each other do not run together.
_CHAR_WIDTH = 7.0
#: Told apart on light and on dark, and by people who see few colours (Okabe and Ito 2008).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7F7F7F", "#E69F00")
DASHES = ("", "7 3", "2 3", "10 3 2 3", "1 4", "5 5")
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:14px;font-weight:600}.figure{font-size:9px}"
    ".grid{stroke:#bbb;stroke-width:.5}.axis{stroke:#666}.mark{stroke-width:2;fill:none}.range{stroke-width:1.5}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#555}.axis{stroke:#999}}"
)


@dataclass(frozen=True, slots=True)
class Series:
    """A line: its points by their place on the axis across."""

    name: str
    points: Mapping[float, float]


@dataclass(frozen=True, slots=True)
class Bar:
    """A share with its interval."""

    share: float
    low: float
    high: float


def lines(
    title: str,
    across: str,
    upwards: str,
    series: Sequence[Series],
    *,
    log: bool = False,
    top: float | None = None,
) -> str:
    """Draw lines over an axis of numbers.

    Parameters
    ----------
    across, upwards
        What the axes show, with units.
    log
        Whether equal steps across are equal factors.
    top
        Upper end of the axis upwards; by default a round number above all points.
    """
    places = sorted({place for one in series for place in one.points})
    if not places:
        raise ValueError("a chart needs points")
    highest = top if top is not None else _round_up(max(max(one.points.values()) for one in series))

    def x(place: float) -> float:
        scale = log10 if log else float
        low, high = scale(places[0]), scale(places[-1])
        return _LEFT + (_PLOT_WIDTH * (scale(place) - low) / (high - low) if high > low else _PLOT_WIDTH / 2)

    def y(value: float) -> float:
        return _TOP + _PLOT_HEIGHT * (1 - value / highest)

    svg = _frame(title, across, upwards, highest, percent=False)
    for place in places:
        _text(svg, x(place), _TOP + _PLOT_HEIGHT + 18, f"{place:,.10g}", "middle")
    ends = _apart([y(one.points[max(one.points)]) for one in series])
    for number, one in enumerate(series):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        path = " ".join(f"{x(place):.1f},{y(one.points[place]):.1f}" for place in sorted(one.points))
        mark = ET.SubElement(svg, "polyline", {"class": "mark", "points": path, "stroke": colour})
        if dash:
            mark.set("stroke-dasharray", dash)
        for place, value in sorted(one.points.items()):
            at = {"cx": f"{x(place):.1f}", "cy": f"{y(value):.1f}", "r": "3", "fill": colour}
            ET.SubElement(ET.SubElement(svg, "circle", at), "title").text = f"{one.name}: {value:,.4g}"
        last = one.points[max(one.points)]
        _text(svg, x(max(one.points)) + 10, ends[number] + 4, f"{one.name} {last:,.3g}", "start")
    return _written(svg)


def grouped_bars(title: str, upwards: str, groups: Mapping[str, Mapping[str, Bar]]) -> str:
    """Draw shares with their intervals: bars by series within each group."""
    names = list(dict.fromkeys(name for bars in groups.values() for name in bars))
    if not names:
        raise ValueError("a chart needs bars")
    svg = _frame(title, "", upwards, 1.0, percent=True)
    step = _PLOT_WIDTH / len(groups)
    width = min(26.0, step * 0.8 / len(names))
    for place, (group, bars) in enumerate(groups.items()):
        middle = _LEFT + (place + 0.5) * step
        for line, words in enumerate(_wrapped(group, int(step / _CHAR_WIDTH))):
            _text(svg, middle, _TOP + _PLOT_HEIGHT + 16 + 13 * line, words, "middle")
        for number, name in enumerate(names):
            if name in bars:
                _bar(
                    svg,
                    middle + (number - len(names) / 2) * width,
                    width,
                    bars[name],
                    number,
                    f"{group}, {name}",
                )
    for number, name in enumerate(names):
        at, colour = _TOP + 20 + 22 * number, COLOURS[number % len(COLOURS)]
        swatch = {"x": f"{_WIDTH - _RIGHT + 16:.1f}", "y": f"{at - 10:.1f}", "width": "12", "height": "12"}
        ET.SubElement(svg, "rect", {**swatch, "fill": colour, "fill-opacity": _opacity(number)})
        _text(svg, _WIDTH - _RIGHT + 34, at, name, "start")
    return _written(svg)


def _bar(svg: ET.Element, left: float, width: float, bar: Bar, number: int, told: str) -> None:
    def y(share: float) -> float:
        return _TOP + _PLOT_HEIGHT * (1 - share)

    colour, middle = COLOURS[number % len(COLOURS)], left + width / 2
    box = {
        "x": f"{left + 1:.1f}", "y": f"{y(bar.share):.1f}", "width": f"{width - 2:.1f}",
        "height": f"{_PLOT_HEIGHT * bar.share:.1f}", "fill": colour, "fill-opacity": _opacity(number),
    }  # fmt: skip
    mark = ET.SubElement(svg, "rect", box)
    ET.SubElement(mark, "title").text = f"{told}: {bar.share:.1%} ({bar.low:.1%} to {bar.high:.1%})"
    ends = {
        "x1": f"{middle:.1f}",
        "x2": f"{middle:.1f}",
        "y1": f"{y(bar.low):.1f}",
        "y2": f"{y(bar.high):.1f}",
    }
    ET.SubElement(svg, "line", {"class": "range axis", **ends})
    _text(svg, middle, y(bar.high) - 3, f"{bar.share * 100:.0f}", "middle").set("class", "figure")


def _opacity(number: int) -> str:
    """Bars side by side differ in depth as well."""
    return ("0.45", "0.6", "0.75", "0.95")[number % 4]


def _frame(title: str, across: str, upwards: str, highest: float, *, percent: bool) -> ET.Element:
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}",
            "width": f"{_WIDTH:.0f}",
            "height": f"{_HEIGHT:.0f}",
            "role": "img",
            "aria-label": title,
        },
    )
    ET.SubElement(svg, "style").text = _STYLE
    _text(svg, _LEFT, 20, title, "start").set("class", "title")
    _text(svg, _LEFT, 36, upwards, "start")
    if across:
        _text(svg, _LEFT + _PLOT_WIDTH / 2, _HEIGHT - 12, across, "middle")
    for part in range(6):
        y = _TOP + _PLOT_HEIGHT * (1 - part / 5)
        line = {"x1": f"{_LEFT:.1f}", "x2": f"{_LEFT + _PLOT_WIDTH:.1f}", "y1": f"{y:.1f}", "y2": f"{y:.1f}"}
        ET.SubElement(svg, "line", {"class": "grid" if part else "axis", **line})
        value = highest * part / 5
        _text(svg, _LEFT - 8, y + 4, f"{value:.0%}" if percent else f"{value:,.4g}", "end")
    return svg


def _text(parent: ET.Element, x: float, y: float, words: str, anchor: str) -> ET.Element:
    text = ET.SubElement(parent, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor})
    text.text = words
    return text


def _apart(ends: Sequence[float], room: float = 14.0) -> list[float]:
    """Move names that would run into each other apart, downwards."""
    placed = dict.fromkeys(range(len(ends)), 0.0)
    reached = float("-inf")
    for number in sorted(placed, key=lambda n: ends[n]):
        reached = placed[number] = max(ends[number], reached + room)
    return [placed[number] for number in range(len(ends))]


def _wrapped(words: str, room: int) -> list[str]:
    found = [""]
    for word in words.split():
        if found[-1] and len(found[-1]) + 1 + len(word) > room:
            found.append("")
        found[-1] = f"{found[-1]} {word}".strip()
    return found


def _round_up(value: float) -> float:
    """Return the next of 1, 2, 2.5 or 5 times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** int(log10(value) // 1)
    return float(next(step * power for step in (1.0, 2.0, 2.5, 5.0, 10.0) if step * power >= value))


def _written(svg: ET.Element) -> str:
    ET.indent(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"
