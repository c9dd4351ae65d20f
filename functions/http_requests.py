"""A request as the routes may see it: read strictly, so that nothing is guessed that its sender may not have meant.

What Powertools would take is narrowed here: a form for JSON, a list's first item for an object, the last of two values
of one name, a parameter that no route knows.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from typing import Any, get_args
from urllib.parse import quote, unquote

from anamnesis.domain.errors import InvalidInput, TooLarge
from anamnesis.schemas.values import MAX_BODY_BYTES, MAX_BODY_VALUES
from http_errors import path_of

#: Media types that are read as JSON. `curl -d` names a form unless it is told otherwise, and a script may name nothing;
#: JSON in any encoding but UTF-8, of which ASCII is a part, is none (RFC 8259, section 8.1). Any other parameter means
#: nothing for JSON (section 11), and one may be left empty (RFC 9110, section 5.6.6).
_READ_AS_JSON = re.compile(
    r"\s*((application/json|application/x-www-form-urlencoded)"
    r"(\s*+;\s*+(charset\s*=\s*\"?(utf-?8|us-ascii)\"?|(?!charset\b)[\w.-]++=([\w.+/-]++|\"[^\"]*\"))?)*\s*)?",
    re.IGNORECASE,
)
#: How a query writes what is no text: as JSON does, which the served description says; and a yes or no as Python's and
#: .NET's clients do, with a capital.
_WRITTEN: dict[object, tuple[re.Pattern[str], str]] = {
    int: (re.compile(r"-?(0|[1-9][0-9]*)"), "must be a whole number, in digits alone"),
    bool: (re.compile("[Tt]rue|[Ff]alse"), "must be true or false"),
}
#: Where the last part of a path is a path itself, whose slashes are a part of it.
WITH_SLASHES = ("/v1/wiki/pages/",)


def strict(event: Mapping[str, Any]) -> dict[str, Any]:
    """An event of payload format 2.0 as the resolver is given it."""
    return {**event, **ascii_path(event), **text_body(event), **json_header(event)}


def ascii_path(event: Mapping[str, Any]) -> dict[str, str]:
    """The path of `event` percent-encoded, which Powertools' routes match whatever script a name is in.

    An HTTP API hands the path over with every escape undone but ``%25``; a ``%`` therefore always begins an escape, and
    undoing the escapes of a matched part once gives exactly the name that the caller had encoded. Behind one of
    ``WITH_SLASHES`` all that is left is one part.
    """
    path = event["rawPath"]
    for folder in WITH_SLASHES:
        if path.startswith(folder):
            return {"rawPath": folder + quote(path[len(folder) :], safe="%", errors="surrogatepass")}
    return {"rawPath": quote(path, safe="/%", errors="surrogatepass")}


def name_in_path(part: str, *, field: str) -> str:
    """The name behind a matched part of a path that ``ascii_path`` encoded.

    Raises
    ------
    InvalidInput
        If the escapes are no UTF-8; it names `field`.
    """
    try:
        return unquote(part, errors="strict")
    except UnicodeDecodeError:
        raise InvalidInput("must be percent-encoded UTF-8", field=field) from None


def text_body(event: Mapping[str, Any]) -> dict[str, Any]:
    """The body of `event` as text, empty when there is none; bytes that are no UTF-8 become lone surrogates.

    Those break the rules of every field of text and so get an answer that names the field.
    """
    body = event.get("body") or ""
    if event.get("isBase64Encoded"):
        try:
            body = base64.b64decode(body, validate=True).decode(errors="surrogateescape")
        except (binascii.Error, ValueError):
            body = "\x00"  # no JSON either
    return {"body": body, "isBase64Encoded": False}


def json_header(event: Mapping[str, Any]) -> dict[str, Any]:
    """Headers whose media type is JSON, when the body may be read as JSON, and one that is refused otherwise.

    Taken for a form, a body's text would be read as the name of a field, and an answer about it would repeat that text.
    """
    headers: Mapping[str, str] = event.get("headers") or {}
    named = {name: value for name, value in headers.items() if name.lower() == "content-type"}
    known = all(_READ_AS_JSON.fullmatch(value) for value in named.values())
    media_type = "application/json" if known else "application/octet-stream"
    return {"headers": {**headers, **dict.fromkeys(named, media_type)}}


def parsed_json(body: str) -> dict[str, Any]:
    """The object that a JSON text holds.

    Raises
    ------
    json.JSONDecodeError
        For everything that cannot be read, numbers and nesting beyond Python's limits included.
    TooLarge
        If it is longer than ``MAX_BODY_BYTES``.
    InvalidInput
        If it is no object, holds more than ``MAX_BODY_VALUES``, or an object anywhere in it gives one name twice; the
        last error names the name's path.
    """
    if len(body) > MAX_BODY_BYTES or len(body.encode(errors="surrogatepass")) > MAX_BODY_BYTES:
        raise TooLarge(f"must not be longer than {MAX_BODY_BYTES} bytes", field="body")
    if values_in(body) > MAX_BODY_VALUES:
        raise InvalidInput(f"must not hold more than {MAX_BODY_VALUES} fields and items", field="body")
    repeated: list[tuple[dict[str, Any], str]] = []

    def as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                repeated.append((found, name))
            found[name] = value
        return found

    try:
        value = json.loads(body, object_pairs_hook=as_object)
        if repeated:
            # An object that was overwritten lies in one that repeats a name too, which was finished after it.
            inside, name = repeated[-1]
            path = path_of(("body", *(path_to(inside, value) or ()), name))
            raise InvalidInput("this name is given twice in one object", field=path)
    except (json.JSONDecodeError, InvalidInput):
        raise
    except (ValueError, RecursionError):
        raise json.JSONDecodeError("a number or a nesting beyond what is read", "", 0) from None
    if not isinstance(value, dict):
        raise InvalidInput("must be a JSON object", field="body")
    return value


def values_in(text: str) -> int:
    """How many fields and items a JSON text holds at most, without reading it: millions of them take seconds to read.

    Each comes after a comma or after the bracket that opens what holds it. Of a text that is no JSON it counts at least
    what comes before the place where that shows.
    """
    if (found := _separators(text)) <= MAX_BODY_VALUES:
        return found
    # Only what lies outside of strings counts: a student's text may be full of commas.
    unescaped = text.replace(r"\\", "").replace(r"\"", "")
    return _separators("".join(unescaped.split('"')[::2]))


def _separators(text: str) -> int:
    return sum(map(text.count, ",[{"))


def path_to(wanted: object, value: object) -> tuple[str | int, ...] | None:
    """Names and indices that lead from `value` to the very object `wanted` inside it; None if it is not there."""
    if value is wanted:
        return ()
    children: Any = ()
    if isinstance(value, dict):
        children = value.items()
    elif isinstance(value, list):
        children = enumerate(value)
    for name, child in children:
        rest = path_to(wanted, child)
        if rest is not None:
            return (name, *rest)
    return None


def check_parameters(sent: Mapping[str, str], known: Mapping[str, object]) -> None:
    """Refuse a query parameter that a route has not: a misspelt filter would answer another question.

    And one that is written otherwise than its kind is described, such as " 5", "1_000" or "yes".

    Parameters
    ----------
    known
        The type of each parameter of the route.

    Raises
    ------
    InvalidInput
        Names the parameter.
    """
    for name, value in sent.items():
        if name not in known:
            listed = ", ".join(known) or "none"
            raise InvalidInput(
                f"no such query parameter here; there are: {listed}",
                field=path_of(("query", name)),
            )
        for kind in (known[name], *get_args(known[name])):
            pattern, told = _WRITTEN.get(kind, (None, ""))
            if pattern is not None and not pattern.fullmatch(value):
                raise InvalidInput(told, field=path_of(("query", name)))
