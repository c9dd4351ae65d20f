"""Presentations into pages, one a slide (CM-1)."""

from __future__ import annotations

import pytest

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import RefusalReason
from anamnesis.domain.reading.media_types import PPTX
from anamnesis.domain.reading.reading_order import Box, in_reading_order
from support.office_samples import NAMESPACES, pptx_of, shape, title

LEVELS = '<a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr>'
BULLETS = f"<a:lstStyle>{LEVELS}</a:lstStyle>"


def pages(data: bytes) -> list[str]:
    """Page texts of a presentation, read as the service does."""
    document = ContentFileReader().read(data, declared_media_type="")
    assert document.media_type == PPTX
    return [page.text for page in document.pages]


def graphic(content: str) -> str:
    """A frame with a table, chart or diagram."""
    return f"<p:graphicFrame><a:graphic><a:graphicData>{content}</a:graphicData></a:graphic></p:graphicFrame>"


def test_slides_come_in_the_order_they_are_shown() -> None:
    """Slides are pages in the order they are shown, not that of the files, and empty ones keep their number (CM-1)."""
    data = pptx_of([title("Second"), "", title("First")], order=[3, 2, 1])
    assert pages(data) == ["# First", "", "# Second"]


def test_the_title_comes_first_and_furniture_goes() -> None:
    """A slide begins with its title; dates, footers and slide numbers are left out (CM-1)."""
    slide = shape("Body.", at=(0, 0, 9, 1)) + shape("What it is", holder='type="ctrTitle"')
    slide += "".join(shape("x", holder=f'type="{kind}"') for kind in ("dt", "ftr", "sldNum"))
    slide += shape(
        '<a:p><a:r><a:t>Slide </a:t></a:r><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p>', at=(0, 5, 9, 1)
    )
    assert pages(pptx_of([slide])) == ["# What it is\n\nBody.\n\nSlide"]


def test_levels_are_items() -> None:
    """Bullets and numbers of a slide's levels become a list, text without them paragraphs (CM-1)."""
    lines = (
        "one",
        '<a:p><a:pPr lvl="1"/><a:r><a:t>deeper</a:t></a:r></a:p>',
        '<a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>first</a:t></a:r></a:p>',
        '<a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>second</a:t></a:r></a:p>',
        "<a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>plain</a:t></a:r><a:br/><a:r><a:t>line_x000B_next</a:t></a:r></a:p>",
    )
    assert pages(pptx_of([shape(*lines, body=BULLETS)])) == [
        "- one\n  - deeper\n1. first\n2. second\n\nplain\nline\nnext"
    ]


def test_bullets_and_places_come_from_the_layout() -> None:
    """A placeholder without a place or bullets of its own has those of its layout and master (CM-1)."""
    holder = 'type="body" idx="1"'
    layout = (
        f"<p:sldLayout {NAMESPACES}><p:cSld><p:spTree>{shape(holder=holder, at=(0, 900, 9, 9), body=BULLETS)}"
    )
    layout += "</p:spTree></p:cSld></p:sldLayout>"
    slide = shape("below", holder=holder) + shape("above", at=(0, 10, 9, 9))
    data = pptx_of(
        [slide],
        links=[("rL", "slideLayout", "../slideLayouts/l.xml")],
        parts={"ppt/slideLayouts/l.xml": layout},
    )
    assert pages(data) == ["above\n\n- below"]


def test_columns_are_read_one_after_the_other() -> None:
    """Boxes stand in reading order: rows from above, and where there are columns each to its end (CM-1)."""
    slide = shape("right body", at=(60, 30, 40, 50)) + shape("left body", at=(0, 30, 40, 50))
    slide += shape("right head", at=(60, 10, 40, 10)) + shape("left head", at=(0, 10, 40, 10))
    slide += shape("across", at=(0, 90, 100, 9))
    assert pages(pptx_of([slide])) == ["left head\n\nleft body\n\nright head\n\nright body\n\nacross"]


