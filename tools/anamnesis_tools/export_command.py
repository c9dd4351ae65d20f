"""`anamnesis export`: everything kept of a student as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer
from rich.console import Console
from rich.progress import Progress

from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.api_options import ApiOptions, over_the_api

errors = Console(stderr=True)


@over_the_api
def export(
    api: ApiOptions,
    out: Annotated[Path | None, typer.Option(help="File to write instead of standard output")] = None,
) -> None:
    """Write everything kept of a student: a line of JSON for each episode, subject and signed checkpoint."""
    lines = _lines(api.client("student"))
    if out is None:
        for item in lines:
            typer.echo(json.dumps(item, ensure_ascii=False))
        return
    count = 0
    # Beside the file first: what was exported before stays until all of the new export is there.
    partial = out.with_name(f"{out.name}.partial")
    try:
        with (
            partial.open("w", encoding="utf-8") as file,
            Progress(console=errors, disable=api.as_json) as bar,
        ):
            for item in bar.track(lines, description="Exporting"):
                file.write(json.dumps(item, ensure_ascii=False) + "\n")
                count += 1
        partial.replace(out)
    except OSError as error:
        raise typer.BadParameter(f"{out}: {error.strerror or error}", param_hint="--out") from error
    finally:
        partial.unlink(missing_ok=True)
    typer.echo(json.dumps({"written": str(out), "lines": count}) if api.as_json else f"{out}: {count} lines")


def _lines(caller: ApiClient) -> Iterator[dict[str, Any]]:
    """Every item of the export; a subject is followed by its checkpoints."""
    params: dict[str, Any] = {}
    while True:
        page = caller.call("GET", "/v1/export", params=params)
        for item in page["items"]:
            yield _whole(caller, item) if item["type"] == "episode" else item
            if item["type"] == "subject":
                yield from _checkpoints(caller, item["subject"])
        if page["cursor"] is None:
            return
        params = {"cursor": page["cursor"]}


def _whole(caller: ApiClient, item: dict[str, Any]) -> dict[str, Any]:
    """An episode with all of its text, of which a page may have the beginning only."""
    if item["content"] is not None:
        said = item["content"]["record"]
        path = caller.subject(item["record"]["subject"], f"episodes/{quote(item['record']['id'], safe='')}")
        while len(said["text"]) < item["text_chars"]:
            more = caller.call("GET", path, params={"text_from": len(said["text"])})["text"]
            if not more:  # erased meanwhile
                break
            said["text"] += more
    return item


def _checkpoints(caller: ApiClient, subject: str) -> Iterator[dict[str, Any]]:
    after: int | None = 0
    while after is not None:
        page = caller.call("GET", caller.subject(subject, "chain/checkpoints"), params={"after": after})
        for checkpoint in page["checkpoints"]:
            yield {"type": "checkpoint", "subject": subject, **checkpoint, "public_key": page["public_key"]}
        after = page["following"]
