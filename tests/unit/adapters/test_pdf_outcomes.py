"""PDFs that are no text: scans under a mark, blank pages, sheets that stand for what another program shows (SV-12)."""

from __future__ import annotations

import zlib
from functools import partial

import pytest

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.reading.page_looks import PageLook, Verdict, picture_pages, verdict
from support.pdf_samples import Run, assembled, lines_at, pdf_of, scanned_pdf

NOTICE = (
    "This content downloaded from 192.0.2.{} on Mon, 30 Nov 2026 10:{}:00 UTC. All use subject to the terms."
)
COVER = [
    "The Rivers of the North", "Source: Journal of Rivers, Vol. 3, No. 2 (1921), pp. 11-40", "https://example.org/3",
]  # fmt: skip
WAIT = [
    "Please wait...",
    "If this message is not eventually replaced by the proper contents of the document, your PDF",
    "viewer may not be able to display this type of document. Upgrade to the latest version of Adobe Reader.",
]
mark = partial(Run, 220, 20, size=9)


def read(data: bytes) -> list[str]:
    """Page texts of a file."""
    return [page.text for page in ContentFileReader().read(data, declared_media_type="").pages]


def refusal(data: bytes) -> FileRefused:
    """The refusal of a file that is refused."""
    with pytest.raises(FileRefused) as refused:
        read(data)
    return refused.value


@pytest.mark.parametrize(
    "pages",
    [
        [[mark("Scanned by PocketScan")]],
        [[mark("Scanned by PocketScan")]] * 4,
        [[mark(str(number))] for number in range(11, 16)],
        [[mark(f"Geography 7 - {number}"), Run(50, 815, "Rivers", size=9)] for number in range(1, 4)],
        [[Run(30, 12, NOTICE.format(n, n), size=8)] for n in range(10, 14)],
        [[Run(100, 400, f"Copy of reader no. 4711, sheet {n}", size=30)] for n in range(1, 4)],
        [[], [mark("2")], [], []],
        [[], [], []],
    ],
    ids=["one page", "mark", "numbers", "running title", "download", "watermark", "some", "none"],
)
@pytest.mark.parametrize("strips", [1, 30])
def test_a_mark_over_pictures_is_no_text_layer(pages: list[list[Run]], strips: int) -> None:
    """Pictures of pages under a scanner's mark, numbers or a note of download have no text layer (SV-12)."""
    refused = refusal(scanned_pdf(pages, strips=strips))
    assert refused.reason == "no-text-layer"
    assert "OCR" in refused.detail


def test_an_archives_cover_is_no_text_layer() -> None:
    """A scan with an archive's sheet before it, or with a typed page in twenty, has no text layer (SV-12)."""
    cover = lines_at(50, 700, COVER)
    scans = [[Run(30, 12, NOTICE.format(n, n), size=8)] for n in range(10, 14)]
    assert refusal(scanned_pdf([cover, *scans], pictures=[False, *[True] * 4])).reason == "no-text-layer"
    typed = lines_at(50, 700, ["Water flows to the sea."])
    mostly = scanned_pdf([typed, *[[]] * 19], pictures=[False, *[True] * 19])
    assert refusal(mostly).reason == "no-text-layer"


@pytest.mark.parametrize(
    "data",
    [
        pdf_of([["Osmosis"], ["Diffusion"], ["Osmosis"]]),
        scanned_pdf([[Run(200, 400, word, size=40)] for word in ("Osmosis", "Diffusion", "Membranes")]),
        scanned_pdf([[Run(60, 790, word, size=32)] for word in ("Osmosis", "Diffusion", "Membranes")]),
        scanned_pdf([[mark("Osmosis")], [mark("Diffusion")]], box=(100, 300, 300, 300)),
        scanned_pdf([lines_at(60, 700, ["Water flows from where it is pure to where it is not."] * 8)] * 2),
        scanned_pdf([lines_at(50, 700, ["Water moves."]), [], []], pictures=[False, True, True]),
    ],
    ids=[
        "one word",
        "words on a picture",
        "titles",
        "small pictures",
        "text on pictures",
        "text and pictures",
    ],
)
def test_slides_with_few_words_are_read(data: bytes) -> None:
    """Slides that say one word each, on a picture or without, are read, and so is text among pictures (CM-1)."""
    assert "\n".join(read(data)).split()[0] in {"Osmosis", "Water"}


def test_blank_pages_are_told_from_pictures() -> None:
    """Pages with nothing, or a frame, on them are refused as empty and not as pictures; handwriting is not (SV-12)."""
    framed = scanned_pdf([[], []], pictures=[False, False], before="20 20 555 802 re S 20 60 m 575 60 l S")
    for data in (pdf_of([[], []]), framed):
        refused = refusal(data)
        assert refused.reason == "empty"
        assert "OCR" not in refused.detail
    strokes = " ".join(f"{n} 400 m {n + 3} 420 {n + 5} 380 {n + 8} 400 c S" for n in range(50, 400, 3))
    assert refusal(scanned_pdf([[]], pictures=[False], before=strokes)).reason == "no-text-layer"


@pytest.mark.parametrize("step", [b" ", b"q "], ids=["spaces", "states"])
def test_pages_that_inflate_without_end_get_no_advice_on_ocr(step: bytes) -> None:
    """A page that inflates to hundreds of megabytes and shows nothing is refused, and not as a picture (SV-12)."""
    squeeze = zlib.compressobj(9)
    packed = b"".join(squeeze.compress(step * 500_000) for _ in range(60)) + squeeze.flush()
    content = packed.decode("latin-1")
    data = assembled(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>",
            f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n{content}\nendstream",
        ]
    )
    refused = refusal(data)
    assert refused.reason in {"empty", "malformed", "too-large"}
    assert "OCR" not in refused.detail


def test_a_sheet_that_asks_for_another_program_is_refused() -> None:
    """A form or portfolio that only Adobe's programs show is refused with what to do, its notice not read (SV-12)."""
    wait = [lines_at(40, 780, WAIT)]
    form = "/AcroForm << /Fields [] /XFA (x) >>"
    for catalog in (f"{form} /NeedsRendering true", form):
        refused = refusal(scanned_pdf(wait, pictures=[False], catalog=catalog))
        assert refused.reason == "unsupported-type"
        assert "XFA" in refused.detail
    attached = "/Names << /EmbeddedFiles << /Names [(a.pdf) << /Type /Filespec /F (a.pdf) >>] >> >>"
    portfolio = refusal(scanned_pdf(wait, pictures=[False], catalog=attached))
    assert portfolio.reason == "unsupported-type"
    assert "portfolio" in portfolio.detail
    prose = [lines_at(40, 780, ["Water flows to the sea."])]
    assert read(scanned_pdf(prose, pictures=[False], catalog=form)) == ["Water flows to the sea."]


@pytest.mark.parametrize("word", ["水", "نهر", "नदी", "แม่น้ำ", "강", ""])
def test_a_word_alone_decides_by_where_it_stands(word: str) -> None:
    """In any script one word in a picture's margin is a mark and one in its middle is text (SV-12)."""
    middle = [PageLook(word, covered=1.0, drawn=True), PageLook(word + "x", covered=1.0, drawn=True)]
    edge = [PageLook(f"{word} {n}", covered=1.0, drawn=True, marginal=True) for n in range(3)]
    assert verdict(edge) is Verdict.PICTURES
    assert verdict(middle) is Verdict.TEXT
    assert picture_pages(edge) == [1, 2, 3]
    assert verdict([]) is Verdict.BLANK
    assert verdict([PageLook("x" * 1_000_000, covered=1.0, marginal=True)]) is Verdict.TEXT
