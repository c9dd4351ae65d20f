"""`anamnesis wiki`: read a student's wiki over the API, or keep it as a folder."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from anamnesis_tools.api_options import ApiOptions, over_the_api
from anamnesis_tools.day_to_day import print_json
from anamnesis_tools.wiki_checkout import WikiFolder

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    help="Read a student's wiki, or keep it as a folder.",
)
console = Console()
Revision = Annotated[str | None, typer.Option("--rev", help="Revision, or its first 7 digits or more")]
_SHORT = 10


@app.command()
@over_the_api
def checkout(
    api: ApiOptions, folder: Annotated[Path, typer.Argument(help="New, empty, or a checkout made before")]
) -> None:
    """Clone the wiki into a folder, or bring the folder up to date; what you changed in it is never overwritten."""
    caller = api.client("student")
    whose = "" if caller.student is None else f"/{quote(caller.student, safe='')}"
    done = WikiFolder(folder, f"{caller.api_url}/v1/wiki/git{whose}", caller.token).update()
    if api.as_json:
        print_json({**asdict(done), "folder": str(folder)})
        return
    if done.own_commits:
        console.print("The folder has commits of its own and was left as it is; origin/main is up to date.")
    elif done.revision is None:
        console.print(
            "There is no wiki yet: the night compiles it, `anamnesis wiki compile` does now or says what is wrong.",
            soft_wrap=True,
        )
    else:
        again = ", its history rewritten" if done.rewritten else ""
        console.print(
            f"{folder}: {done.revision[:_SHORT]}, {len(done.changed)} files changed{again}.", markup=False
        )


@app.command()
@over_the_api
def index(
    api: ApiOptions, budget: Annotated[int, typer.Option(help="Tokens that it may take")] = 2_000
) -> None:
    """Print what there is, for an agent's first message."""
    found = api.client("student").call("GET", "/v1/wiki/index", params={"budget_tokens": budget})
    _print(api, found, found["text"])


@app.command()
@over_the_api
def show(api: ApiOptions, path: str, rev: Revision = None) -> None:
    """Print a page as it is, or as it was."""
    found = api.client("student").call("GET", f"/v1/wiki/pages/{quote(path)}", params=_given(rev=rev))
    _print(api, found, found["text"])


@app.command("list")
@over_the_api
def list_pages(
    api: ApiOptions,
    prefix: Annotated[str, typer.Argument(help="Beginning of the paths, such as knowledge/")] = "",
    rev: Revision = None,
) -> None:
    """List pages by path."""
    asked = {"prefix": prefix, "limit": 500, **_given(rev=rev)}
    pages = list(api.client("student").pages("/v1/wiki/pages", "pages", asked))
    if api.as_json:
        print_json({"pages": pages})
        return
    table = Table(Column("page", overflow="fold"), "title", "kind", "updated")
    for page in pages:
        front = page["front"]
        cells = (page["path"], page["title"], str(front.get("kind", "")), str(front.get("updated", "")))
        table.add_row(*map(Text, cells))
    console.print(table)


@app.command()
@over_the_api
def log(
    api: ApiOptions,
    path: Annotated[str | None, typer.Argument(help="A page or folder")] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="Revisions to show")] = 20,
) -> None:
    """List revisions, newest first; with a path those that changed it."""
    found = api.client("student").call("GET", "/v1/wiki/log", params={"limit": limit, **_given(path=path)})
    if api.as_json:
        print_json(found)
        return
    table = Table("revision", "when", "who", Column("what", overflow="fold"))
    for revision in found["revisions"]:
        first = revision["message"].partition("\n")[0]
        cells = (revision["id"][:_SHORT], revision["at"][:16].replace("T", " "), revision["author"], first)
        table.add_row(*map(Text, cells))
    console.print(table)
    if found["cursor"]:
        console.print("There are older ones: ask for more with --limit.")


@app.command()
@over_the_api
def diff(
    api: ApiOptions,
    old: Annotated[
        str | None, typer.Argument(metavar="FROM", help="Revision; default: the one before")
    ] = None,
    new: Annotated[
        str | None, typer.Argument(metavar="TO", help="Revision; default: the current one")
    ] = None,
    path: Annotated[str | None, typer.Option(help="A page or folder")] = None,
) -> None:
    """Print what changed between two revisions."""
    asked = _given(**{"from": old, "to": new, "path": path})
    found = api.client("student").call("GET", "/v1/wiki/diff", params=asked)
    _print(api, found, found["diff"])
    if not found["whole"] and not api.as_json:
        console.print(f"{len(found['pages'])} pages differ, more than is shown: name some with --path.")


@app.command()
@over_the_api
def evidence(
    api: ApiOptions, address: Annotated[str, typer.Argument(help="As a page's references have it")]
) -> None:
    """Print what a citation stands on."""
    found = api.client("student").call("GET", "/v1/wiki/evidence", params={"address": address})
    if api.as_json:
        print_json(found)
        return
    for turn in found["episodes"]:
        episode = turn["episode"]
        number = "" if turn["turn"] is None else f"turn {turn['turn']} · "
        console.print(f"{number}{episode['occurred_at']} · {episode['kind']} · {episode['id']}", markup=False)
        console.print(Text(episode["text"] or "(erased)"), soft_wrap=True)
    if found["file"] is not None:
        console.print(f"{found['file']['name']}, page {found['page'] or '-'}", markup=False)
        console.print(Text(found["text"] or "(no text)"), soft_wrap=True)
    if found["record"] is not None:
        console.print(Text(f"{found['record']['title']}\n{found['record']['text']}"), soft_wrap=True)


@app.command("compile")
@over_the_api
def compile_wiki(api: ApiOptions) -> None:
    """Bring the wiki up to what the memory holds, which takes a service's token; a night does so by itself."""
    report = api.client("service").call("POST", "/v1/wiki/compile")
    if api.as_json:
        print_json(report)
        return
    revision = report.get("revision")
    if report.get("findings"):
        table = Table("page", "line", "rule", Column("why nothing changed", overflow="fold"))
        for finding in report["findings"]:
            table.add_row(*(Text(str(finding.get(name, ""))) for name in ("path", "line", "rule", "detail")))
        console.print(table)
    elif revision is None:
        console.print("Nothing is new.")
    else:
        first = revision["message"].partition("\n")[0]
        console.print(f"{revision['id'][:_SHORT]} {first}", markup=False)


def _given(**asked: Any) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value is not None}


def _print(api: ApiOptions, found: dict[str, Any], text: str) -> None:
    if api.as_json:
        print_json(found)
    else:
        typer.echo(text, nl=not text.endswith("\n"))
