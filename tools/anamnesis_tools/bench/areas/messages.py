"""What words are taken for: times, topics, teachings, and an answer's claims."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anamnesis_tools.bench.options import AsJson


def time_expressions(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="JSON array of phrases with their windows")
    ],
    as_json: AsJson = False,
) -> None:
    """Times in questions against labelled phrases, by language, beside two baselines (RC-5)."""
    from anamnesis_tools.bench.time_expressions import measure, shown

    shown(measure(file), as_json=as_json)


def topics(
    as_json: AsJson = False,
) -> None:
    """Which concept a check's topic is tied to, by language and kind: precision and recall (BE-3)."""
    from anamnesis_tools.bench.topics import measure, shown

    shown(measure(), as_json=as_json)


def teachings(
    as_json: AsJson = False,
) -> None:
    """Which messages teach, by language and kind: precision, recall and names of new concepts (TE-1, TE-3)."""
    from anamnesis_tools.bench.teachings import measure, shown

    shown(measure(), as_json=as_json)


def grounding(
    chapters: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="Chapters (.md) with their terms (.json)"),
    ] = None,
    cosine: Annotated[
        bool, typer.Option(help="Compare with an embedder's cosine, which takes minutes")
    ] = True,
    translated: Annotated[
        bool, typer.Option("--translated", help="Instead: answers in another language than their page")
    ] = False,
    wrong: Annotated[bool, typer.Option("--wrong", help="List what was judged wrongly")] = False,
    as_json: AsJson = False,
) -> None:
    """Answers with known support and planted errors, by kind and language, beside two thresholds (GR-1, GR-2)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.grounding import measure, measure_translations, shown

    compared = embedder() if cosine else None
    found = measure_translations(compared) if translated else measure(chapters, compared)
    shown(found, as_json=as_json, wrong=wrong)
