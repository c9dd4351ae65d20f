"""What a subject's map costs: made of its files, changed by one of them, changed by one student, and sent (CM-3, CM-5).

Files are glossaries of `books`, uploaded and read as any other. Use cases run in this process against the stores of an
emulator on loopback, so that requests, bytes and processor time are the service's own; the map is then asked for over
HTTP as a client does. Time on the wall is also the emulator's and the machine's.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import requests
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from anamnesis.bootstrap import Application, Draft
from anamnesis.domain.access import Caller, Role
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Kind
from anamnesis_tools.bench.costs.books import glossary
from anamnesis_tools.bench.costs.latency import application_of, pause_indexing
from anamnesis_tools.stack.aws_clients import ACCESS_KEY, REGION, SECRET_KEY
from anamnesis_tools.stack.local_stack import LocalStack

#: Definitions in a file: as many as one file may contribute.
TERMS = 60
#: Of these, how many the next file of the same language does not have.
NEW_TERMS = 33
LANGUAGES = ("en", "es")
STUDENT = "student"
#: Times that a map is asked for over HTTP, after the first.
ASKED = 9

console = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one act took.

    Attributes
    ----------
    requests, sent_bytes, received_bytes
        To the stores: HTTP requests by operation, and bytes both ways.
    cpu_ms
        Processor time of this process, its threads included.
    """

    act: str
    requests: dict[str, int]
    sent_bytes: int
    received_bytes: int
    cpu_ms: float
    wall_ms: float


@dataclass(frozen=True, slots=True)
class MapCosts:
    """All that was measured of one subject."""

    files: int
    concepts: int
    acts: list[Cost]
    http: dict[str, float]


def measure(sizes: list[int]) -> list[MapCosts]:
    """Measure maps of about so many concepts, on an emulator of its own that ends with this process."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder, LocalStack(Path(folder)) as stack:
        os.environ.update(
            AWS_ACCESS_KEY_ID=ACCESS_KEY, AWS_SECRET_ACCESS_KEY=SECRET_KEY, AWS_DEFAULT_REGION=REGION
        )
        pause_indexing(stack)
        # Files are read here, where it can be measured.
        stack.client("s3").put_bucket_notification_configuration(
            Bucket=stack.outputs["FilesBucketName"], NotificationConfiguration={}
        )
        return [_measured(stack, size) for size in sizes]


def _measured(stack: LocalStack, size: int) -> MapCosts:
    pair = Pair("bench", STUDENT, f"subject {size}")
    writer = application_of(stack)
    writer.warm_up()
    count = max(2, round(size / NEW_TERMS))
    with Progress(console=console) as progress:
        task = progress.add_task(f"Reading {count} files", total=count)
        for number in range(count - 1):
            writer.read_file(_uploaded(writer, pair, number))
            progress.advance(task)
        last = _uploaded(writer, pair, count - 1)
        acts = [_cost(writer, f"read file {count} of {count}", lambda: writer.read_file(last))]
        progress.advance(task)
    acts.append(_cost(writer, "the same event again", lambda: writer.read_file(last)))
    newest = writer.list_files.all(pair.scope)[-1]
    teacher = Caller(pair.tenant, None, Role.TEACHER)
    acts.append(_cost(writer, f"delete one of {count}", lambda: writer.delete_file(teacher, pair, newest.id)))
    again = _uploaded(writer, pair, count - 1)
    acts.append(_cost(writer, "upload it again", lambda: writer.read_file(again)))
    reader = application_of(stack)
    acts.append(_cost(reader, "view the map, cold process", lambda: reader.view_map(pair)))
    acts.append(_cost(reader, "view the map, warm process", lambda: reader.view_map(pair)))
    topic = reader.view_map(pair).subject_map.concepts[0].name
    passed = Draft(
        kind=Kind.CHECK, occurred_at=datetime.now(UTC), text=f"About {topic}", topic=topic, correct=True
    )
    acts.append(_cost(reader, "pass a check", lambda: reader.append_episodes(pair, "check", [passed])))
    acts.append(_cost(reader, "view the map after it", lambda: reader.view_map(pair)))
    other = Pair(pair.tenant, "somebody else", pair.subject)
    acts.append(_cost(reader, "another student's view", lambda: reader.view_map(other)))
    return MapCosts(count, len(reader.view_map(pair).subject_map.concepts), acts, _over_http(stack, pair))


def _uploaded(application: Application, pair: Pair, number: int) -> str:
    """Offer a place, send a glossary there, and return the key of the object."""
    language = LANGUAGES[number % len(LANGUAGES)]
    text = glossary(language, number // len(LANGUAGES), terms=TERMS, step=NEW_TERMS).encode()
    ticket = application.offer_file(pair, name=f"{number}.md", media_type="text/markdown", size=len(text))
    requests.put(ticket.url, data=text, headers=ticket.headers, timeout=60).raise_for_status()
    path = unquote(urlsplit(ticket.url).path)
    return path[path.index("uploads/") :]


def _cost(application: Application, act: str, do: Callable[[], object]) -> Cost:
    meter = application.metered()
    wall, cpu = time.perf_counter(), time.process_time()
    with meter.measure() as measured:
        do()
    return Cost(
        act,
        {name: traffic.requests for name, traffic in sorted(measured.by_operation.items())},
        measured.total.sent_bytes,
        measured.total.received_bytes,
        round((time.process_time() - cpu) * 1000, 1),
        round((time.perf_counter() - wall) * 1000, 1),
    )


def _over_http(stack: LocalStack, pair: Pair) -> dict[str, float]:
    """The map as a client gets it: first from a cold function, then from a warm one, plain and compressed."""
    url = f"{stack.api_url}/v1/subjects/{quote(pair.subject)}/map"
    token = stack.token(pair.tenant, pair.student)
    found: dict[str, float] = {}
    with requests.Session() as session:
        session.trust_env = False
        session.headers["Authorization"] = f"Bearer {token}"

        def ask(encoding: str) -> tuple[float, Any, int]:
            begun = time.perf_counter()
            with session.get(url, headers={"Accept-Encoding": encoding}, timeout=60, stream=True) as reply:
                data = reply.raw.read(decode_content=False)
            reply.raise_for_status()
            return (time.perf_counter() - begun) * 1000, reply, len(data)

        found["first, ms"] = round(ask("gzip")[0], 1)
        for encoding, name in (("gzip", "gzip"), ("identity", "plain")):
            times = [ask(encoding) for _ in range(ASKED)]
            found[f"{name}, median ms"] = round(statistics.median(took for took, _, _ in times), 1)
            found[f"{name}, bytes"] = times[-1][2]
    return found


def shown(costs: list[MapCosts], *, as_json: bool) -> None:
    """Print the costs, as tables for people or as JSON."""
    if as_json:
        print(json.dumps([asdict(cost) for cost in costs], indent=1))
        return
    for cost in costs:
        table = Table(
            "",
            "Requests",
            "Sent",
            "Received",
            "CPU",
            "Wall",
            title=f"{cost.concepts:,} concepts of {cost.files} files",
        )
        for act in cost.acts:
            by_name = ", ".join(f"{count} {name.split('.')[-1]}" for name, count in act.requests.items())
            table.add_row(
                act.act,
                f"{sum(act.requests.values())}: {by_name}",
                f"{act.sent_bytes:,} B",
                f"{act.received_bytes:,} B",
                f"{act.cpu_ms:,.0f} ms",
                f"{act.wall_ms:,.0f} ms",
            )
        Console().print(table)
        Console().print(
            "GET map over HTTP:", ", ".join(f"{name} {value:,}" for name, value in cost.http.items())
        )
