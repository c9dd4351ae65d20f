"""An HTTP API in front of the functions, as a WSGI application: what a schema-driven client talks to.

It does to a request what API Gateway does to it (payload format 2.0): undoes the path's escapes but ``%25``, joins
repeated parameters with commas, passes bodies that are no text as Base64. A bearer token stands for the claims that the
gateway's authoriser would have verified: ``Bearer student``, ``Bearer teacher`` or ``Bearer service``; whoever has none
gets no further than the open paths.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl, unquote_to_bytes

from anamnesis.adapters.request_meter import Measured, RequestMeter
from support.lambda_events import Answer, Api

#: Media types whose bodies an HTTP API hands over as text.
_TEXT = (
    "text/",
    "application/json",
    "application/javascript",
    "application/xml",
    "application/x-www-form-urlencoded",
)
_OPEN_PATHS = ("/v1/health", "/v1/openapi.json")
#: Operations of DynamoDB and S3 that change nothing, by their first word.
_READS = ("Query", "Get", "BatchGet", "TransactGet", "Scan", "List", "Head")


class HttpBridge:
    """The WSGI application, and what it has seen.

    Parameters
    ----------
    api
        The functions and the tenant that every token belongs to.
    meter
        What the functions send to their stores.
    student
        The student that every token names, a service's too, so that a request need not name one.

    Attributes
    ----------
    answered
        Requests by method and status.
    mistakes
        What no answer may be: a refusal that wrote something, or that is no problem document naming its field.
    """

    def __init__(self, api: Api, meter: RequestMeter, *, student: str = "ana") -> None:
        self._api = api
        self._meter = meter
        self._student = student
        self.answered: Counter[tuple[str, int]] = Counter()
        self.mistakes: list[str] = []

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        event = event_of(environ, tenant=self._api.tenant, student=self._student)
        with self._meter.measure() as measured:
            answer = self._answer(event)
        status, body = answer["statusCode"], (answer.get("body") or "").encode()
        if answer.get("isBase64Encoded"):
            # Compressed for who takes it, which the client at hand says it does but leaves to the transport to undo.
            body = gzip.decompress(base64.b64decode(body))
        self.answered[environ["REQUEST_METHOD"], status] += 1
        if status >= 400 and (wrote := writes_in(measured)):
            self.mistakes.append(f"{environ['REQUEST_METHOD']} {event['rawPath']}: {status} after {wrote}")
        if status >= 400 and status != 401:
            self.mistakes += mistakes_in(Answer(status, answer.get("headers", {}), json.loads(body)))
        sent = {name: str(value) for name, value in answer.get("headers", {}).items()}
        headers = [(name, value) for name, value in sent.items() if name != "Content-Encoding"]
        start_response(f"{status} Status", headers)
        return [body]

    def _answer(self, event: dict[str, Any]) -> dict[str, Any]:
        if "authorizer" not in event["requestContext"] and event["rawPath"] not in _OPEN_PATHS:
            headers = {"Content-Type": "application/json"}
            return {"statusCode": 401, "headers": headers, "body": '{"message":"Unauthorized"}'}
        return self._api.raw(event)


def writes_in(measured: Measured) -> list[str]:
    """The operations among those measured that change a store."""
    return sorted(name for name in measured.by_operation if not name.split(".")[1].startswith(_READS))


def mistakes_in(refusal: Answer) -> list[str]:
    """What is wrong with a refusal as a problem document."""
    wrong = []
    if (
        refusal.headers.get("Content-Type") != "application/problem+json"
        or refusal.body["status"] != refusal.status
    ):
        wrong.append("is no problem document")
    if refusal.status in {409, 413, 415, 422} and not refusal.body.get("field"):
        wrong.append("names no field")
    if any(not item["field"] or not item["detail"] for item in refusal.body.get("errors", [])):
        wrong.append("lists an error without its field")
    return [f"{refusal.status} {refusal.body}: {what}" for what in wrong]


def event_of(environ: dict[str, Any], *, tenant: str, student: str) -> dict[str, Any]:
    """The event that API Gateway makes of a request."""
    path, query = environ["REQUEST_URI"].partition("?")[0], environ["QUERY_STRING"]
    method = environ["REQUEST_METHOD"]
    headers = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_") or (name in {"CONTENT_TYPE", "CONTENT_LENGTH"} and value)
    }
    raw_path = "%25".join(
        unquote_to_bytes(part).decode(errors="surrogateescape") for part in path.split("%25")
    )
    context: dict[str, Any] = {
        "http": {
            "method": method,
            "path": raw_path,
            "protocol": "HTTP/1.1",
            "sourceIp": "203.0.113.7",
            "userAgent": "",
        },
        "requestId": "bridge",
        "routeKey": f"{method} /v1/{{proxy+}}",
        "stage": "$default",
    }
    role = headers.get("authorization", "").removeprefix("Bearer ")
    if role in {"student", "teacher", "service"}:
        claims = {
            "token_use": "id",
            "custom:tenant": tenant,
            "custom:student": student,
            "cognito:groups": f"[{role}]",
        }
        context["authorizer"] = {"jwt": {"claims": claims, "scopes": None}}
    event = {
        "version": "2.0",
        "routeKey": context["routeKey"],
        "rawPath": raw_path,
        "rawQueryString": query,
        "headers": headers,
        "requestContext": context,
        "isBase64Encoded": False,
    }
    if query:
        event["queryStringParameters"] = joined(parse_qsl(query, keep_blank_values=True))
    if body := environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)):
        event |= body_of(body, headers.get("content-type", "application/json"))
    return event


def joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Parameters by name, those of one name joined with commas."""
    found: dict[str, str] = {}
    for name, value in pairs:
        found[name] = f"{found[name]},{value}" if name in found else value
    return found


def body_of(body: bytes, content_type: str) -> dict[str, Any]:
    """The part of an event that holds the body."""
    if content_type.startswith(_TEXT):
        try:
            return {"body": body.decode(), "isBase64Encoded": False}
        except UnicodeDecodeError:
            pass
    return {"body": base64.b64encode(body).decode(), "isBase64Encoded": True}
