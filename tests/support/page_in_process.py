"""The page in the machine's own browser over the real handlers and stores in memory: no network, no emulator.

What a test does not make up itself is answered by the functions that ship, the page's own among them, so that its
headers and what a browser makes of them are the real ones.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from playwright.sync_api import Browser, Request, Route

from anamnesis.domain.identifiers import Pair
from page.files import answer as page_file
from support.api_in_process import InProcessClient, Place, handled
from support.browser import Visitor
from support.http_bridge import body_of, event_of
from support.schools import CELLS, check, event

#: Answered by nobody but us; a secure origin, which the page's random numbers and digests need.
HOME = "https://page.test/"
#: Whose student lives in it.
TENANT = "page"
UPLOADS = f"{HOME}uploads/"
Made = Callable[[Request], Any]


def unsigned(student: str | None, *, tenant: str, role: str = "student", seconds: int = 3_600) -> str:
    """An ID token that nobody signed: the page reads it, and the gateway that would verify it is not here."""
    claims = {
        "token_use": "id",
        "custom:tenant": tenant,
        "cognito:groups": [role],
        "exp": int(time.time()) + seconds,
        **({} if student is None else {"custom:student": student}),
    }
    parts = ({"alg": "none"}, claims)
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, "x"])


def claims_of(token: str) -> dict[str, Any]:
    """What a token says."""
    part = token.split(".")[1]
    claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return claims


def lived(client: InProcessClient, subject: str) -> None:
    """Days and nights of a student of whom the page has something of everything to show.

    Files that stand, were replaced, deleted and refused; a belief that changed; predicted checks; answers whose
    source changed since; something taught; signed checkpoints; a wiki with a history.
    """
    cells = client.send_file(subject, "cells.md", CELLS.encode())
    client.send_file(subject, "table.json", b'{"rows": [1, 2, 3]}')
    gone = client.send_file(
        subject, "plants.md", b"# Plants\n\n**Chlorophyll** is a green pigment that catches light.\n"
    )
    for day, correct in enumerate((False, True, True, True, False, True, True), start=1):
        date = f"2026-07-{day:02d}"
        cited = {"evidence": [{"file_id": cells, "page": 1}], "session_id": date}
        client.record(
            subject,
            date,
            [
                event("question", "Why does a raisin swell in water?", f"{date}T09:00:00Z", session_id=date),
                event("answer", "Because water moves into it by osmosis.", f"{date}T09:00:30Z", **cited),
                check(
                    "osmosis",
                    correct=correct,
                    at=f"{date}T09:01:00Z",
                    session_id=date,
                    evaluation="Explained.",
                ),
                check("diffusion", correct=not correct, at=f"{date}T09:02:00Z", session_id=date),
            ],
        )
        client.call("POST", client.subject(subject, "night"), {"date": date})
        if day in (2, 7):
            client.call("POST", "/v1/wiki/compile")
    client.record(
        subject, "taught", [event("taught", "Remember that osmosis is on the exam.", "2026-07-08T09:00:00Z")]
    )
    client.send_file(
        subject, "cells.md", f"{CELLS}\n**Turgor** is the pressure of water in a plant cell.\n".encode()
    )
    client.call("DELETE", client.subject(subject, f"files/{gone}"))
    client.call("POST", client.subject(subject, "night"), {"date": "2026-07-08"})


class PageVisitor(Visitor):
    """Somebody in front of the page, whose requests go into the functions.

    Parameters
    ----------
    place
        The application.
    variables
        Of the stage, which tell the page where to sign in.

    Attributes
    ----------
    made
        Replies that a test makes up, by a pattern of ``METHOD /path``: JSON, or None for the functions' own.
    """

    def __init__(
        self,
        browser: Browser,
        place: Place,
        token: str | None,
        *,
        variables: dict[str, str] | None = None,
        **options: Any,
    ) -> None:
        self._place = place
        self._variables = variables or {}
        self.made: dict[str, Made] = {}
        super().__init__(browser, HOME, token, **options)
        self.context.route(f"{HOME}**", self._answered)

    def _answered(self, route: Route) -> None:
        request = route.request
        parts = urlsplit(request.url)
        for pattern, make in self.made.items():
            if re.fullmatch(pattern, f"{request.method} {parts.path}"):
                reply = make(request)
                if reply is not None:
                    return route.fulfill(status=200, json=reply)
        if parts.path.startswith("/v1/"):
            return self._fulfilled(route, self._api(request))
        if request.url.startswith(UPLOADS):
            self._place.receive(
                unquote(parts.path.removeprefix("/uploads/")), request.post_data_buffer or b""
            )
            return route.fulfill(status=200, body="")
        return self._fulfilled(route, self._file(request, parts.path))

    def _file(self, request: Request, path: str) -> dict[str, Any]:
        event: dict[str, Any] = {"headers": request.headers, "stageVariables": self._variables}
        if path.startswith("/page/"):
            event["pathParameters"] = {"file": path.removeprefix("/page/")}
        return page_file(event)

    def _api(self, request: Request) -> dict[str, Any]:
        event = self._event(request)
        answer = handled(event)
        claims = event["requestContext"].get("authorizer", {}).get("jwt", {}).get("claims", {})
        named = re.match(r"/v1/subjects/([^/]+)/", event["rawPath"])
        if request.method != "GET" and named and claims.get("custom:student"):
            pair = Pair(claims["custom:tenant"], claims["custom:student"], unquote(named[1]))
            self._place.catch_up(pair)
        return answer

    def _event(self, request: Request) -> dict[str, Any]:
        parts = urlsplit(request.url)
        body = request.post_data_buffer or b""
        names = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in request.headers.items()}
        environ = {
            **names,
            "REQUEST_METHOD": request.method,
            "REQUEST_URI": parts.path,
            "QUERY_STRING": parts.query,
            "CONTENT_LENGTH": "0",
            "wsgi.input": io.BytesIO(),
        }
        event = event_of(environ, tenant="", student="")
        if body:
            event |= body_of(body, request.headers.get("content-type", ""))
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token:
            claims = claims_of(token)
            claims["cognito:groups"] = f"[{' '.join(claims['cognito:groups'])}]"
            event["requestContext"]["authorizer"] = {"jwt": {"claims": claims, "scopes": None}}
        return event

    @staticmethod
    def _fulfilled(route: Route, answer: dict[str, Any]) -> None:
        body = answer.get("body") or ""
        plain = base64.b64decode(body) if answer.get("isBase64Encoded") else body.encode()
        headers = {name: str(value) for name, value in answer.get("headers", {}).items()}
        if headers.pop("Content-Encoding", None):
            plain = gzip.decompress(plain)
        plain = re.sub(rb'memory://([^"]+)', lambda key: f"{UPLOADS}{quote(key[1])}".encode(), plain)
        route.fulfill(status=answer["statusCode"], headers=headers, body=plain)
