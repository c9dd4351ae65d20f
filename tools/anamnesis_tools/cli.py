"""The command `anamnesis`: it assembles the commands and holds none of them."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import typer
from typer._click.exceptions import (
    ClickException,
)  # Typer's own Click, whose base of errors it does not re-export
from typer.core import TyperGroup

from anamnesis_tools.failures import CommandFailed

#: Command → where it is ("module:name", a function or a Typer app) and what it does. A module is imported when its
#: command is called, so that `anamnesis window` starts without boto3 and a broken command breaks itself alone.
COMMANDS: dict[str, tuple[str, str]] = {
    "up": ("anamnesis_tools.stack.commands:up", "Start the local stack, or bring a running one up to date"),
    "down": ("anamnesis_tools.stack.commands:down", "Stop the local stack; its state is kept"),
    "status": ("anamnesis_tools.stack.commands:status", "Say whether the local stack runs, and where"),
    "token": ("anamnesis_tools.stack.commands:token", "Print a token for the local stack"),
    "page": ("anamnesis_tools.stack.commands:page", "Print an address that opens the page signed in"),
    "logs": ("anamnesis_tools.stack.logs:logs", "Print what the functions on the local stack have written"),
    "layers": ("anamnesis_tools.stack.commands:layers", "Build the Lambda layers for this machine"),
    "ask": ("anamnesis_tools.day_to_day:ask", "Print the memory block for a question"),
    "chat": ("anamnesis_tools.chat_command:chat", "Ask the tutor, and print its answer as it is written"),
    "teach": ("anamnesis_tools.day_to_day:teach", "Teach the tutor something, in the student's name"),
    "upload": ("anamnesis_tools.day_to_day:upload", "Upload course files and wait until they are read"),
    "episodes": ("anamnesis_tools.day_to_day:episodes", "List what is recorded, newest last, with the ids"),
    "night": ("anamnesis_tools.day_to_day:night", "Run one pair's nightly cycle"),
    "rederive": ("anamnesis_tools.day_to_day:rederive", "Derive the beliefs by today's map and rules"),
    "report": ("anamnesis_tools.report_command:report", "Write a report on a student, for a teacher"),
    "wiki": ("anamnesis_tools.wiki_command:app", "Read a student's wiki, or keep it as a folder"),
    "mcp": ("anamnesis_tools.mcp.command:mcp", "Serve a wiki to an agent, over standard input and output"),
    "erase": ("anamnesis_tools.erase_command:app", "Erase an episode, a subject or all of a student"),
    "verify": (
        "anamnesis_tools.verify_command:verify",
        "Verify a log and its checkpoints, or a proof offline",
    ),
    "prove": ("anamnesis_tools.verify_command:prove", "Fetch a proof that can be checked anywhere"),
    "export": ("anamnesis_tools.export_command:export", "Write everything kept of a student as JSON lines"),
    "replay": ("anamnesis_tools.replay.command:replay", "List what failed for good and put it back"),
    "reindex": ("anamnesis_tools.reindex_command:reindex", "Fill the index of the model in use from the log"),
    "read": ("anamnesis_tools.read_command:read", "Show what the readers make of one file; needs no stack"),
    "window": ("anamnesis_tools.window_command:window", "Find the time window in a text; needs no stack"),
    "opensearch": (
        "anamnesis_tools.search_command:opensearch",
        "Run a real OpenSearch node, for a command or until you end it",
    ),
    "demo": ("anamnesis_tools.demo.command:demo", "Run the main job on real course files and a long history"),
    "bench": ("anamnesis_tools.bench.command:app", "The evaluations"),
}


class LazyCommands(TyperGroup):
    """The group of `COMMANDS`; it imports a command's module when the command is looked up.

    It is also the one place where errors end: none is shown as a traceback, and with ``--json`` each is an object on
    standard output, ``{"error": {"type", "detail", …}}``.
    """

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> NoReturn:
        """Run a command and exit: 0 done, 1 refused or failed, 2 called wrongly, others as the command says."""
        given = list(sys.argv[1:] if args is None else args)
        try:
            code = super().main(given, *more, **options | {"standalone_mode": False})
        except CommandFailed as error:
            _tell(error.document(), str(error), given)
            sys.exit(error.exit_code)
        except ClickException as error:
            _tell(*_misuse(error), given)
            sys.exit(error.exit_code)
        except typer.Abort:
            sys.exit(1)
        sys.exit(code if isinstance(code, int) else 0)

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return the names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        """Import a command; None for a name that is none."""
        if cmd_name not in COMMANDS:
            return None
        target, summary = COMMANDS[cmd_name]
        module, _, name = target.partition(":")
        found = getattr(importlib.import_module(module), name)
        if isinstance(found, typer.Typer):
            return typer.main.get_command(found)
        single = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
        single.command(cmd_name, help=_help(found.__doc__ or summary))(found)
        return typer.main.get_command(single)

    def format_help(self, _ctx: Any, _formatter: Any) -> None:
        """Print the table: help for all commands needs none of them."""
        width = max(map(len, COMMANDS))
        typer.echo("Usage: anamnesis COMMAND [OPTIONS] …  (anamnesis COMMAND --help)\n")
        for name, (_, summary) in COMMANDS.items():
            typer.echo(f"  {name:<{width}}  {summary}")


def _help(docstring: str) -> str:
    """Return what a docstring tells a person, in paragraphs that the terminal wraps: no parameters, no marks."""
    told = docstring.partition("\n\n    Parameters")[0].replace("``", "")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in told.split("\n\n"))


def _misuse(error: ClickException) -> tuple[dict[str, Any], str]:
    """Return a wrong call for programs, and in one line that names the command."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "anamnesis"
    # A call without any arguments carries the help that is printed by then, and no message.
    detail = error.format_message().replace(": Value error, ", ": ").rstrip(".") or "arguments are missing"
    return {"type": "Usage", "detail": detail}, f"{path}: {detail} (see {path} --help)"


def _tell(document: dict[str, Any], line: str, given: Sequence[str]) -> None:
    """Print an error for whom it is for; a call that could not be parsed is asked as well as it can be."""
    if "--json" in given:
        typer.echo(json.dumps({"error": document}, ensure_ascii=False))
    else:
        typer.echo(line, err=True)


app = typer.Typer(
    cls=LazyCommands, add_completion=False, no_args_is_help=True, pretty_exceptions_show_locals=False
)


@app.callback()
def anamnesis() -> None:
    """Long-term memory for AI tutors."""


def main() -> None:
    """Run the command line."""
    app(prog_name="anamnesis")
