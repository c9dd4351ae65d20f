"""Bytes into pages of text, or a refusal (CM-1, SV-12)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.adapters.reading.bounded import BoundedParsers
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import MAX_FILE_BYTES, MAX_FILE_CHARS, MAX_PAGES, Document, RefusalReason
from anamnesis.domain.reading.legibility import is_legible
from anamnesis.domain.reading.page_furniture import joined_hyphens, without_furniture
from anamnesis.domain.reading.pagination import markdown_sections, plain_parts
from support.pdf_samples import locked, looping_pages, pdf_of, picture_only

PROSE = "Osmosis is the movement of water through a membrane. "


def read(data: bytes | str, declared: str = "") -> Document:
    """Read as the service does."""
    return ContentFileReader().read(
        data.encode() if isinstance(data, str) else data, declared_media_type=declared
    )


def refusal(data: bytes | str, declared: str = "") -> FileRefused:
    """The refusal of a file that is refused."""
    with pytest.raises(FileRefused) as refused:
        read(data, declared)
    return refused.value


def texts(document: Document) -> list[str]:
    """Page texts."""
    return [page.text for page in document.pages]


# ------------------------------------------------------------------------------------------------ text
def test_markdown_pages_are_its_sections() -> None:
    """Markdown has one page per level 1 or 2 heading, with what stands before the first one as page 1 (CM-1)."""
    document = read(
        "Preface.\n\n# One\n\nText.\n\n### Deeper\n\n## Two\n\n```\n# no heading\n```\n\nThree\n=====\n\nEnd."
    )
    assert document.media_type == "text/markdown"
    assert [text.split("\n")[0] for text in texts(document)] == ["Preface.", "# One", "## Two", "Three"]
    assert [page.number for page in document.pages] == [1, 2, 3, 4]


def test_markdown_without_headings_is_cut_like_plain_text() -> None:
    """A long Markdown text without headings still has pages to cite (CM-1)."""
    document = read("\n\n".join("**Osmosis** is a [movement](x) of water. " * 20 for _ in range(20)))
    assert document.media_type == "text/markdown"
    assert len(document.pages) > 3
    assert len(read("# One\n\n" + "**Osmosis** is a movement of water. " * 200).pages) == 1


def test_plain_text_is_cut_at_paragraphs() -> None:
    """Plain text is cut into parts of about a printed page that end at a paragraph where they can (CM-1)."""
    text = "\n\n".join(PROSE * 10 for _ in range(20))
    document = read(text)
    assert document.media_type == "text/plain"
    assert len(document.pages) > 3
    assert all(len(page) <= 4_000 for page in texts(document))
    assert all(page.rstrip().endswith(".") for page in texts(document))


def test_form_feeds_are_pages() -> None:
    """A form feed starts the next page even where a page is empty, so that numbers stay those of the print (CM-1)."""
    assert texts(read("one is here\f\fthree is here\f")) == ["one is here", "", "three is here"]


@given(st.text(st.characters(exclude_characters="\f\r", exclude_categories=("Cs",)), max_size=9_000))
def test_cutting_loses_nothing(text: str) -> None:
    """Sections and parts hold every character of a text but the line ends around them (CM-1)."""
    for cut in (markdown_sections(text), plain_parts(text)):
        assert "".join("".join(cut).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "encoding, text",
    [
        ("utf-8-sig", "Die Größe einer Zelle ist über die Länge bestimmt."),
        ("utf-16", "Die Größe einer Zelle ist über die Länge bestimmt."),
        ("utf-16-le", "The size of a cell is what we see in the lab."),
        (
            "cp1252",
            "La célula está formada por más de una membrana. También hay señales químicas, según cuándo y cómo.",
        ),
        (
            "cp1250",
            "Każda komórka jest otoczona błoną, która może także być częścią większej całości. Więcej później.",
        ),
        (
            "cp1251",
            "Клетка состоит из ядра и цитоплазмы. Это всё, что нужно знать о том, как она устроена и как живёт.",
        ),
        (
            "koi8-r",
            "Клетка состоит из ядра и цитоплазмы. Это всё, что нужно знать о том, как она устроена и как живёт.",
        ),
        ("cp1256", "الخلية هي وحدة الحياة في كل كائن حي وهي التي تقوم على بناء الجسم في جميع مراحل النمو"),
        ("shift_jis", "細胞は生命の基本的な単位である。すべての生物は細胞からできている。"),
        (
            "gb18030",
            "细胞是生命的基本单位，我们的身体就是由它们组成的。这是一个很重要的事实，大家都应该知道。",
        ),
        ("euc_kr", "세포는 생명의 기본 단위이다. 모든 생물은 세포로 이루어져 있다. 그리고 세포는 분열한다."),
    ],
)
def test_text_in_any_common_encoding_is_read(encoding: str, text: str) -> None:
    """Marks, UTF-8, UTF-16 and the legacy encodings of many scripts give the text that was written (CM-1)."""
    assert texts(read(text.encode(encoding))) == [text]


def test_bytes_of_no_language_are_refused() -> None:
    """Bytes that no encoding turns into a language are refused rather than read as rubbish (CM-1)."""
    garbage = bytes(range(0x80, 0x100)) * 30
    assert refusal(garbage).reason == RefusalReason.GARBLED_TEXT
    twice = ("Größe, Länge, Fläche und Höhe über alle Maße. " * 20).encode().decode("cp1252").encode()
    assert refusal(twice).reason == RefusalReason.GARBLED_TEXT


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", RefusalReason.EMPTY),
        (b" \n\t\r\n", RefusalReason.EMPTY),
        ("\ufeff\u202e\n".encode(), RefusalReason.EMPTY),
        (b"PK\x03\x04" + b"\x00" * 40, RefusalReason.MALFORMED),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 40, RefusalReason.UNSUPPORTED_TYPE),
        (b"<!DOCTYPE html><html><body><h1>Please sign in</h1></body></html>", RefusalReason.UNSUPPORTED_TYPE),
        (b"\n<!-- saved -->\n<html lang='en'>", RefusalReason.UNSUPPORTED_TYPE),
        (b"text\x00with\x01binary\x02" * 20, RefusalReason.UNSUPPORTED_TYPE),
        (b"x" * (MAX_FILE_BYTES + 1), RefusalReason.TOO_LARGE),
        (PROSE.encode() * (MAX_FILE_CHARS // len(PROSE) + 1), RefusalReason.TOO_LARGE),
        (b"# Heading\n\nText.\n\n" * (MAX_PAGES + 1), RefusalReason.TOO_LARGE),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} bytes",
)
def test_refusals_have_their_reason(data: bytes, reason: RefusalReason) -> None:
    """Empty, oversized, binary and not yet supported files are refused with a stable reason and advice (SV-12)."""
    refused = refusal(data, "application/pdf")
    assert refused.reason == reason
    assert refused.detail.endswith(".")


def test_control_and_bidi_characters_do_not_reach_pages() -> None:
    """Page texts hold no control characters, bidi overrides or carriage returns (SV-13)."""
    assert texts(read("osmosis\x08 is\u202e water\r\nmoving\u2066 on its own")) == [
        "osmosis is water\nmoving on its own"
    ]


# ------------------------------------------------------------------------------------------------ PDF
def test_pdf_pages_keep_their_numbers() -> None:
    """Each page of a PDF is a page, an empty one in between included, whatever type was declared (CM-1)."""
    document = read(pdf_of([["The first page."], [], ["The third page."]]), "text/plain")
    assert document.media_type == "application/pdf"
    assert [(page.number, page.text) for page in document.pages] == [
        (1, "The first page."),
        (2, ""),
        (3, "The third page."),
    ]


def test_running_heads_and_page_numbers_go() -> None:
    """Headers, footers and page numbers repeated on the pages are dropped, the text between them stays (CM-1)."""
    said = ["Cells divide.", "Water moves.", "Genes are read.", "Light is caught.", "Sugar is burnt."]
    pages = [["Biology for all 2026", text, text[::-1], f"- {n} -"] for n, text in enumerate(said, start=41)]
    assert texts(read(pdf_of(pages))) == [f"{text}\n{text[::-1]}" for text in said]


def test_pages_of_one_repeated_line_keep_it() -> None:
    """A line that is all there is on the pages is content, not a running head (CM-1)."""
    assert without_furniture(["Potato", "Potato", "Potato"]) == ["Potato"] * 3


def test_spaced_out_characters_come_together() -> None:
    """Chinese whose characters a PDF sets apart one by one is text without spaces, other spaces stay (CM-1)."""
    assert without_furniture(["目 \u3000 录\n关 于 作 战 的 原 则 … １"]) == ["目录\n关于作战的原则 … １"]
    assert without_furniture(["三角形 和 圆形 的 面积"]) == ["三角形 和 圆形 的 面积"]


@pytest.mark.parametrize(
    "broken, whole",
    [
        ("photo-\nsynthesis", "photosynthesis"),
        ("photo\u00ad\nsynthesis", "photosynthesis"),
        ("eir\x02mod", "eirmod"),
        ("Trace-\nBased", "Trace-Based"),
        ("self-\npublishing", "self-publishing"),
        ("1990-\n1999", "1990-\n1999"),
        ("a -\nlist", "a -\nlist"),
    ],
)
def test_hyphenation_is_joined(broken: str, whole: str) -> None:
    """A word hyphenated at a line's end is one word again, a hyphen that belongs to it stays (CM-1)."""
    assert joined_hyphens(broken) == whole


