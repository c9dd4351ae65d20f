"""Erase an episode, a subject, or all of a student, and repeat the request until everything is gone."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

import typer
from rich.console import Console

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.api_options import ApiOptions, over_the_api
from anamnesis_tools.day_to_day import print_json
from anamnesis_tools.failures import CommandFailed

#: Requests sent until everything is gone: each erases for 18 seconds. Beyond, the night goes on. Ours.
MAX_REQUESTS = 50
#: Answers that ask for the same request once more.
_AGAIN = frozenset({502, 503, 504})

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    help="Erase an episode, a subject or all of a student; asks first.",
)
console = Console()
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation")]


class NotYetErased(CommandFailed):
    """Something is left; the service goes on at night by itself."""


@app.command()
@over_the_api
def episode(api: ApiOptions, subject: str, episode_id: str, yes: Yes = False) -> None:
    """Erase what one episode said, and the summaries of its day with it."""
    below = f"/{quote(subject, safe='')}/episodes/{quote(episode_id, safe='')}"
    # Whoever mistyped an id is told so, and not asked about it first.
    api.client("student").call("GET", f"/v1/subjects{below}")
    _erase(api, f"episode {episode_id} in {subject}", below, yes)


@app.command()
@over_the_api
def subject(api: ApiOptions, subject: str, yes: Yes = False) -> None:
    """Erase everything of the student in one subject, the files that they uploaded included."""
    _erase(api, f"everything in {subject}", f"/{quote(subject, safe='')}", yes)


@app.command()
@over_the_api
def student(api: ApiOptions, yes: Yes = False) -> None:
    """Erase everything of the student, in every subject."""
    _erase(api, "everything in every subject", None, yes)


def _erase(api: ApiOptions, what: str, below_subjects: str | None, yes: bool) -> None:
    caller = api.client("student")
    if not yes:
        # Asked on standard error, so that what is printed for programs stays readable.
        typer.confirm(f"Erase {what}? It cannot be undone.", abort=True, err=True)
    path = "/v1/student" if below_subjects is None else f"/v1/subjects{below_subjects}"
    report = erased(caller, path)
    if api.as_json:
        print_json(report)
        return
    counted = " and ".join(_counted(report[of], of) for of in ("episodes", "files"))
    console.print(f"Erased, summaries of the days included: {counted}.", markup=False)


def _counted(count: int, of: str) -> str:
    return f"{count} {of[:-1] if count == 1 else of}"


def erased(caller: ApiClient, path: str) -> dict[str, Any]:
    """Send the request until the service says that everything is gone; return its last answer.

    Raises
    ------
    NotYetErased
        If something is left after ``MAX_REQUESTS``.
    """
    for _ in range(MAX_REQUESTS):
        try:
            report = caller.call("DELETE", path)
        except ApiProblem as problem:
            if problem.status not in _AGAIN:
                raise
            continue
        if report["complete"]:
            return report
    raise NotYetErased("not everything is gone yet; send the same request again, or wait for the night")
