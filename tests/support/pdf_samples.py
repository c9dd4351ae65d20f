"""Small PDFs written by hand, so that tests know every byte of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_SHEET = "/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"


def pdf_of(
    pages: Sequence[Sequence[str]], *, font: str = "/Type1 /BaseFont /Helvetica", extra: str = ""
) -> bytes:
    """A PDF whose pages hold these lines of ASCII text, top to bottom."""
    contents = []
    for lines in pages:
        shown = " ".join(f"({_escaped(line)}) Tj 0 -18 Td" for line in lines)
        contents.append(f"BT /F1 12 Tf 50 780 Td {shown} ET")
    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    objects.append(f"<< /Type /Font /Subtype {font} >>")
    for i, content in enumerate(contents):
        objects.append(f"<< /Type /Page /Parent 2 0 R {_SHEET} /Contents {5 + 2 * i} 0 R >>")
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    return assembled(objects, extra=extra)


def assembled(objects: Sequence[str], *, extra: str = "") -> bytes:
    """A PDF file of these objects, numbered from 1; the first is the catalogue."""
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    out += (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {extra} >>\nstartxref\n{start}\n%%EOF\n".encode()
    )
    return out


@dataclass(frozen=True)
class Run:
    """Glyphs drawn one after the other.

    Attributes
    ----------
    glyphs
        For each glyph its characters, as the file names them; None for one that the file names nothing. A string is one
        glyph for each character.
    widths
        In thousandths of the size; one for all, or one for each.
    told
        What the file says the text of the run is (``ActualText``).
    mode
        Text render mode; 3 is invisible.
    overhang
        How far the ink of its glyphs reaches over their advance, in thousandths of the size.
    apart
        Whether each glyph has a showing operator of its own, as browsers draw them.
    """

    x: float
    y: float
    glyphs: str | Sequence[str | None]
    size: float = 10
    widths: int | Sequence[int] = 500
    told: str = ""
    mode: int = 0
    overhang: int = 0
    apart: bool = False


def placed_pdf(
    pages: Sequence[Sequence[Run]], *, sheet: str = "/MediaBox [0 0 595 842]", named: bool = True
) -> bytes:
    """A PDF whose glyphs are boxes that stand where they are told to; what they are called the file names.

    Parameters
    ----------
    sheet
        Boxes and rotation of the pages.
    named
        Whether the font has names for its glyphs.
    """
    codes: dict[tuple[str | None, int, int], int] = {}
    contents = []
    for runs in pages:
        parts = []
        for run in runs:
            widths = [run.widths] * len(run.glyphs) if isinstance(run.widths, int) else list(run.widths)
            shown = [
                f"{codes.setdefault((glyph, width, run.overhang), len(codes) + 1):02X}"
                for glyph, width in zip(run.glyphs, widths, strict=True)
            ]
            begin = f"BT {run.mode} Tr /F1 {run.size} Tf {run.x} {run.y} Td "
            text = begin + ("> Tj <".join(shown) if run.apart else "".join(shown)).join(("<", "> Tj ET"))
            if run.told:
                text = f"/Span << /ActualText <FEFF{run.told.encode('utf-16-be').hex()}> >> BDC {text} EMC"
            parts.append(text)
        contents.append(" ".join(parts))
    assert len(codes) < 256, "a Type 3 font has a byte for each glyph"
    names = [(code, glyph) for (glyph, _, _), code in codes.items() if glyph is not None and named]
    chars = "\n".join(f"<{code:02X}> <{glyph.encode('utf-16-be').hex()}>" for code, glyph in names)
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{len(names)} beginbfchar\n{chars}\nendbfchar\nendcmap end end"
    )
    first = 7 + 2 * len(pages)
    kids = " ".join(f"{7 + 2 * i} 0 R" for i in range(len(pages)))
    procs = " ".join(f"/g{code} {first + i} 0 R" for i, code in enumerate(codes.values()))
    differences = " ".join(f"/g{code}" for code in codes.values())
    font = (
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 1000 800] /FontMatrix [0.001 0 0 0.001 0 0] "
        f"/FirstChar 1 /LastChar {len(codes)} /Widths [{' '.join(str(width) for _, width, _ in codes)}] "
        "/CharProcs 4 0 R /Encoding 6 0 R /ToUnicode 5 0 R /Resources << >> >>"
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        font,
        f"<< {procs} >>",
        f"<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream",
        f"<< /Type /Encoding /Differences [1 {differences}] >>",
    ]
    for i, content in enumerate(contents):
        fonts = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R {sheet} {fonts} /Contents {8 + 2 * i} 0 R >>")
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    for glyph, width, overhang in codes:
        reach = width + overhang
        ink = f"{width} 0 0 0 {reach} 700 d1" + ("" if glyph == " " else f" 0 0 {reach} 700 re f")
        objects.append(f"<< /Length {len(ink)} >>\nstream\n{ink}\nendstream")
    return assembled(objects)


def lines_at(x: float, y: float, lines: Sequence[str], *, size: float = 10) -> list[Run]:
    """Lines below each other, with spaces drawn."""
    return [Run(x, y - 1.2 * size * place, line, size=size) for place, line in enumerate(lines)]


def looping_pages() -> bytes:
    """A PDF whose second page is a page tree that holds itself."""
    content = "BT /F1 12 Tf 50 780 Td (The first page can be read.) Tj ET"
    return assembled(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [4 0 R 6 0 R] /Count 2 >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            f"<< /Type /Page /Parent 2 0 R {_SHEET} /Contents 5 0 R >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
            "<< /Type /Pages /Kids [6 0 R] /Count 1 >>",
        ]
    )


def picture_only() -> bytes:
    """A PDF with one page that is a picture, and no text."""
    return scanned_pdf([[]])


def scanned_pdf(
    pages: Sequence[Sequence[Run]],
    *,
    pictures: Sequence[bool] = (),
    strips: int = 1,
    box: tuple[float, float, float, float] = (0, 0, 595, 842),
    catalog: str = "",
    before: str = "",
) -> bytes:
    """A PDF whose pages are pictures with these lines over them, in Helvetica.

    Parameters
    ----------
    pictures
        Which pages have one; all by default.
    strips
        How many pieces each picture is drawn in, inside a form.
    box
        Left, bottom, width and height of the picture.
    catalog, before
        What the catalogue holds besides, and what pages draw before all else.
    """
    left, bottom, wide, high = box
    drawn = " ".join(
        f"q {wide} 0 0 {high / strips} {left} {bottom + n * high / strips} cm /Im1 Do Q"
        for n in range(strips)
    )
    kids = " ".join(f"{6 + 2 * i} 0 R" for i in range(len(pages)))
    image = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
    form = "/Type /XObject /Subtype /Form /BBox [0 0 2000 2000] /Matrix [1 0 0 1 5 0]"
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< {image} /Length 1 >>\nstream\n@\nendstream",
        f"<< {form} /Resources << /XObject << /Im1 4 0 R >> >> /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
    ]
    for i, runs in enumerate(pages):
        content = before + (" q /Fm1 Do Q " if not pictures or pictures[i] else " ")
        content += " ".join(
            f"BT /F1 {run.size} Tf {run.x} {run.y} Td ({_escaped(str(run.glyphs))}) Tj ET" for run in runs
        )
        names = "/Resources << /Font << /F1 3 0 R >> /XObject << /Fm1 5 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] {names} /Contents {7 + 2 * i} 0 R >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    return assembled(objects)


def locked() -> bytes:
    """A PDF that opens with a password only."""
    from io import BytesIO

    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf_of([["Nobody reads this without the word."]]))))
    writer.encrypt("secret", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def _escaped(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
