"""Whether what was said is found again, and which time a question means."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from anamnesis_tools.bench.improvements.commands import Keep, ResultKeeper
from anamnesis_tools.bench.options import AsJson


def locomo(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Conversations in LoCoMo's format")
    ],
    ranker: Annotated[
        list[str] | None, typer.Option(help="Way to rank; may be repeated; all of them by default")
    ] = None,
    without: Annotated[list[str] | None, typer.Option(help="Layer of recall to leave out")] = None,
    keep: Keep = False,
    as_json: AsJson = False,
) -> None:
    """The share of a question's evidence that recall puts into a token budget, beside baselines (EV-4)."""
    from dataclasses import asdict

    from anamnesis.offline import embedder
    from anamnesis_tools.bench.recall.locomo import measure, shown

    keeper = ResultKeeper("locomo", keep=keep)
    try:
        found = measure(file, embedder(), names=ranker or (), switch_off=frozenset(without or ()))
    except KeyError as unknown:
        raise typer.BadParameter(f"no way to rank is called {unknown}") from unknown
    keeper(asdict(found), data_sha256=hashlib.sha256(file.read_bytes()).hexdigest())
    shown(found, as_json=as_json)


def longmemeval(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Questions in LongMemEval's format")
    ],
    ranker: Annotated[
        list[str] | None, typer.Option(help="Way to rank; may be repeated; all of them by default")
    ] = None,
    without: Annotated[list[str] | None, typer.Option(help="Layer of recall to leave out")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Most questions; each has a history to embed")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option(dir_okay=False, help="File that keeps vectors over runs")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The share of a question's evidence that recall puts into a token budget, by session and by turn (EV-4)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.cached_embedder import CachedEmbedder
    from anamnesis_tools.bench.recall.longmemeval import measure, shown

    try:
        found = measure(
            file,
            CachedEmbedder(embedder(), cache),
            names=ranker or (),
            switch_off=frozenset(without or ()),
            limit=limit,
        )
    except KeyError as unknown:
        raise typer.BadParameter(f"no way to rank is called {unknown}") from unknown
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    shown(found, as_json=as_json)


def fit_recall(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Conversations in LoCoMo's format")
    ],
    as_json: AsJson = False,
) -> None:
    """The weights of recall's signals, fitted anew, and what they find in conversations left out (RC-2)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.recall.fit_recall import measure, shown

    shown(measure(file, embedder()), as_json=as_json)


def talks(
    as_json: AsJson = False,
) -> None:
    """Whether paraphrased questions find their answers in a history of eleven languages, beside baselines (RC-1)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.recall.talks import measure, shown

    shown(measure(embedder()), as_json=as_json)


def turns(
    as_json: AsJson = False,
) -> None:
    """What recall finds, and takes for found, in ten languages: own, others', and questions about nothing (RC-3)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.recall.student_turns import measure, shown

    shown(measure(embedder()), as_json=as_json)


def named_speakers(
    as_json: AsJson = False,
) -> None:
    """Whether a question that names who said it finds the answer, in ten languages, beside baselines (RC-1)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.recall.named_speakers import measure, shown

    shown(measure(embedder()), as_json=as_json)


def common_directions() -> None:
    """Make anew what recall takes away before it compares meanings, and write it into the package (RC-1)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.recall.common_directions import measure, write

    print(write(measure(embedder())))


def time_expressions(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="JSON array of phrases with their windows")
    ],
    as_json: AsJson = False,
) -> None:
    """Times in questions against labelled phrases, by language, beside two baselines (RC-5)."""
    from anamnesis_tools.bench.recall.time_expressions import measure, shown

    shown(measure(file), as_json=as_json)
