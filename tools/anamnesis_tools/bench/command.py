"""`anamnesis bench`: every evaluation as a command of its own, and all of them in a row."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from anamnesis_tools.bench.designs.commands import ablation, designs
from anamnesis_tools.bench.improvements.commands import Keep, ResultKeeper, compare, plots
from anamnesis_tools.bench.replays.command import replay
from anamnesis_tools.bench.scenarios.command import scenarios

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs")]
"""Option of every evaluation."""

app = typer.Typer(add_completion=False, no_args_is_help=True, help="The evaluations.")
app.command()(scenarios)
app.command()(replay)
app.command()(designs)
app.command()(ablation)
app.command()(compare)
app.command()(plots)


@app.command()
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
    from anamnesis_tools.bench.latency import LENGTHS, measure, scenarios, shown, summary

    asked = scenarios(episodes or LENGTHS, pairs, turns=turns, behind=behind, request_ms=request_ms)
    keeper = ResultKeeper("latency", keep=keep)
    found = measure(asked)
    keeper([summary(one) for one in found])
    shown(found, as_json=as_json)


@app.command()
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
    from anamnesis_tools.bench.locomo import measure, shown

    keeper = ResultKeeper("locomo", keep=keep)
    try:
        found = measure(file, embedder(), names=ranker or (), switch_off=frozenset(without or ()))
    except KeyError as unknown:
        raise typer.BadParameter(f"no way to rank is called {unknown}") from unknown
    keeper(asdict(found), data_sha256=hashlib.sha256(file.read_bytes()).hexdigest())
    shown(found, as_json=as_json)


@app.command()
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
    from anamnesis_tools.bench.longmemeval import measure, shown

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


@app.command("wiki-use")
def wiki_use(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Conversations in LoCoMo's format")
    ],
    as_json: AsJson = False,
) -> None:
    """What the wiki adds to recall within the same tokens: a scripted explorer, its index prefilled or not (EV-8)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.wiki_use import measure, shown

    shown(measure(file, embedder()), as_json=as_json)


@app.command()
def currency(
    as_json: AsJson = False,
) -> None:
    """Whether the newest of two facts is read first, by recall and in the wiki, in many languages (WD-5, EV-8)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.currency import measure, shown

    shown(measure(embedder()), as_json=as_json)


@app.command("fit-recall")
def fit_recall(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Conversations in LoCoMo's format")
    ],
    as_json: AsJson = False,
) -> None:
    """The weights of recall's signals, fitted anew, and what they find in conversations left out (RC-2)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.fit_recall import measure, shown

    shown(measure(file, embedder()), as_json=as_json)


@app.command()
def talks(
    as_json: AsJson = False,
) -> None:
    """Whether paraphrased questions find their answers in a history of eleven languages, beside baselines (RC-1)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.talks import measure, shown

    shown(measure(embedder()), as_json=as_json)


@app.command()
def turns(
    as_json: AsJson = False,
) -> None:
    """What recall finds, and takes for found, in ten languages: own, others', and questions about nothing (RC-3)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.student_turns import measure, shown

    shown(measure(embedder()), as_json=as_json)


@app.command("common-directions")
def common_directions() -> None:
    """Make anew what recall takes away before it compares meanings, and write it into the package (RC-1)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.common_directions import measure, write

    print(write(measure(embedder())))


@app.command()
def appends(
    writers: Annotated[int, typer.Option(min=1, help="Writers at once")] = 64,
    episodes: Annotated[int, typer.Option(min=1, help="Episodes in all, for each number of pairs")] = 2_000,
    pairs: Annotated[
        list[int] | None, typer.Option(min=1, help="Logs that they are spread over; may be repeated")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Many writers on one log and on several: throughput, contention, and whether the logs come out right (EP-7)."""
    from anamnesis_tools.bench.appends import measure, shown

    shown(measure(writers, episodes, pairs or [1, 4, 16]), as_json=as_json)


@app.command()
def nights(
    pairs: Annotated[int, typer.Option(min=1, help="Pairs that were active on the day")] = 10_000,
    run: Annotated[int, typer.Option(min=1, help="Of them, spread evenly, those whose night is run")] = 1_000,
    episodes: Annotated[int, typer.Option(min=5, help="Episodes that each had before it")] = 60,
    workers: Annotated[int, typer.Option(min=1, help="Workers, each a process")] = 1,
    as_json: AsJson = False,
) -> None:
    """A night over many pairs: pairs a second and worker, requests and bytes by kind of pair, the bill (NI-1)."""
    from anamnesis_tools.bench.night_costs import NightScenario
    from anamnesis_tools.bench.nights import measure, shown

    shown(measure(NightScenario(pairs, run, episodes, workers)), as_json=as_json)


