"""What stands on a PDF's pages, in the order in which people read it (CM-1)."""

from __future__ import annotations

import time

import pytest

from anamnesis import offline
from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.adapters.reading import pdf
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import Document, RefusalReason
from anamnesis.domain.reading.page_furniture import without_furniture
from support.pdf_samples import Run, lines_at, pdf_of, placed_pdf

LEFT = [
    "Osmosis is the movement of water",
    "through a membrane that holds sub-",
    "stances back. It needs no energy at",
    "all and ends when both sides hold as",
    "much of what is dissolved in them.",
]
RIGHT = [
    "Diffusion is the movement of parti-",
    "cles from where many of them are to",
    "where few are. It goes on until they",
    "are spread evenly. Warmth makes the",
    "particles and diffusion itself faster.",
]


def read(data: bytes) -> Document:
    """Read as the service does."""
    return ContentFileReader().read(data, declared_media_type="application/pdf")


def text_of(*runs: Run, sheet: str = "/MediaBox [0 0 595 842]") -> str:
    """Text of a page with these runs."""
    return read(placed_pdf([runs], sheet=sheet)).pages[0].text


# ------------------------------------------------------------------------------------------------ order
def test_columns_are_read_one_after_the_other() -> None:
    """Two columns below a title are read left before right though their lines share baselines (CM-1)."""
    title = Run(110, 800, "How water and particles move about in cells", size=14)
    text = text_of(title, *lines_at(50, 760, LEFT), *lines_at(310, 760, RIGHT))
    assert text.index("water") < text.index("Osmosis") < text.index("dissolved") < text.index("Diffusion")
    assert "substances" in text
    assert "particles from where" in text


def test_columns_drawn_line_by_line_are_columns_all_the_same() -> None:
    """A recognition layer that goes across both columns line by line does not mix them (CM-1)."""
    wide = [line.replace("-", "").ljust(38, "s") for line in LEFT]
    rows = zip(lines_at(50, 760, wide), lines_at(310, 760, RIGHT), strict=True)
    text = text_of(*(run for row in rows for run in row))
    assert text.index("dissolved") < text.index("Diffusion")


def test_tables_are_read_row_by_row() -> None:
    """A table drawn row by row is read so, a cell of two lines as one, and its caption is none of its cells (CM-1)."""
    rows = [
        ["cell", "what it does", "size"],
        ["neuron", "carries signals", "4"],
        ["platelet", "closes wounds", "2"],
    ]
    runs = [
        Run(50 + 150 * column, 700 - 20 * row, cell)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    ]
    text = text_of(Run(60, 750, "Table 3. Cells and what these do for a body as a whole"), *runs)
    assert "| neuron | carries signals | 4 |\n| platelet | closes wounds | 2 |" in text
    assert text.startswith("Table 3. Cells")


def test_stretched_lines_are_no_table() -> None:
    """Lines of few words that are stretched to a column's width stay lines (CM-1)."""
    words = [["Water", "moves", "through"], ["walls", "called", "membranes"], ["unless", "these", "hold"]]
    runs = [
        Run(50 + 45 * i, 700 - 12 * n, word) for n, line in enumerate(words) for i, word in enumerate(line)
    ]
    assert text_of(*runs).split("\n") == [" ".join(line) for line in words]


def test_items_of_a_turned_slide_stand_on_lines_of_their_own() -> None:
    """Bullets drawn apart from their text, on a page turned by a quarter, are items on lines of their own (CM-1)."""
    runs = [
        run
        for n, word in enumerate(["Osmosis", "Diffusion"])
        for run in (Run(50, 500 - 16 * n, "•"), Run(70, 500 - 16 * n, word))
    ]
    assert text_of(*runs, sheet="/MediaBox [0 0 842 595] /Rotate 270") == "• Osmosis\n• Diffusion"


def test_writing_downwards_goes_from_right_to_left() -> None:
    """Columns of Japanese written downwards are read from the right (CM-1)."""
    columns = [
        Run(x, 700 - 10 * n, char, widths=1000)
        for x, word in ((100, "細胞の膜"), (85, "水が通る"))
        for n, char in enumerate(word)
    ]
    assert text_of(*columns).replace("\n", "") == "細胞の膜水が通る"


def test_a_line_of_squares_goes_on_in_the_next() -> None:
    """Chinese whose words a column's edge breaks has no break in them, a heading keeps its line (CM-1)."""
    lines = ["渗透作用", "水分子通过半透膜从低浓度溶液向高浓度", "溶液扩散的现象叫做渗透作用。"]
    assert text_of(*(Run(50, 700 - 14 * n, line, widths=1000) for n, line in enumerate(lines))) == (
        "渗透作用\n水分子通过半透膜从低浓度溶液向高浓度溶液扩散的现象叫做渗透作用。"
    )


