"""`anamnesis bench designs` and `anamnesis bench ablation` (EV-3, EV-5)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from anamnesis_tools.bench.improvements.commands import Keep, ResultKeeper

if TYPE_CHECKING:
    from anamnesis_tools.bench.designs.answering import Answerer
    from anamnesis_tools.bench.designs.registration import Registered
    from anamnesis_tools.bench.histories.values import History

errors = Console(stderr=True)

Folder = Annotated[
    Path,
    typer.Argument(exists=True, file_okay=False, help="Data: learning_logs/, chapters/ and dialogues/"),
]
Count = Annotated[int, typer.Option("--histories", min=0, help="Histories to generate")]
Seed = Annotated[int, typer.Option(help="Another one gives other histories and questions")]
Exports = Annotated[
    list[Path] | None,
    typer.Option(
        "--export", exists=True, dir_okay=False, help="A student's own export, besides; may be repeated"
    ),
]
Courses = Annotated[
    list[Path] | None,
    typer.Option("--course", exists=True, dir_okay=False, help="Course file of the exports; may be repeated"),
]
Zone = Annotated[str, typer.Option(help="Time zone of the exports' students")]
Cache = Annotated[
    Path | None,
    typer.Option(dir_okay=False, help="File that keeps vectors over runs; made when it is not there"),
]
QuestionsFile = Annotated[
    Path | None,
    typer.Option("--questions", dir_okay=False, help="Write the registered set here, before it is asked"),
]
Note = Annotated[str, typer.Option(help="What was changed, to be kept with the result")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs")]


def designs(  # noqa: PLR0913, PLR0917 options
    folder: Folder,
    histories: Count = 50,
    seed: Seed = 1,
    times: Annotated[int, typer.Option(min=1, help="Runs, each on memories recorded anew")] = 2,
    export: Exports = None,
    course: Courses = None,
    zone: Zone = "UTC",
    cache: Cache = None,
    questions: QuestionsFile = None,
    answers_url: Annotated[
        str, typer.Option(help="Endpoint of OpenAI's chat completions: every prompt is sent there, once")
    ] = "",
    answers_bedrock: Annotated[bool, typer.Option(help="Send every prompt to Bedrock, once")] = False,
    answers_model: Annotated[str, typer.Option(help="Model that answers")] = "",
    answers_key: Annotated[str, typer.Option(envvar="ANAMNESIS_ANSWERS_KEY", help="The endpoint's key")] = "",
    keep: Keep = False,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Four designs of a tutor's prompt on questions out of each history's own record (EV-3)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.cached_embedder import CachedEmbedder
    from anamnesis_tools.bench.designs.answering import AnswererFailed, grader
    from anamnesis_tools.bench.designs.figures import figures, shown
    from anamnesis_tools.bench.designs.running import NothingToAsk, run

    keeper = ResultKeeper("designs", keep=keep)
    answerer = _answerer(answers_url, answers_bedrock, answers_model, answers_key)
    asked = _histories(folder, histories, seed, export or [], course or [], zone)
    try:
        with _progress() as progress:
            found = run(
                asked,
                CachedEmbedder(embedder(), cache),
                seed=seed,
                times=times,
                on_registered=_telling(questions),
                grade_answer=grader(answerer) if answerer else None,
                progress=progress,
            )
    except AnswererFailed as failure:
        raise typer.BadParameter(f"no answer: {failure}", param_hint="--answers-url") from failure
    except NothingToAsk as nothing:
        raise typer.BadParameter(str(nothing)) from nothing
    told = figures(found)
    _keep(keeper, told, note)
    shown(told, as_json=as_json)


def ablation(  # noqa: PLR0913, PLR0917 options
    folder: Folder,
    histories: Count = 50,
    seed: Seed = 1,
    export: Exports = None,
    course: Courses = None,
    zone: Zone = "UTC",
    cache: Cache = None,
    questions: QuestionsFile = None,
    keep: Keep = False,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """What each layer adds: the full design without one at a time, on the same registered questions (EV-5)."""
    from anamnesis.offline import embedder
    from anamnesis_tools.bench.cached_embedder import CachedEmbedder
    from anamnesis_tools.bench.designs.ablation import figures, measure, shown
    from anamnesis_tools.bench.designs.running import NothingToAsk

    keeper = ResultKeeper("ablation", keep=keep)
    asked = _histories(folder, histories, seed, export or [], course or [], zone)
    try:
        with _progress() as progress:
            found = measure(
                asked,
                CachedEmbedder(embedder(), cache),
                seed=seed,
                on_registered=_telling(questions),
                progress=progress,
            )
    except NothingToAsk as nothing:
        raise typer.BadParameter(str(nothing)) from nothing
    told = figures(found)
    _keep(keeper, told, note)
    shown(told, as_json=as_json)


def _histories(
    folder: Path, count: int, seed: int, exports: list[Path], courses: list[Path], zone: str
) -> list[History]:
    from anamnesis_tools.bench.histories.exports import exported
    from anamnesis_tools.bench.histories.generator import generated

    try:
        histories = generated(folder, count=count, seed=seed) if count else []
        for path in exports:
            histories += exported(path, zone=zone, files=courses)
    except (OSError, KeyError, ValueError) as error:
        raise typer.BadParameter(str(error)) from error
    return histories


def _answerer(url: str, bedrock: bool, model: str, key: str) -> Answerer | None:
    from anamnesis_tools.bench.designs.answering import BedrockAnswerer, OpenAiAnswerer

    if not url and not bedrock:
        return None
    if url and bedrock:
        raise typer.BadParameter("answers come from one place", param_hint="--answers-url")
    if not model:
        raise typer.BadParameter("name the model", param_hint="--answers-model")
    # Never silently: prompts hold what students said, and answers cost.
    errors.print(f"Every prompt is sent to {url or 'Bedrock'} and answered by {model}.")
    if url:
        return OpenAiAnswerer(url, model, key)
    import boto3

    return BedrockAnswerer(boto3.client("bedrock-runtime"), model)


def _telling(path: Path | None) -> Callable[[Registered], None]:
    def tell(registered: Registered) -> None:
        errors.print(f"Registered {len(registered.questions)} questions: {registered.sha256}")
        if path is not None:
            text = json.dumps(registered.as_record(), ensure_ascii=False, indent=1)
            path.write_text(text + "\n", encoding="utf-8")

    return tell


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    with Progress(console=errors, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, what: bar.update(
            task, completed=done, total=total, description=what.capitalize()
        )


def _keep(keeper: ResultKeeper, figures: dict[str, Any], note: str) -> None:
    keeper(figures, data_sha256=figures["data_sha256"], note=note, seconds=figures["processor_seconds"])
