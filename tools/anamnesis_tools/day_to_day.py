"""The day-to-day acts over the HTTP API: ask, teach, upload, night, verify."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.stack.errors import StackError
from anamnesis_tools.stack.local_stack import LocalStack
from anamnesis_tools.stack.places import DEFAULT_STATE

console = Console()
errors = Console(stderr=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs")]
ApiUrl = Annotated[
    str | None, typer.Option(envvar="ANAMNESIS_API_URL", help="API to call; default: the local stack")
]
Token = Annotated[
    str | None, typer.Option(envvar="ANAMNESIS_TOKEN", help="Token; default: one of the local stack")
]
Tenant = Annotated[str, typer.Option(envvar="ANAMNESIS_TENANT", help="Tenant on the local stack")]
Student = Annotated[str, typer.Option(envvar="ANAMNESIS_STUDENT", help="Student to act as or for")]
State = Annotated[Path, typer.Option(help="State folder of the local stack")]


def client(
    api_url: str | None, token: str | None, tenant: str, student: str, state: Path, role: str
) -> ApiClient:
    """A client of the API named, or of the running local stack with a token made on the spot."""
    acting_for = None if role == "student" else student
    if api_url and token:
        return ApiClient(api_url, token, student=acting_for)
    try:
        stack = LocalStack(state).attach()
        return ApiClient(stack.api_url, token or stack.token(tenant, student, role), student=acting_for)
    except StackError as error:
        errors.print(f"[red]{error}[/red]")
        raise typer.Exit(2) from None


def ask(
    subject: str,
    question: str,
    time_zone: Annotated[str, typer.Option("--tz", help="IANA time zone of the student")] = "UTC",
    budget: Annotated[int, typer.Option(help="Token budget of the block")] = 1_200,
    as_json: Json = False,
    api_url: ApiUrl = None,
    token: Token = None,
    tenant: Tenant = "demo",
    student: Student = "ana",
    state: State = DEFAULT_STATE,
) -> None:
    """Print the memory block for a question."""
    caller = client(api_url, token, tenant, student, state, "student")
    reply = called(lambda: caller.block(subject, question, time_zone=time_zone, budget_tokens=budget))
    if as_json:
        print_json(reply)
        return
    console.print(reply["block"] or "(no block this time)", markup=False, highlight=False)
    console.print(
        f"[dim]{reply['tokens']} tokens · {reply['elapsed_ms']} ms · intent {reply['intent']}"
        f" · degraded {reply['degraded'] or 'nothing'}[/dim]"
    )


def teach(
    subject: str,
    text: str,
    as_json: Json = False,
    api_url: ApiUrl = None,
    token: Token = None,
    tenant: Tenant = "demo",
    student: Student = "ana",
    state: State = DEFAULT_STATE,
) -> None:
    """Teach the tutor something, in the student's name."""
    caller = client(api_url, token, tenant, student, state, "student")
    episode = {"kind": "taught", "occurred_at": datetime.now(UTC).isoformat(), "text": text}
    recorded = called(lambda: caller.record(subject, str(uuid4()), [episode]))[0]
    if as_json:
        print_json(recorded)
    elif recorded["kind"] == "taught":
        console.print(f"Taught at position {recorded['position']}, on {', '.join(recorded['concepts'])}.")
    else:
        console.print("That asks rather than teaches; it was recorded as a question.")


def upload(
    subject: str,
    files: list[Path],
    as_json: Json = False,
    api_url: ApiUrl = None,
    token: Token = None,
    tenant: Tenant = "demo",
    student: Student = "ana",
    state: State = DEFAULT_STATE,
) -> None:
    """Upload course files and wait until they are read."""
    caller = client(api_url, token, tenant, student, state, "student")
    read: list[dict[str, Any]] = []
    with Progress(console=errors, disable=as_json) as progress:
        for file in progress.track(files, description="Reading"):
            if not file.is_file():
                errors.print(f"[red]no such file: {file}[/red]")
                raise typer.Exit(2)
            file_id = called(lambda file=file: caller.upload(subject, file))
            read.append(called(lambda file_id=file_id: caller.wait_until_read(subject, file_id)))
    if as_json:
        print_json(read)
        return
    table = Table("file", "status", "pages", "concepts", "reason")
    for done in read:
        table.add_row(
            done["name"], done["status"], str(done["pages"]), str(len(done["concepts"])), done["detail"] or ""
        )
    console.print(table)


def night(
    subject: str,
    day: Annotated[
        datetime | None, typer.Option("--date", formats=["%Y-%m-%d"], help="UTC day; default yesterday")
    ] = None,
    as_json: Json = False,
    api_url: ApiUrl = None,
    token: Token = None,
    tenant: Tenant = "demo",
    student: Student = "ana",
    state: State = DEFAULT_STATE,
) -> None:
    """Run one pair's night for a day; running it again changes nothing."""
    caller = client(api_url, token, tenant, student, state, "service")
    which: date = day.date() if day else (datetime.now(UTC) - timedelta(days=1)).date()
    report = called(
        lambda: caller.call("POST", caller.subject(subject, "night"), {"date": which.isoformat()})
    )
    if as_json:
        print_json(report)
        return
    console.print(
        f"Night of {report['date']}: {report['beliefs_decayed']} beliefs decayed, "
        f"{report['citations_checked']} citations checked."
    )
    for statement in report["self_model"]["statements"]:
        console.print(f"- {statement}", markup=False)


def verify(
    subject: str,
    as_json: Json = False,
    api_url: ApiUrl = None,
    token: Token = None,
    tenant: Tenant = "demo",
    student: Student = "ana",
    state: State = DEFAULT_STATE,
) -> None:
    """Verify a log's chain; ends with code 1 when it is broken."""
    caller = client(api_url, token, tenant, student, state, "student")
    chain = called(lambda: caller.call("GET", caller.subject(subject, "chain")))
    if as_json:
        print_json(chain)
    else:
        console.print(
            f"{'verified' if chain['verified'] else '[red]BROKEN[/red]'}: {chain['length']} episodes, "
            f"{chain['checkpoints_checked']} checkpoints"
        )
        for found in chain["breaks"]:
            console.print(f"- position {found['position']}: {found['kind']}")
        for unchecked in chain["not_checked"]:
            console.print(f"[dim]not checked: {unchecked}[/dim]")
    if not chain["verified"]:
        raise typer.Exit(1)


def called(act: Any) -> Any:
    """The result of an API call; a refusal is printed and ends the command with code 1."""
    try:
        return act()
    except (ApiProblem, TimeoutError) as problem:
        errors.print(f"[red]{problem}[/red]", highlight=False)
        raise typer.Exit(1) from None


def print_json(value: object) -> None:
    """JSON on standard output, without colours or wrapping."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