# ------------------------------------------------------------------------------------------------ scripts
@pytest.mark.parametrize(
    "line",
    ["לפי סעיף 15(ב)(4) לחוק", "תא DNA בן 12.5 מיקרון", "מים (H2O) עוברים", "التنافذ هو حركة الماء (1)"],
)
@pytest.mark.parametrize("mirrored", [False, True])
def test_lines_from_the_right_come_in_logical_order(line: str, *, mirrored: bool) -> None:
    """Hebrew and Arabic come out as written: numbers, Latin words, brackets stored as either half (CM-1)."""
    drawn: list[str] = []
    for word in line.split(" ")[::-1]:
        parts = word if any(char >= "\u0590" for char in word) else ""
        drawn.append(_visual(word) if parts or "(" in word else word)
    shown = " ".join(drawn)
    if mirrored:
        shown = shown.translate(str.maketrans("()", ")("))
    assert text_of(Run(50, 700, shown)) == line


@pytest.mark.parametrize(
    "shown, line",
    [
        ("הלוקשמ f(x) = 2x + 1 היצקנופה", "הפונקציה f(x) = 2x + 1 משקולה"),
        (".2024 תנשב", "בשנת 2024."),
        ("-5 אוה", "הוא -5"),
        ("12.5 אוה", "הוא 12.5"),
    ],
)
def test_formulae_and_numbers_keep_their_order_in_lines_from_the_right(shown: str, line: str) -> None:
    """A formula in Hebrew or Arabic reads from the left, and a stop after a number stays after it (CM-1)."""
    assert text_of(Run(50, 700, shown)) == line


def _visual(word: str) -> str:
    """A word as it stands on a line from the right: turned round but for its numbers and Latin letters."""
    runs: list[str] = []
    for char in word:
        latin = char.isascii() and char.isalnum()
        if latin and runs and runs[-1][-1].isascii() and runs[-1][-1].isalnum():
            runs[-1] += char
        else:
            runs.append(char)
    return "".join(runs[::-1])


def test_ligatures_and_dots_of_arabic_letters_count_once() -> None:
    """A ligature keeps its letters' order and a letter whose dots are a glyph of their own is one letter (CM-1)."""
    assert text_of(Run(50, 700, ["م", "لا", "س"])) == "سلام"
    base, dots = Run(55, 700, ["ن"], told="ن"), Run(57, 704, ["ن"], widths=150, told="ن")
    assert text_of(Run(50, 700, "ت"), base, dots, Run(60, 700, "ب")) == "بنت"


@pytest.mark.parametrize(
    "glyphs, word",
    [
        (["ि", "क", "त", "ा", "ब"], "किताब"),
        (["ि", "स्", "थ", "त", "ि"], "स्थित" + "ि"),
        (["लि", None, "ए"], "लिए"),
        (["ॉ", "क"], "ॉक"),
        (["ে", "ক", "ন"], "কেন"),
        (["க", "ெ", "ா", "டு"], "கொடு"),
        (["ក", "ា", "រ"], "ការ"),
    ],
)
def test_indic_syllables_come_in_logical_order(glyphs: list[str | None], word: str) -> None:
    """Vowel signs drawn before their consonants follow them, nameless parts of clusters leave nothing (CM-1)."""
    assert text_of(Run(50, 700, [*"अब ", *glyphs])).split(" ")[1] == word


def test_what_the_file_says_of_a_cluster_stands_for_its_glyphs() -> None:
    """The text that a file gives for the glyphs of a cluster is read in their place, within its word (CM-1)."""
    runs = [Run(50, 700, ["च"]), Run(55.5, 700, ["x", "y"], told="क्षु"), Run(66, 700, ["म"])]
    assert text_of(*runs) == "चक्षुम"


def test_a_cluster_whose_glyphs_are_drawn_apart_is_as_wide_as_all_of_them() -> None:
    """The word goes on after a cluster that a browser draws glyph by glyph, up to the space it draws (CM-1)."""
    runs = [Run(50, 700, [None, None, None], told="माँ", apart=True), Run(65, 700, ["ग"])]
    after = [Run(70, 700, " ", widths=290), Run(72.9, 700, ["औ"])]
    assert text_of(*runs, *after) == "माँग औ"


