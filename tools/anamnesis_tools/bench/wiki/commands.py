"""What the wiki adds, and what it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anamnesis_tools.bench.options import AsJson


def wiki(
    sessions: Annotated[int, typer.Option(min=2, help="Sessions of the student, of 20 turns each")] = 1_000,
    concepts: Annotated[int, typer.Option(min=10, max=2_000, help="Concepts of the subject's map")] = 500,
    as_json: AsJson = False,
) -> None:
    """A student's whole wiki by the deterministic writer, and what two more sessions change of it (WD-1, WK-5)."""
    from anamnesis_tools.bench.wiki.writer import measure, shown

    shown(measure(sessions, concepts), as_json=as_json)


def wiki_use(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Conversations in LoCoMo's format")
    ],
    as_json: AsJson = False,
) -> None:
    """What the wiki adds to recall within the same tokens: a scripted explorer, its index prefilled or not (EV-8)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.wiki.use import measure, shown

    shown(measure(file, embedder()), as_json=as_json)


def currency(
    as_json: AsJson = False,
) -> None:
    """Whether the newest of two facts is read first, by recall and in the wiki, in many languages (WD-5, EV-8)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.wiki.currency import measure, shown

    shown(measure(embedder()), as_json=as_json)


def wiki_model(
    sessions: Annotated[int, typer.Option(min=4, help="Sessions of the student, of 20 turns each")] = 1_000,
    concepts: Annotated[int, typer.Option(min=10, max=2_000, help="Concepts of the subject's map")] = 500,
    usd_in: Annotated[float, typer.Option(help="USD for a million tokens of input")] = 3.0,
    usd_out: Annotated[float, typer.Option(help="USD for a million tokens of output")] = 15.0,
    as_json: AsJson = False,
) -> None:
    """What a wiki costs whose syntheses a language model writes: requests, tokens, money, our own time (WD-3)."""
    from anamnesis_tools.bench.wiki.model_writer import measure, shown

    shown(measure(sessions, concepts, usd_in, usd_out), as_json=as_json)


def wiki_git(
    sessions: Annotated[
        int, typer.Option(min=10, help="Sessions of the first commit, of 20 turns each")
    ] = 1_000,
    concepts: Annotated[int, typer.Option(min=10, max=2_000, help="Concepts of the subject's map")] = 500,
    history: Annotated[int, typer.Option(min=0, help="Nights that are played on top")] = 300,
    copies: Annotated[int, typer.Option(min=1, max=20, help="Times that the first commit has it all")] = 1,
    as_json: AsJson = False,
) -> None:
    """What a wiki in git on S3 takes: commits, pages, histories and clones, in requests, bytes and time (WK-5)."""
    from anamnesis_tools.bench.wiki.git_repository import measure, shown

    shown(*measure(sessions, concepts, history, copies), as_json=as_json)
