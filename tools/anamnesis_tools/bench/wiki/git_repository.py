"""What keeping a wiki in git on S3 takes: commits, reads, clones, in requests, bytes and processor time (WK-5, WK-6).

Pages are the deterministic writer's own, for made-up evidence (``bench wiki``). S3 is an emulator on loopback, so that
requests and bytes are those of AWS and times are not: processor time of this process is printed beside the wall's.

The writer takes long for a thousand sessions, so that its wiki of fewer may be copied: the same pages under other names
and with other letters. A long history is played on top: each night brings a session, revises some pages and lengthens
the indexes by a line.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from rich.console import Console
from rich.table import Table

from anamnesis.bootstrap import Application
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.pages import CHANGELOG_PATH, INDEX_PATH, SESSION_INDEX_PATH, Tree
from anamnesis.domain.wiki.revisions import COMPILER, Revision, delta
from anamnesis_tools.bench.costs.latency import application_of
from anamnesis_tools.bench.wiki.writer import nights
from anamnesis_tools.stack.aws_clients import ACCESS_KEY, REGION, SECRET_KEY
from anamnesis_tools.stack.local_stack import LocalStack

SEED = 20261130
#: Pages that grow with every session.
INDEXES = (INDEX_PATH, SESSION_INDEX_PATH, CHANGELOG_PATH)
SCOPE = StudentScope("bench", "student")
FIRST_NIGHT = datetime(2026, 1, 1, 3, tzinfo=UTC)
#: Pages that a night of the long history revises.
REVISED = 10
#: Nights that are the writer's own, of two sessions each.
WRITTEN_NIGHTS = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one act took.

    Attributes
    ----------
    cpu_ms, wall_ms
        Of this process; of several acts of the kind the median, and the slowest.
    sent_bytes, received_bytes
        Bodies of requests and answers; of several acts the median.
    result_bytes
        Of what came of it: pages, or git's answer.
    """

    act: str
    count: int
    requests: int
    most_requests: int
    sent_bytes: int
    received_bytes: int
    cpu_ms: float
    wall_ms: float
    slowest_ms: float
    result_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """How much a wiki is, and how much is stored of it.

    Attributes
    ----------
    tree_bytes
        Text of the current revision.
    stored_bytes, packs
        In the bucket.
    whole_versions_bytes
        Baseline: every version of every file compressed by itself, as loose objects are, without trees and commits.
    """

    after: str
    revisions: int
    files: int
    tree_bytes: int
    stored_bytes: int
    packs: int
    whole_versions_bytes: int


