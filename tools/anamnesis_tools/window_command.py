"""`anamnesis window`: the time window a text asks about, without any stack (RC-5)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import typer

from anamnesis.domain.time_windows import TimeWindow, find_window


class _BadInput(Exception):
    """What is wrong with an option or a field, named by the one who knows where it stands."""


def window(
    text: Annotated[str | None, typer.Argument(help="The question, in any language.")] = None,
    *,
    now: Annotated[
        str | None,
        typer.Option(
            "--now", help="When it is asked; needed, here or in each line of --batch: 2026-11-25T12:00:00Z."
        ),
    ] = None,
    tz: Annotated[str | None, typer.Option("--tz", help="The student's time zone: Europe/Madrid.")] = None,
    lang: Annotated[
        str | None, typer.Option("--lang", help="BCP 47 tag of the language to expect: es.")
    ] = None,
    batch: Annotated[
        Path | None,
        typer.Option(
            "--batch", help="JSON Lines of {text, now?, tz?, lang?}; the options are what is not given."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Taken by every command; this one prints JSON anyway.")
    ] = True,
) -> None:
    """Print the time window a text asks about, as one JSON object; with --batch one object per line.

    ``{"window": {"start", "end"} or null, "phrase": … or null}``: `start` and `end` (exclusive) are RFC 3339 times
    in the zone. Bad input ends the command with exit code 2 and names the option or the line.
    """
    del as_json
    if (text is None) == (batch is None):
        raise typer.BadParameter("give either TEXT or --batch FILE.jsonl", param_hint="TEXT")
    if batch is not None:
        for result in _of_lines(batch, {"now": now, "tz": tz, "lang": lang}):
            typer.echo(result)
        return
    try:
        typer.echo(_found(str(text), now=now, tz=tz, lang=lang))
    except _BadInput as error:
        name, detail = error.args
        raise typer.BadParameter(detail, param_hint=f"--{name}") from error


def _of_lines(batch: Path, options: dict[str, str | None]) -> Iterator[str]:
    try:
        with batch.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _of_line(line, number, options)
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{batch}: {error}", param_hint="--batch") from error


def _of_line(line: str, number: int, options: dict[str, str | None]) -> str:
    try:
        given = _checked(line)
        merged = {key: given[key] if given.get(key) is not None else value for key, value in options.items()}
        return _found(given["text"], now=merged["now"], tz=merged["tz"], lang=merged["lang"])
    except _BadInput as error:
        name, detail = error.args
        raise typer.BadParameter(f"line {number}: {name}: {detail}", param_hint="--batch") from error


def _checked(line: str) -> dict[str, Any]:
    try:
        given = json.loads(line)
    except ValueError as error:
        raise _BadInput("JSON", f"cannot be read: {error}") from error
    if not isinstance(given, dict):
        raise _BadInput("JSON", "must be an object")
    if not isinstance(given.get("text"), str):
        raise _BadInput("text", "must be there and be a string")
    for key in ("now", "tz", "lang"):
        if not isinstance(given.get(key), str | None):
            raise _BadInput(key, "must be a string")
    return given


def _found(text: str, *, now: str | None, tz: str | None, lang: str | None) -> str:
    found = find_window(text, now=_moment(now), zone=_zone(tz), language=lang)
    return json.dumps(_shown(found), ensure_ascii=False)


def _shown(found: TimeWindow | None) -> dict[str, Any]:
    if found is None:
        return {"window": None, "phrase": None}
    return {
        "window": {"start": found.start.isoformat(), "end": found.end.isoformat()},
        "phrase": found.phrase,
    }


def _moment(value: str | None) -> datetime:
    if value is None:
        raise _BadInput("now", "it is needed: an ISO 8601 time with an offset, such as 2026-11-25T12:00:00Z")
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError as error:
        raise _BadInput("now", f"{value!r} is no ISO 8601 time") from error
    if moment.utcoffset() is None:
        raise _BadInput("now", f"{value!r} has no offset; add Z or one such as +02:00")
    return moment


def _zone(value: str | None) -> ZoneInfo:
    if value is None:
        raise _BadInput("tz", "it is needed: a time zone such as Europe/Madrid")
    try:
        return ZoneInfo(value)
    except (KeyError, ValueError, OSError) as error:
        raise _BadInput("tz", f"{value!r} is no time zone of the IANA database") from error
