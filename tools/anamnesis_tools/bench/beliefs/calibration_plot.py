"""The reliability of predictors as one SVG that stands alone: small multiples of the report's own chart (NI-3).

The same results give the same bytes: nothing in it depends on time, chance or place.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Final

from anamnesis.domain.report.charts import reliability_chart
from anamnesis.domain.report.document import ReliabilityChart, ReliabilityPoint
from anamnesis.domain.report.elements import element
from anamnesis_tools.bench.beliefs.calibration import Predictive

_ACROSS: Final = 4
_WIDTH, _HEIGHT, _HEAD, _FOOT = 360.0, 370.0, 46.0, 40.0
#: Digits of shares that are drawn: a third of a pixel, and more than another machine's rounding moves.
_DIGITS: Final = 3
#: As the report's page has it, on white: a picture on a page knows nothing of that page's mode.
_STYLE: Final = """
text { fill: #52606b; font: 12px Georgia, 'Noto Serif', serif; }
.name { fill: #1c2730; font-size: 16px; font-weight: 700; }
.grid, .plot { stroke: #d9d4c7; fill: none; }
.ideal { stroke: #52606b; stroke-dasharray: 5 4; }
.off { stroke: #14606a; stroke-width: 1.5; }
.point { fill: #14606a; stroke: #ffffff; stroke-width: 1.5; }
"""


def plotted(results: Sequence[Predictive]) -> str:
    """Draw the reliability of every predictor: predicted across, came true upwards, agreeing on the dashed line."""
    rows = -(-len(results) // _ACROSS)
    columns = min(_ACROSS, len(results))
    width, height = columns * _WIDTH, rows * _HEIGHT + _FOOT
    panels = [_panel(result, number) for number, result in enumerate(results)]
    note = "Circles: mean prediction of a bucket and the share that came true; beside them how many answers."
    root = element(
        "svg",
        element("title", "Reliability of predictions"),
        element("style", _STYLE),
        element("rect", width=width, height=height, fill="#ffffff"),
        *panels,
        element("text", note, x=16.0, y=height - 14),
        view_box=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        xmlns="http://www.w3.org/2000/svg",
    )
    return ET.tostring(root, encoding="unicode") + "\n"


def _panel(result: Predictive, number: int) -> ET.Element:
    points = tuple(
        ReliabilityPoint(
            round(bucket.mean_predicted, _DIGITS),
            round(bucket.share_correct, _DIGITS),
            bucket.count,
            f"{bucket.count:,}",
        )
        for bucket in result.reliability
    )
    chart = ReliabilityChart(points, across="predicted", up="came true", ticks=("0", "0.5", "1"))
    told = f"Expected calibration error {result.calibration_error:.3f}, log loss {result.log_loss:.3f}"
    drawn = reliability_chart(chart, title=result.predictor, text=told)
    box = drawn.get("viewBox", "").split()
    drawn.set("x", "0")
    drawn.set("y", f"{_HEAD:g}")
    drawn.set("width", box[2])
    drawn.set("height", box[3])
    x, y = number % _ACROSS * _WIDTH, number // _ACROSS * _HEIGHT
    return element(
        "g",
        element("text", result.predictor, class_="name", x=16.0, y=24.0),
        element("text", told, x=16.0, y=42.0),
        drawn,
        transform=f"translate({x:g} {y:g})",
    )
