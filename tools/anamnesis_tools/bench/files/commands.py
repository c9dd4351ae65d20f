"""What files become: pages, letters, concepts, and one map of many."""

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
    from anamnesis_tools.bench.files.reading import measure, shown

    shown(measure(folder), as_json=as_json)


def letters(
    as_json: AsJson = False,
) -> None:
    """Which old encodings are told right, and which changed letters are refused, of texts of our own (CM-1, SV-12)."""
    from anamnesis_tools.bench.files.letters import measure, shown

    shown(measure(), as_json=as_json)


def concepts(
    folder: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="Chapters (.md) with their key terms (.json)")
    ],
    as_json: AsJson = False,
) -> None:
    """The offline concept reader against textbooks' own key terms, beside published baselines (CM-1, CM-2)."""
    from anamnesis_tools.bench.files.concepts import measure, shown

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
    from anamnesis_tools.bench.files.prerequisites import measure, shown

    shown(measure(file, texts), as_json=as_json)


def concept_names(
    folder: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="Where the two files of names lie")
    ],
    as_json: AsJson = False,
) -> None:
    """Which names of two files become one concept, by pair of languages: precision and recall (CM-3)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.files.concept_names import measure, shown

    shown(measure(folder, embedder()), as_json=as_json)


def homonyms() -> None:
    """Two things of one name in two files told apart, and one thing wrongly split (CM-3)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.files.concept_homonyms import measure, shown

    shown(measure(embedder()))


def term_lists(
    form: Annotated[list[str] | None, typer.Option(help="A form of lists; may be repeated")] = None,
    as_json: AsJson = False,
) -> None:
    """What becomes of glossaries, cards, tables of terms and slides of one sentence, in 30 languages (CM-1, CM-2)."""
    from anamnesis_tools.bench.files.term_lists import measure, shown

    shown(measure(form or []), as_json=as_json)
