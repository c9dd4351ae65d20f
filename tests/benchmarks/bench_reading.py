"""Pages per second and peak memory of reading a file, by format. Not part of the tests: ``make bench``."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from anamnesis.adapters.file_reader import ContentFileReader
from support.office_samples import docx_of, par, pptx_of, run, shape, style, styled, title, word_table
from support.pdf_samples import pdf_of

PAGES = 300
LINE = "Osmosis is the movement of water through a membrane that lets no salt pass. "
#: Peak memory of the child that parses, in MB, and of the process that starts it.
_PEAK = (
    "import json, resource, sys; sys.path[:] = json.loads(sys.argv[1]);"
    "from anamnesis.adapters.file_reader import ContentFileReader;"
    "ContentFileReader().read(sys.stdin.buffer.read(), declared_media_type='');"
    "usage = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)];"
    "print(json.dumps([kilobytes / 1024 for kilobytes in usage]))"
)


def _pdf() -> bytes:
    return pdf_of([[LINE for _ in range(40)] for _ in range(PAGES)])


def _word() -> bytes:
    page = styled("H1", "Cells") + "".join(par("".join(run(LINE) for _ in range(5))) for _ in range(7))
    page += word_table(*[["a", "b", "c"]] * 5) + '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    return docx_of(page * PAGES, styles=style("H1", "heading 1"))


def _slides() -> bytes:
    slide = title("Cells") + "".join(shape(LINE, LINE, at=(0, n * 10, 90, 9)) for n in range(5))
    return pptx_of(
        [slide] * PAGES, notes=dict.fromkeys(range(1, PAGES + 1), shape(LINE, holder='type="body"'))
    )


def _web() -> bytes:
    section = f"<h2>Cells</h2>{f'<p>{LINE * 5}' * 8}<ul>{f'<li>{LINE}' * 5}</ul>"
    return f"<!DOCTYPE html><html><body><main>{section * PAGES}</main></body></html>".encode()


def _markdown() -> bytes:
    return f"## Cells\n\n{(LINE * 5 + chr(10) * 2) * 8}".encode() * PAGES


@pytest.mark.parametrize("made", [_pdf, _word, _slides, _web, _markdown], ids=lambda made: made.__name__[1:])
def test_reading(benchmark: BenchmarkFixture, made: Callable[[], bytes]) -> None:
    """A file of 300 pages, slides or sections, the start of its parser's process included (CM-1)."""
    data = made()
    document = benchmark.pedantic(
        ContentFileReader().read, args=(data,), kwargs={"declared_media_type": ""}, rounds=3
    )
    assert len(document.pages) == PAGES
    measured = subprocess.run(
        [sys.executable, "-c", _PEAK, json.dumps(sys.path)], input=data, capture_output=True, check=True
    )
    child, parent = json.loads(measured.stdout)
    benchmark.extra_info["child_peak_mb"] = round(child)
    benchmark.extra_info["parent_peak_mb"] = round(parent)
    benchmark.extra_info["pages_per_second"] = round(PAGES / benchmark.stats.stats.mean)
    benchmark.extra_info["file_kb"] = len(data) // 1024
    print(f"\n{made.__name__[1:]}: {benchmark.extra_info}")  # noqa: T201 - the table has no place for it
