"""The HTTP API as a chat frontend would use it: the command line, the demo and the end-to-end tests go through this."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import requests

from anamnesis_tools.failures import CommandFailed

#: Longest wait for one reply, in seconds: API Gateway itself gives up after 30.
TIMEOUT_SECONDS = 35
_OFFICE = "application/vnd.openxmlformats-officedocument"
#: Media type that a file's name claims, by its suffix.
MEDIA_TYPES = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".pdf": "application/pdf",
    ".docx": f"{_OFFICE}.wordprocessingml.document",
    ".pptx": f"{_OFFICE}.presentationml.presentation",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".ipynb": "application/x-ipynb+json",
    ".tex": "application/x-tex",
    ".vtt": "text/vtt",
    ".srt": "application/x-subrip",
}
#: What to do about refusals that come from in front of the functions, and so say nothing themselves.
_ADVICE = {
    401: "; the token is missing, wrong or older than an hour",
    502: "; a function ended without an answer, `anamnesis logs` shows why on a local stack",
    503: "; try again in a moment",
}


class ApiProblem(CommandFailed):
    """The service refused a request.

    Parameters
    ----------
    status
        HTTP status.
    problem
        The problem document (RFC 9457), or what came instead.
    """

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        where = f" ({problem['field']})" if problem.get("field") else ""
        title = problem.get("title") or problem.get("message") or "refused without a reason"
        detail = f": {problem['detail']}" if problem.get("detail") else ""
        super().__init__(f"{status} {title}{where}{detail}{_ADVICE.get(status, '')}")
        self.status = status
        self.problem = problem

    def document(self) -> dict[str, Any]:
        """Return the problem document as it came; what API Gateway answers by itself gets the same fields."""
        came = self.problem
        return {
            "type": "about:blank",
            "title": came.get("title") or came.get("message"),
            "detail": str(self),
            **{name: value for name, value in came.items() if name != "message"},
            "status": self.status,
        }


class ApiUnreachable(CommandFailed):
    """Nothing that speaks HTTP answered in time."""


class NotReadInTime(CommandFailed, TimeoutError):
    """A file is still being read; reading goes on by itself."""


class ApiClient:
    """One caller of the API.

    Parameters
    ----------
    api_url
        Base URL, without a slash at the end.
    token
        ID token; it says who calls.
    student
        Student to act for, for teacher and service tokens.
    """

    def __init__(self, api_url: str, token: str, *, student: str | None = None) -> None:
        self.api_url = api_url
        self.token = token
        self.student = student
        self._params = {} if student is None else {"student": student}
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.headers["Authorization"] = f"Bearer {token}"

    def acting_for(self, student: str) -> ApiClient:
        """The same caller acting for another student, on connections of its own; for teacher and service tokens."""
        return ApiClient(self.api_url, self.token, student=student)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        params: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        """Send one request and return the reply's JSON.

        Raises
        ------
        ApiProblem
            If the service answers with an error.
        ApiUnreachable
            If it does not answer.
        """
        reply = self._answered(method, path, json=body, params=params, headers=headers)
        try:
            document: dict[str, Any] = reply.json()
        except ValueError:
            raise ApiUnreachable(f"{self.api_url} answers, but not as this API does.") from None
        return document

    def text(self, path: str, params: dict[str, Any]) -> str:
        """Fetch what is no JSON; errors as for ``call``."""
        # Whatever a reply's header says or leaves out, ours are UTF-8.
        return self._answered("GET", path, params=params).content.decode("utf-8", "replace")

    def _answered(
        self, method: str, path: str, *, params: dict[str, Any] | None = None, **options: Any
    ) -> requests.Response:
        reply = self._sent(
            self._session, method, self.api_url + path, params={**self._params, **(params or {})}, **options
        )
        if reply.status_code >= 400:
            try:
                problem = reply.json()
            except ValueError:
                problem = {"title": reply.reason, "detail": reply.text[:300]}
            raise ApiProblem(reply.status_code, problem)
        return reply

    @staticmethod
    def _sent(session: requests.Session, method: str, url: str, **options: Any) -> requests.Response:
        """Send, and say in plain words when there is no answer."""
        try:
            return session.request(method, url, timeout=TIMEOUT_SECONDS, **options)
        except requests.Timeout:
            raise ApiUnreachable(f"{url} did not answer within {TIMEOUT_SECONDS} s.") from None
        except (requests.RequestException, ValueError) as error:
            reason = "nothing listens there" if isinstance(error, requests.ConnectionError) else error
            raise ApiUnreachable(f"{url} cannot be reached: {reason}.") from None

    def pages(self, path: str, items: str, params: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Every item of a listing, page by page; `items` names the field that holds them."""
        cursor: str | None = None
        while True:
            page = self.call("GET", path, params=params if cursor is None else {**params, "cursor": cursor})
            yield from page[items]
            cursor = page["cursor"]
            if cursor is None:
                return

    def subject(self, subject: str, rest: str) -> str:
        """Path of a route below a subject."""
        return f"/v1/subjects/{quote(subject, safe='')}/{rest}"

    def block(self, subject: str, question: str, **options: Any) -> dict[str, Any]:
        """Ask for the memory block of one turn."""
        return self.call("POST", self.subject(subject, "block"), {"question": question, **options})

    def record(self, subject: str, key: str, episodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Record a batch of episodes under an idempotency key."""
        reply = self.call(
            "POST",
            self.subject(subject, "episodes"),
            {"episodes": episodes},
            headers={"Idempotency-Key": key},
        )
        recorded: list[dict[str, Any]] = reply["episodes"]
        return recorded

    def upload(self, subject: str, file: Path) -> str:
        """Send a file's bytes to the place that the service offers; return its id. Reading goes on by itself."""
        return self.send_file(subject, file.name, file.read_bytes())

    def send_file(self, subject: str, name: str, data: bytes) -> str:
        """Send bytes as a file of that name; otherwise as ``upload``."""
        media_type = MEDIA_TYPES.get(Path(name).suffix.lower(), "application/octet-stream")
        offer = self.call(
            "POST",
            self.subject(subject, "files"),
            {"name": name, "media_type": media_type, "bytes": len(data)},
        )
        upload = offer["upload"]
        with requests.Session() as storage:  # whose address carries its own signature: no token goes there
            sent = self._sent(storage, upload["method"], upload["url"], data=data, headers=upload["headers"])
        if sent.status_code >= 300:
            raise ApiProblem(sent.status_code, {"title": "upload refused", "detail": sent.text[:300]})
        file_id: str = offer["file_id"]
        return file_id

    def wait_until_read(self, subject: str, file_id: str, *, seconds: float = 60.0) -> dict[str, Any]:
        """Poll a file's status until it is read or refused.

        Raises
        ------
        NotReadInTime
            If it is neither by then.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            file = self.call("GET", self.subject(subject, f"files/{file_id}"))
            if file["status"] in {"read", "refused"}:
                return file
            time.sleep(0.25)
        raise NotReadInTime(f"The file was not read within {seconds:.0f} s; reading goes on by itself.")
