"""`anamnesis chat`: a question to the tutor, its answer as it is written, and where that comes from."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable
from typing import Annotated, Any
from uuid import uuid4

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.api_options import ApiOptions, over_the_api
from anamnesis_tools.day_to_day import print_json
from anamnesis_tools.patience import patient

console = Console()
errors = Console(stderr=True)

#: Exit code when there is no answer: no model is configured, or it gave none.
NOT_ANSWERED = 5
#: Longest wait for an answer: the service gives it up after ten minutes.
WAIT_SECONDS = 660.0


@over_the_api
def chat(
    api: ApiOptions,
    subject: str,
    question: str,
    time_zone: Annotated[str, typer.Option("--tz", help="IANA time zone of the student")] = "UTC",
    session: Annotated[str | None, typer.Option(help="Session that the turn belongs to")] = None,
    budget: Annotated[int, typer.Option(help="Token budget of the block")] = 1_200,
) -> None:
    """Ask the tutor, in the student's name; exit code 5 when there is no answer."""
    caller = api.client("student")
    begun = start(caller, subject, question, time_zone=time_zone, session_id=session, budget_tokens=budget)
    ended = None
    if begun["answer_id"] is not None:
        shown = (lambda _: None) if api.as_json else _say
        ended = follow(caller, subject, begun["answer_id"], shown)
    if api.as_json:
        print_json(begun | {"answer": ended})
    elif ended is None:
        errors.print(
            "No model is configured, so nothing is answered: `anamnesis up --tutor openai:MODEL --tutor-url URL`. "
            "The question is recorded; this is what a model would be shown:"
        )
        _show_material(begun)
    else:
        _show_end(begun, ended)
    if ended is None or ended["status"] != "done":
        raise typer.Exit(NOT_ANSWERED)


def start(caller: ApiClient, subject: str, question: str, **options: Any) -> dict[str, Any]:
    """Begin a turn; the same request is sent again while no answer comes, and begins nothing twice."""
    given = {name: value for name, value in options.items() if value is not None}
    path, headers = caller.subject(subject, "answers"), {"Idempotency-Key": str(uuid4())}
    return patient(lambda: caller.call("POST", path, {"question": question, **given}, headers=headers))


def follow(caller: ApiClient, subject: str, answer_id: str, say: Callable[[str], None]) -> dict[str, Any]:
    """Look at an answer until its end; what is new is said as it comes.

    Returns
    -------
    dict
        The last reply, with the whole text.
    """
    path, text, end = caller.subject(subject, f"answers/{answer_id}"), "", time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        reply = _look(caller, path, len(text))
        if reply["chars"] < len(text):
            # The writer died, and another one began anew.
            say("\n")
            text = ""
            continue
        say(reply["text"])
        text += reply["text"]
        if reply["status"] in {"done", "failed"}:
            return reply | {"text": text}
        _wait(reply)
    return {"status": "failed", "reason": "too-slow", "text": text, "grounding": None, "usage": None}


def _wait(reply: dict[str, Any]) -> None:
    """As long as the service says: looks count among the tenant's requests."""
    time.sleep(reply["look_again_ms"] / 1_000)


def _look(caller: ApiClient, path: str, after: int) -> dict[str, Any]:
    return patient(lambda: caller.call("GET", path, params={"after": after}))


def _say(text: str) -> None:
    typer.echo(_plain(text), nl=False)


def _plain(text: str) -> str:
    """A model's or a file's text without anything that a terminal would take for an order."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cf", "Cs"})


def _show_material(begun: dict[str, Any]) -> None:
    _say((begun["block"]["block"] or "(no block this time)") + "\n")
    for passage in begun["passages"]:
        where = f"page {passage['page']}" if passage["kind"] == "file" else passage["at"]
        _say(f"{passage['name']}, {where}: {passage['text']}\n")


def _show_end(begun: dict[str, Any], ended: dict[str, Any]) -> None:
    typer.echo()
    if ended["status"] == "failed":
        errors.print(f"There is no answer: {ended['reason']}. The question is recorded.", markup=False)
        return
    block, found = begun["block"], ended["grounding"]
    if found is not None and found["claims"]:
        table = Table("claim", "comes from")
        for claim in found["claims"]:
            table.add_row(Text(_plain(claim["text"])), Text(_plain(_source(claim))))
        console.print(table)
    stance = (
        "not traced"
        if found is None
        else f"{found['stance']}, {found['grounded_share']:.0%} of its claims traced"
    )
    console.print(
        Text(
            f"{begun['model']} · {stance} · block of {block['tokens']} tokens in {block['elapsed_ms']:.0f} ms"
        )
    )


def _source(claim: dict[str, Any]) -> str:
    source = claim["source"]
    if source is None:
        problem = claim["problem"]
        return "nothing" if problem in {None, "nothing"} else f"nothing (the nearest differs in: {problem})"
    if source["kind"] == "file":
        return f"{source['file']}, page {source['page']}, line {source['line']}"
    return f"{source['memory']}, {source['occurred_at'][:10]}"
