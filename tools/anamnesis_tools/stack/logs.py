"""`anamnesis logs`: what the functions on the local stack have written."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from anamnesis_tools.stack.aws_clients import in_plain_words
from anamnesis_tools.stack.commands import Json, State
from anamnesis_tools.stack.local_stack import LocalStack
from anamnesis_tools.stack.places import DEFAULT_STATE

#: What Lambda itself writes around every invocation.
_PLATFORM = ("START RequestId", "END RequestId", "REPORT RequestId")
_POLL_SECONDS = 0.5


def events(client: Any, function: str, since_ms: int) -> list[dict[str, Any]]:
    """Log events of the functions whose name contains `function`, oldest first.

    Parameters
    ----------
    client
        Of CloudWatch Logs.
    function
        Part of a function's name in the template; empty for all.
    since_ms
        Earliest time, in milliseconds of the epoch.

    Returns
    -------
    list
        ``{"function", "at_ms", "message"}``, without the lines that Lambda writes itself.
    """
    found = []
    for group in client.describe_log_groups()["logGroups"]:
        name = group["logGroupName"].rpartition("/")[2].removesuffix("Logs")
        if function.lower() not in name.lower():
            continue
        for page in client.get_paginator("filter_log_events").paginate(
            logGroupName=group["logGroupName"], startTime=since_ms
        ):
            found += [
                {"function": name, "at_ms": event["timestamp"], "message": event["message"]}
                for event in page["events"]
                if not event["message"].startswith(_PLATFORM)
            ]
    return sorted(found, key=lambda event: int(event["at_ms"]))


def logs(
    function: Annotated[
        str, typer.Argument(help="Part of a function's name, as ReadBlock; all when left out")
    ] = "",
    minutes: Annotated[float, typer.Option(help="How far back")] = 10.0,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until interrupted")] = False,
    state: State = DEFAULT_STATE,
    as_json: Json = False,
) -> None:
    """Print what the functions on the local stack have written."""
    with in_plain_words():
        client = LocalStack(state).attach().client("logs")
        since_ms = int((time.time() - 60 * minutes) * 1000)
        for event in _stream(client, function, since_ms, follow=follow):
            typer.echo(json.dumps(event, ensure_ascii=False) if as_json else _line(event))


def _stream(client: Any, function: str, since_ms: int, *, follow: bool) -> Iterator[dict[str, Any]]:
    """Events so far, then, when following, those that come."""
    shown: set[tuple[str, int, str]] = set()
    while True:
        for event in events(client, function, since_ms):
            key = (event["function"], event["at_ms"], event["message"])
            if key not in shown:
                shown.add(key)
                yield event
        if not follow:
            return
        time.sleep(_POLL_SECONDS)


def _line(event: dict[str, Any]) -> str:
    """One event for people: time, function, message."""
    at = datetime.fromtimestamp(event["at_ms"] / 1000, UTC)
    return f"{at:%H:%M:%S}.{event['at_ms'] % 1000:03d}  {event['function']:<14}  {event['message'].rstrip()}"
