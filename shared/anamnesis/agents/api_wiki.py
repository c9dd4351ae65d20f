"""A wiki behind the HTTP API, whatever carries the requests: a socket, or an invocation of the function behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, Protocol
from urllib.parse import quote

from anamnesis.agents.quoting import quoted
from anamnesis.agents.wiki import (
    Compared,
    Followed,
    FoundPage,
    PageName,
    PageNames,
    PageText,
    Recalled,
    Refused,
    RevisionLine,
    Taught,
    Written,
)

#: What the API calls a field → what the tools call it.
_ARGUMENTS: Final[Mapping[str, str]] = {
    "rev": "revision",
    "from": "old",
    "to": "new",
    "cursor": "path",
    "episodes[0].text": "text",
}
#: What may be sent again as it is.
_AGAIN: Final = frozenset({429, 503})


class Call(Protocol):
    """One request to the API.

    ``path`` is percent-encoded. An error that carries a ``problem`` (RFC 9457) and a ``status`` is told to the agent.
    """

    def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        params: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        """Send it and return the reply's JSON."""


class Problem(Exception):
    """The API refused a request.

    Parameters
    ----------
    status
        HTTP status.
    problem
        The problem document (RFC 9457).
    """

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(f"{status}")
        self.status = status
        self.problem = problem


class ApiWiki:
    """The port ``Wiki`` over the API, which decides who may see what.

    Parameters
    ----------
    call
        Sends requests in the name of one caller.
    now
        The time that a teaching is recorded with.
    new_key
        Idempotency keys.
    """

    def __init__(self, call: Call, *, now: Callable[[], datetime], new_key: Callable[[], str]) -> None:
        self._send = call
        self._now = now
        self._new_key = new_key

    def index(self, budget_tokens: int) -> str:
        """What there is, within a budget."""
        return str(self._get("index", budget_tokens=budget_tokens)["text"])

    def page(self, path: str, revision: str | None) -> PageText:
        """One page, as it is or as it was."""
        found = self._get(f"pages/{quote(path)}", rev=revision)
        return PageText(found["path"], found["revision"]["id"], found["text"])

    def pages(self, cursor: str | None, limit: int) -> PageNames:
        """All pages, in order of their paths."""
        found = self._get("pages", cursor=cursor, limit=limit)
        return PageNames(tuple(PageName(p["path"], p["title"]) for p in found["pages"]), found["cursor"])

    def search(self, query: str, limit: int) -> tuple[FoundPage, ...]:
        """Pages that hold words, best first."""
        found = self._call("POST", "/v1/wiki/search", {"query": query, "limit": limit})
        return tuple(
            FoundPage(
                hit["path"],
                hit["title"],
                hit["updated"],
                tuple((passage["line"], passage["text"]) for passage in hit["passages"]),
            )
            for hit in found["hits"]
        )

    def follow(self, address: str, from_turn: int) -> Followed:
        """What stands at an address that a page's references name."""
        found = self._get("evidence", address=address, from_turn=from_turn)
        return Followed("\n\n".join(_evidence(found)), found["next_turn"])

    def recall(self, description: str, time_zone: str, limit: int) -> Recalled:
        """What the memory holds about something; the records are named, and read when they are wanted."""
        asked = {"description": description, "time_zone": time_zone, "limit": limit, "max_bytes": 0}
        found = self._call("POST", "/v1/wiki/recall", asked)
        records = [one["path"] for one in found["recalled"] if one["path"]]
        return Recalled(found["synthesis"], tuple(dict.fromkeys([*records, *found["pages"]])))

    def history(self, path: str | None, limit: int) -> tuple[RevisionLine, ...]:
        """Revisions, newest first."""
        found = self._get("log", path=path, limit=limit)
        return tuple(RevisionLine(r["id"], r["at"], r["author"], r["message"]) for r in found["revisions"])

    def compare(self, old: str | None, new: str | None, path: str | None) -> Compared:
        """What changed between two revisions."""
        found = self._get("diff", **{"from": old, "to": new, "path": path})
        return Compared(found["diff"], tuple(page["path"] for page in found["pages"]), found["whole"])

    def write(self, path: str, text: str, base: str) -> Written:
        """Write a page of the agent's own, or the notes of a compiled one."""
        found = self._call("PUT", f"/v1/wiki/pages/{quote(path)}", {"base": base, "text": text})
        return Written(found["path"], found["revision"]["id"], found["changed"])

    def teach(self, subject: str, text: str) -> Taught:
        """Record that the student wants something remembered."""
        episode = {"kind": "taught", "occurred_at": self._now().isoformat(), "text": text}
        found = self._call(
            "POST",
            f"/v1/subjects/{quote(subject, safe='')}/episodes",
            {"episodes": [episode]},
            headers={"Idempotency-Key": self._new_key()},
        )
        recorded = found["episodes"][0]
        return Taught(recorded["id"], recorded["kind"], tuple(recorded["concepts"]))

    def _get(self, route: str, **asked: Any) -> dict[str, Any]:
        given = {name: value for name, value in asked.items() if value is not None}
        return self._call("GET", f"/v1/wiki/{route}", params=given)

    def _call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        params: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        try:
            return self._send(method, path, body, params=params, headers=headers)
        except Exception as error:
            problem = getattr(error, "problem", None)
            if not isinstance(problem, Mapping):
                raise
            raise _refused(int(getattr(error, "status", 500)), problem) from None


def _refused(status: int, problem: Mapping[str, Any]) -> Refused:
    """What an agent is told of a problem document."""
    field = problem.get("field")
    title = problem.get("title") or problem.get("message") or "refused"
    detail = problem.get("detail") or title
    again = "; the same call may be made again" if status in _AGAIN else ""
    found = "".join(
        f"\n- line {f['line']}: {f['rule']}: {f['detail']}" for f in problem.get("findings") or ()
    )
    named = None if field is None else _ARGUMENTS.get(str(field), str(field))
    return Refused(f"{detail}{again}{found}", field=named)


def _evidence(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"`{found['address']}`"
    for turn in found["episodes"]:
        yield from _episode(turn["turn"], turn["episode"])
    file, record = found["file"], found["record"]
    if file is not None:
        page = "" if found["page"] is None else f", page {found['page']}"
        yield f"File{page}:\n{quoted(file['name'])}"
        yield quoted(found["text"]) if found["text"] else "(no text of a page: name one with #N)"
    if record is not None:
        yield f"Record, fetched {record['fetched_at']}:\n{quoted(record['title'])}"
        yield quoted(record["text"])


def _episode(turn: int | None, episode: Mapping[str, Any]) -> Iterator[str]:
    number = "" if turn is None else f"Turn {turn} · "
    yield f"## {number}{episode['occurred_at']} · {episode['kind']} · episode {episode['id']}"
    if episode["outcome"] is not None:
        yield f"- result: {'right' if episode['outcome']['correct'] else 'wrong'}"
    for name in ("topic", "evaluation"):
        if episode[name]:
            yield f"- {name}:\n{quoted(episode[name])}"
    yield "(erased)" if episode["text"] is None else quoted(episode["text"])
