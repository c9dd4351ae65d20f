"""A report as one HTML page that fetches nothing and runs nothing (SV-13)."""

from __future__ import annotations

import base64
import hashlib
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from anamnesis.domain.report import charts
from anamnesis.domain.report.document import (
    Badge,
    Block,
    Bullets,
    Code,
    Document,
    Figure,
    Inline,
    Line,
    Meter,
    Paragraph,
    Quoted,
    Section,
    Story,
    Strong,
    Table,
    Tile,
    Tone,
    Trend,
    WeeksChart,
)
from anamnesis.domain.report.elements import Child, element, written

STYLE: Final = files("anamnesis.domain.report").joinpath("page.css").read_text(encoding="utf-8")
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
#: What the page may do: use its own style, by its hash, and nothing else (CSP Level 3).
PAGE_POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'"
)
#: The same for the reply's header, which may also say that nobody frames the page.
CONTENT_SECURITY_POLICY: Final = f"{PAGE_POLICY}; frame-ancestors 'none'"


def html_of(document: Document) -> str:
    """The document as a whole page."""
    body: list[Child] = [
        element(
            "header",
            element("h1", *_line(document.title)),
            element("p", *_joined([_line(line) for line in document.lead], " · "), class_="lead"),
            class_="top",
        )
    ]
    if document.tiles:
        body.append(element("dl", *(_tile(tile) for tile in document.tiles), class_="tiles"))
    titled = [section for section in document.sections if section.title]
    links = [element("li", element("a", section.title, href=f"#{section.anchor}")) for section in titled]
    body.append(element("nav", element("ol", *links), aria_label=document.contents))
    body.append(element("main", *(_section(section) for section in document.sections)))
    page = element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=PAGE_POLICY),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("meta", name="referrer", content="no-referrer"),
            element("meta", name="robots", content="noindex"),
            element("title", "".join(part.text for part in document.name)),
            element("style", STYLE),
        ),
        element("body", *body),
        lang=document.language,
        dir="rtl" if document.right_to_left else "ltr",
    )
    return f"<!doctype html>\n{written(page)}\n"


def _section(section: Section) -> ET.Element:
    title = element("h2", section.title, id=f"{section.anchor}-title") if section.title else None
    return element(
        "section",
        title,
        *(child for block in section.blocks for child in _block(block)),
        id=section.anchor,
        aria_labelledby=f"{section.anchor}-title" if section.title else None,
    )


def _tile(tile: Tile) -> ET.Element:
    note = element("dd", tile.note, class_="note") if tile.note else None
    return element(
        "div",
        element("dt", tile.label),
        element("dd", tile.value, class_="value"),
        note,
        class_=f"tile {tile.tone.value}",
    )


def _block(block: Block) -> Sequence[ET.Element]:
    if isinstance(block, Paragraph):
        tone = None if block.tone is Tone.PLAIN else f"notice {block.tone.value}"
        return (element("p", *_line(block.line), class_=tone),)
    if isinstance(block, Bullets):
        return (element("ul", *(element("li", *_line(line)) for line in block.lines)),)
    if isinstance(block, Table):
        return (_table(block),)
    if isinstance(block, Figure):
        return (_figure(block),)
    return (_story(block),)


def _story(story: Story) -> ET.Element:
    lead = element("p", *_line(story.lead)) if story.lead else None
    lines = element("ul", *(element("li", *_line(line)) for line in story.lines)) if story.lines else None
    return element("article", element("h3", *_line(story.title)), lead, lines, class_="story")


def _table(table: Table) -> ET.Element:
    heads = [
        element("th", head, scope="col", class_="number" if column in table.numeric else None)
        for column, head in enumerate(table.heads)
    ]
    return element(
        "div",
        element(
            "table",
            element("caption", table.caption),
            element("thead", element("tr", *heads)),
            element("tbody", *(_row(table, row) for row in table.rows)),
        ),
        class_="table",
        role="region",
        aria_label=table.caption,
        tabindex=0,
    )


def _row(table: Table, row: Sequence[Line]) -> ET.Element:
    """A row; on a narrow page each cell is told with the head of its column."""
    cells = [
        element(
            "td",
            *_line(cell),
            class_="number" if column in table.numeric else None,
            data_head=table.heads[column],
        )
        for column, cell in enumerate(row)
        if column
    ]
    return element("tr", element("th", *_line(row[0]), scope="row"), *cells)


def _figure(figure: Figure) -> ET.Element:
    if isinstance(figure.chart, WeeksChart):
        drawn = charts.weeks_chart(figure.chart, title=figure.caption, text=figure.text)
        names = zip(("turns", "passed", "missed"), figure.chart.legend, strict=True)
        legend = element(
            "ul",
            *(element("li", element("span", class_=f"key {series}"), name) for series, name in names),
            class_="legend",
        )
    else:
        drawn = charts.reliability_chart(figure.chart, title=figure.caption, text=figure.text)
        legend = None
    return element(
        "figure",
        element("figcaption", element("strong", figure.caption), " ", figure.text),
        legend,
        element("div", drawn, class_="drawing"),
        element("details", element("summary", figure.as_table), _table(figure.table)),
    )


def _line(line: Line) -> list[Child]:
    return [child for part in line for child in _inline(part)]


def _inline(part: Inline) -> Sequence[Child]:
    if isinstance(part, Meter | Trend):
        return (_measured(part),)
    if isinstance(part, Quoted):
        # What somebody wrote goes its own way, and turns nothing around it.
        return (element("bdi", part.text, dir="auto"),)
    if isinstance(part, Strong):
        return (element("strong", part.text),)
    if isinstance(part, Code):
        return (element("code", part.text, dir="ltr"),)
    if isinstance(part, Badge):
        return (element("span", part.text, class_=f"badge {part.tone.value}"),)
    return (part.text,)


def _measured(part: Meter | Trend) -> ET.Element:
    drawn = charts.meter(part) if isinstance(part, Meter) else charts.trend(part)
    words = part.text if isinstance(part, Meter) else element("span", part.text, class_="small")
    return element("span", drawn, " ", words, class_="measured")


def _joined(lines: Sequence[list[Child]], between: str) -> list[Child]:
    parts: list[Child] = []
    for line in lines:
        if parts:
            parts.append(between)
        parts += line
    return parts
