"""`anamnesis up`, `down`, `status`, `token`, `page` and `layers`."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from anamnesis_tools.stack.errors import EmulatorFailed, NotRunning
from anamnesis_tools.stack.layers import WHEEL_LAYERS, build_source_layer, build_wheel_layer
from anamnesis_tools.stack.local_stack import LocalStack
from anamnesis_tools.stack.places import DEFAULT_STATE
from anamnesis_tools.stack.tokens import ROLES

errors = Console(stderr=True)
#: The emulator has no console to look at: its address is for programs that wait for one to answer.
_FOR_PROGRAMS = frozenset({"console_url", "console_shows"})

State = Annotated[Path, typer.Option(help="State folder of the local stack")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs")]


def _show(facts: dict[str, Any], as_json: bool) -> None:
    """Print facts as JSON, or one a line without the nested ones and those that only programs look for."""
    if as_json:
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    shown = {
        name: value
        for name, value in facts.items()
        if not isinstance(value, dict | None) and name not in _FOR_PROGRAMS
    }
    width = max(map(len, shown))
    for name, value in shown.items():
        typer.echo(f"{name:<{width}}  {value}")


def up(
    port: Annotated[
        int | None, typer.Option(help="Port on loopback; default: the last one, or a free one")
    ] = None,
    state: State = DEFAULT_STATE,
    foreground: Annotated[bool, typer.Option(help="Stay, and stop the stack when this command ends")] = False,
    tutor: Annotated[
        str | None,
        typer.Option(
            help="Who answers in a chat: none, bedrock:MODEL, or openai:MODEL with --tutor-url; "
            "default: as the last time"
        ),
    ] = None,
    tutor_url: Annotated[
        str | None,
        typer.Option(help="Base address of an OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Start the local stack, or bring a running one up to date with template and sources."""
    stack = LocalStack(state, port, persist=True, parameters=_tutor_parameters(tutor, tutor_url))
    began = time.monotonic()
    if as_json:
        stack.start(tied=foreground)
    else:
        with errors.status("Deploying template.yaml to the local emulator …"):
            stack.start(tied=foreground)
    recovered = stack.recovered
    if recovered:
        errors.print(f"Warning: {recovered.detail}", style="yellow", markup=False, soft_wrap=True)
    _show(
        stack.describe()
        | {"seconds": round(time.monotonic() - began, 1)}
        | {"recovered": recovered.document() if recovered else None},
        as_json,
    )
    if not as_json:
        errors.print(
            "Next: `anamnesis page` prints a link to look at it; `ask`, `upload` and `chat` are commands too.",
            soft_wrap=True,
        )
    if foreground:
        _stay(stack)


def _tutor_parameters(tutor: str | None, tutor_url: str | None) -> dict[str, str]:
    """What the template is told of who answers; nothing when nobody said, and then it stays as it is."""
    kind, _, model = (tutor or "").partition(":")
    if tutor not in {None, "none"} and (kind not in {"bedrock", "openai"} or not model):
        raise typer.BadParameter("none, bedrock:MODEL or openai:MODEL", param_hint="--tutor")
    if (kind == "openai") != bool(tutor_url):
        raise typer.BadParameter("goes with --tutor openai:MODEL", param_hint="--tutor-url")
    return {} if tutor is None else {"Tutor": kind, "TutorModel": model, "TutorUrl": tutor_url or ""}


def _stay(stack: LocalStack) -> None:
    """Wait for a signal or for the emulator's end, then stop the stack."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        while stack.emulator.is_running():
            time.sleep(0.5)
        raise EmulatorFailed(f"The emulator has ended; its log is {stack.state_dir / 'emulator.log'}")
    except KeyboardInterrupt:
        stack.stop()


def down(state: State = DEFAULT_STATE, as_json: Json = False) -> None:
    """Stop the local stack; its state is kept for the next `up`."""
    stopped = LocalStack(state).stop()
    if as_json:
        _show({"stopped": stopped}, as_json)
    else:
        typer.echo(f"Stopped; its state is kept in {state}" if stopped else f"No local stack ran in {state}")


def status(state: State = DEFAULT_STATE, as_json: Json = False) -> None:
    """Say whether the local stack runs, and where; exit code 3 when it does not."""
    try:
        facts = {"running": True} | LocalStack(state).attach().describe()
    except NotRunning as error:
        _show({"running": False, "detail": str(error)}, as_json)
        raise typer.Exit(3) from error
    _show(facts, as_json)


Tenant = Annotated[str, typer.Option(envvar="ANAMNESIS_TENANT", help="Any text")]
Student = Annotated[
    str | None,
    typer.Option(help="Any text; default: ana for a student, nobody for a teacher or service"),
]
Role = Annotated[str, typer.Option(help=" | ".join(ROLES))]


def token(
    tenant: Tenant = "demo",
    student: Student = None,
    role: Role = "student",
    state: State = DEFAULT_STATE,
    as_json: Json = False,
) -> None:
    """Print an ID token of the local stack's user pool, good for an hour."""
    student = student or _usual_student(role)
    _, issued = _issued(tenant, student, role, state)
    facts = {"token": issued, "tenant": tenant, "student": student, "role": role}
    typer.echo(json.dumps(facts, ensure_ascii=False) if as_json else issued)


def page(
    tenant: Tenant = "demo",
    student: Student = None,
    role: Role = "student",
    state: State = DEFAULT_STATE,
    as_json: Json = False,
) -> None:
    """Print an address that opens the local stack's page signed in, good for an hour.

    The token is in the address's fragment, which a browser sends to nobody and the page takes out at once.
    """
    student = student or _usual_student(role)
    stack, issued = _issued(tenant, student, role, state)
    address = f"{stack.page_url}#token={issued}"
    facts = {"url": address, "tenant": tenant, "student": student, "role": role}
    typer.echo(json.dumps(facts, ensure_ascii=False) if as_json else address)


def _usual_student(role: str) -> str | None:
    """Whom the other commands act as too, unless told otherwise."""
    return "ana" if role == "student" else None


def _issued(tenant: str, student: str | None, role: str, state: Path) -> tuple[LocalStack, str]:
    """The running stack and a token of its user pool."""
    if role not in ROLES:
        raise typer.BadParameter(f"one of {', '.join(ROLES)}", param_hint="--role")
    stack = LocalStack(state).attach()
    return stack, stack.token(tenant, student, role)


def layers(as_json: Json = False) -> None:
    """Build the Lambda layers for this machine, or find them built."""
    built = {name: str(build_wheel_layer(name)) for name in WHEEL_LAYERS}
    _show(built | {"shared": str(build_source_layer())}, as_json)
