"""`anamnesis mcp`: serve a wiki to an agent over standard input and output."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer

from anamnesis.agents.api_wiki import ApiWiki
from anamnesis.agents.server import wiki_server
from anamnesis.agents.wiki import Wiki
from anamnesis_tools.api_options import ApiOptions, over_the_api
from anamnesis_tools.mcp.checkout import CheckoutWiki


@over_the_api
def mcp(
    api: ApiOptions,
    folder: Annotated[
        Path | None, typer.Argument(help="A checkout, as `anamnesis wiki checkout` makes it")
    ] = None,
    live: Annotated[
        bool, typer.Option("--api", help="Speak to the API instead: everything is live, and `teach` records")
    ] = False,
) -> None:
    """Serve a wiki as MCP tools and resources on standard input and output, until the input ends."""
    if live == (folder is not None):
        raise typer.BadParameter("name a checkout, or --api, and not both", param_hint="DIR")
    wiki: Wiki
    if folder is not None:
        wiki = CheckoutWiki(folder)
    else:
        wiki = ApiWiki(
            api.client("student").call, now=lambda: datetime.now(UTC), new_key=lambda: str(uuid4())
        )
    wiki_server(lambda: wiki).run("stdio")
