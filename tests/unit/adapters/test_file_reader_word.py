"""Word documents into pages (CM-1)."""

from __future__ import annotations

import pytest

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import RefusalReason
from anamnesis.domain.reading.media_types import DOCX
from support.office_samples import STRICT, docx_of, package, par, run, style, styled, word_table

HEADINGS = style("H1", "heading 1") + style("H2", "heading 2") + style("Tytu", "Title")
BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
LAID_OUT = "<w:r><w:lastRenderedPageBreak/></w:r>"


def pages(data: bytes) -> list[str]:
    """Page texts of a Word file, read as the service does."""
    document = ContentFileReader().read(data, declared_media_type="")
    assert document.media_type == DOCX
    return [page.text for page in document.pages]


def text(body: str, **parts: str) -> str:
    """Text of a document that has one page."""
    (page,) = pages(docx_of(body, **parts))
    return page


# ------------------------------------------------------------------------------------------------ headings and lists
def test_headings_are_marked_and_make_sections() -> None:
    """Styles of headings, whatever their ids, mark headings, and a document without pages has sections (CM-1)."""
    body = (
        styled("Tytu", "Biology") + styled("H1", "Cells") + par("One.") + styled("H2", "Walls") + par("Two.")
    )
    body += '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>' + run("Genes") + "</w:p>" + par("Three.")
    assert pages(docx_of(body, styles=HEADINGS)) == [
        "# Biology\n\n# Cells\n\nOne.",
        "## Walls\n\nTwo.",
        "# Genes\n\nThree.",
    ]


def test_a_paragraph_in_the_style_of_a_heading_is_a_paragraph() -> None:
    """Text of a paragraph's length is no heading even if it is styled as one (CM-1)."""
    assert not text(styled("H1", "Osmosis is a movement of water. " * 10), styles=HEADINGS).startswith("#")


def numbering(*levels: tuple[str, str], overrides: str = "") -> str:
    """One list with these formats and texts of its levels."""
    inner = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{shown}"/></w:lvl>'
        for n, (kind, shown) in enumerate(levels)
    )
    return (
        f'<w:abstractNum w:abstractNumId="7">{inner}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
        f'<w:num w:numId="2"><w:abstractNumId w:val="7"/>{overrides}</w:num>'
    )


