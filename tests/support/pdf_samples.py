"""Small PDFs written by hand, so that tests know every byte of them."""

from __future__ import annotations

from collections.abc import Sequence

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
    """A PDF with one page and no text on it."""
    return pdf_of([[]])


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
