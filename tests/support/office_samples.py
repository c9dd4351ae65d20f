"""Word and PowerPoint files written by hand, so that tests know every part of them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO

OFFICE = "http://schemas.openxmlformats.org"
STRICT = "http://purl.oclc.org/ooxml"
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
SLIDE_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
_RELATIONS = f"{OFFICE}/package/2006/relationships"
_KINDS = f"{OFFICE}/officeDocument/2006/relationships"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": f"{OFFICE}/wordprocessingml/2006/main",
        "m": f"{OFFICE}/officeDocument/2006/math",
        "a": f"{OFFICE}/drawingml/2006/main",
        "p": f"{OFFICE}/presentationml/2006/main",
        "c": f"{OFFICE}/drawingml/2006/chart",
        "dgm": f"{OFFICE}/drawingml/2006/diagram",
        "mc": f"{OFFICE}/markup-compatibility/2006",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
        "r": _KINDS,
    }.items()
)


def zipped(parts: Mapping[str, str | bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of these entries, in order."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def relations(*links: tuple[str, str, str]) -> str:
    """A part of relationships: (id, kind, target) each."""
    body = "".join(f'<Relationship Id="{i}" Type="{_KINDS}/{kind}" Target="{to}"/>' for i, kind, to in links)
    return f'<Relationships xmlns="{_RELATIONS}">{body}</Relationships>'


def package(main: str, content_type: str, parts: Mapping[str, str | bytes]) -> bytes:
    """An Office file whose main part is `main`."""
    types = (
        f'<Types xmlns="{OFFICE}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/{main}" ContentType="{content_type}"/></Types>'
    )
    root = {"[Content_Types].xml": types, "_rels/.rels": relations(("r1", "officeDocument", main))}
    return zipped({**root, **parts})


# ------------------------------------------------------------------------------------------------ Word
_WORD_PARTS = {
    "styles": "styles", "numbering": "numbering", "footnotes": "footnotes", "endnotes": "endnotes",
    "header1": "header", "comments": "comments",
}  # fmt: skip


def docx_of(body: str, *, content_type: str = WORD_TYPE, **parts: str) -> bytes:
    """A Word file with this body; further parts (``styles``, ``numbering``, …) by name, each its root's content."""
    roots = {"footnotes": "w:footnotes", "endnotes": "w:endnotes", "styles": "w:styles",
             "numbering": "w:numbering", "header1": "w:hdr", "comments": "w:comments"}  # fmt: skip
    links = [(f"r{n}", _WORD_PARTS[name], f"{name}.xml") for n, name in enumerate(parts, start=1)]
    written = {
        f"word/{name}.xml": f"<{roots[name]} {NAMESPACES}>{content}</{roots[name]}>"
        for name, content in parts.items()
    }
    document = f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>"
    return package(
        "word/document.xml",
        content_type,
        {"word/document.xml": document, "word/_rels/document.xml.rels": relations(*links), **written},
    )


def run(text: str, properties: str = "") -> str:
    """A run of text."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def par(content: str, properties: str = "") -> str:
    """A paragraph of plain text, or of runs."""
    inner = content if content.startswith("<") else run(content)
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def styled(style: str, content: str) -> str:
    """A paragraph in a style."""
    return par(content, f'<w:pStyle w:val="{style}"/>')


def style(style_id: str, name: str, content: str = "") -> str:
    """A paragraph style."""
    return f'<w:style w:type="paragraph" w:styleId="{style_id}"><w:name w:val="{name}"/>{content}</w:style>'


def word_table(*rows: Sequence[str]) -> str:
    """A table of cells; a cell is text, paragraphs, or a whole ``w:tc``."""

    def cell(content: str) -> str:
        return (
            content
            if content.startswith("<w:tc")
            else f"<w:tc>{content if '<' in content else par(content)}</w:tc>"
        )

    written = ("".join(map(cell, row)) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in written)}</w:tbl>"


# ------------------------------------------------------------------------------------------------ PowerPoint
def shape(
    *paragraphs: str, holder: str = "", at: tuple[int, int, int, int] | None = None, body: str = ""
) -> str:
    """A shape with paragraphs of text (or of XML), as a placeholder or at a place (x, y, width, height)."""
    texts = "".join(
        p if p.startswith("<a:p") else f"<a:p><a:r><a:t>{p}</a:t></a:r></a:p>" for p in paragraphs
    )
    place = ""
    if at is not None:
        place = f'<a:xfrm><a:off x="{at[0]}" y="{at[1]}"/><a:ext cx="{at[2]}" cy="{at[3]}"/></a:xfrm>'
    kind = f"<p:ph {holder}/>" if holder else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="Shape"/><p:cNvSpPr/><p:nvPr>{kind}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{place}</p:spPr><p:txBody><a:bodyPr/>{body}{texts}</p:txBody></p:sp>"
    )


def title(text: str) -> str:
    """A slide's title."""
    return shape(text, holder='type="title"')


def pptx_of(
    slides: Sequence[str],
    *,
    order: Sequence[int] | None = None,
    notes: Mapping[int, str] | None = None,
    links: Sequence[tuple[str, str, str]] = (),
    parts: Mapping[str, str | bytes] | None = None,
    content_type: str = SLIDE_TYPE,
) -> bytes:
    """A PowerPoint file with slides of these shapes.

    Parameters
    ----------
    order
        Numbers of the slides' files (from 1) in the order in which they are shown.
    notes
        Shapes of speaker notes by the number of the slide's file.
    links, parts
        Further relationships of every slide, and further parts.
    """
    order = order or range(1, len(slides) + 1)
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="s{n}"/>' for n in order)
    written: dict[str, str | bytes] = {
        "ppt/presentation.xml": f"<p:presentation {NAMESPACES}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            *((f"s{n}", "slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1))
        ),
    }
    for n, shapes in enumerate(slides, start=1):
        written[f"ppt/slides/slide{n}.xml"] = _tree("p:sld", shapes)
        own = list(links)
        if notes and n in notes:
            own.append(("rN", "notesSlide", f"../notesSlides/notesSlide{n}.xml"))
            written[f"ppt/notesSlides/notesSlide{n}.xml"] = _tree("p:notes", notes[n])
        written[f"ppt/slides/_rels/slide{n}.xml.rels"] = relations(*own)
    return package("ppt/presentation.xml", content_type, {**written, **(parts or {})})


def _tree(root: str, shapes: str) -> str:
    return f"<{root} {NAMESPACES}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></{root}>"
