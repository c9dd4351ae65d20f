"""A student's wiki as a remote of git, over its smart HTTP protocol (WK-5).

These routes speak git's protocol and no JSON, so that the OpenAPI document leaves them out. Git knows no query in a
remote's address: who is neither a student nor asks about themselves names the student in the path.
"""

from __future__ import annotations

import base64
import gzip
import re
import zlib
from io import BytesIO
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import application
from anamnesis.domain.errors import InvalidInput, TooLarge
from anamnesis.domain.identifiers import StudentScope
from anamnesis.schemas.values import MAX_BODY_BYTES
from callers import student_of, subject_of

router = APIGatewayHttpRouter()
ROUTE = "/v1/wiki/git"
UPLOAD_PACK = "git-upload-pack"
RECEIVE_PACK = "git-receive-pack"
#: Git asks anew each time, and what it is told is somebody's record.
HEADERS: dict[str, str | list[str]] = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
#: What git shows as an error of the remote.
_NO_PUSH = "this wiki is read with git and written with PUT /v1/wiki/pages/{path}"
Service = Annotated[str, Query(max_length=100)]


@router.get(f"{ROUTE}/info/refs", include_in_schema=False)
def own_references(service: Service = "") -> Response[str]:
    """What there is to fetch of the caller's own wiki."""
    return _references(student_of(router.current_event, None), service)


@router.get(f"{ROUTE}/<student>/info/refs", include_in_schema=False)
def references(student: Annotated[str, Path()], service: Service = "") -> Response[str]:
    """What there is to fetch of a student's wiki."""
    return _references(student_of(router.current_event, subject_of(student)), service)


@router.post(f"{ROUTE}/{UPLOAD_PACK}", include_in_schema=False)
def own_upload_pack() -> Response[str]:
    """What a client wants of the caller's own wiki."""
    return _packs(student_of(router.current_event, None))


@router.post(f"{ROUTE}/<student>/{UPLOAD_PACK}", include_in_schema=False)
def upload_pack(student: Annotated[str, Path()]) -> Response[str]:
    """What a client wants of a student's wiki."""
    return _packs(student_of(router.current_event, subject_of(student)))


def _references(scope: StudentScope, service: str) -> Response[str]:
    if service == RECEIVE_PACK:
        begin = f"# service={RECEIVE_PACK}\n"
        told = f"ERR {_NO_PUSH}\n"
        body = f"{len(begin) + 4:04x}{begin}0000{len(told) + 4:04x}{told}".encode()
        return _answer(f"application/x-{RECEIVE_PACK}-advertisement", body)
    if service != UPLOAD_PACK:
        raise InvalidInput(f"must be {UPLOAD_PACK}", field="service")
    body = application().serve_git.advertise(scope, version=_version())
    return _answer(f"application/x-{UPLOAD_PACK}-advertisement", body)


def _packs(scope: StudentScope) -> Response[str]:
    event = router.current_event
    # As text by ``http_requests.text_body``, which can be undone.
    body = (event.body or "").encode(errors="surrogateescape")
    if event.headers.get("content-encoding", "").lower() in {"gzip", "x-gzip"}:
        body = _unzipped(body)
    answer = application().serve_git.upload_pack(scope, body, version=_version())
    return _answer(f"application/x-{UPLOAD_PACK}-result", answer)


def _answer(media_type: str, data: bytes) -> Response[str]:
    # Made into text here: Powertools would take bytes for UTF-8 on their way through its validation.
    response = Response(200, media_type, base64.b64encode(data).decode("ascii"), HEADERS)
    response.base64_encoded = True
    return response


def _unzipped(body: bytes) -> bytes:
    try:
        found = gzip.GzipFile(fileobj=BytesIO(body)).read(MAX_BODY_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise InvalidInput("is not compressed as it says", field="body") from None
    if len(found) > MAX_BODY_BYTES:
        raise TooLarge(f"must not be longer than {MAX_BODY_BYTES} bytes", field="body")
    return found


def _version() -> int:
    """Of git's protocol: the highest that the client speaks and we do."""
    asked = router.current_event.headers.get("git-protocol", "")
    return 2 if re.search(r"(^|:)version=2(:|$)", asked) else 0