class _Bench:
    def __init__(self, stack: LocalStack) -> None:
        self._stack = stack
        self._warm = application_of(stack)
        self.costs: list[Cost] = []
        self.kept: list[Kept] = []
        self._head: Revision | None = None
        self._tree: Tree = {}
        self._whole_versions = 0
        self._revisions = 0

    def commits(self, act: str, trees: Iterator[Tree] | Sequence[Tree]) -> None:
        """Commit each; one cost for all."""
        self._note(act, (partial(self._commit, tree) for tree in trees), self._warm)

    def _commit(self, tree: Tree) -> None:
        changed = delta(self._tree, tree)
        self._whole_versions += sum(len(zlib.compress(text.encode())) for text in changed.written.values())
        head, repository = self._head, self._warm.compile_wiki.repository
        self._head = repository.commit(
            SCOPE,
            tree,
            parents=[head] if head else [],
            expected=head,
            message=f"Night {self._revisions}\n\n" + "".join(f"- {path}\n" for path in changed.written),
            author=COMPILER,
            at=FIRST_NIGHT + timedelta(days=self._revisions),
        )
        self._tree, self._revisions = tree, self._revisions + 1

    def reads(self) -> None:
        """What readers ask for, each of a process that knows nothing and of one that read before."""
        head = self._head
        if head is None:
            return
        page = next(path for path in sorted(self._tree) if path.startswith("knowledge/concepts/"))
        oldest = self._repository().log(SCOPE, path=None, before=None, limit=100_000)[-1]
        ask = f"want {head.id} side-band-64k ofs-delta\n"
        cold: list[tuple[str, Callable[[Any], Any]]] = [
            ("a page", lambda r: r.read(SCOPE, head.id, page)),
            ("a page of the first revision", lambda r: r.read(SCOPE, oldest.id, page)),
            ("the log of a page, 50 revisions", lambda r: r.log(SCOPE, path=page, before=None, limit=50)),
            ("what the last night changed", lambda r: r.changes(SCOPE, head.parents[0], head.id)),
            ("the whole tree", lambda r: r.tree(SCOPE, head.id)),
            ("git clone", lambda r: r.upload_pack(SCOPE, _lines(ask, None, "done\n"))),
            (
                "git clone --depth 1",
                lambda r: r.upload_pack(SCOPE, _lines(ask, "deepen 1\n", None, "done\n")),
            ),
            (
                "git fetch of the last night",
                lambda r: r.upload_pack(SCOPE, _lines(ask, None, f"have {head.parents[0]}\n", "done\n")),
            ),
        ]
        for act, call in cold:
            fresh = application_of(self._stack)
            for state in ("cold", "warm"):
                calls = [partial(call, fresh.compile_wiki.repository)]
                self._note(f"{act}, {state}", calls, fresh)

    def weigh(self, after: str) -> None:
        """Note how much there is."""
        s3, bucket = self._stack.client("s3"), self._stack.outputs["ContentBucketName"]
        found = [
            item
            for part in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix="wikis/")
            for item in part.get("Contents", [])
        ]
        self.kept.append(
            Kept(
                after=after,
                revisions=self._revisions,
                files=len(self._tree),
                tree_bytes=sum(len(text.encode()) for text in self._tree.values()),
                stored_bytes=sum(item["Size"] for item in found),
                packs=sum(item["Key"].endswith(".pack") for item in found),
                whole_versions_bytes=self._whole_versions,
            )
        )

    def _repository(self) -> Any:
        return self._warm.compile_wiki.repository

    def _note(
        self, act: str, calls: Iterator[Callable[[], Any]] | Sequence[Callable[[], Any]], on: Application
    ) -> None:
        meter = on.metered()
        times, traffic, result = [], [], None
        for call in calls:
            with meter.measure() as measured:
                wall, cpu = time.perf_counter(), time.process_time()
                result = call()
                times.append((time.process_time() - cpu, time.perf_counter() - wall))
            traffic.append(measured.total)
        self.costs.append(
            Cost(
                act=act,
                count=len(times),
                requests=int(median(t.requests for t in traffic)),
                most_requests=max(t.requests for t in traffic),
                sent_bytes=int(median(t.sent_bytes for t in traffic)),
                received_bytes=int(median(t.received_bytes for t in traffic)),
                cpu_ms=round(1000 * median(cpu for cpu, _ in times), 1),
                wall_ms=round(1000 * median(wall for _, wall in times), 1),
                slowest_ms=round(1000 * max(wall for _, wall in times), 1),
                result_bytes=_size(result),
            )
        )


