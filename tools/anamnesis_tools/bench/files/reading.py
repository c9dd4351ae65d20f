"""What the file reader makes of a folder of files: outcome, pages, characters, speed and memory of each (CM-1, SV-12).

Each file is read by a process of its own, so that its peak of memory is its own. A ``manifest.json`` beside the files,
a list of objects with ``file``, ``kind``, ``expect`` and perhaps ``pages``, says what is right: a refusal with its
reason for the kinds named below; else pages, as many as there, that hold every phrase that ``expect`` has in double
quotes, or after "starts with:" or "paragraphs:", whatever signs and spaces stand between its letters.
"""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import regex
from rich.console import Console
from rich.table import Table

from anamnesis.domain.files import RefusalReason
from anamnesis_tools.api_client import MEDIA_TYPES

MANIFEST = "manifest.json"
#: The refusal that is right for a kind of file, as the manifest calls it.
_REFUSALS = {
    "broken text layer": {RefusalReason.GARBLED_TEXT},
    "scanned": {RefusalReason.NO_TEXT_LAYER},
    "encrypted": {RefusalReason.ENCRYPTED},
    "empty": {RefusalReason.EMPTY},
    "wrong type": {RefusalReason.UNSUPPORTED_TYPE},
}
_UNREADABLE = regex.compile(r"told unreadable, no crash")
_QUOTED = regex.compile(r'"([^"]+)"')
_BEGINNING = regex.compile(r"(?:starts with|paragraphs): (.+)$", regex.DOTALL)
#: Letters of an unquoted beginning that must be found.
_BEGINNING_LETTERS = 40
_TIMEOUT_SECONDS = 200

_CHILD = (
    "import json, resource, sys, time; sys.path[:] = json.loads(sys.argv[1]);"
    "from anamnesis import offline; from anamnesis.domain.errors import FileRefused;"
    "reader = offline.file_reader(); data = open(sys.argv[2], 'rb').read(); start = time.perf_counter();"
    "out = {'refused': '', 'texts': []}\n"
    "try: out['texts'] = [page.text for page in reader.read(data, declared_media_type=sys.argv[3]).pages]\n"
    "except FileRefused as refusal: out['refused'] = refusal.reason\n"
    "out['seconds'] = time.perf_counter() - start\n"
    "usage = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]\n"
    "out['peak_mb'] = max(usage) / 1024\n"
    "print(json.dumps(out))"
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a file.

    Attributes
    ----------
    refused
        Reason of the refusal, empty for a file that was read; "crashed" for a reader that did not come back.
    pages, empty_pages, chars
        Of a file that was read.
    seconds
        Wall clock of reading, the start of the parser's process included.
    peak_mb
        Largest resident memory of the parser's process, or of the reader's where it parses itself.
    right
        Whether it is what the manifest expects; None where that says nothing.
    missing
        What should be in the text and is not.
    """

    file: str
    format: str
    refused: str
    pages: int
    empty_pages: int
    chars: int
    seconds: float
    peak_mb: float
    right: bool | None
    missing: tuple[str, ...] = ()


def measure(folder: Path) -> list[Outcome]:
    """Outcomes of all files of a folder by name; those of a manifest, in its order, where there is one."""
    manifest = folder / MANIFEST
    expected: list[dict[str, Any]] = json.loads(manifest.read_text("utf-8")) if manifest.exists() else []
    names = [str(one["file"]) for one in expected] or sorted(
        path.name for path in folder.iterdir() if path.is_file()
    )
    by_name = {str(one["file"]): one for one in expected}
    return [_outcome(folder / name, by_name.get(name)) for name in names]


def _outcome(path: Path, expected: Mapping[str, Any] | None) -> Outcome:
    declared = MEDIA_TYPES.get(path.suffix.casefold(), "")
    command = [sys.executable, "-c", _CHILD, json.dumps(sys.path), str(path), declared]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=_TIMEOUT_SECONDS)
        read = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError):
        read = {"refused": "crashed", "texts": [], "seconds": float("nan"), "peak_mb": float("nan")}
    texts: list[str] = read["texts"]
    right, missing = judged(read["refused"], texts, expected) if expected else (None, ())
    return Outcome(
        file=path.name,
        format=path.suffix.removeprefix(".").casefold(),
        refused=read["refused"],
        pages=len(texts),
        empty_pages=sum(1 for text in texts if not text.strip()),
        chars=sum(map(len, texts)),
        seconds=float(read["seconds"]),
        peak_mb=float(read["peak_mb"]),
        right=right,
        missing=missing,
    )


def judged(
    refused: str, texts: Sequence[str], expected: Mapping[str, Any]
) -> tuple[bool | None, tuple[str, ...]]:
    """Whether an outcome is what an entry of a manifest expects, and which phrases are missing."""
    expect = str(expected.get("expect", ""))
    reasons = _REFUSALS.get(str(expected.get("kind", "")))
    if reasons is None and _UNREADABLE.search(expect):
        reasons = {RefusalReason.MALFORMED}
    if reasons is not None:
        return refused in {reason.value for reason in reasons}, ()
    text = _letters("\n".join(texts))
    phrases = _QUOTED.findall(expect)
    beginning = _BEGINNING.search(expect)
    if beginning and not phrases:
        phrases = [part[:_BEGINNING_LETTERS] for part in beginning[1].split(" / ")]
    missing = tuple(phrase for phrase in phrases if _letters(phrase) not in text)
    pages = expected.get("pages")
    counted = pages is None or pages == len(texts) or expected.get("format") != "pdf"
    return not refused and counted and not missing, missing


def _letters(text: str) -> str:
    kept = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in kept if unicodedata.category(char)[0] in "LMN")


def shown(outcomes: Sequence[Outcome], *, as_json: bool) -> None:
    """Print the outcomes, and speed and memory by format."""
    if as_json:
        print(json.dumps([asdict(one) for one in outcomes], ensure_ascii=False))
        return
    table = Table("file", "outcome", "pages", "empty", "characters", "seconds", "pages/s", "peak MB", "right")
    for one in outcomes:
        verdict = {True: "yes", False: "NO", None: ""}[one.right] + "".join(
            f" –{phrase[:30]!r}" for phrase in one.missing
        )
        table.add_row(
            one.file,
            one.refused or "read",
            str(one.pages),
            str(one.empty_pages),
            f"{one.chars:,}",
            f"{one.seconds:.2f}",
            f"{one.pages / one.seconds:.0f}" if one.pages else "",
            f"{one.peak_mb:.0f}",
            verdict,
        )
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(table)
    formats: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        formats[one.format].append(one)
    summary = Table("format", "files", "read", "pages", "pages/s", "peak MB", "right", "wrong")
    for name, members in sorted(formats.items()):
        read = [one for one in members if one.pages]
        seconds = sum(one.seconds for one in read)
        pages = sum(one.pages for one in read)
        summary.add_row(
            name,
            str(len(members)),
            str(len(read)),
            str(pages),
            f"{pages / seconds:.0f}" if seconds else "",
            f"{max((one.peak_mb for one in members), default=0):.0f}",
            str(sum(one.right is True for one in members)),
            str(sum(one.right is False for one in members)),
        )
    console.print(summary)
