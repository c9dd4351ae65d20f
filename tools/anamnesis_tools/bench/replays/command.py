"""`anamnesis bench replay`: a recorded history in an isolated copy, asked as its student would ask (EV-2)."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Column, Table
from rich.text import Text

from anamnesis_tools import plain_json
from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.api_options import ApiOptions, over_the_api
from anamnesis_tools.bench.replays.exported_pairs import ExportedPair, exported_pairs, fingerprint
from anamnesis_tools.bench.replays.questions import ReplayQuestion, asked_of
from anamnesis_tools.bench.replays.rebuilding import Copy, rebuilt
from anamnesis_tools.bench.scenarios import judge
from anamnesis_tools.bench.scenarios.player import DEFAULT_BUDGET
from anamnesis_tools.erase_command import erased
from anamnesis_tools.patience import whole_block

console = Console()
errors = Console(stderr=True)
Progressed = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back for a question.

    Attributes
    ----------
    memories
        Ids of the source, and None for what the copy's memory wrote by itself, in the block's order.
    wrong
        What is wrong with it, in words; empty where nothing is, or nothing is known.
    """

    question: ReplayQuestion
    reply: Mapping[str, Any]
    memories: tuple[str | None, ...]
    wrong: tuple[str, ...]
    ms: float


@dataclass(frozen=True, slots=True)
class Replayed:
    """A pair's replay."""

    source: Path
    pair: ExportedPair
    copied: int
    chain: Mapping[str, Any]
    answers: tuple[Answered, ...]


@over_the_api
def replay(
    api: ApiOptions,
    exports: Annotated[
        list[Path],
        typer.Argument(exists=True, dir_okay=False, help="Files that `anamnesis export` wrote; read only"),
    ],
    files: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, help="Folder of the course files; their bytes are not exported"
        ),
    ] = None,
    time_zone: Annotated[str, typer.Option(help="The student's, which an export does not tell")] = "UTC",
    every_night: Annotated[
        bool, typer.Option("--every-night", help="A night for each day, not one for all")
    ] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the copies there to be looked at")] = False,
) -> None:
    """Rebuild recorded histories as new students', ask as those did, and tell what came back (EV-2)."""
    try:
        zone = ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise typer.BadParameter(f"{time_zone}: no such time zone", param_hint="--time-zone") from None
    pairs = [(path, pair) for path in exports for pair in exported_pairs(path)]
    course = sorted(path for path in files.iterdir() if path.is_file()) if files else []
    service, as_json = api.client("service"), api.as_json
    with Progress(console=errors, disable=as_json) as bar:
        task = bar.add_task("Replaying")

        def progress(what: str, done: int, of: int) -> None:
            bar.update(task, description=what, completed=done, total=of)

        found = [
            replayed(
                path,
                pair,
                service,
                zone,
                course=course,
                every_night=every_night,
                keep=keep,
                progress=progress,
            )
            for path, pair in pairs
        ]
    shown(found, as_json=as_json)


def replayed(
    path: Path,
    pair: ExportedPair,
    service: ApiClient,
    zone: ZoneInfo,
    *,
    course: Sequence[Path] = (),
    every_night: bool = False,
    keep: bool = False,
    progress: Progressed = lambda *_: None,
) -> Replayed:
    """Replay one pair; its copy is erased when all questions are asked, unless it is to be kept."""
    name = f"replay-{secrets.token_hex(6)}"
    copy = rebuilt(pair, service, name, course=course, every_night=every_night, progress=progress)
    try:
        questions = asked_of(pair, zone)
        answers = []
        for number, question in enumerate(questions):
            progress("Asking", number, len(questions))
            answers.append(_answered(copy, question, zone))
        return Replayed(path, pair, len(copy.ids), copy.chain(), tuple(answers))
    finally:
        if not keep:
            erased(copy.client, "/v1/student")


def _answered(copy: Copy, question: ReplayQuestion, zone: ZoneInfo) -> Answered:
    began = time.monotonic()
    options = {"now": question.now.isoformat(), "time_zone": str(zone), "budget_tokens": DEFAULT_BUDGET}
    reply = whole_block(copy.client, copy.subject, question.text, options)
    ms = (time.monotonic() - began) * 1000
    memories = tuple(copy.source_of(one) for one in reply["memory_ids"])
    return Answered(question, reply, memories, tuple(_wrong(question, reply, memories)), ms)


