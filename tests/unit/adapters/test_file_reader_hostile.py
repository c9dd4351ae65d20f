"""Archives of every kind: what they are is told by their parts, and none takes the reader down (SV-12, SV-14)."""

from __future__ import annotations

import zipfile

import pytest

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.adapters.reading import packages
from anamnesis.adapters.reading.bounded import BoundedParsers
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import RefusalReason
from support.office_samples import (
    NAMESPACES,
    WORD_TYPE,
    docx_of,
    package,
    par,
    pptx_of,
    relations,
    shape,
    title,
    zipped,
)

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 504
GOOD = docx_of(par("Cells."))
DOCUMENT = f"<w:document {NAMESPACES}><w:body>{{}}</w:body></w:document>"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"


def refusal(data: bytes) -> FileRefused:
    """The refusal of a file that is refused."""
    with pytest.raises(FileRefused) as refused:
        ContentFileReader().read(data, declared_media_type="")
    return refused.value


def texts(data: bytes) -> list[str]:
    """Page texts of a file."""
    return [page.text for page in ContentFileReader().read(data, declared_media_type="").pages]


def document(xml: str | bytes) -> bytes:
    """A Word file whose main part is this."""
    return package("word/document.xml", WORD_TYPE, {"word/document.xml": xml})


@pytest.mark.parametrize(
    "data, reason, advice",
    [
        (package("xl/workbook.xml", SHEET, {"xl/workbook.xml": "<x/>"}), "unsupported-type", "spreadsheet"),
        (zipped({"mimetype": "application/vnd.oasis.opendocument.text"}), "unsupported-type", "OpenDocument"),
        (
            zipped({"mimetype": "application/vnd.oasis.opendocument.presentation"}),
            "unsupported-type",
            ".pptx",
        ),
        (zipped({"mimetype": "application/epub+zip", "a.xhtml": "x"}), "unsupported-type", "EPUB"),
        (zipped({"Index/Document.iwa": b"x"}), "unsupported-type", "Pages"),
        (zipped({"a.txt": "x", "b/c.pdf": "y"}), "unsupported-type", "Unpack"),
        (zipped({}), "unsupported-type", "empty archive"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted", "password"),
        (OLE + "WordDocument".encode("utf-16-le"), "unsupported-type", ".docx"),
        (OLE + "PowerPoint Document".encode("utf-16-le"), "unsupported-type", ".pptx"),
        (OLE, "unsupported-type", "PDF"),
    ],
    ids=["xlsx", "odt", "odp", "epub", "pages", "zip", "empty zip", "locked", "doc", "ppt", "ole"],
)
def test_other_archives_are_told_apart(data: bytes, reason: str, advice: str) -> None:
    """Archives that are not read are refused by what they are, with what the student can do (SV-12)."""
    refused = refusal(data)
    assert refused.reason == reason
    assert advice in refused.detail


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_a_file_cut_off_is_malformed(share: float) -> None:
    """A document that arrived in part is refused as damaged (SV-12)."""
    assert refusal(GOOD[: int(len(GOOD) * share)]).reason == RefusalReason.MALFORMED


def test_damaged_bytes_are_malformed() -> None:
    """A part whose bytes changed does not pass its checksum, and broken XML is no document (SV-12)."""
    stored = zipped(
        {"[Content_Types].xml": "<x/>", "_rels/.rels": relations(("r1", "officeDocument", "d.xml"))}
    )
    assert refusal(stored).reason == RefusalReason.MALFORMED
    at = GOOD.index(b"word/document.xml") + 30
    assert refusal(GOOD[:at] + b"\xff\xff\xff" + GOOD[at + 3 :]).reason == RefusalReason.MALFORMED
    assert refusal(document("<w:document")).reason == RefusalReason.MALFORMED


ENTITIES = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize("prologue", [ENTITIES, OUTSIDE, "<!DOCTYPE w:document>"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_document_types_are_refused(prologue: str, encoding: str) -> None:
    """XML that brings entities, its own or from outside, is refused before any of them is read (SV-12)."""
    xml = prologue + DOCUMENT.format(par("<w:r><w:t>&a;</w:t></w:r>" if "ENTITY" in prologue else "x"))
    assert refusal(document(xml.encode(encoding))).reason == RefusalReason.MALFORMED


def test_deep_nesting_is_refused() -> None:
    """XML nested beyond any document's depth is refused (SV-12)."""
    deep = "<w:sdt><w:sdtContent>" * 50_000 + par("x") + "</w:sdtContent></w:sdt>" * 50_000
    assert refusal(document(DOCUMENT.format(deep))).reason == RefusalReason.MALFORMED


@pytest.mark.slow
def test_bombs_are_refused() -> None:
    """A small archive that inflates to more than a file may hold, text or blanks, is refused as too large (SV-12)."""
    text = DOCUMENT.format(par("<w:r><w:t>" + "x" * 6_000_000 + "</w:t></w:r>"))
    assert refusal(document(text)).reason == RefusalReason.TOO_LARGE
    blank = DOCUMENT.format(" " * (packages.MAX_PART_BYTES + 1))
    assert refusal(document(blank)).reason == RefusalReason.TOO_LARGE


def test_many_entries_are_refused() -> None:
    """An archive with more entries than any Office file is refused before they are read (SV-12)."""
    many = {f"{n}": b"" for n in range(packages.MAX_ENTRIES + 1)}
    assert refusal(zipped(many, method=zipfile.ZIP_STORED)).reason == RefusalReason.TOO_LARGE


def test_names_lead_to_parts_only() -> None:
    """Targets that climb out of the archive, or lead to the network, lead nowhere (SV-12)."""
    links = [("rL", "slideLayout", "../../../../etc/passwd"), ("rN", "notesSlide", "file:///etc/passwd")]
    assert texts(pptx_of([title("One")], links=links)) == ["# One"]
    climbing = zipped(
        {
            "_rels/.rels": relations(("r1", "officeDocument", "../../etc/passwd")),
            "[Content_Types].xml": "<x/>",
        }
    )
    assert refusal(climbing).reason == RefusalReason.MALFORMED


def test_circles_of_parts_end() -> None:
    """Parts that refer to themselves or to each other are read once (SV-12)."""
    layout = f"<p:sldLayout {NAMESPACES}/>"
    rels = "ppt/slideLayouts/_rels/l.xml.rels"
    parts = {
        "ppt/slideLayouts/l.xml": layout,
        rels: relations(("r1", "slideMaster", "l.xml"), ("r2", "slideLayout", "l.xml")),
    }
    links = [("rL", "slideLayout", "../slideLayouts/l.xml"), ("rN", "notesSlide", "slide1.xml")]
    assert texts(pptx_of([title("One") + shape("x")], links=links, parts=parts)) == ["# One\n\nx"]
    based = "".join(
        f'<w:style w:styleId="{one}"><w:basedOn w:val="{other}"/></w:style>' for one, other in ("AB", "BA")
    )
    assert texts(docx_of(par("Cells.", '<w:pStyle w:val="A"/>'), styles=based)) == ["Cells."]


def test_locked_and_oddly_packed_parts_are_refused() -> None:
    """Parts under a password are told as locked, parts packed in no Office way as damaged (SV-12)."""
    odd = zipped({"[Content_Types].xml": "<x/>", "_rels/.rels": "x" * 99}, method=zipfile.ZIP_LZMA)
    assert refusal(odd).reason == RefusalReason.MALFORMED
    locked = bytearray(GOOD)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = locked.find(signature)
        while at >= 0:
            locked[at + offset] |= 1
            at = locked.find(signature, at + 1)
    assert refusal(bytes(locked)).reason == RefusalReason.ENCRYPTED


@pytest.mark.parametrize(
    "data", [GOOD, pptx_of([title("One")]), b"<html><body><p>Cells."], ids=["docx", "pptx", "html"]
)
def test_parsers_without_time_or_memory_are_refusals(data: bytes) -> None:
    """A parser of any format that outlasts its time or memory is a refusal and leaves the reader working (SV-12)."""
    for parsers, reason in (
        (BoundedParsers(timeout_seconds=0), RefusalReason.TOO_LARGE),
        (BoundedParsers(memory_bytes=20 * 1024 * 1024), RefusalReason.MALFORMED),
    ):
        with pytest.raises(FileRefused) as refused:
            ContentFileReader(parsers).read(data, declared_media_type="")
        assert refused.value.reason == reason
    assert texts(data)


def test_any_damage_is_read_or_refused() -> None:
    """A document with any of its bytes changed is read or refused, and nothing else is raised (SV-12)."""
    from anamnesis.adapters.reading.office import office_pages

    for data in (GOOD, pptx_of([title("One") + shape("x")], notes={1: shape("n", holder='type="body"')})):
        for at in range(0, len(data), 7):
            damaged = data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
            try:
                outcome: object = list(office_pages(damaged)[1])
            except FileRefused as refused:
                outcome = RefusalReason(refused.reason)
            assert outcome