def numbered(content: str, level: int = 0, number: int = 1, style_id: str = "") -> str:
    """A numbered paragraph."""
    named = f'<w:pStyle w:val="{style_id}"/>' if style_id else ""
    return par(content, f'{named}<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def test_numbers_are_counted_as_shown() -> None:
    """Numbers of headings and lists are those that Word shows: by level, begun again below a new one (CM-1)."""
    levels = numbering(("decimal", "%1."), ("lowerLetter", "%1.%2)"), ("upperRoman", "(%3)"))
    body = (
        numbered("Cells", style_id="H1")
        + numbered("a wall", 1)
        + numbered("a nucleus", 1)
        + numbered("deep", 2)
    )
    body += numbered("Genes", style_id="H1") + numbered("a codon", 1)
    assert pages(docx_of(body, styles=HEADINGS, numbering=levels)) == [
        "# 1. Cells\n\n  1.a) a wall\n  1.b) a nucleus\n    (I) deep",
        "# 2. Genes\n\n  2.a) a codon",
    ]


def test_a_list_may_begin_again() -> None:
    """A list that shares its form with another goes on or begins again as it says, bullets count nothing (CM-1)."""
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    body = (
        numbered("one")
        + numbered("two")
        + par("Then:")
        + numbered("one again", number=2)
        + numbered("two", number=2)
    )
    assert text(body, numbering=numbering(("decimal", "%1."), overrides=override)) == (
        "1. one\n2. two\n\nThen:\n\n1. one again\n2. two"
    )
    assert text(numbered("x") + numbered("y"), numbering=numbering(("bullet", ""))) == "- x\n- y"


def test_numbers_come_with_styles() -> None:
    """A style's own numbering counts, and numId 0 takes it away (CM-1)."""
    listed = style("LN", "List Number", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
    off = par("plain", '<w:pStyle w:val="LN"/><w:numPr><w:numId w:val="0"/></w:numPr>')
    body = styled("LN", "one") + off + styled("LN", "two")
    assert text(body, styles=listed, numbering=numbering(("decimal", "%1)"))) == "1) one\n\nplain\n\n2) two"


# ------------------------------------------------------------------------------------------------ pages
def test_breaks_of_the_author_are_pages() -> None:
    """A page break, a heading that begins a page and a section that does so end the page, empty ones count (CM-1)."""
    section = "<w:p><w:pPr><w:sectPr/></w:pPr></w:p>"
    own_page = style("Ch", "heading 1", "<w:pPr><w:pageBreakBefore/></w:pPr>")
    body = (
        par("One.")
        + BREAK
        + BREAK
        + par("Three.")
        + styled("Ch", "Four")
        + section
        + par("Five.")
        + "<w:sectPr/>"
    )
    assert pages(docx_of(body, styles=own_page)) == ["One.", "", "Three.", "# Four", "Five."]


def test_a_section_may_go_on_on_its_page() -> None:
    """A section that begins on the same page is no new page (CM-1)."""
    body = par("One.") + "<w:p><w:pPr><w:sectPr/></w:pPr></w:p>" + par("Still one.")
    assert text(body + '<w:sectPr><w:type w:val="continuous"/></w:sectPr>') == "One.\n\nStill one."


def test_pages_are_those_that_word_laid_out() -> None:
    """Pages that Word left in the file are the pages, and a break that the author set is not counted twice (CM-1)."""
    body = styled("H1", "Cells") + par("One.") + par(LAID_OUT + run("Two.")) + styled("H1", "Genes")
    body += (
        BREAK + par(LAID_OUT + run("Three begins. ") + LAID_OUT + run("And ends on four.")) + par("On four.")
    )
    assert pages(docx_of(body, styles=HEADINGS)) == [
        "# Cells\n\nOne.",
        "Two.\n\n# Genes",
        "Three begins. And ends on four.",
        "On four.",
    ]


def test_a_break_inside_a_table_counts_once() -> None:
    """Word marks a new page in every cell of the row that it begins; it is one page (CM-1)."""
    cells = [par(LAID_OUT + run("c")), par(LAID_OUT + run("d"))]
    assert pages(docx_of(word_table(["a", "b"], cells) + par("End."))) == ["| a | b |", "| c | d |\n\nEnd."]


def test_breaks_far_apart_are_no_pages() -> None:
    """One break in a long document does not make its chapters one page: the sections are cited (CM-1)."""
    chapters = "".join(styled("H1", f"Chapter {n}") + par("Water moves. " * 400) for n in range(3))
    assert len(pages(docx_of(par("Cover") + BREAK + chapters, styles=HEADINGS))) == 4


def test_a_long_text_without_headings_is_cut() -> None:
    """A document without pages or headings has parts of about a page (CM-1)."""
    cut = pages(docx_of("".join(par("Osmosis moves water. " * 20) for _ in range(40))))
    assert len(cut) > 3
    assert all(len(page) <= 4_000 for page in cut)


# ------------------------------------------------------------------------------------------------ tables
def test_merged_cells_stand_once() -> None:
    """A cell that spans rows or columns is told once, the places that it covers are empty (CM-1)."""
    wide = f'<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{par("wide")}</w:tc>'
    tall = f'<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>{par("tall")}</w:tc>'
    covered = f"<w:tc><w:tcPr><w:vMerge/></w:tcPr>{par('covered')}</w:tc>"
    assert (
        text(word_table([wide, "x"], [tall, "a"], [covered, "b"])) == "| wide | x |\n| tall | a |\n|  | b |"
    )


def test_nested_tables_are_read() -> None:
    """A table in a cell is read where it stands, between the text before and after it (CM-1)."""
    inner = f"{par('before')}{word_table(['p', 'q'])}{par('after')}"
    assert text(word_table([inner, "next"])) == "before\n\n| p | q |\n\nafter\n\nnext"


def test_a_table_of_terms_is_a_glossary() -> None:
    """Two columns of terms and meanings become entries that the concept reader takes for a glossary's (CM-1)."""
    table = word_table(
        ["Term", "Meaning"],
        ["Osmosis", "the movement of water through a membrane"],
        ["Diffusion", "the movement of particles from more to less"],
    )
    assert text(table) == (
        "| Term | Meaning |\n\n**Osmosis**: the movement of water through a membrane\n\n"
        "**Diffusion**: the movement of particles from more to less"
    )


def test_tables_that_lay_a_page_out_are_its_text() -> None:
    """Cells that hold prose are paragraphs in reading order (CM-1)."""
    prose = "Osmosis is the movement of water. " * 15
    assert text(word_table([prose, "Note"])) == f"{prose.strip()}\n\nNote"


# ------------------------------------------------------------------------------------------------ what is shown
def test_deletions_comments_and_hidden_text_go() -> None:
    """Tracked deletions, moves' origins, hidden text, comments and headers are left out, insertions are kept (CM-1)."""
    body = par(
        run("Water ")
        + f'<w:del w:id="1">{run("salt ")}</w:del><w:ins w:id="2">{run("moves ")}</w:ins>'
        + f"<w:moveFrom>{run('here ')}</w:moveFrom><w:moveTo>{run('there')}</w:moveTo>"
        + run(" secretly", "<w:vanish/>")
        + run(" openly", '<w:vanish w:val="0"/>')
        + '<w:commentRangeStart w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>'
    )
    assert text(body, comments=par("a comment"), header1=par("a header")) == "Water moves there openly"


def test_a_deleted_paragraph_mark_joins() -> None:
    """Two paragraphs whose mark between them was deleted are one, and so are a drop capital and its word (CM-1)."""
    first = f'<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>{run("One ")}</w:p>'
    capital = f'<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr>{run("W")}</w:p>'
    assert text(first + par("text.") + capital + par("ater moves.")) == "One text.\n\nWater moves."


def test_fields_show_their_results() -> None:
    """Codes of fields go, results stay, nested ones too, and an unfinished field swallows nothing (CM-1)."""

    def char(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    code = "<w:r><w:instrText>IF </w:instrText></w:r>" + char("begin") + run("3") + char("end") + run(" = 3")
    body = par(run("See ") + char("begin") + code + char("separate") + run("page 3") + char("end") + run("."))
    body += par(run("Broken ") + char("begin") + run("code")) + par("goes on.")
    body += par('<w:fldSimple w:instr="TITLE">' + run("Cells") + "</w:fldSimple>")
    assert text(body) == "See page 3.\n\nBroken\n\ngoes on.\n\nCells"


def test_links_controls_and_signs_keep_their_text() -> None:
    """Links, content controls, tabs, breaks, hyphens and symbols are text; prompts of empty controls are not (CM-1)."""
    body = par(
        f"<w:hyperlink>{run('a link')}</w:hyperlink><w:r><w:tab/></w:r>"
        f"<w:sdt><w:sdtContent>{run('control')}</w:sdtContent></w:sdt>"
        f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{run('Click here')}</w:sdtContent></w:sdt>"
        "<w:r><w:br/><w:t>self</w:t><w:noBreakHyphen/><w:t>made pho</w:t><w:softHyphen/><w:t>to\u00adsynthesis </w:t>"
        '<w:sym w:font="Symbol" w:char="F061"/></w:r>' + run("b", '<w:rFonts w:ascii="Symbol"/>')
    )
    assert text(body) == "a link control\nself-made photosynthesis αβ"


def test_raised_figures_are_exponents() -> None:
    """Raised figures are told from those on the line, ordinals stay letters (CM-1)."""
    up = '<w:vertAlign w:val="superscript"/>'
    assert text(par(run("10") + run("-3", up) + run(" on the 1") + run("st", up))) == "10⁻³ on the 1st"


def test_ruby_has_its_reading_behind_it() -> None:
    """A word with its pronunciation above it is the word and, in brackets, the reading (CM-1)."""
    ruby = f"<w:r><w:ruby><w:rt>{run('さいぼう')}</w:rt><w:rubyBase>{run('細胞')}</w:rubyBase></w:ruby></w:r>"
    assert text(par(ruby + run("は単位である。"))) == "細胞（さいぼう）は単位である。"


def test_text_boxes_are_read_once() -> None:
    """A text box stands after its paragraph, once although Word writes it twice, and old boxes are read too (CM-1)."""
    box = f"<w:txbxContent>{par('In the box.')}</w:txbxContent>"
    old = f"<w:pict><v:textbox xmlns:v='urn:schemas-microsoft-com:vml'>{box}</v:textbox></w:pict>"
    twice = (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx>"
        f"{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback>{old}</mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert text(par(run("Anchor.") + twice)) == "Anchor.\n\nIn the box."
    assert text(par(run("Anchor.") + f"<w:r>{old}</w:r>")) == "Anchor.\n\nIn the box."


def test_notes_end_their_page() -> None:
    """Footnotes and endnotes are told once, at the end of the page that refers to them (CM-1)."""
    notes = (
        f'<w:footnote w:id="0" w:type="separator">{par("---")}</w:footnote>'
        f'<w:footnote w:id="2">{par("The note.")}</w:footnote>'
    )
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    body = par(run("Water") + mark + run(" moves.")) + par("Goes on.") + BREAK + par("Two.")
    assert pages(docx_of(body, footnotes=notes)) == ["Water moves.\n\nGoes on.\n\nThe note.", "Two."]


def test_tables_of_contents_go() -> None:
    """A table of contents repeats headings with numbers of pages; it is no course content (CM-1)."""
    contents = style("T1", "toc 1")
    body = styled("T1", "Cells 3") + styled("H1", "Cells") + par("A cell is a unit.")
    assert text(body, styles=HEADINGS + contents) == "# Cells\n\nA cell is a unit."


def test_bold_terms_inside_prose_are_set_off() -> None:
    """A term in bold reaches the concept reader as a term, a bold paragraph or half a word does not (CM-1)."""
    bold = "<w:b/>"
    body = par(
        run("The ") + run("mito", bold) + run("chondria", bold) + run(" release energy in every cell.")
    )
    body += par(run("All of this is bold.", bold)) + par(
        run("Un") + run("touched", bold) + run(" words of a text.")
    )
    assert text(body) == (
        "The **mitochondria** release energy in every cell.\n\nAll of this is bold.\n\nUntouched words of a text."
    )


@pytest.mark.parametrize(
    "prose", ["الخلية هي وحدة الحياة في كل كائن حي", "कोशिका जीवन की मूल इकाई है", "תא הוא יחידת החיים"]
)
def test_scripts_stay_in_logical_order(prose: str) -> None:
    """Right-to-left and Indic text is read as it was typed (CM-1)."""
    half = len(prose) // 2
    assert text(par(run(prose[:half], "<w:rtl/>") + run(prose[half:], "<w:rtl/>"))) == prose


# ------------------------------------------------------------------------------------------------ formulas
def m(text_: str) -> str:
    """A run of a formula."""
    return f"<m:r><m:t>{text_}</m:t></m:r>"


@pytest.mark.parametrize(
    "formula, line",
    [
        (f"<m:f><m:num>{m('a')}</m:num><m:den>{m('b+1')}</m:den></m:f>", "a/(b+1)"),
        (f"{m('A=π')}<m:sSup><m:e>{m('r')}</m:e><m:sup>{m('2')}</m:sup></m:sSup>", "A = πr^2"),
        (f"<m:sSub><m:e>{m('a')}</m:e><m:sub>{m('i+1')}</m:sub></m:sSub>{m('b')}", "a_(i+1)b"),
        (f"<m:sSub><m:e>{m('a')}</m:e><m:sub>{m('i')}</m:sub></m:sSub>{m('b')}", "a_i b"),
        (f"<m:rad><m:radPr><m:degHide/></m:radPr><m:deg/><m:e>{m('x')}</m:e></m:rad>", "√(x)"),
        (f"<m:rad><m:deg>{m('3')}</m:deg><m:e>{m('x')}</m:e></m:rad>", "√[3](x)"),
        (
            (
                f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{m("i=1")}</m:sub><m:sup>{m("n")}</m:sup>'
                f"<m:e>{m('i')}</m:e></m:nary>"
            ),
            "∑_(i=1)^n i",
        ),
        (f"<m:d><m:dPr><m:begChr m:val='['/><m:endChr m:val=']'/></m:dPr><m:e>{m('x')}</m:e></m:d>", "[x]"),
        (f"<m:func><m:fName>{m('sin')}</m:fName><m:e>{m('x')}</m:e></m:func>", "sin x"),
        (f"<m:acc><m:e>{m('x')}</m:e></m:acc>", "x̂"),
        (
            (
                f"<m:d><m:e><m:m><m:mr><m:e>{m('1')}</m:e><m:e>{m('0')}</m:e></m:mr>"
                f"<m:mr><m:e>{m('0')}</m:e><m:e>{m('1')}</m:e></m:mr></m:m></m:e></m:d>"
            ),
            "(1, 0; 0, 1)",
        ),
        (
            (
                f'<m:d><m:e><m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>{m("n")}</m:num>'
                f"<m:den>{m('k')}</m:den></m:f></m:e></m:d>"
            ),
            "(n over k)",
        ),
        (m("\U0001d438=\U0001d45a\U0001d450"), "E = mc"),
    ],
)
def test_formulas_are_written_on_the_line(formula: str, line: str) -> None:
    """Formulas of Word are read as they would be typed, inside their sentence (CM-1)."""
    assert text(par(run("Let ") + f"<m:oMath>{formula}</m:oMath>" + run(" hold."))) == f"Let {line} hold."


# ------------------------------------------------------------------------------------------------ kinds and damage
@pytest.mark.parametrize(
    "content_type",
    [
        "application/vnd.ms-word.document.macroEnabled.main+xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
        "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
        "",
    ],
)
def test_every_kind_of_word_file_is_read(content_type: str) -> None:
    """Templates, documents with macros and one that does not say what it is are read for their text (CM-1)."""
    assert pages(docx_of(par("Cells."), content_type=content_type)) == ["Cells."]


def test_strict_documents_are_read() -> None:
    """The ISO standard's own names of elements are understood (CM-1)."""
    body = (
        f'<d:document xmlns:d="{STRICT}/wordprocessingml/main"><d:body><d:p><d:r><d:t>Cells.</d:t></d:r></d:p>'
        "</d:body></d:document>"
    )
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    assert pages(package("doc/main.xml", kind, {"doc/main.xml": body})) == ["Cells."]


def test_broken_styles_cost_styles_only() -> None:
    """A document whose side parts are damaged or missing is read without what they add (SV-12)."""
    data = docx_of(styled("H1", "Cells") + par("A cell is a unit."), styles="<broken>")
    assert pages(data)[0].endswith("A cell is a unit.")


@pytest.mark.parametrize(
    "body, reason",
    [
        ("", RefusalReason.EMPTY),
        (par(" "), RefusalReason.EMPTY),
        ("<w:p><w:r><w:drawing><a:blip/></w:drawing></w:r></w:p>", RefusalReason.NO_TEXT_LAYER),
        (par("7+%- !;/( =)%# ") * 8, RefusalReason.GARBLED_TEXT),
    ],
    ids=["nothing", "blank", "pictures", "signs"],
)
def test_documents_without_text_say_why(body: str, reason: RefusalReason) -> None:
    """An empty document, one of pictures and one of rubbish are each refused with their own reason (SV-12)."""
    with pytest.raises(FileRefused) as refused:
        pages(docx_of(body))
    assert refused.value.reason == reason
