"""The built page (`make page`), how a browser may keep it, and what it may do.

The page is told by the stage's variables where to sign in and where uploads go:

``sign_in_url``
    Origin of the user pool's own sign-in pages, or ``none``: then a token is pasted, as on the local stack.
``client_id``
    The app client that people sign in through.
``files_origins``
    Origins of the bucket that takes uploads, parted by commas, or ``none`` where it has this page's own.
"""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BUILT = Path(__file__).parent / "built"
INDEX = "index.html"
SETTINGS = "settings.json"
#: What the build made for its own test, see tools/page/record.mjs.
RECORD = "record.json"
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".json": "application/json",
}
#: Names of built files carry a hash of what is in them, so a name's content never changes; the others are asked about.
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
_NONE = "none"


@dataclass(frozen=True, slots=True)
class Built:
    """One file: its bytes as they are and compressed, its media type and its entity tag."""

    plain: bytes
    packed: bytes
    media_type: str
    etag: str


def answer(event: Mapping[str, Any]) -> dict[str, Any]:
    """What a request for the page or one of its files is answered with, in payload format 2.0."""
    variables: Mapping[str, str] = event.get("stageVariables") or {}
    name = (event.get("pathParameters") or {}).get("file", INDEX)
    file = (
        _made(json.dumps(settings(variables)).encode(), SETTINGS) if name == SETTINGS else built().get(name)
    )
    if file is None:
        return _problem()
    headers = {
        "ETag": file.etag,
        "Cache-Control": ASK_AGAIN if name in {INDEX, SETTINGS} else FOR_EVER,
        "Vary": "Accept-Encoding",
        **_safety(variables),
    }
    asked = {key.lower(): value for key, value in (event.get("headers") or {}).items()}
    if file.etag in [tag.strip().removeprefix("W/") for tag in asked.get("if-none-match", "").split(",")]:
        return {"statusCode": 304, "headers": headers, "body": "", "isBase64Encoded": False}
    packed = "gzip" in asked.get("accept-encoding", "")
    headers |= {"Content-Type": file.media_type, **({"Content-Encoding": "gzip"} if packed else {})}
    body = base64.b64encode(file.packed if packed else file.plain).decode()
    return {"statusCode": 200, "headers": headers, "body": body, "isBase64Encoded": True}


def settings(variables: Mapping[str, str]) -> dict[str, Any]:
    """What the page has to know of where it is: how to sign in."""
    url = variables.get("sign_in_url", _NONE)
    return {"sign_in": None if url == _NONE else {"url": url, "client_id": variables.get("client_id", "")}}


@functools.cache
def built() -> Mapping[str, Built]:
    """Every file of the page by its name."""
    files = [path for path in BUILT.rglob("*") if path.is_file() and path.name != RECORD]
    return {path.name: _made(path.read_bytes(), path.name) for path in files}


def _made(plain: bytes, name: str) -> Built:
    etag = f'"{hashlib.sha256(plain).hexdigest()[:32]}"'
    return Built(plain, gzip.compress(plain, mtime=0), MEDIA_TYPES[Path(name).suffix], etag)


def _safety(variables: Mapping[str, str]) -> dict[str, str]:
    """What a browser lets the page do: run and fetch its own files, and ask for nothing from anybody else.

    Text can become no markup in it either: trusted types are asked for and none is allowed.
    """
    there = [variables.get("sign_in_url", _NONE), *variables.get("files_origins", _NONE).split(",")]
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "connect-src": " ".join(["'self'", *(origin for origin in there if origin != _NONE)]),
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }


def _problem() -> dict[str, Any]:
    """There is no such file; in the shape of every other refusal."""
    problem = {
        "type": "urn:anamnesis:problem:not-found",
        "title": "There is no such thing",
        "status": 404,
        "detail": "the page has no such file",
        "field": "file",
    }
    return {
        "statusCode": 404,
        "headers": {"Content-Type": "application/problem+json", "Cache-Control": "no-store"},
        "body": json.dumps(problem),
        "isBase64Encoded": False,
    }