def test_a_grid_is_read_by_rows() -> None:
    """Boxes in three or more full rows are terms with their meanings beside them, read row by row (CM-1)."""
    cells = [("a", 0, 0), ("b", 50, 0), ("c", 0, 20), ("d", 50, 20), ("e", 0, 40), ("f", 50, 40)]
    slide = "".join(shape(text, at=(x, y, 40, 10)) for text, x, y in reversed(cells))
    assert pages(pptx_of([slide])) == ["a\n\nb\n\nc\n\nd\n\ne\n\nf"]


def test_order_of_boxes_loses_none() -> None:
    """Whatever the places, every box is read once, columns from the right where text runs so (CM-1)."""
    placed = [(Box(x * 7 % 40, y * 5 % 30, 12, 9), (x, y)) for x in range(8) for y in range(8)]
    assert sorted(in_reading_order(placed)) == sorted(place for _, place in placed)
    sides = [(Box(0, 0, 4, 4), "left"), (Box(6, 0, 4, 4), "right")]
    assert in_reading_order(sides, right_to_left=True) == ["right", "left"]


def test_groups_stay_together() -> None:
    """Shapes of a group are read together, where the group stands (CM-1)."""
    frame = '<p:grpSpPr><a:xfrm><a:off x="0" y="50"/><a:ext cx="9" cy="9"/></a:xfrm></p:grpSpPr>'
    group = f"<p:grpSp>{frame}{shape('in 2', at=(0, 9, 1, 1))}{shape('in 1', at=(0, 0, 1, 1))}</p:grpSp>"
    assert pages(pptx_of([group + shape("first", at=(0, 5, 9, 9))])) == ["first\n\nin 1\n\nin 2"]


def test_tables_of_slides_are_read() -> None:
    """A table on a slide is rows, cells that others cover are not told twice (CM-1)."""

    def cell(text: str, more: str = "") -> str:
        return f"<a:tc {more}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"

    rows = [cell("wide", 'gridSpan="2"') + cell("no", 'hMerge="1"') + cell("x")]
    rows += [cell("a") + cell("b") + cell("no", 'vMerge="1"')]
    table = "".join(f"<a:tr>{row}</a:tr>" for row in rows)
    frame = graphic(f"<a:tbl>{table}</a:tbl>")
    assert pages(pptx_of([frame])) == ["| wide | x |\n| a | b |  |"]


