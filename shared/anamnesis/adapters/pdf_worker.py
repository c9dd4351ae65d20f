"""Runs in a process of its own: turns PDF bytes from standard input into page texts on standard output.

A hostile PDF can make a parser loop, eat memory or crash; here it takes only this process down. The process starts
without the parent's environment, so that a parser that is taken over finds no credentials in it.
"""

from __future__ import annotations

import json
import logging
import resource
import sys
from collections.abc import Iterator
from io import BytesIO

from anamnesis.domain.files import MAX_FILE_CHARS, MAX_PAGES, RefusalReason


class _Refusal(Exception):
    def __init__(self, reason: RefusalReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


def main(engine: str, cpu_seconds: int, memory_bytes: int) -> None:
    """Read standard input with one engine and write ``{"pages": […]}`` or ``{"refused": reason}`` as JSON.

    Parameters
    ----------
    engine
        ``pdfium`` or ``pypdf``.
    cpu_seconds, memory_bytes
        Limits that the operating system enforces on this process.
    """
    _limit(resource.RLIMIT_CPU, cpu_seconds)
    _limit(resource.RLIMIT_AS, memory_bytes)
    _limit(resource.RLIMIT_CORE, 0)
    logging.disable(logging.CRITICAL)
    data = sys.stdin.buffer.read()
    pages: list[str] = []
    answer: dict[str, object] = {"pages": pages}
    chars = 0
    try:
        for text in _pdfium_pages(data) if engine == "pdfium" else _pypdf_pages(data):
            chars += len(text)
            if chars > MAX_FILE_CHARS or len(pages) == MAX_PAGES:
                raise _Refusal(RefusalReason.TOO_LARGE)
            pages.append(text)
    except _Refusal as refusal:
        answer = {"refused": refusal.reason.value}
    except Exception:  # noqa: BLE001 - whatever a parser raises on hostile bytes, the answer is the same
        answer = {"refused": RefusalReason.MALFORMED.value}
    sys.stdout.buffer.write(json.dumps(answer).encode("ascii"))


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    # Some platforms (macOS for the address space) do not take the limit; the parent's time-out still holds there.
    try:
        resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
    except (ValueError, OSError):
        logging.getLogger(__name__).debug("limit %s not available", kind)


def _pdfium_pages(data: bytes) -> Iterator[str]:
    import pypdfium2  # noqa: PLC0415 - only after the limits are set, and only in this process

    document = pypdfium2.PdfDocument(data)
    if len(document) > MAX_PAGES:
        raise _Refusal(RefusalReason.TOO_LARGE)
    readable = 0
    for number in range(len(document)):
        try:
            page = document[number]
            text_page = page.get_textpage()
        except pypdfium2.PdfiumError:
            # A page that cannot be loaded is an empty page: the others keep their numbers.
            yield ""
            continue
        readable += 1
        if text_page.count_chars() > MAX_FILE_CHARS:
            raise _Refusal(RefusalReason.TOO_LARGE)
        yield text_page.get_text_bounded()
        text_page.close()
        page.close()
    if not readable:
        raise _Refusal(RefusalReason.MALFORMED)


def _pypdf_pages(data: bytes) -> Iterator[str]:
    import pypdf  # noqa: PLC0415 - as above

    reader = pypdf.PdfReader(BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise _Refusal(RefusalReason.ENCRYPTED)
    if len(reader.pages) > MAX_PAGES:
        raise _Refusal(RefusalReason.TOO_LARGE)
    for page in reader.pages:
        yield page.extract_text()
