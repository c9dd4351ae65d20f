"""Whether an answer's claims are held to what supports them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anamnesis_tools.bench.options import AsJson


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
    from anamnesis_tools.bench.grounding.answers import measure, measure_translations, shown

    compared = embedder() if cosine else None
    found = measure_translations(compared) if translated else measure(chapters, compared)
    shown(found, as_json=as_json, wrong=wrong)
