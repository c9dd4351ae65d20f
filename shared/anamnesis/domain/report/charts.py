"""Charts as inline SVG without colours of their own: the page's style gives those, for light, dark and paper.

Numbers and names stand beside the marks, and shapes and places tell the series apart, so that nobody needs the colours.
Time runs from left to right in every language, as it does in charts in Arabic textbooks on science.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from math import sqrt

from anamnesis.domain.report.document import Meter, ReliabilityChart, Trend, WeeksChart
from anamnesis.domain.report.elements import element

_WIDTH = 720.0
#: Of the two panels of the weeks, and the room for names.
_TURNS_HEIGHT, _CHECKS_HEIGHT, _GAP = 90.0, 72.0, 26.0
_LEFT, _TOP = 36.0, 14.0
_LABEL_ROOM = 22.0


def weeks_chart(chart: WeeksChart, *, title: str, text: str) -> ET.Element:
    """Turns as bars, and below them on one line checks passed (upwards) and missed (downwards)."""
    step = (_WIDTH - _LEFT) / len(chart.bars)
    bar = min(step * 0.72, 26.0)
    turns = max(1, *(b.turns for b in chart.bars))
    checks = max(1, *(max(b.passed, b.missed) for b in chart.bars))
    floor = _TOP + _TURNS_HEIGHT
    middle = floor + _GAP + _CHECKS_HEIGHT / 2
    bottom = middle + _CHECKS_HEIGHT / 2
    marks: list[ET.Element] = [
        _rule(floor, "axis"),
        _rule(middle, "axis"),
        _rule(_TOP, "grid"),
        _label(_LEFT - 6, _TOP + 4, str(turns), "end"),
        _label(_LEFT - 6, floor + 4, "0", "end"),
        _label(_LEFT - 6, middle - _CHECKS_HEIGHT / 2 + 8, str(checks), "end"),
        _label(_LEFT - 6, bottom, str(checks), "end"),
    ]
    for index, week in enumerate(chart.bars):
        x = _LEFT + index * step + (step - bar) / 2
        marks += _bar(x, bar, floor, week.turns / turns * _TURNS_HEIGHT, "turns")
        marks += _bar(x, bar, middle, week.passed / checks * _CHECKS_HEIGHT / 2, "passed")
        marks += _bar(x, bar, middle, -week.missed / checks * _CHECKS_HEIGHT / 2, "missed")
        if week.label:
            marks.append(element("line", class_="tick", x1=x, x2=x, y1=bottom + 4, y2=bottom + 9))
    marks += _spaced_labels(chart, step, bottom + 20)
    return _svg(_WIDTH, bottom + _LABEL_ROOM + 4, marks, title=title, text=text, class_="chart weeks")


def _bar(x: float, width: float, base: float, height: float, series: str) -> list[ET.Element]:
    """A bar up from `base`, or down when `height` is negative; nothing for no height."""
    if not height:
        return []
    # What is there is seen, however small.
    tall = max(abs(height), 1.5)
    y = base - tall if height > 0 else base
    return [element("rect", class_=series, x=x, y=y, width=width, height=tall, rx=1.5)]


def _spaced_labels(chart: WeeksChart, step: float, y: float) -> list[ET.Element]:
    """Names of months, leaving out those that would run into the one before."""
    labels, free_from = [], 0.0
    for index, week in enumerate(chart.bars):
        x = _LEFT + index * step
        if week.label and x >= free_from and x < _WIDTH - 30:
            labels.append(_label(x, y, week.label, "start"))
            free_from = x + 7.5 * len(week.label) + 12
    return labels


def reliability_chart(chart: ReliabilityChart, *, title: str, text: str) -> ET.Element:
    """Predicted across, came true upwards; the size of a point is its count, which stands beside it."""
    side, left, top = 260.0, 56.0, 14.0
    marks = [element("rect", class_="plot", x=left, y=top, width=side, height=side)]
    for share, tick in zip((0.0, 0.5, 1.0), chart.ticks, strict=True):
        x, y = left + share * side, top + (1 - share) * side
        marks += [
            element("line", class_="grid", x1=left, x2=left + side, y1=y, y2=y),
            element("line", class_="grid", x1=x, x2=x, y1=top, y2=top + side),
            _label(left - 8, y + 4, tick, "end"),
            _label(x, top + side + 18, tick, "middle"),
        ]
    marks.append(element("line", class_="ideal", x1=left, y1=top + side, x2=left + side, y2=top))
    most = max(1, *(point.count for point in chart.points))
    for point in chart.points:
        x, y = left + point.predicted * side, top + (1 - point.correct) * side
        radius = 4 + 8 * sqrt(point.count / most)
        ideal = top + (1 - point.predicted) * side
        marks.append(element("line", class_="off", x1=x, x2=x, y1=y, y2=ideal))
        marks.append(element("circle", class_="point", cx=x, cy=y, r=radius))
        inside = x + radius + 26 <= left + side
        marks.append(
            _label(
                x + radius + 4 if inside else x - radius - 4, y + 4, point.label, "start" if inside else "end"
            )
        )
    marks.append(_label(left + side / 2, top + side + 38, chart.across, "middle"))
    up = _label(0, 0, chart.up, "middle")
    up.set("transform", f"translate(14 {top + side / 2:g}) rotate(-90)")
    marks.append(up)
    return _svg(left + side + 30, top + side + 48, marks, title=title, text=text, class_="chart reliability")


def meter(part: Meter) -> ET.Element:
    """A share as a bar; the words beside it say the same."""
    share = min(1.0, max(0.0, part.share))
    return _picture(
        72,
        8,
        [
            element("rect", class_="track", width=72, height=8, rx=4),
            element("rect", class_=f"fill {part.tone.value}", width=round(72 * share, 2), height=8, rx=4),
        ],
        class_="meter",
    )


def trend(part: Trend) -> ET.Element:
    """A share over time between its bounds, with the line in the middle; the words beside it say first and last."""
    width, height, margin = 96.0, 28.0, 3.0
    step = (width - 2 * margin) / max(1, len(part.shares) - 1)
    points = [
        (margin + index * step, margin + (1 - min(1.0, max(0.0, share))) * (height - 2 * margin))
        for index, share in enumerate(part.shares)
    ]
    x, y = points[-1]
    return _picture(
        width,
        height,
        [
            element("line", class_="grid", x1=0, x2=width, y1=height / 2, y2=height / 2),
            element("polyline", class_="course", points=" ".join(f"{a:.1f},{b:.1f}" for a, b in points)),
            element("circle", class_="last", cx=round(x, 1), cy=round(y, 1), r=2.6),
        ],
        class_="trend",
    )


def _picture(width: float, height: float, marks: list[ET.Element], *, class_: str) -> ET.Element:
    return element(
        "svg",
        *marks,
        class_=class_,
        view_box=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        aria_hidden="true",
        focusable="false",
    )


def _svg(
    width: float, height: float, marks: list[ET.Element], *, title: str, text: str, class_: str
) -> ET.Element:
    return element(
        "svg",
        element("title", title),
        element("desc", text),
        *marks,
        class_=class_,
        view_box=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=f"{title}. {text}",
        focusable="false",
    )


def _rule(y: float, kind: str) -> ET.Element:
    return element("line", class_=kind, x1=_LEFT, x2=_WIDTH, y1=y, y2=y)


def _label(x: float, y: float, text: str, anchor: str) -> ET.Element:
    return element("text", text, x=x, y=y, text_anchor=anchor)
