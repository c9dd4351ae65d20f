"""An HTTP API in front of the functions, as a WSGI application: what a schema-driven client talks to.

It does to a request what API Gateway does to it (payload format 2.0): undoes the path's escapes but ``%25``, joins
repeated parameters with commas, passes bodies that are no text as Base64. A bearer token stands for the claims that the
gateway's authoriser would have verified: ``Bearer student``, ``Bearer teacher`` or ``Bearer service``.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl, unquote_to_bytes

from support.lambda_events import Api

#: Media types whose bodies an HTTP API hands over as text.
_TEXT = (
    "text/",
    "application/json",
    "application/javascript",
    "application/xml",
    "application/x-www-form-urlencoded",
)
_REASONS = {200: "OK", 405: "Method Not Allowed"}


class HttpBridge:
    """The WSGI application; `requests` counts what it has answered, by status.

    Parameters
    ----------
    api
        The functions and the tenant that every token belongs to.
    student
        The student that every token names, a service's too, so that a request need not name one.
    """

    def __init__(self, api: Api, *, student: str = "ana") -> None:
        self._api = api
        self._student = student
        self.requests: dict[int, int] = {}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        answer = self._api.raw(event_of(environ, tenant=self._api.tenant, student=self._student))
        status, body = answer["statusCode"], answer.get("body") or ""
        self.requests[status] = self.requests.get(status, 0) + 1
        headers = [(name, str(value)) for name, value in answer.get("headers", {}).items()]
        start_response(f"{status} {_REASONS.get(status, 'Status')}", headers)
        return [body.encode() if isinstance(body, str) else body]


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
