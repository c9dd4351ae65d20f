"""`anamnesis read`: what the file reader and the concept reader make of one file, without any stack (CM-1, CM-2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from anamnesis.domain.concepts import Extraction
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import MAX_FILE_BYTES, Document
from anamnesis_tools.api_client import MEDIA_TYPES


def read(
    file: Annotated[
        Path,
        typer.Argument(
            help="Any file; docs/files.md lists what is read (PDF, Word, slides, Markdown, LaTeX, …).",
            metavar="FILE",
        ),
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")] = False,
) -> None:
    """Show what the readers make of one file; needs no stack.

    A file that is refused is a result like any other, with exit code 0: ``{"refused": {"type", "detail"}}``. Exit code
    2 means that there is no such file or that it may not be read.
    """
    try:
        # One byte more than allowed is enough to be refused; a bigger file is not loaded.
        with file.open("rb") as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise typer.BadParameter(f"{file}: {error.strerror or error}", param_hint="FILE") from error
    result = examined(data, file.name)
    if as_json:
        typer.echo(json.dumps(result, ensure_ascii=False))
    else:
        _print(result)


def examined(data: bytes, name: str) -> dict[str, Any]:
    """Both readers' result on a file's bytes, in the shape of the command's JSON."""
    from anamnesis import offline

    try:
        document = offline.file_reader().read(data, declared_media_type=_declared(name))
    except FileRefused as refusal:
        return {"refused": {"type": refusal.reason, "detail": refusal.detail}}
    return _shown(document, offline.concept_reader().read(document, file_name=name))


def _declared(name: str) -> str:
    """Media type that the name claims; readers ask it only where the content leaves several open."""
    return MEDIA_TYPES.get(Path(name).suffix.casefold(), "")


def _shown(document: Document, extraction: Extraction) -> dict[str, Any]:
    return {
        "media_type": document.media_type,
        "language": extraction.language,
        "reader": extraction.reader,
        "pages": [{"page": page.number, "text": page.text} for page in document.pages],
        "concepts": [
            {
                "name": concept.name,
                "gist": concept.gist,
                "definition": concept.definition,
                "builds_on": list(concept.builds_on),
                "assumed": list(concept.assumed),
                "pages": list(concept.pages),
            }
            for concept in extraction.concepts
        ],
        "rejected": [
            {"name": rejection.name, "reason": rejection.reason} for rejection in extraction.rejected
        ],
    }


def _print(result: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if "refused" in result:
        console.print(Text(f"Refused ({result['refused']['type']}): {result['refused']['detail']}"))
        return
    pages = len(result["pages"])
    console.print(
        Text(
            f"{result['media_type']}, language {result['language']}, {pages} page{'s' * (pages != 1)}, "
            f"{len(result['concepts'])} concepts"
        )
    )
    table = Table("Concept", "What it is", "Builds on", "Pages")
    for concept in result["concepts"]:
        builds_on = ", ".join(concept["builds_on"])
        assumed = f" (assumes {', '.join(concept['assumed'])})" if concept["assumed"] else ""
        pages_shown = ", ".join(map(str, concept["pages"]))
        # Text, not markup: brackets in a file's words are data.
        table.add_row(
            *(Text(cell) for cell in (concept["name"], concept["gist"], builds_on + assumed, pages_shown))
        )
    if result["concepts"]:
        console.print(table)
    for rejection in result["rejected"]:
        console.print(Text(f"Refused: {rejection['name']} ({rejection['reason']})"))
