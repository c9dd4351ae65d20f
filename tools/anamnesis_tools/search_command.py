"""`anamnesis opensearch`: a real OpenSearch node on loopback, for as long as it is needed."""

from __future__ import annotations

import os
import subprocess
from typing import Annotated

import typer

from anamnesis_tools.stack.search_node import HEAP, URL_VARIABLE, SearchNode


def opensearch(
    command: Annotated[
        list[str] | None,
        typer.Argument(
            help=f"What to run with it, after --; its URL is in {URL_VARIABLE}", show_default=False
        ),
    ] = None,
    heap: Annotated[str, typer.Option(help="Largest heap of the node, as Java takes it")] = HEAP,
) -> None:
    """Run a real OpenSearch node (JDK and Maven needed) until a command ends, or until you end it.

    Without a command it prints the node's URL and waits for Ctrl-C. Nothing that is stored in it is kept.
    """
    with SearchNode(heap) as node:
        if command:
            ended = subprocess.run(command, env={**os.environ, URL_VARIABLE: node.url}, check=False)
            raise typer.Exit(ended.returncode)
        typer.echo(node.url)
        try:
            # Nobody signals: only an interrupt ends this.
            node.wait()
        except KeyboardInterrupt:
            typer.echo("stopped", err=True)
