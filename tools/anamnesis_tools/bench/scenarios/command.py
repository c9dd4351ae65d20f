"""`anamnesis bench scenarios`: play scripted histories through the public API and judge what comes back (EV-1)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Column, Table
from rich.text import Text

from anamnesis_tools import plain_json
from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.api_options import ApiOptions
from anamnesis_tools.bench.scenarios import library
from anamnesis_tools.bench.scenarios.player import Played, play
from anamnesis_tools.bench.scenarios.script import Scenario
from anamnesis_tools.stack.places import DEFAULT_STATE

#: Scenarios played at a time. Ours: more only wait for each other on a machine's few cores.
AT_ONCE = 2
console = Console()
errors = Console(stderr=True)


def scenarios(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Names, or YAML files of your own; all that come with us by default"),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Only say what there is, and what each is for")
    ] = False,
    at_once: Annotated[int, typer.Option(min=1, max=16, help="Scenarios played at a time")] = AT_ONCE,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs")] = False,
    api_url: Annotated[
        str | None, typer.Option(envvar="ANAMNESIS_API_URL", help="API to call; default: the local stack")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(envvar="ANAMNESIS_TOKEN", help="Token of a service; default: one of the local stack"),
    ] = None,
    tenant: Annotated[str, typer.Option(help="Tenant on the local stack")] = "scenarios",
    state: Annotated[Path, typer.Option(help="State folder of the local stack")] = DEFAULT_STATE,
) -> None:
    """Play scripted histories through the API, each as a student of its own, and judge them by stored ids (EV-1)."""
    wanted = library.load(names or ())
    if listed:
        _shown_list(wanted, as_json=as_json)
        return
    options = ApiOptions(as_json=as_json, api_url=api_url, token=token, tenant=tenant, state=state)
    found = played(wanted, options.client("service"), at_once=at_once, quiet=as_json)
    shown(found, as_json=as_json)
    if not all(one.as_it_should for one in found):
        # What went wrong is told already, and a program gets one document.
        raise typer.Exit(1)


def played(
    wanted: Mapping[str, Scenario], service: ApiClient, *, at_once: int = AT_ONCE, quiet: bool = True
) -> list[Played]:
    """Play scenarios, several at a time; their students and subjects are new ones."""
    run = f"run-{secrets.token_hex(4)}"
    with Progress(console=errors, disable=quiet) as bar, ThreadPoolExecutor(at_once) as threads:
        task = bar.add_task("Playing", total=len(wanted))

        def one(item: tuple[str, Scenario]) -> Played:
            found = play(*item, service, run)
            bar.advance(task)
            return found

        return list(threads.map(one, wanted.items()))


def documents(found: Sequence[Played]) -> list[dict[str, Any]]:
    """What came of each, for programs."""
    return [
        {
            "name": one.name,
            "outcome": one.outcome,
            "requirements": list(one.scenario.requirements),
            "harm": one.scenario.harm,
            "known_failing": one.scenario.known_failing,
            "turns": one.turns,
            "seconds": round(one.seconds, 1),
            "faults": [{"step": fault.step, "what": fault.what} for fault in one.faults],
        }
        for one in found
    ]


def tally(found: Sequence[Played]) -> dict[str, int]:
    """How many there are of each outcome."""
    outcomes = ("passed", "known failing", "failed", "passes unexpectedly")
    return {outcome: sum(one.outcome == outcome for one in found) for outcome in outcomes}


def shown(found: Sequence[Played], *, as_json: bool) -> None:
    """Print what came of each, as a table for people or as JSON."""
    if as_json:
        typer.echo(plain_json.written({"tally": tally(found), "scenarios": documents(found)}))
        return
    table = Table(
        "scenario", "outcome", Column("turns", justify="right"), Column("s", justify="right"), "requirements"
    )
    for one in found:
        of = ", ".join(one.scenario.requirements)
        table.add_row(*map(Text, (one.name, one.outcome, str(one.turns), f"{one.seconds:.1f}", of)))
    console.print(table)
    for one in found:
        if one.scenario.known_failing is not None:
            console.print(Text(f"known failing: {one.name}: {one.scenario.known_failing}"), soft_wrap=True)
        for fault in one.faults:
            console.print(Text(f"  {one.name}, step {fault.step}: {fault.what}"), soft_wrap=True)
    counted = ", ".join(f"{count} {outcome}" for outcome, count in tally(found).items() if count)
    console.print(f"{counted}; {sum(one.turns for one in found)} turns judged")


def _shown_list(wanted: Mapping[str, Scenario], *, as_json: bool) -> None:
    if as_json:
        listed = [
            {
                "name": name,
                "harm": one.harm,
                "requirements": one.requirements,
                "known_failing": one.known_failing,
            }
            for name, one in wanted.items()
        ]
        typer.echo(plain_json.written(listed))
        return
    table = Table(Column("scenario", no_wrap=True), "what goes wrong for whom without it", "requirements")
    for name, one in wanted.items():
        table.add_row(*map(Text, (name, " ".join(one.harm.split()), ", ".join(one.requirements))))
    console.print(table)
