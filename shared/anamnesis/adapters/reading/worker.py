"""Runs in a process of its own: turns a file's bytes from standard input into page texts on standard output.

A hostile file can make a parser loop, eat memory or crash; here it takes only this process down. The process starts
without the parent's environment, so that a parser that is taken over finds no credentials in it.
"""

from __future__ import annotations

import json
import logging
import resource
import sys
from collections.abc import Iterable

from anamnesis.adapters.reading import refusals
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import MAX_FILE_CHARS, MAX_PAGES
from anamnesis.domain.reading.media_types import HTML, NOTEBOOK, PDF


def main(engine: str, cpu_seconds: int, memory_bytes: int) -> None:
    """Read standard input with one engine and write the outcome as JSON.

    ``{"media_type": …, "pages": […], "pictures": […]}``, ``{"refused": reason, "detail": …}``, or
    ``{"failed": true}`` when the engine gave up in a way that says nothing about the file.

    Parameters
    ----------
    engine
        ``pdfium``, ``pypdf``, ``office``, ``html`` or ``json``.
    cpu_seconds, memory_bytes
        Limits that the operating system enforces on this process.
    """
    _limit(resource.RLIMIT_CPU, cpu_seconds)
    _limit(resource.RLIMIT_AS, memory_bytes)
    _limit(resource.RLIMIT_CORE, 0)
    logging.disable(logging.CRITICAL)
    data = sys.stdin.buffer.read()
    try:
        pictures: list[int] = []
        media_type, pages = _read(engine, data, pictures)
        answer: dict[str, object] = {
            "media_type": media_type,
            "pages": _bounded(pages),
            "pictures": pictures,
        }
    except FileRefused as refusal:
        answer = {"refused": refusal.reason, "detail": refusal.detail}
    except Exception:  # noqa: BLE001 - whatever a parser raises on hostile bytes, the answer is the same
        answer = {"failed": True}
    sys.stdout.buffer.write(json.dumps(answer).encode("ascii"))


def _read(engine: str, data: bytes, pictures: list[int]) -> tuple[str, Iterable[str]]:
    # Each engine's libraries are loaded only where it runs.
    if engine == "office":
        from anamnesis.adapters.reading.office import office_pages  # noqa: PLC0415

        return office_pages(data)
    if engine == "html":
        from anamnesis.adapters.reading.html import html_pages  # noqa: PLC0415

        return HTML, html_pages(data)
    if engine == "json":
        from anamnesis.adapters.reading.json_files import json_pages  # noqa: PLC0415

        return NOTEBOOK, json_pages(data)
    from anamnesis.adapters.reading.pdf import pdfium_pages, pypdf_pages  # noqa: PLC0415

    return PDF, pdfium_pages(data, pictures) if engine == "pdfium" else pypdf_pages(data)


def _bounded(pages: Iterable[str]) -> list[str]:
    kept: list[str] = []
    chars = 0
    for text in pages:
        chars += len(text)
        if chars > MAX_FILE_CHARS or len(kept) == MAX_PAGES:
            raise refusals.too_large()
        kept.append(text)
    return kept


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    # Some platforms (macOS for the address space) do not take the limit; the parent's time-out still holds there.
    try:
        resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
    except (ValueError, OSError):
        logging.getLogger(__name__).debug("limit %s not available", kind)