def _wrong(question: ReplayQuestion, reply: Mapping[str, Any], memories: Sequence[str | None]) -> list[str]:
    if reply["block"] is None or reply["degraded"]:
        return ["no whole block"]
    wrong = judge.structure(reply, DEFAULT_BUDGET)
    known = {one for one in memories if one is not None}
    if question.empty:
        if not reply["window_empty"]:
            wrong.append("the empty month is not said to be empty")
        if memories:
            wrong.append(f"{len(memories)} memories of an empty month")
        return wrong
    if question.wanted and not question.wanted & known:
        wrong.append("none of what it asks for is in the block")
    if question.allowed is not None and (others := known - question.allowed):
        wrong.append(f"{len(others)} memories are not what it asks for")
    return wrong


def document(one: Replayed) -> dict[str, Any]:
    """A replay for programs; no text of the student's but their questions."""
    pair = one.pair
    return {
        "source": {
            "file": str(one.source),
            "sha256": fingerprint(one.source),
            "subject": pair.subject,
            "length": pair.length,
            "head": pair.head,
            "breaks": pair.breaks,
        },
        "copy": {
            "recorded": one.copied,
            "left_out_erased": pair.erased,
            "left_out_own": pair.own,
            "verified": one.chain["verified"],
            "length": one.chain["length"],
        },
        "summary": _summary(one),
        "questions": [
            {
                "kind": answer.question.kind,
                "question": answer.question.text,
                "now": answer.question.now.isoformat(),
                "intent": answer.reply["intent"],
                "window": answer.reply["window"],
                "window_empty": answer.reply["window_empty"],
                "matched": answer.reply["matched"],
                "memory_ids": list(answer.memories),
                "given_then": list(answer.question.given),
                "tokens": answer.reply["tokens"],
                "ms": round(answer.ms),
                "wrong": list(answer.wrong),
            }
            for answer in one.answers
        ],
    }


def _summary(one: Replayed) -> dict[str, dict[str, Any]]:
    """By kind of question: how many, with a match, as they should be, and how much came back."""
    by_kind: defaultdict[str, list[Answered]] = defaultdict(list)
    for answer in one.answers:
        by_kind[answer.question.kind].append(answer)
    return {
        kind: {
            "asked": len(answers),
            "matched": sum(bool(answer.reply["matched"]) for answer in answers),
            "right": sum(not answer.wrong for answer in answers),
            "memories": sum(len(answer.memories) for answer in answers),
            "tokens": sum(answer.reply["tokens"] for answer in answers),
            "given_then": sum(len(answer.question.given) for answer in answers),
            "given_again": sum(len(set(answer.question.given) & set(answer.memories)) for answer in answers),
        }
        for kind, answers in by_kind.items()
    }


def shown(found: Sequence[Replayed], *, as_json: bool) -> None:
    """Print what came back, as tables for people or as JSON."""
    if as_json:
        typer.echo(plain_json.written([document(one) for one in found]))
        return
    for one in found:
        pair = one.pair
        source = "its hashes hold" if not pair.breaks else f"its hashes break at {len(pair.breaks)} places"
        console.print(
            Text(
                f"{one.source.name}, {plain_json.shown(pair.subject)}: {one.copied} events recorded anew "
                f"({pair.erased} erased and {pair.own} of the memory's own left out); {source}"
            ),
            soft_wrap=True,
        )
        right = {"justify": "right"}
        heads = (
            "asked",
            "matched",
            "as it should be",
            "memories a turn",
            "tokens a turn",
            "given then · again",
        )
        table = Table("question", *(Column(head, **right) for head in heads))  # type: ignore[arg-type]
        for kind, s in _summary(one).items():
            asked = s["asked"]
            table.add_row(
                kind,
                str(asked),
                str(s["matched"]),
                str(s["right"]),
                f"{s['memories'] / asked:.1f}",
                f"{s['tokens'] / asked:.0f}",
                f"{s['given_then']} · {s['given_again']}",
            )
        console.print(table)
        for answer in one.answers:
            for wrong in answer.wrong:
                console.print(Text(f"  {answer.question.kind}, as of {answer.question.now.date()}: {wrong}"))
