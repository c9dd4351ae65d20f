"""What it costs: a turn, an append, a night, neighbours from an index, a book and a map."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anamnesis_tools.bench.improvements.commands import Keep, ResultKeeper
from anamnesis_tools.bench.options import AsJson


def latency(
    episodes: Annotated[
        list[int] | None, typer.Option(help="Lengths of history to measure; may be repeated")
    ] = None,
    pairs: Annotated[
        int, typer.Option(help="Pairs of 100 episodes measured beside each other; 0: none")
    ] = 1_000,
    turns: Annotated[int, typer.Option(help="Turns timed of each")] = 155,
    behind: Annotated[int, typer.Option(help="Episodes that came after the working set was made")] = 20,
    request_ms: Annotated[
        float, typer.Option(help="How long each request waits for its store, in milliseconds")
    ] = 0.0,
    keep: Keep = False,
    as_json: AsJson = False,
) -> None:
    """What a turn costs in requests, bytes and time, by length of history (EV-7)."""
    from anamnesis_tools.bench.costs.latency import LENGTHS, measure, scenarios, shown, summary

    asked = scenarios(episodes or LENGTHS, pairs, turns=turns, behind=behind, request_ms=request_ms)
    keeper = ResultKeeper("latency", keep=keep)
    found = measure(asked)
    keeper([summary(one) for one in found])
    shown(found, as_json=as_json)


def appends(
    writers: Annotated[int, typer.Option(min=1, help="Writers at once")] = 64,
    episodes: Annotated[int, typer.Option(min=1, help="Episodes in all, for each number of pairs")] = 2_000,
    pairs: Annotated[
        list[int] | None, typer.Option(min=1, help="Logs that they are spread over; may be repeated")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Many writers on one log and on several: throughput, contention, and whether the logs come out right (EP-7)."""
    from anamnesis_tools.bench.costs.appends import measure, shown

    shown(measure(writers, episodes, pairs or [1, 4, 16]), as_json=as_json)


def nights(
    pairs: Annotated[int, typer.Option(min=1, help="Pairs that were active on the day")] = 10_000,
    run: Annotated[int, typer.Option(min=1, help="Of them, spread evenly, those whose night is run")] = 1_000,
    episodes: Annotated[int, typer.Option(min=5, help="Episodes that each had before it")] = 60,
    workers: Annotated[int, typer.Option(min=1, help="Workers, each a process")] = 1,
    as_json: AsJson = False,
) -> None:
    """A night over many pairs: pairs a second and worker, requests and bytes by kind of pair, the bill (NI-1)."""
    from anamnesis_tools.bench.costs.night_costs import NightScenario
    from anamnesis_tools.bench.costs.nights import measure, shown

    shown(measure(NightScenario(pairs, run, episodes, workers)), as_json=as_json)


def neighbours(
    vectors: Annotated[
        list[int] | None, typer.Option(min=100, help="Vectors in all; may be repeated")
    ] = None,
    pairs: Annotated[
        list[int] | None, typer.Option(min=1, help="Pairs they are spread over; may be repeated")
    ] = None,
    queries: Annotated[int, typer.Option(min=20, help="Searches timed")] = 200,
    opensearch: Annotated[
        str | None,
        typer.Option(envvar="ANAMNESIS_OPENSEARCH", help="URL of a node; default: assemble and start one"),
    ] = None,
    uniform: Annotated[
        bool, typer.Option("--uniform", help="Vectors all over the sphere: the worst case")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """OpenSearch and the embedded index against exact search: recall@20, latency, indexing time, size (SV-10)."""
    from anamnesis_tools.bench.costs.neighbours import measure, shown

    found = measure(vectors or [10_000, 100_000], pairs or [1, 100], queries, opensearch, uniform=uniform)
    shown(found, as_json=as_json)


def model_reading(
    usd_in: Annotated[float, typer.Option(help="USD for a million tokens of input")] = 3.0,
    usd_out: Annotated[float, typer.Option(help="USD for a million tokens of output")] = 15.0,
    chapters: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="Chapters (.md) to check pages on")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What reading a book with a language model costs: requests, tokens, money, our own time and memory (CM-1)."""
    from anamnesis_tools.bench.costs.model_reading import measure, shown, shown_evidence

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
    from anamnesis_tools.bench.costs.maps import measure, shown

    shown(measure(concepts or [1_000]), as_json=as_json)


def long_files(
    pages: Annotated[int, typer.Option(min=1, max=2_000, help="Pages of each book")] = 600,
    as_json: AsJson = False,
) -> None:
    """Whole books in three formats and languages from upload to map: time, and memory of processes (CM-1, SV-12)."""
    from anamnesis_tools.bench.costs.long_files import measure, shown

    shown(measure(pages), as_json=as_json)
