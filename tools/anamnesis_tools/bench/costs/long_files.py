"""Whole books from upload to map on the local stack: how long they take, and the memory of the processes (CM-1).

The books are made up by `books`. Memory is the highest resident size of any process below the emulator while a book is
read: of a function's worker, and of the child that it parses the file in.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from rich.console import Console
from rich.table import Table

from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.bench.costs import books
from anamnesis_tools.stack.local_stack import LocalStack

#: File name, language and maker of each book.
BOOKS = (("book.md", "en", books.markdown), ("book.docx", "pl", books.word), ("book.pdf", "es", books.pdf))
SUBJECT = "books"
_SAMPLES_A_SECOND = 5
#: What stands in the command line of the child that parses a file.
_PARSER = b"anamnesis.adapters.reading.worker"


@dataclass(frozen=True, slots=True)
class BookReading:
    """One book's way into the map; megabytes are the highest resident size."""

    name: str
    language: str
    file_kb: int
    status: str
    reason: str | None
    pages: int
    concepts: int
    seconds: float
    function_mb: int
    parser_mb: int
    map_concepts: int


class _Memory:
    """The highest resident size of the processes below one, by whether they parse."""

    def __init__(self, root: int) -> None:
        self.highest = {True: 0, False: 0}
        self._root, self._over = root, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(1 / _SAMPLES_A_SECOND):
            for process in _below(self._root):
                try:
                    parses = _PARSER in Path(f"/proc/{process}/cmdline").read_bytes()
                    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
                except OSError:
                    continue
                peak = next(
                    (line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")), "0"
                )
                self.highest[parses] = max(self.highest[parses], int(peak) // 1024)


def _below(root: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, open_ = [], [root]
    while open_:
        children = parents.get(open_.pop(), [])
        found += children
        open_ += children
    return found


def measure(pages: int) -> list[BookReading]:
    """Read the books one after another, into one subject, on an emulator of its own."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder, LocalStack(Path(folder)) as stack:
        client = ApiClient(stack.api_url, stack.token("bench", "reader"))
        found = []
        for name, language, made in BOOKS:
            file = Path(folder) / name
            file.write_bytes(made(language, pages))
            with _Memory(stack.emulator.pid) as memory:
                begun = time.perf_counter()
                settled = client.wait_until_read(SUBJECT, client.upload(SUBJECT, file), seconds=300)
                seconds = time.perf_counter() - begun
            kept = client.call("GET", client.subject(SUBJECT, "map"))["concepts"]
            found.append(
                BookReading(
                    name,
                    language,
                    file.stat().st_size // 1024,
                    settled["status"],
                    settled["reason"],
                    settled["pages"],
                    len(settled["concepts"]),
                    round(seconds, 1),
                    memory.highest[False],
                    memory.highest[True],
                    len(kept),
                )
            )
        return found


def shown(readings: list[BookReading], *, as_json: bool) -> None:
    """Print the readings, as a table for people or as JSON."""
    if as_json:
        print(json.dumps([asdict(reading) for reading in readings], indent=1))
        return
    table = Table(*(name.replace("_", " ") for name in BookReading.__dataclass_fields__), title="Whole books")
    for reading in readings:
        table.add_row(*(str(value) for value in asdict(reading).values()))
    Console().print(table)
