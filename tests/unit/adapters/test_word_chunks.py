"""Word files that embed other files whole, as programs write that make Word files out of web pages (CM-1, SV-12)."""

from __future__ import annotations

import pytest

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.domain.errors import FileRefused
from support.office_samples import (
    NAMESPACES,
    OFFICE,
    WORD_TYPE,
    docx_of,
    package,
    par,
    relations,
    run,
    style,
    styled,
)  # fmt: skip

PAGE = (
    "<html><body><h1>Rivers</h1><p>A river is <b>water</b> that flows.</p><ul><li>源</li></ul></body></html>"
)
ARCHIVE = (
    "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\n"
    "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    f"{PAGE}\r\n--x--\r\n"
)


def embedding(name: str, kind: str, chunk: bytes | str, *, around: str = "") -> bytes:
    """A Word file that holds this file, after some paragraphs."""
    document = f'<w:document {NAMESPACES}><w:body>{around}<w:altChunk r:id="rC"/></w:body></w:document>'
    types = (
        f'<Types xmlns="{OFFICE}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{WORD_TYPE}"/>'
        f'<Override PartName="/word/{name}" ContentType="{kind}"/></Types>'
    )
    return package(
        "word/document.xml",
        WORD_TYPE,
        {
            "[Content_Types].xml": types,
            "word/document.xml": document,
            "word/_rels/document.xml.rels": relations(("rC", "aFChunk", name)),
            f"word/{name}": chunk,
        },
    )


def text(data: bytes) -> str:
    """All text of a file."""
    return "\n\n".join(page.text for page in ContentFileReader().read(data, declared_media_type="").pages)


def refusal(data: bytes) -> FileRefused:
    """The refusal of a file that is refused."""
    with pytest.raises(FileRefused) as refused:
        text(data)
    return refused.value


@pytest.mark.parametrize(
    "name, kind, chunk",
    [
        ("a.html", "text/html", PAGE),
        ("a.xhtml", "application/xhtml+xml", PAGE.encode("utf-16")),
        ("a.mht", "message/rfc822", ARCHIVE),
    ],
)
def test_embedded_pages_are_read(name: str, kind: str, chunk: bytes | str) -> None:
    """A page that a Word file embeds, alone or in an archive, is read where it stands, headings and all (CM-1)."""
    written = "# Rivers\n\nA river is **water** that flows.\n\n- 源"
    assert text(embedding(name, kind, chunk)) == written
    assert text(embedding(name, kind, chunk, around=par("Before."))) == f"Before.\n\n{written}"


def test_embedded_documents_and_texts_are_read() -> None:
    """A Word file or a plain text inside a Word file is read as one of its parts (CM-1)."""
    inner = docx_of(styled("H1", "Rivers") + par(run("A river flows.")), styles=style("H1", "heading 1"))
    assert text(embedding("a.docx", WORD_TYPE, inner)) == "# Rivers\n\nA river flows."
    plain = "Rzeka płynie do morza, które jest duże.\n\nI tak jest.".encode("cp1250")
    assert (
        text(embedding("a.txt", "text/plain", plain))
        == "Rzeka płynie do morza, które jest duże.\n\nI tak jest."
    )


def test_what_cannot_be_taken_in_is_not_called_empty() -> None:
    """A Word file of nothing but an embedded file of another kind is refused with what to do (SV-12)."""
    for chunk in (b"{\\rtf1 Rivers}", b"PK\x03\x04broken", "<html></html>"):
        refused = refusal(embedding("a.rtf", "application/rtf", chunk))
        assert refused.reason == "unsupported-type"
        assert "Open it in Word" in refused.detail
    assert text(embedding("a.rtf", "application/rtf", b"{\\rtf1 x}", around=par("Mine."))) == "Mine."


def test_documents_in_documents_end() -> None:
    """Documents that embed documents are followed a few steps down and no further (SV-14)."""
    inner = docx_of(par("Deep."))
    for _ in range(3):
        inner = embedding("a.docx", WORD_TYPE, inner, around=par("On."))
    assert text(inner) == "On.\n\nOn.\n\nOn.\n\nDeep."
    assert "Deep." not in text(embedding("a.docx", WORD_TYPE, inner, around=par("On.")))