def test_the_space_beside_a_cluster_is_read_where_it_is_not_drawn() -> None:
    """A gap of 0.3 sizes beside clusters that the file tells is a space, in Thai one of 0.26 too (CM-1)."""
    runs = [Run(50, 700, ["x"], told="है"), Run(58, 700, ["y"], told="जि"), Run(63, 700, ["से"])]
    assert text_of(*runs) == "है जिसे"
    assert text_of(Run(50, 700, "คือ"), Run(67.6, 700, "ปริมาณ")) == "คือ ปริมาณ"


def test_accents_of_old_fonts_come_onto_their_letters() -> None:
    """An accent drawn over a letter, as TeX's old fonts do, is on it; a ligature is its letters (CM-1)."""
    accent = Run(55, 700, "´"), Run(55, 700, "a")
    assert text_of(Run(50, 700, "m"), *accent, Run(60, 700, "s")) == "más"
    narrow = Run(60, 700, "¨", widths=500), Run(61, 700, "ı", widths=280)
    assert text_of(Run(50, 700, "na"), *narrow, Run(63.8, 700, "ve")) == "naïve"


def test_exponents_stay_on_their_line() -> None:
    """Exponents and indices are read where they stand, not on a line of their own (CM-1)."""
    runs = [
        Run(50, 700, "E = mc"),
        Run(80, 704, "2", size=6),
        Run(84, 700, " and H"),
        Run(114, 698, "2", size=6),
        Run(117.2, 700, "O"),
    ]
    assert text_of(*runs) == "E = mc2 and H2O"


def test_a_slanted_letter_that_overhangs_leaves_the_space_after_it() -> None:
    """A letter whose ink reaches over a space that is not drawn ends its word, one in a formula does not (CM-1)."""
    f = Run(55, 700, "f", widths=306, overhang=150)
    assert text_of(Run(50, 700, "o"), f, Run(60.4, 700, "large")) == "of large"
    v = Run(50, 700, "V", widths=583, overhang=186)
    assert text_of(v, Run(50 + 5.83 + 2.22, 700, "T")) == "VT"


@pytest.mark.parametrize(
    "codes, text",
    [
        ("The e\x1eciency of di\x1berent \x1celds", "The efficiency of different fields"),
        ("The e\x0eciency of di\x0berent \x0celds", "The efficiency of different fields"),
        ("\x99ród\xaaem energii jest \xb1wiat\xaao", "Źródłem energii jest światło"),
    ],
)
def test_pictures_of_letters_are_read_by_the_codes_of_tex(codes: str, text: str) -> None:
    """Letters that TeX embeds as nameless pictures are those of its encodings, ligatures and accents too (CM-1)."""
    names = " ".join(f"/a{code}" for code in range(256))
    font = (
        "/Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 0 /LastChar 255 "
        f"/Widths [{' '.join(['500'] * 256)}] /CharProcs << >> /Resources << >> "
        f"/Encoding << /Type /Encoding /Differences [0 {names}] >>"
    )
    assert read(pdf_of([[codes]], font=font)).pages[0].text == text


# ------------------------------------------------------------------------------------------------ what counts
def test_letters_drawn_twice_count_once() -> None:
    """Bold or shadow made by drawing a line twice is one line, double letters stay double (CM-1)."""
    assert text_of(Run(50, 700, "illness", widths=230), Run(50.4, 700.2, "illness", widths=230)) == "illness"


def test_invisible_text_counts_where_no_visible_text_stands() -> None:
    """A recognition layer is read, a copy of it below visible text and text outside the page are not (CM-1, SV-13)."""
    hidden = Run(50, 700, "Osmosis moves water", mode=3)
    assert text_of(hidden) == "Osmosis moves water"
    assert text_of(Run(50, 700, "Osmosis moves water"), hidden) == "Osmosis moves water"
    assert text_of(Run(50, 700, "Osmosis"), Run(700, 700, "outside"), Run(50, -80, "below")) == "Osmosis"


def test_labels_in_codes_are_left_out_of_a_good_page() -> None:
    """A picture's labels whose font names no letter spell nothing and are no text of the page (CM-1)."""
    sentence = "Osmosis is the movement of water through a membrane. It needs no energy at all."
    data = placed_pdf([[Run(50, 700 - 14 * n, sentence) for n in range(3)]])
    codes = "=<6>?J+B:F>*:</+>?7-<#0(1923#$%&"
    label = f"BT /F9 9 Tf 60 400 Td ({codes.replace('(', '')}) Tj ET"
    assert codes not in read(data).pages[0].text
    with_label = pdf_of([[sentence] * 3]).replace(b"ET\nendstream", b"ET " + label.encode() + b"\nendstream")
    assert "Osmosis" in read(with_label).pages[0].text


