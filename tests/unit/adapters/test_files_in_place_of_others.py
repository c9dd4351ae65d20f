"""Files that stand in the place of the one that was meant, and what the student is told."""

from __future__ import annotations

import pytest

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.domain.errors import FileRefused
from support.pdf_samples import assembled

_BLANK = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>"
_ATTACHED = (
    "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a.txt) 4 0 R] >> >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    _BLANK,
    "<< /Type /Filespec /F (a.txt) /EF << /F 5 0 R >> >>",
    "<< /Type /EmbeddedFile /Length 5 >>\nstream\nhello\nendstream",
)


def refusal(data: bytes, declared: str = "") -> FileRefused:
    with pytest.raises(FileRefused) as refused:
        ContentFileReader().read(data, declared_media_type=declared)
    return refused.value


@pytest.mark.parametrize(
    "data, reason, told",
    [
        (assembled(_ATTACHED), "unsupported-type", "attached"),
        (b"[InternetShortcut]\r\nURL=https://example.com/notes\r\n", "unsupported-type", "address"),
        (b"\0\0\0\x18ftypheic" + bytes(300), "unsupported-type", "picture"),
        (b"\0\0\0\x20ftypisom" + bytes(300), "unsupported-type", "film"),
        (b'{"cells":[{"cell_type":"markdown","source":["# Osmosis is the mov', "malformed", "notebook"),
        (b"<html><head><title>404 Not Found</title></head><body><h1>404 Not Found</h1>nginx</body></html>",
         "unsupported-type", "failed"),
        (b"<html><head><title>Error 503</title></head><body><h1>Service Unavailable</h1></body></html>",
         "unsupported-type", "failed"),
    ],
)  # fmt: skip
def test_a_file_in_place_of_another_is_refused_with_what_to_do(data: bytes, reason: str, told: str) -> None:
    """Attachments alone, links, pictures, films, cut notebooks and error pages are refused by their kind (SV-12)."""
    refused = refusal(data)
    assert refused.reason == reason
    assert told in refused.detail


@pytest.mark.parametrize(
    "page",
    [
        b"<html><body><h1>404 BC</h1><p>Athens surrenders to Sparta, and the long war ends.</p></body></html>",
        b"<html><body><h1>Error bars</h1><p>An error bar shows how far a mean may lie off.</p></body></html>",
        b"<html><body><h1>Forbidden lines</h1><p>A forbidden line is a weak line of a spectrum.</p></body></html>",
    ],
)
def test_a_short_page_about_years_or_errors_is_read(page: bytes) -> None:
    """A short page whose heading holds a number or the word error is no failure of a server (CM-1)."""
    assert ContentFileReader().read(page, declared_media_type="text/html").pages[0].text.startswith("# ")