def measure(sessions: int, concepts: int, history: int, copies: int = 1) -> tuple[list[Cost], list[Kept]]:
    """Commit a wiki of so many sessions, some nights of the writer's, and a long history; read it after each."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder, LocalStack(Path(folder)) as stack:
        # The SDK insists on credentials; an emulator takes any.
        os.environ.update(
            AWS_ACCESS_KEY_ID=ACCESS_KEY, AWS_SECRET_ACCESS_KEY=SECRET_KEY, AWS_DEFAULT_REGION=REGION
        )
        return measured_on(stack, sessions, concepts, history, copies)


def measured_on(
    stack: LocalStack, sessions: int, concepts: int, history: int, copies: int = 1
) -> tuple[list[Cost], list[Kept]]:
    """As ``measure``, on a stack that is there."""
    bench = _Bench(stack)
    written: list[Tree] = list(nights(sessions, concepts, WRITTEN_NIGHTS))
    more = _copied(written[0], copies)
    written = [_joined(tree, more) for tree in written]
    bench.commits(f"first commit, {len(written[0]):,} files", written[:1])
    bench.commits("commit of two new sessions", written[1:])
    bench.weigh("the writer's nights")
    bench.reads()
    if history:
        bench.commits(f"commit, {history:,} more nights", _played(written[-1], history))
        bench.weigh(f"{history:,} more nights")
        bench.reads()
    return bench.costs, bench.kept


def _copied(tree: Tree, copies: int) -> Tree:
    """Further pages like those of a tree; of its indexes the lines that would name them."""
    made: dict[str, str] = {}
    for copy in range(1, copies):
        letters = "abcdefghijklmnopqrstuvwxyz"
        other = str.maketrans(letters, letters[copy:] + letters[:copy])
        for path, text in tree.items():
            folder, _, name = path.rpartition("/")
            if path in INDEXES:
                made[path] = made.get(path, "") + text.translate(other)
            elif folder.startswith("sessions/"):
                made[f"{folder}-{copy}/{name}"] = text.translate(other)
            else:
                made[f"{folder}/{copy}-{name}"] = text.translate(other)
    return made


def _joined(tree: Tree, more: Tree) -> Tree:
    return {
        **more,
        **tree,
        **{path: tree[path] + more[path] for path in INDEXES if path in tree and path in more},
    }


def _played(tree: Tree, count: int) -> Iterator[Tree]:
    """Trees of nights in which a session comes, pages are revised and indexes grow."""
    chance = random.Random(SEED)  # noqa: S311 - made-up nights, no secret
    pages = sorted(path for path in tree if path.startswith(("knowledge/concepts/", "notes/")))
    sessions = sorted({path.rpartition("/")[0] for path in tree if path.startswith("sessions/2")})
    for night in range(count):
        day = (FIRST_NIGHT + timedelta(days=night)).date().isoformat()
        model = chance.choice(sessions)
        new = {
            f"sessions/{day}-night-{night}/{path.rpartition('/')[2]}": text.replace(
                "a", chance.choice("bdfgh"), 40
            )
            for path, text in tree.items()
            if path.startswith(f"{model}/")
        }
        revised = {
            path: _revised(tree[path], day, chance) for path in chance.sample(pages, min(REVISED, len(pages)))
        }
        line = f"- [[sessions/{day}-night-{night}/summary|{day}]]: {chance.getrandbits(60):x}\n"
        indexes = {path: "\n".join((tree[path].rsplit("\n", 1)[0], line)) for path in INDEXES if path in tree}
        tree = {**tree, **new, **revised, **indexes}
        yield tree


def _revised(text: str, day: str, chance: random.Random) -> str:
    lines = text.split("\n")
    lines.insert(
        min(len(lines), 9), f"- until {day}: what was thought of it was {chance.getrandbits(80):x}. [cite:1]"
    )
    # A page has room for so much: the oldest of what changed is left out in time.
    return "\n".join(lines if len(lines) < 120 else lines[:9] + lines[9:60])


def _lines(*lines: str | None) -> bytes:
    return b"".join(b"0000" if line is None else f"{len(line) + 4:04x}{line}".encode() for line in lines)


def _size(result: Any) -> int | None:
    if isinstance(result, bytes):
        return len(result)
    if isinstance(result, str):
        return len(result.encode())
    return sum(len(text.encode()) for text in result.values()) if isinstance(result, dict) else None


def shown(costs: Sequence[Cost], kept: Sequence[Kept], *, as_json: bool) -> None:
    """Print it."""
    if as_json:
        print(json.dumps({"costs": [asdict(c) for c in costs], "kept": [asdict(k) for k in kept]}, indent=2))
        return
    table = Table(
        "act",
        "times",
        "requests (most)",
        "sent, kB",
        "received, kB",
        "result, kB",
        "cpu ms",
        "wall ms (slowest)",
    )
    for cost in costs:
        table.add_row(
            cost.act,
            str(cost.count),
            f"{cost.requests} ({cost.most_requests})",
            f"{cost.sent_bytes / 1000:,.1f}",
            f"{cost.received_bytes / 1000:,.1f}",
            "" if cost.result_bytes is None else f"{cost.result_bytes / 1000:,.1f}",
            f"{cost.cpu_ms:,.0f}",
            f"{cost.wall_ms:,.0f} ({cost.slowest_ms:,.0f})",
        )
    console = Console(width=160)
    console.print(table)
    table = Table(
        "after", "revisions", "files", "text, kB", "packs", "stored, kB", "every version by itself, kB"
    )
    for item in kept:
        table.add_row(
            item.after,
            f"{item.revisions:,}",
            f"{item.files:,}",
            f"{item.tree_bytes / 1000:,.0f}",
            str(item.packs),
            f"{item.stored_bytes / 1000:,.0f}",
            f"{item.whole_versions_bytes / 1000:,.0f}",
        )
    console.print(table)