def test_one_garbled_page_is_left_out_of_a_good_file() -> None:
    """A page that spells nothing is empty, the others are read and keep their numbers (CM-1, SV-14)."""
    good = ["Osmosis is the movement of water through a membrane."] * 4
    document = read(pdf_of([good, ["%#!&/ 7+%- =)(/ &%$#"] * 3, good]))
    assert [bool(page.text) for page in document.pages] == [True, False, True]


def test_no_concept_comes_out_of_dot_leaders() -> None:
    """A table of contents with dot leaders is read and yields no concept (CM-1, CM-2)."""
    lines = ["Inhaltsverzeichnis"] + [f"{n}. Kapitel der Zellen {'.' * 50} {n * 7}" for n in range(1, 15)]
    document = read(pdf_of([lines]))
    assert document.pages[0].text.startswith("Inhaltsverzeichnis")
    assert offline.concept_reader().read(document, file_name="inhalt.pdf").concepts == ()


# ------------------------------------------------------------------------------------------------ furniture
def test_heads_of_left_and_right_pages_go() -> None:
    """Heads that differ on left and right pages, with numbers outside, are dropped on both (CM-1)."""
    said = [
        "Cells divide.",
        "Water moves.",
        "Genes are read.",
        "Light is caught.",
        "Sugar is burnt.",
        "Air is used.",
    ]
    pages = [
        f"{n} Biology for all\n{text}\n{text[::-1]}"
        if n % 2
        else f"Cells in detail {n}\n{text}\n{text[::-1]}"
        for n, text in enumerate(said, start=11)
    ]
    assert without_furniture(pages) == [f"{text}\n{text[::-1]}" for text in said]


def test_a_chapters_head_stays_once() -> None:
    """A head that runs over some pages only is dropped but for the first, where it may be a title (CM-1)."""
    pages = [f"Page of text {'abcdefghijkl'[n] * 9}\nand its end." for n in range(12)]
    headed = [f"Osmosis\n{page}" if 3 <= n <= 6 else page for n, page in enumerate(pages)]
    assert [n for n, page in enumerate(without_furniture(headed)) if page.startswith("Osmosis")] == [3]


# ------------------------------------------------------------------------------------------------ bounds
def test_a_page_of_very_many_letters_is_read_in_the_order_of_drawing() -> None:
    """Beyond its bound a page is read without its layout, and nothing of it is lost (SV-12)."""
    line = "Osmosis moves water. " * 25
    text = text_of(*lines_at(50, 2900, [line] * 130), sheet="/MediaBox [0 0 3000 3000]")
    assert text.count("Osmosis") == 25 * 130


def test_a_slow_machine_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long the reading of a file takes changes nothing in what is read of it (CM-1, SV-12)."""
    data = placed_pdf([[*lines_at(310, 760, RIGHT), *lines_at(50, 760, LEFT)]] * 2)
    usual = list(pdf.pdfium_pages(data, []))
    hours = iter(range(0, 3_600_000, 3_600))
    monkeypatch.setattr(time, "monotonic", lambda: next(hours))
    monkeypatch.setattr(pdf, "monotonic", time.monotonic, raising=False)
    assert list(pdf.pdfium_pages(data, [])) == usual


def test_deeply_nested_pages_end() -> None:
    """A page tree nested far deeper than any maker's ends in pages or a refusal (SV-12)."""
    from support.pdf_samples import assembled

    depth = 3_000
    nodes = [f"<< /Type /Pages /Kids [{n + 3} 0 R] /Count 1 >>" for n in range(depth)]
    data = assembled(["<< /Type /Catalog /Pages 2 0 R >>", *nodes, "<< /Type /Page /MediaBox [0 0 9 9] >>"])
    try:
        outcome: object = len(read(data).pages)
    except FileRefused as refused:
        outcome = refused.reason
    assert outcome in {1, *RefusalReason}


def test_letters_set_wide_down_the_page_are_lines() -> None:
    """Letters drawn one by one below each other, as browsers print vertical text, are lines without gaps (CM-1)."""
    columns = ("水は海に流れる。", "石を運ぶ。")
    runs = [
        Run(500 - 30 * column, 700 - 13.75 * row, letter, size=10, widths=1_000)
        for column, line in enumerate(columns)
        for row, letter in enumerate(line)
    ]
    assert "".join("".join(pdfium_texts(runs)).split()) == "".join(columns)
    assert " " not in "".join(pdfium_texts(runs))


def pdfium_texts(runs: list[Run]) -> list[str]:
    """Pages of one page of these runs."""
    return list(pdf.pdfium_pages(placed_pdf([runs]), []))