@app.command()
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
    from anamnesis_tools.bench.neighbours import measure, shown

    found = measure(vectors or [10_000, 100_000], pairs or [1, 100], queries, opensearch, uniform=uniform)
    shown(found, as_json=as_json)


@app.command()
def concepts(
    folder: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="Chapters (.md) with their key terms (.json)")
    ],
    as_json: AsJson = False,
) -> None:
    """The offline concept reader against textbooks' own key terms, beside published baselines (CM-1, CM-2)."""
    from anamnesis_tools.bench.concepts import measure, shown

    shown(measure(folder), as_json=as_json)


@app.command()
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


@app.command("model-reading")
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


@app.command()
def maps(
    concepts: Annotated[
        list[int] | None, typer.Option(min=60, max=2_000, help="Sizes of maps; may be repeated")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What a map costs: made, changed by a file, by a student, and sent over HTTP (CM-3, CM-5, CM-9)."""
    from anamnesis_tools.bench.maps import measure, shown

    shown(measure(concepts or [1_000]), as_json=as_json)


@app.command("long-files")
def long_files(
    pages: Annotated[int, typer.Option(min=1, max=2_000, help="Pages of each book")] = 600,
    as_json: AsJson = False,
) -> None:
    """Whole books in three formats and languages from upload to map: time, and memory of processes (CM-1, SV-12)."""
    from anamnesis_tools.bench.long_files import measure, shown

    shown(measure(pages), as_json=as_json)


@app.command("concept-names")
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


@app.command()
def homonyms() -> None:
    """Two things of one name in two files told apart, and one thing wrongly split (CM-3)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.concept_homonyms import measure, shown

    shown(measure(embedder()))


@app.command()
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


@app.command()
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


@app.command("time")
def time_expressions(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="JSON array of phrases with their windows")
    ],
    as_json: AsJson = False,
) -> None:
    """Times in questions against labelled phrases, by language, beside two baselines (RC-5)."""
    from anamnesis_tools.bench.time_expressions import measure, shown

    shown(measure(file), as_json=as_json)


@app.command()
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


@app.command()
def letters(
    as_json: AsJson = False,
) -> None:
    """Which old encodings are told right, and which changed letters are refused, of texts of our own (CM-1, SV-12)."""
    from anamnesis_tools.bench.letters import measure, shown

    shown(measure(), as_json=as_json)


@app.command()
def topics(
    as_json: AsJson = False,
) -> None:
    """Which concept a check's topic is tied to, by language and kind: precision and recall (BE-3)."""
    from anamnesis_tools.bench.topics import measure, shown

    shown(measure(), as_json=as_json)


@app.command()
def teachings(
    as_json: AsJson = False,
) -> None:
    """Which messages teach, by language and kind: precision, recall and names of new concepts (TE-1, TE-3)."""
    from anamnesis_tools.bench.teachings import measure, shown

    shown(measure(), as_json=as_json)


@app.command()
def wiki(
    sessions: Annotated[int, typer.Option(min=2, help="Sessions of the student, of 20 turns each")] = 1_000,
    concepts: Annotated[int, typer.Option(min=10, max=2_000, help="Concepts of the subject's map")] = 500,
    as_json: AsJson = False,
) -> None:
    """A student's whole wiki by the deterministic writer, and what two more sessions change of it (WD-1, WK-5)."""
    from anamnesis_tools.bench.wiki import measure, shown

    shown(measure(sessions, concepts), as_json=as_json)


@app.command("wiki-model")
def wiki_model(
    sessions: Annotated[int, typer.Option(min=4, help="Sessions of the student, of 20 turns each")] = 1_000,
    concepts: Annotated[int, typer.Option(min=10, max=2_000, help="Concepts of the subject's map")] = 500,
    usd_in: Annotated[float, typer.Option(help="USD for a million tokens of input")] = 3.0,
    usd_out: Annotated[float, typer.Option(help="USD for a million tokens of output")] = 15.0,
    as_json: AsJson = False,
) -> None:
    """What a wiki costs whose syntheses a language model writes: requests, tokens, money, our own time (WD-3)."""
    from anamnesis_tools.bench.wiki_model import measure, shown

    shown(measure(sessions, concepts, usd_in, usd_out), as_json=as_json)


@app.command("wiki-git")
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
    from anamnesis_tools.bench.wiki_git import measure, shown

    shown(*measure(sessions, concepts, history, copies), as_json=as_json)


@app.command("all")
def everything(keep: Keep = False) -> None:
    """Run the evaluations that need no data of others, with their defaults: latency, appends, maps and long files."""
    latency(keep=keep)
    appends()
    maps()
    long_files()