def test_known_compounds_keep_their_hyphen() -> None:
    """A word that the file writes with a hyphen elsewhere keeps it at a line's end (CM-1)."""
    page = "The sodium-potassium pump works.\nThe sodium-\npotassium pump is a protein."
    assert without_furniture([page])[0].endswith("The sodium-potassium pump is a protein.")


@pytest.mark.parametrize(
    "data, reason",
    [
        (picture_only(), RefusalReason.NO_TEXT_LAYER),
        (locked(), RefusalReason.ENCRYPTED),
        (b"%PDF-1.7\nnothing of a PDF follows", RefusalReason.MALFORMED),
        (pdf_of([["One"]])[:120], RefusalReason.MALFORMED),
        (pdf_of([["%#!&/ 7+%- =)(/ &%$#"] * 8]), RefusalReason.GARBLED_TEXT),
        (
            pdf_of([["Xqzvk jwqx zzkv qkxj wvzq kkxz vqjx xwkq jzvx qqzk kvwx zxqj"] * 6]),
            RefusalReason.GARBLED_TEXT,
        ),
    ],
    ids=["picture", "locked", "no pdf", "cut off", "signs", "wrong letters"],
)
def test_unreadable_pdfs_are_told_apart(data: bytes, reason: RefusalReason) -> None:
    """Scans, locked, damaged and garbled PDFs are each refused with their own reason (SV-12, SV-14)."""
    assert refusal(data).reason == reason