def test_charts_tell_their_data() -> None:
    """A chart gives its title, series and categories (CM-1)."""

    def points(*values: str) -> str:
        inner = "".join(f'<c:pt idx="{n}"><c:v>{v}</c:v></c:pt>' for n, v in enumerate(values))
        return f"<c:strRef><c:strCache>{inner}</c:strCache></c:strRef>"

    series = f"<c:ser><c:tx>{points('Share')}</c:tx><c:cat>{points('Water', 'Salt')}</c:cat>"
    series += f"<c:val>{points('70.50', '0.9')}</c:val></c:ser>"
    named = (
        "<c:title><c:tx><c:rich><a:p><a:r><a:t>What a cell holds</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    )
    chart = f"<c:chartSpace {NAMESPACES}><c:chart>{named}{series}</c:chart></c:chartSpace>"
    frame = graphic('<c:chart r:id="rC"/>')
    data = pptx_of([frame], links=[("rC", "chart", "../charts/c.xml")], parts={"ppt/charts/c.xml": chart})
    assert pages(data) == ["What a cell holds\n\n|  | Share |\n| Water | 70.5 |\n| Salt | 0.9 |"]


def test_diagrams_are_lists() -> None:
    """SmartArt is a list, children below their parents in order, also when its links go in a circle (CM-1)."""

    def point(name: str, kind: str = "node") -> str:
        said = f"<dgm:t><a:p><a:r><a:t>{name}</a:t></a:r></a:p></dgm:t>" if kind != "doc" else ""
        return f'<dgm:pt modelId="{name}" type="{kind}">{said}</dgm:pt>'

    links = [("top", "Cell", 0), ("Cell", "Wall", 1), ("Cell", "Nucleus", 0), ("A", "B", 0), ("B", "A", 0)]
    written = "".join(f'<dgm:cxn srcId="{a}" destId="{b}" srcOrd="{n}"/>' for a, b, n in links)
    names = "".join(map(point, ("Cell", "Wall", "Nucleus", "A", "B")))
    model = f"<dgm:dataModel {NAMESPACES}><dgm:ptLst>{point('top', 'doc')}{names}{point('x', 'sibTrans')}</dgm:ptLst>"
    model += f"<dgm:cxnLst>{written}</dgm:cxnLst></dgm:dataModel>"
    frame = graphic('<dgm:relIds r:dm="rD"/>')
    data = pptx_of(
        [frame], links=[("rD", "diagramData", "../diagrams/d.xml")], parts={"ppt/diagrams/d.xml": model}
    )
    assert pages(data) == ["- Cell\n  - Nucleus\n  - Wall\n- A\n  - B"]


def test_notes_are_kept_and_marked() -> None:
    """Speaker notes stand below their slide under a heading of their own, comments are left out (CM-1)."""
    notes = shape("Say it slowly.", holder='type="body" idx="1"') + shape("7", holder='type="sldNum"')
    data = pptx_of(
        [title("One"), title("Two")],
        notes={2: notes},
        links=[("rK", "comments", "../comments/k.xml")],
        parts={
            "ppt/comments/k.xml": f"<p:cmLst {NAMESPACES}><p:cm><p:text>a comment</p:text></p:cm></p:cmLst>"
        },
    )
    assert pages(data) == ["# One", "# Two\n\n### Notes\n\nSay it slowly."]


def test_formulas_and_unknown_shapes_of_slides() -> None:
    """A formula is read in its line, and a shape that nobody knows does no harm (CM-1)."""
    formula = "<a14:m><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></a14:m>"
    choice = f'<mc:AlternateContent><mc:Choice Requires="a14">{formula}</mc:Choice><mc:Fallback/></mc:AlternateContent>'
    line = f"<a:p><a:r><a:t>Let </a:t></a:r>{choice}</a:p>"
    assert pages(pptx_of(["<p:strange><p:odd/></p:strange>" + shape(line)])) == ["Let x = 1"]


def test_a_damaged_slide_costs_its_page_only() -> None:
    """A slide that cannot be parsed is an empty page, the others keep their numbers (SV-12)."""
    data = pptx_of([title("One"), "<broken", title("Three")])
    assert pages(data) == ["# One", "", "# Three"]
    with pytest.raises(FileRefused) as refused:
        pages(pptx_of(["<broken"]))
    assert refused.value.reason == RefusalReason.MALFORMED


@pytest.mark.parametrize(
    "slides, reason",
    [
        ([], RefusalReason.EMPTY),
        ([shape(" ")], RefusalReason.EMPTY),
        (["<p:pic/>"], RefusalReason.NO_TEXT_LAYER),
        ([title("x")] * 2_001, RefusalReason.TOO_LARGE),
    ],
    ids=["no slides", "blank", "pictures", "too many"],
)
def test_presentations_without_text_say_why(slides: list[str], reason: RefusalReason) -> None:
    """A presentation without slides or text, of pictures only, or of too many slides is refused as such (SV-12)."""
    with pytest.raises(FileRefused) as refused:
        pages(pptx_of(slides))
    assert refused.value.reason == reason
    assert refused.value.detail.endswith(".")


@pytest.mark.parametrize(
    "content_type",
    [
        "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
        "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml",
        "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml",
    ],
)
def test_every_kind_of_presentation_is_read(content_type: str) -> None:
    """Slide shows, templates and presentations with macros are read for their text (CM-1)."""
    assert pages(pptx_of([title("One")], content_type=content_type)) == ["# One"]
