"""What files become, and whether the map and the beliefs on it are right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anamnesis_tools.bench.options import AsJson


def reading(
    folder: Annotated[
        Path,
        typer.Argument(exists=True, file_okay=False, help="Files to read; manifest.json says what is right"),
    ],
    as_json: AsJson = False,
) -> None:
    """What the file reader makes of a folder: outcome, pages, characters, speed and memory of each (CM-1, SV-12)."""
    from anamnesis_tools.bench.reading import measure, shown

    shown(measure(folder), as_json=as_json)


def letters(
    as_json: AsJson = False,
) -> None:
    """Which old encodings are told right, and which changed letters are refused, of texts of our own (CM-1, SV-12)."""
    from anamnesis_tools.bench.letters import measure, shown

    shown(measure(), as_json=as_json)


def concepts(
    folder: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="Chapters (.md) with their key terms (.json)")
    ],
    as_json: AsJson = False,
) -> None:
    """The offline concept reader against textbooks' own key terms, beside published baselines (CM-1, CM-2)."""
    from anamnesis_tools.bench.concepts import measure, shown

    shown(measure(folder), as_json=as_json)


def prerequisites(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Labelled pairs of concepts (AL-CPL)")
    ],
    texts: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="JSON: a text for each concept")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What the reader takes for prerequisites, against labelled pairs, RefD and frequency (CM-1, CM-4)."""
    from anamnesis_tools.bench.prerequisites import measure, shown

    shown(measure(file, texts), as_json=as_json)


def model_reading(
    usd_in: Annotated[float, typer.Option(help="USD for a million tokens of input")] = 3.0,
    usd_out: Annotated[float, typer.Option(help="USD for a million tokens of output")] = 15.0,
    chapters: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="Chapters (.md) to check pages on")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What reading a book with a language model costs: requests, tokens, money, our own time and memory (CM-1)."""
    from anamnesis_tools.bench.model_reading import measure, shown, shown_evidence

    shown(measure(usd_in, usd_out), as_json=as_json)
    if chapters:
        shown_evidence(chapters)


def maps(
    concepts: Annotated[
        list[int] | None, typer.Option(min=60, max=2_000, help="Sizes of maps; may be repeated")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What a map costs: made, changed by a file, by a student, and sent over HTTP (CM-3, CM-5, CM-9)."""
    from anamnesis_tools.bench.maps import measure, shown

    shown(measure(concepts or [1_000]), as_json=as_json)


def long_files(
    pages: Annotated[int, typer.Option(min=1, max=2_000, help="Pages of each book")] = 600,
    as_json: AsJson = False,
) -> None:
    """Whole books in three formats and languages from upload to map: time, and memory of processes (CM-1, SV-12)."""
    from anamnesis_tools.bench.long_files import measure, shown

    shown(measure(pages), as_json=as_json)


def concept_names(
    folder: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="Where the two files of names lie")
    ],
    as_json: AsJson = False,
) -> None:
    """Which names of two files become one concept, by pair of languages: precision and recall (CM-3)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.concept_names import measure, shown

    shown(measure(folder, embedder()), as_json=as_json)


def homonyms() -> None:
    """Two things of one name in two files told apart, and one thing wrongly split (CM-3)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.concept_homonyms import measure, shown

    shown(measure(embedder()))


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
    from anamnesis_tools.bench.calibration import measure, shown
    from anamnesis_tools.bench.calibration_plot import plotted

    results = measure(file)
    shown(results, as_json=as_json)
    if plot:
        plot.write_text(plotted(results), encoding="utf-8")


def term_lists(
    form: Annotated[list[str] | None, typer.Option(help="A form of lists; may be repeated")] = None,
    as_json: AsJson = False,
) -> None:
    """What becomes of glossaries, cards, tables of terms and slides of one sentence, in 30 languages (CM-1, CM-2)."""
    from anamnesis_tools.bench.term_lists import measure, shown

    shown(measure(form or []), as_json=as_json)
