"""`anamnesis report`: a report on a student, to read in the terminal or to keep as a file."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from anamnesis_tools import plain_json
from anamnesis_tools.api_options import ApiOptions, over_the_api


class Form(StrEnum):
    """Forms of a report."""

    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"


@over_the_api
def report(
    api: ApiOptions,
    subject: str,
    form: Annotated[Form, typer.Option("--format", help="What to write")] = Form.MARKDOWN,
    lang: Annotated[str, typer.Option(help="Language of its words: en, es, id, hi or ar")] = "en",
    time_zone: Annotated[str, typer.Option("--tz", help="IANA time zone of its days")] = "UTC",
    out: Annotated[Path | None, typer.Option(help="File to write instead of standard output")] = None,
) -> None:
    """Write a report on a student in a subject, for a teacher: what is believed and why, and what is open.

    With --json and no --out the report itself comes as JSON.
    """
    if api.as_json and out is None:
        form = Form.JSON
    caller = api.client("student")
    asked = {"format": form.value, "lang": lang, "time_zone": time_zone}
    text = caller.text(caller.subject(subject, "report"), asked)
    if form is Form.JSON:
        text = f"{plain_json.written(json.loads(text))}\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(f"{out}: {error.strerror or error}", param_hint="--out") from error
    typer.echo(json.dumps({"written": str(out)}) if api.as_json else f"Written: {out}")
