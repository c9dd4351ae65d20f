"""The day-to-day acts over the HTTP API: ask, teach, upload, night."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Column, Table
from rich.text import Text

from anamnesis.domain.files import MAX_FILE_BYTES
from anamnesis_tools import plain_json
from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.api_options import ApiOptions, over_the_api

console = Console()
errors = Console(stderr=True)


@over_the_api
def ask(
    api: ApiOptions,
    subject: str,
    question: str,
    time_zone: Annotated[str, typer.Option("--tz", help="IANA time zone of the student")] = "UTC",
    budget: Annotated[int, typer.Option(help="Token budget of the block")] = 1_200,
) -> None:
    """Print the memory block for a question."""
    reply = api.client("student").block(subject, question, time_zone=time_zone, budget_tokens=budget)
    if api.as_json:
        print_json(reply)
        return
    console.print(reply["block"] or "(no block this time)", markup=False, highlight=False, soft_wrap=True)
    console.print(
        f"[dim]{reply['tokens']} tokens · {reply['elapsed_ms']} ms · intent {reply['intent']}"
        f" · degraded {reply['degraded'] or 'nothing'}[/dim]"
    )


@over_the_api
def teach(api: ApiOptions, subject: str, text: str) -> None:
    """Teach the tutor something, in the student's name."""
    episode = {"kind": "taught", "occurred_at": datetime.now(UTC).isoformat(), "text": text}
    recorded = api.client("student").record(subject, str(uuid4()), [episode])[0]
    if api.as_json:
        print_json(recorded)
    elif recorded["kind"] == "taught":
        console.print(
            f"Taught at position {recorded['position']}, on {', '.join(recorded['concepts'])}.", markup=False
        )
    else:
        console.print("That asks rather than teaches; it was recorded as a question.")


@over_the_api
def upload(api: ApiOptions, subject: str, files: list[Path]) -> None:
    """Upload course files and wait until they are read; none is sent when one of them cannot be opened or offered.

    A file that the reader refuses is a result like any other, with exit code 0.
    """
    for file in files:
        try:
            file.open("rb").close()
        except OSError as error:
            raise typer.BadParameter(f"{file}: {error.strerror or error}", param_hint="FILES") from error
        if not 1 <= (size := file.stat().st_size) <= MAX_FILE_BYTES:
            told = f"{file}: {size} bytes, where a file has 1 to {MAX_FILE_BYTES}"
            raise typer.BadParameter(told, param_hint="FILES")
    caller = api.client("student")
    with Progress(console=errors, disable=api.as_json) as progress:
        read = [_read(caller, subject, file) for file in progress.track(files, description="Reading")]
    if api.as_json:
        print_json(read)
        return
    table = Table("file", "status", "pages", "concepts", "reason")
    for done in read:
        table.add_row(
            done["name"], done["status"], str(done["pages"]), str(len(done["concepts"])), done["detail"] or ""
        )
    console.print(table)


def _read(caller: ApiClient, subject: str, file: Path) -> dict[str, Any]:
    """Upload one file and wait for its reading; a refusal names the file, which the API does not know by its path."""
    try:
        return caller.wait_until_read(subject, caller.upload(subject, file))
    except ApiProblem as problem:
        detail = f"{file}: {problem.problem.get('detail', '')}"
        raise ApiProblem(problem.status, problem.problem | {"detail": detail}) from problem


@over_the_api
def episodes(
    api: ApiOptions,
    subject: str,
    since: Annotated[str | None, typer.Option("--from", help="ISO 8601 with an offset")] = None,
    until: Annotated[str | None, typer.Option("--to", help="ISO 8601 with an offset")] = None,
    kind: Annotated[str | None, typer.Option(help="question, answer, check, taught, …")] = None,
) -> None:
    """List what is recorded, oldest first, with the ids that the other commands take."""
    caller = api.client("student")
    asked = {name: value for name, value in (("from", since), ("to", until), ("kind", kind)) if value}
    listed = list(caller.pages(caller.subject(subject, "episodes"), "episodes", asked))
    if api.as_json:
        print_json(listed)
        return
    table = Table("when", "kind", "what", Column("id", no_wrap=True, min_width=26))  # whole, to be copied
    for episode in listed:
        what = episode["summary"] if episode["summary"] is not None else "(erased)"
        table.add_row(*map(Text, (episode["occurred_at"], episode["kind"], what, episode["id"])))
    console.print(table)


@over_the_api
def night(
    api: ApiOptions,
    subject: str,
    day: Annotated[
        datetime | None,
        typer.Option("--date", formats=["%Y-%m-%d"], help="The student's day; default yesterday"),
    ] = None,
) -> None:
    """Run one pair's night for a day, which takes a service's token; running it again changes nothing."""
    which: date = day.date() if day else (datetime.now(UTC) - timedelta(days=1)).date()
    caller = api.client("service")
    report = caller.call("POST", caller.subject(subject, "night"), {"date": which.isoformat()})
    if api.as_json:
        print_json(report)
        return
    table = Table("step", "what it changed", title=f"Night of {report['date']}")
    for step, changed in night_steps(report):
        table.add_row(step, Text(changed))
    console.print(table)
    for statement in report["self_model"]["statements"]:
        mark = "+" if statement in report["statements_new"] else "-"
        console.print(f"{mark} {statement}", markup=False, soft_wrap=True)


def night_steps(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Each step of a night and what it changed, in words."""
    decayed = [f"{d['concept']} {d['before']:.2f} → {d['after']:.2f}" for d in report["decayed"]]
    turned = Counter(citation["result"] for citation in report["citations_turned"])
    days = ", ".join(report["days_consolidated"]) or "nothing: a quiet day, or summed up before"
    left = f"; {report['days_left']} days are left" if report["days_left"] else ""
    calibration = report["self_model"]["calibration"]
    chain = "verified" if report["self_model"]["chain_verified"] else "did NOT verify"
    length = report["checkpoint_length"]
    signed = f", {length} episodes signed" if report["checkpointed"] else ", nothing new to sign"
    indexed = f"{report['episodes_indexed']:+} episodes, {report['working_set_position']} in all"
    new, gone = len(report["statements_new"]), len(report["statements_gone"])
    return [
        ("consolidate", days + left),
        ("decay", ", ".join(decayed) or "nothing"),
        (
            "calibrate",
            f"{report['predictions_added']:+} predicted checks, {calibration['predictions']} in all"
            + ("" if calibration["calibrated"] else ": too few yet"),
        ),
        (
            "verify citations",
            f"{report['citations_checked']} looked up; "
            + (", ".join(f"{count} now {result}" for result, count in turned.items()) or "nothing turned"),
        ),
        ("working set", f"{indexed}, {report['vectors_made']} vectors made"),
        ("chain", chain + signed),
        ("self-model", f"{new} new statements, {gone} gone" if new or gone else "says the same"),
    ]


@over_the_api
def rederive(api: ApiOptions, subject: str) -> None:
    """Derive a student's beliefs by today's map, names and rules; running it again changes nothing."""
    caller = api.client("student")
    derived = caller.call("POST", caller.subject(subject, "beliefs/rederive"))
    if api.as_json:
        print_json(derived)
        return
    console.print(
        f"{derived['retired']} beliefs retired, {derived['made']} made, {derived['unchanged']} unchanged."
    )


def print_json(value: object) -> None:
    """JSON on standard output, without colours or wrapping."""
    typer.echo(plain_json.written(value))