def test_a_loop_of_pages_ends() -> None:
    """A page tree that holds itself costs its own page and no more (SV-12)."""
    assert texts(read(looping_pages())) == ["The first page can be read.", ""]


def test_a_parser_that_takes_too_long_is_stopped() -> None:
    """A PDF that outlasts its time is refused for that and not as damaged, and leaves the reader working (SV-12)."""
    reader = ContentFileReader(BoundedParsers(timeout_seconds=0))
    with pytest.raises(FileRefused) as refused:
        reader.read(pdf_of([["One is here."]]), declared_media_type="")
    assert refused.value.reason == RefusalReason.TOO_LARGE
    assert texts(read(pdf_of([["One is here."]]))) == ["One is here."]


def test_a_parser_without_memory_is_a_refusal() -> None:
    """A PDF that needs more memory than it may have is refused and does not take the worker down (SV-12)."""
    reader = ContentFileReader(BoundedParsers(memory_bytes=20 * 1024 * 1024))
    with pytest.raises(FileRefused) as refused:
        reader.read(pdf_of([["One is here."]]), declared_media_type="")
    assert refused.value.reason == RefusalReason.MALFORMED


def test_too_many_pages_are_refused() -> None:
    """A PDF of more pages than a file may have is refused as too large (SV-12)."""
    assert refusal(pdf_of([["x"]] * (MAX_PAGES + 1))).reason == RefusalReason.TOO_LARGE


# ------------------------------------------------------------------------------------------------ legibility
@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "Hello, world!", "Potato", "日本語", "E = mc²", "1, 2, 3 …",
        "Inhaltsverzeichnis\n1. Einleitung ........................ 1\n2. Zellen ........................ 12",
        "关 于 红 军 作 战 的 原 则 … … … … １",
        "मेन्यू पट्टी सक्रिय करना, औजारपट्टी, विंडोज़, तथा दस्तावेज़",
        "שלום עולם מה שלום כולם? אני יורד מן החוטים, אני כבר ילד אמיתי. כמו כל הילדים.",
        "운동 에너지는 물체가 운동할 때 가지는 에너지이다. 위치 에너지는 높이에 따라 달라진다. 힘과 질량을 배운다.",
        "for (let i = 0; i < n; i++) { total += values[i]; }  // sum of all values, the mean comes next",
        "Przyspieszenie źdźbła w chrząszczowej trzcinie: szczególny przypadek ruchu jednostajnie zmiennego.",
    ],
)  # fmt: skip
def test_text_of_any_language_is_legible(text: str) -> None:
    """Prose, labels, contents, code and formulae of any script count as text (CM-1)."""
    assert is_legible(text)


@pytest.mark.parametrize(
    "text",
    [
        "7+%-", "\ufffd" * 30, "\ue001\ue002\ue003 " * 10,
        "킜킰톁톁킰 킜킰톁톈톂킰킱 킘킷킼. 킛킸톁톂 № 킴킾킺톃킼. 킟킾킴킿. 킔킰톂킰 킛킸톂. 킠킰킷톀킰킱. 킟톀킾킲",
        "xqzvk jwqxv zzkvj qkxjw wvzqk kkxzv vqjxz xwkqj jzvxw qqzkj kvwxz zxqjv qwzxk",
        "деlта гaммa αльфa βeтa кaппa сигma омegа эпсиlон дзeтa йoтa лямбдa тeтa",
    ],
)  # fmt: skip
def test_letters_that_spell_nothing_are_not_legible(text: str) -> None:
    """Wrongly mapped glyphs, private-use characters and words of mixed scripts are told from text (CM-1)."""
    assert not is_legible(text)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=3_000))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Whatever the bytes, the reader returns pages or a refusal and raises nothing else (SV-12)."""
    if b"%PDF-" in data:
        return
    try:
        outcome: object = read(data).pages
    except FileRefused as refused:
        outcome = RefusalReason(refused.reason)
    assert outcome
