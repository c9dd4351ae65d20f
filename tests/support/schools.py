"""Tenants of their own on the deployed stack, and what their students do, for the end-to-end tests."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import requests

from anamnesis_tools.api_client import MEDIA_TYPES, ApiClient
from anamnesis_tools.stack.local_stack import LocalStack

T = TypeVar("T")

_NUMBERS = itertools.count(1)
_TIMEOUT_SECONDS = 35

CELLS = """# Cells

A **cell membrane** is a double layer of phospholipids that surrounds the cell and decides what enters and leaves.

**Diffusion** is the movement of particles from where they are crowded to where they are few.

**Osmosis** is the diffusion of water through a cell membrane. Water moves to the side with more dissolved substance.

A **lysosome** is a vesicle filled with enzymes that digest what the cell no longer needs.
"""


class School:
    """A tenant that no other test uses.

    Parameters
    ----------
    tenant
        Its name; a new one when None.
    """

    def __init__(self, stack: LocalStack, tenant: str | None = None) -> None:
        self.stack = stack
        self.tenant = tenant or f"school {next(_NUMBERS)}"

    def student(self, name: str = "ana") -> ApiClient:
        """A student's own client."""
        return ApiClient(self.stack.api_url, self.stack.token(self.tenant, name))

    def teacher(self, student: str | None = None) -> ApiClient:
        """A teacher, acting for a student when one is named."""
        return ApiClient(self.stack.api_url, self.stack.token(self.tenant, None, "teacher"), student=student)

    def service(self, student: str | None = "ana") -> ApiClient:
        """The tutor's own service, acting for a student when one is named."""
        return ApiClient(self.stack.api_url, self.stack.token(self.tenant, None, "service"), student=student)


def event(kind: str, text: str, at: str = "2026-05-04T10:00:00Z", **more: Any) -> dict[str, Any]:
    """One episode to record."""
    return {"kind": kind, "occurred_at": at, "text": text, "language": "en", **more}


def check(topic: str, *, correct: bool, at: str = "2026-05-04T10:00:00Z", **more: Any) -> dict[str, Any]:
    """A check to record."""
    return event("check", f"Check on {topic}", at, topic=topic, correct=correct, **more)


def offered(client: ApiClient, subject: str, name: str, data: bytes, media_type: str = "") -> dict[str, Any]:
    """The offer of a place for a file's bytes."""
    kind = media_type or MEDIA_TYPES.get(Path(name).suffix, "application/octet-stream")
    return client.call(
        "POST", client.subject(subject, "files"), {"name": name, "media_type": kind, "bytes": len(data)}
    )


def put(upload: dict[str, Any], data: bytes, **headers: str) -> requests.Response:
    """Send bytes to an offered place."""
    return requests.request(
        upload["method"],
        upload["url"],
        data=data,
        headers={**upload["headers"], **headers},
        timeout=_TIMEOUT_SECONDS,
    )


def given(
    client: ApiClient, subject: str, name: str, data: bytes | str, media_type: str = ""
) -> dict[str, Any]:
    """A file uploaded and settled."""
    sent = data.encode() if isinstance(data, str) else data
    offer = offered(client, subject, name, sent, media_type)
    put(offer["upload"], sent).raise_for_status()
    return client.wait_until_read(subject, offer["file_id"], seconds=60)


def eventually(look: Callable[[], T], enough: Callable[[T], bool], *, seconds: float = 60.0) -> T:
    """What `look` sees once it is enough, or at the latest after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        seen = look()
        if enough(seen) or time.monotonic() > end:
            return seen
        time.sleep(0.2)


def asked(client: ApiClient, subject: str, question: str, **options: Any) -> dict[str, Any]:
    """The reply to a turn's question once no source was late: on a busy machine a turn may go on without some."""
    return eventually(
        lambda: client.block(subject, question, **options),
        lambda reply: not reply["dropped"] and not reply["degraded"],
    )


def lines_under(block: str, heading: str) -> list[str]:
    """The list below the heading that begins with these words."""
    lines = block.split("\n")
    start = next((i for i, line in enumerate(lines) if line.startswith(heading)), None)
    if start is None:
        return []
    return list(itertools.takewhile(lambda line: line.startswith("- "), lines[start + 1 :]))


def everything_shown(client: ApiClient, subject: str, *questions: str) -> str:
    """All that a caller gets to see of a subject, as one text."""
    seen: list[Any] = [
        client.call("GET", client.subject(subject, rest), params=params)
        for rest, params in (
            ("episodes", {"limit": 200}),
            ("beliefs", {"history": "true"}),
            ("map", None),
            ("teaching-order", None),
            ("files", None),
            ("chain", None),
        )
    ]
    seen += [asked(client, subject, question, budget_tokens=4000) for question in questions]
    return repr(seen)
