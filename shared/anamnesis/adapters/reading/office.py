"""Which kind of Office file some bytes are, by their parts and never by a name; Word and PowerPoint are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anamnesis.adapters.reading import refusals
from anamnesis.adapters.reading.docx import docx_pages
from anamnesis.adapters.reading.packages import ZIP_SIGNATURE, Package
from anamnesis.adapters.reading.pptx import pptx_pages
from anamnesis.adapters.reading.xml_trees import XmlRefused
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.reading.media_types import DOCX, PPTX

OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIP_SIGNATURES = (ZIP_SIGNATURE, b"PK\x05\x06")

#: Parts of an OLE file's directory by what they tell it to be.
_OLE_STREAMS = (
    ("WordDocument", "an old Word document (.doc)", "Save it as .docx or as a PDF and upload that."),
    ("PowerPoint Document", "an old PowerPoint file (.ppt)", "Save it as .pptx or as a PDF and upload that."),
    ("Workbook", "an old spreadsheet (.xls)", "Save what is to be learnt from it as a PDF and upload that."),
    ("__substg1.0", "an e-mail", "Save it as a PDF or as text and upload that."),
)
_SHEET = ("a spreadsheet", "Save what is to be learnt from it as a PDF and upload that.")
#: The first words of a ``mimetype`` entry, which OpenDocument files and EPUB books begin with.
_MIMETYPES = (
    (b"application/vnd.oasis.opendocument.text", "an OpenDocument text",
     "Save it as .docx or as a PDF and upload that."),
    (b"application/vnd.oasis.opendocument.presentation", "an OpenDocument presentation",
     "Save it as .pptx or as a PDF and upload that."),
    (b"application/vnd.oasis.opendocument.spreadsheet", *_SHEET),
    (b"application/vnd.oasis.opendocument", "an OpenDocument file", "Save it as a PDF and upload that."),
    (b"application/epub", "an e-book (EPUB)", "Convert it to a PDF and upload that."),
)  # fmt: skip
_WORD_TYPES = ("wordprocessingml.", "ms-word.")
_SLIDE_TYPES = ("presentationml.", "ms-powerpoint.")
_SHEET_TYPES = ("spreadsheetml.", "ms-excel.")
_ZIP_ADVICE = "Unpack it and upload the files one by one."


def refuse_ole(data: bytes) -> FileRefused:
    """Return the refusal of an OLE file: a locked Office file, or one of the formats before 2007."""
    if _named("EncryptedPackage") in data:
        return refusals.encrypted_office()
    for stream, kind, advice in _OLE_STREAMS:
        if _named(stream) in data:
            return refusals.unsupported(kind, advice)
    return refusals.unsupported("an old Office document", "Save it as a PDF and upload that.")


def _named(stream: str) -> bytes:
    return stream.encode("utf-16-le")


def office_pages(data: bytes) -> tuple[str, Iterable[str]]:
    """Media type and pages of a zip archive that is a Word or PowerPoint file.

    Raises
    ------
    FileRefused
        For every other archive, and for what cannot be read; pages may raise it too.
    """
    package = Package(data)
    try:
        _refuse_other_archives(package)
        part = package.related("", "officeDocument")
        if part is None or not package.has(part):
            raise refusals.malformed_office()
        kind = _kind(package, part)
        if kind == DOCX:
            return kind, docx_pages(package, part)
        return kind, _whole(pptx_pages(package, part))
    except XmlRefused as error:
        raise refusals.malformed_office() from error


def _whole(pages: Iterator[str]) -> Iterator[str]:
    try:
        yield from pages
    except XmlRefused as error:
        raise refusals.malformed_office() from error


def _refuse_other_archives(package: Package) -> None:
    if package.has("mimetype"):
        with package.open("mimetype") as stream:
            told = stream.read(200).strip()
        for beginning, kind, advice in _MIMETYPES:
            if told.startswith(beginning):
                raise refusals.unsupported(kind, advice)
    if package.has("Index/Document.iwa") or package.has("Index.zip"):
        raise refusals.unsupported("a Pages, Keynote or Numbers file", "Export it as a PDF and upload that.")
    if not package.has("[Content_Types].xml") and not package.has("_rels/.rels"):
        if not package.names:
            raise refusals.unsupported("an empty archive", "Check that the right file was chosen.")
        raise refusals.unsupported("an archive", _ZIP_ADVICE)


def _kind(package: Package, part: str) -> str:
    told = package.content_type(part).casefold()
    if any(kind in told for kind in _WORD_TYPES):
        return DOCX
    if any(kind in told for kind in _SLIDE_TYPES):
        return PPTX
    if any(kind in told for kind in _SHEET_TYPES):
        raise refusals.unsupported(*_SHEET)
    # A package that does not say what its main part is: its root does.
    tag = package.tree(part).tag if not told or told.endswith("/xml") else ""
    if tag in {"w.document", "p.presentation"}:
        return DOCX if tag == "w.document" else PPTX
    raise refusals.unsupported("an Office file that is neither a document nor a presentation")
