"""Whether the beliefs about a student are right, and what words are taken for when they are made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anamnesis_tools.bench.options import AsJson


def topics(
    as_json: AsJson = False,
) -> None:
    """Which concept a check's topic is tied to, by language and kind: precision and recall (BE-3)."""
    from anamnesis_tools.bench.beliefs.topics import measure, shown

    shown(measure(), as_json=as_json)


def teachings(
    as_json: AsJson = False,
) -> None:
    """Which messages teach, by language and kind: precision, recall and names of new concepts (TE-1, TE-3)."""
    from anamnesis_tools.bench.beliefs.teachings import measure, shown

    shown(measure(), as_json=as_json)


def calibration(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Learners' timed answers (learning log)")
    ],
    plot: Annotated[
        Path | None,
        typer.Option(dir_okay=False, writable=True, help="Draw all reliability curves here (SVG)"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Predicted mastery against the next answer, beside the mean, PFA and standard knowledge tracing (BE-5, NI-3)."""
    from anamnesis_tools.bench.beliefs.calibration import measure, shown
    from anamnesis_tools.bench.beliefs.calibration_plot import plotted

    results = measure(file)
    shown(results, as_json=as_json)
    if plot:
        plot.write_text(plotted(results), encoding="utf-8")
