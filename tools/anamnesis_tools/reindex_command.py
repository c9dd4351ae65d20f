"""`anamnesis reindex`: fill the semantic index of the model in use from the log, beside the index of another model."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from anamnesis_tools.replay.place import (
    NotReplayed,
    Place,
    ReplayFailed,
    aws_place,
    in_plain_words,
    local_place,
)
from anamnesis_tools.stack.places import DEFAULT_STATE

console = Console()
errors = Console(stderr=True)

#: Exit code when a pair could not be indexed to its end; none of a call that failed (1) or was wrong (2).
LEFT = 4
#: How long the log remembers who was active (`activity.KEPT_DAYS`).
REMEMBERED_DAYS = 400
#: Longest span that the function takes at once (`index_again.LONGEST`).
_SPAN = timedelta(days=31)
#: Before anything was recorded.
_BEGINNING = datetime(1970, 1, 2, tzinfo=UTC)
_FUNCTION = "IndexEpisodesFunctionName"


@dataclass
class Indexed:
    """What was indexed: pairs, episodes, and the pairs that were left unfinished, by name, with the reason."""

    pairs: int = 0
    episodes: int = 0
    left: list[dict[str, Any]] = field(default_factory=list)


def reindex(
    days: Annotated[
        int, typer.Option(min=1, max=REMEMBERED_DAYS, help="Pairs with something recorded in so many days")
    ] = REMEMBERED_DAYS,
    stack_name: Annotated[
        str | None, typer.Option(help="Stack on AWS, with your AWS credentials; default: the local stack")
    ] = None,
    state: Annotated[Path, typer.Option(help="State folder of the local stack")] = DEFAULT_STATE,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs")] = False,
) -> None:
    """Index everything again: after `Embedder` or `OpenSearchEndpoint` changed, or an index was lost.

    Of every pair that recorded something lately the whole log is indexed, by the model in use. Turns go on meanwhile,
    and it can be called again: equal replaces equal. Ends with code 4 when some pairs were not finished.
    """
    place = aws_place(stack_name) if stack_name else local_place(state)
    now = datetime.now(UTC)
    with in_plain_words(place.name), Progress(console=errors, disable=as_json) as progress:
        try:
            pairs = active(place, now - timedelta(days=days), now)
        except NotReplayed as reason:
            raise ReplayFailed(f"Who is there could not be asked: {reason}") from None
        task = progress.add_task("Indexing", total=len(pairs))
        done = through(place, pairs, now, tell=lambda: progress.advance(task))
    if as_json:
        print(json.dumps({"pairs": done.pairs, "episodes": done.episodes, "left": done.left}))
    else:
        console.print(f"{done.episodes} episodes of {done.pairs} pairs are in the index.")
        for one in done.left:
            console.print(f"Not finished: {one['pair']}: {one['why']}", markup=False)
    if done.left:
        raise typer.Exit(LEFT)


def active(place: Place, start: datetime, end: datetime) -> list[dict[str, str]]:
    """Return every pair that something was recorded for between two times, each once.

    Raises
    ------
    NotReplayed
        If the function fails.
    """
    found: dict[tuple[str, ...], dict[str, str]] = {}
    while start < end:
        until = min(start + _SPAN, end)
        asked = {"index_again": {"start": start.isoformat(), "end": until.isoformat()}}
        for pair in place.call(_FUNCTION, asked)["pairs"]:
            found.setdefault(tuple(pair.values()), pair)
        start = until
    return list(found.values())


def through(
    place: Place, pairs: list[dict[str, str]], now: datetime, *, tell: Callable[[], object] = lambda: None
) -> Indexed:
    """Index the whole log of each pair; one that fails keeps no other from it.

    Parameters
    ----------
    tell
        Called after each pair.
    """
    done = Indexed()
    everything = {"start": _BEGINNING.isoformat(), "end": now.isoformat()}
    for pair in pairs:
        after: int | None = 0
        try:
            while after is not None:
                answer = place.call(_FUNCTION, {"index_again": {**everything, "pair": pair, "after": after}})
                done.episodes += answer["indexed"]
                after = answer["after"]
            done.pairs += 1
        except NotReplayed as reason:
            done.left.append({"pair": pair, "after": after, "why": str(reason)})
        tell()
    return done
