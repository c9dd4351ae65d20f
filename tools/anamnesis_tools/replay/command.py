"""`anamnesis replay`: list what failed for good, and put it back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import botocore.exceptions
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from anamnesis_tools.replay import letters
from anamnesis_tools.replay.letters import Letter
from anamnesis_tools.replay.place import NotReplayed, Place, aws_place, in_plain_words, local_place
from anamnesis_tools.replay.queues import QUEUES, DeadLetters, why
from anamnesis_tools.stack.places import DEFAULT_STATE

console = Console()
errors = Console(stderr=True)

#: Exit code when a letter could not be replayed and stays; none of a call that failed (1) or was wrong (2).
KEPT = 4


class QueueName(StrEnum):
    """A queue's name on the command line."""

    NIGHT = "night"
    FILES = "files"
    INDEX = "index"
    START_NIGHT = "start-night"
    WIKI = "wiki"
    ANSWERS = "answers"


@dataclass(frozen=True)
class Outcome:
    """What became of one letter: ``waiting`` (only listed), ``replayed``, ``kept`` or ``discarded``."""

    queue: str
    letter: Letter
    about: dict[str, Any]
    became: str
    detail: str | None

    def document(self, now: datetime) -> dict[str, Any]:
        """For programs."""
        return {
            "queue": self.queue,
            "id": self.letter.id,
            "sent_at": self.letter.sent_at.isoformat(),
            "age_seconds": round((now - self.letter.sent_at).total_seconds()),
            "about": self.about,
            "why": why(self.letter),
            "outcome": self.became,
            "detail": self.detail,
        }


def replay(
    queue: Annotated[QueueName | None, typer.Option(help="Only this queue; default: all of them")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List what waits, and leave it there")] = False,
    discard: Annotated[
        list[str] | None,
        typer.Option(help="Delete the letter of this id for good, and replay none; may be repeated"),
    ] = None,
    stack_name: Annotated[
        str | None, typer.Option(help="Stack on AWS, with your AWS credentials; default: the local stack")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most letters of a queue in one call")] = 1_000,
    state: Annotated[Path, typer.Option(help="State folder of the local stack")] = DEFAULT_STATE,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs")] = False,
) -> None:
    """List what failed for good and put it back; ends with code 4 when something could not be.

    A letter leaves its queue only when its work was accepted again, and replaying twice does nothing twice.
    """
    place = aws_place(stack_name) if stack_name else local_place(state)
    names = [queue.value] if queue else list(QUEUES)
    if discard and dry_run:
        raise typer.BadParameter("deletes, which --dry-run does not", param_hint="--discard")
    with in_plain_words(place.name), Progress(console=errors, disable=as_json) as progress:
        waiting = {
            name: letters.waiting(place.client("sqs"), place.output(QUEUES[name][0])) for name in names
        }
        task = progress.add_task("Listing" if dry_run else "Replaying", total=sum(waiting.values()))
        outcomes = [
            outcome
            for name in names
            for outcome in through(
                place,
                name,
                limit=limit,
                dry_run=dry_run,
                discard=frozenset(discard or ()),
                tell=partial(progress.advance, task),
            )
        ]
    _show(place, waiting, outcomes, as_json=as_json)
    missing = set(discard or ()) - {outcome.letter.id for outcome in outcomes}
    if missing:
        raise typer.BadParameter(f"no such letter: {', '.join(sorted(missing))}", param_hint="--discard")
    if any(outcome.became == "kept" for outcome in outcomes):
        raise typer.Exit(KEPT)


def through(
    place: Place,
    name: str,
    *,
    limit: int,
    dry_run: bool,
    discard: frozenset[str] = frozenset(),
    tell: Callable[[], object] = lambda: None,
) -> list[Outcome]:
    """Go through one queue's letters, oldest first; what stays in it can be seen again at once.

    Parameters
    ----------
    discard
        Ids of letters to delete; when there are any, nothing is replayed.
    tell
        Called after each letter.
    """
    output, kind = QUEUES[name]
    sqs, url, queue = place.client("sqs"), place.output(output), kind(place)
    in_hand = letters.collect(sqs, url, limit)
    outcomes = []
    try:
        for letter in list(in_hand):
            if discard and letter.id not in discard:
                continue
            outcome = (
                Outcome(name, letter, queue.about(letter), "discarded", None)
                if discard
                else _one(queue, name, letter, dry_run=dry_run)
            )
            outcomes.append(outcome)
            tell()
            if outcome.became in {"replayed", "discarded"}:
                letters.delete(sqs, url, letter)
                in_hand.remove(letter)
    finally:
        letters.give_back(sqs, url, in_hand)
    return outcomes


def _one(queue: DeadLetters, name: str, letter: Letter, *, dry_run: bool) -> Outcome:
    about: dict[str, Any] = {}
    try:
        about = queue.about(letter)
        if dry_run:
            return Outcome(name, letter, about, "waiting", None if about else "cannot be understood")
        return Outcome(name, letter, about, "replayed", queue.put_back(letter))
    except NotReplayed as reason:
        return Outcome(name, letter, about, "kept", str(reason))
    except botocore.exceptions.ClientError as refusal:
        # One letter that AWS refuses must not keep the others from being replayed.
        code = refusal.response.get("Error", {}).get("Code", "unknown")
        return Outcome(name, letter, about, "kept", f"{refusal.operation_name} was refused: {code}")


def _show(place: Place, waiting: dict[str, int], outcomes: list[Outcome], *, as_json: bool) -> None:
    now = datetime.now(UTC)
    if as_json:
        found = {
            "waiting": waiting,
            "letters": [outcome.document(now) for outcome in outcomes],
            **{
                became: sum(outcome.became == became for outcome in outcomes)
                for became in ("replayed", "kept", "discarded")
            },
        }
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    if not outcomes:
        console.print(f"Nothing waits {place.name}.", markup=False)
        return
    table = Table("queue", "hours old", "about", "why", "outcome")
    for outcome in outcomes:
        hours = (now - outcome.letter.sent_at).total_seconds() / 3600
        told = outcome.became + (f": {outcome.detail}" if outcome.detail else "")
        table.add_row(
            outcome.queue, f"{hours:.1f}", _in_words(outcome.about), why(outcome.letter) or "", told
        )
    console.print(table)
    total, listed = sum(waiting.values()), len(outcomes)
    if total > listed:
        console.print(f"{total - listed} more wait, or are in another replay's hands.")


def _in_words(about: dict[str, Any]) -> str:
    """One line a thing, such as ``school / ana / biology night 2026-07-03``."""
    several = about.get("files") or about.get("pairs")
    if several:
        return "\n".join(_in_words(each) for each in several)
    owner = " / ".join(str(about[name]) for name in ("tenant", "student", "subject") if name in about)
    rest = [
        f"{name} {value}" for name, value in about.items() if name not in {"tenant", "student", "subject"}
    ]
    return " ".join(filter(None, [owner, *rest]))
