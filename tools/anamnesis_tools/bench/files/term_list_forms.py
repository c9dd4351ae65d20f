"""The forms in which students keep lists of terms, each as the bytes of a file and what its uploader calls it."""

from __future__ import annotations

import textwrap
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WIDTH = 46


@dataclass(frozen=True, slots=True)
class List:
    """A list of terms.

    Attributes
    ----------
    asks
        A question for a term, ``{}`` in its place.
    terms
        Pairs of a term and its meaning.
    """

    language: str
    asks: str
    title: str
    terms: tuple[tuple[str, ...], ...]

    def upper(self) -> list[tuple[str, str]]:
        """Meanings as sentences of their own: a capital, and the stop of their script."""
        stop = {"hi": "।", "bn": "।", "zh": "。", "ja": "。", "am": "።", "th": ""}.get(self.language, ".")
        return [(term, meaning[:1].upper() + meaning[1:] + stop) for term, meaning in self.terms]


def lines(entries: Sequence[str], title: str = "") -> tuple[bytes, str]:
    """Lines of plain text."""
    return "\n".join([*([title, ""] if title else []), *entries, ""]).encode(), "text/plain"


def _lined(between: str) -> Callable[[List], tuple[bytes, str]]:
    return lambda one: lines([f"{term}{between}{meaning}" for term, meaning in one.terms], one.title)


def _markdown(text: str) -> tuple[bytes, str]:
    return text.encode(), "text/markdown"


def _wrapped(one: List) -> tuple[bytes, str]:
    """Lines of a printed page, each entry broken over several."""
    found: list[str] = []
    for term, meaning in one.upper():
        entry = f"{term}: {meaning} "
        found += textwrap.wrap(entry, _WIDTH) if " " in meaning else [entry[:20], entry[20:]]
    return lines([line for line in found if line.strip()], one.title)


def _paired(one: List) -> tuple[bytes, str]:
    return lines([f"{term}\n{meaning}\n" for term, meaning in one.upper()])


def _anki(one: List) -> tuple[bytes, str]:
    rows = [f"{term}\t<div>{escape(meaning)}</div>\tunit1 week2" for term, meaning in one.terms]
    return "\n".join(["#separator:tab", "#html:true", "#tags column:3", *rows]).encode(), "text/plain"


def _csv(one: List) -> tuple[bytes, str]:
    rows = [f'"{term}","{meaning}"' for term, meaning in one.terms]
    return "\n".join(["Term,Definition", *rows]).encode(), "text/csv"


def _cards(one: List) -> tuple[bytes, str]:
    rows = [f"Q: {one.asks.format(term)}\nA: {meaning}\n" for term, meaning in one.upper()]
    return lines(rows)


def _asked_table(one: List) -> tuple[bytes, str]:
    return "\n".join(
        f"{one.asks.format(term)}\t{meaning}" for term, meaning in one.terms
    ).encode(), "text/plain"


def _table(one: List) -> tuple[bytes, str]:
    rows = "\n".join(f"| {term} | {meaning} |" for term, meaning in one.terms)
    return _markdown(f"# {one.title}\n\n| 1 | 2 |\n| --- | --- |\n{rows}\n")


def _wide_table(one: List) -> tuple[bytes, str]:
    rows = "\n".join(
        f"| {n} | {term} | {meaning} | {n + 3} |" for n, (term, meaning) in enumerate(one.terms, 1)
    )
    return _markdown(f"# {one.title}\n\n| Nr | A | B | p. |\n| --- | --- | --- | --- |\n{rows}\n")


def _page(body: str) -> tuple[bytes, str]:
    text = (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>x</title></head><body>{body}</body></html>'
    )
    return text.encode(), "text/html"


def _html_list(one: List) -> tuple[bytes, str]:
    rows = "".join(f"<dt>{escape(term)}</dt><dd>{escape(meaning)}</dd>" for term, meaning in one.terms)
    return _page(f"<h1>{escape(one.title)}</h1><dl>{rows}</dl>")


def _html_table(one: List) -> tuple[bytes, str]:
    rows = "".join(
        f"<tr><td>{escape(term)}</td><td>{escape(meaning)}</td></tr>" for term, meaning in one.terms
    )
    return _page(f"<h1>{escape(one.title)}</h1><table>{rows}</table>")


def _html_cards(one: List) -> tuple[bytes, str]:
    rows = "".join(
        f'<div class="card"><div>{escape(term)}</div><div>{escape(meaning)}</div></div>'
        for term, meaning in one.upper()
    )
    return _page(f"<h1>{escape(one.title)}</h1>{rows}")


def _zipped(parts: dict[str, str]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def _relations(*links: tuple[str, str]) -> str:
    body = "".join(
        f'<Relationship Id="r{n}" Type="{_R}/{kind}" Target="{to}"/>' for n, (kind, to) in enumerate(links)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{body}</Relationships>'


def _types(main: str, kind: str) -> str:
    office = f"application/vnd.openxmlformats-officedocument.{kind}.main+xml"
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/{main}" ContentType="{office}"/></Types>'
    )


def _word(body: str) -> tuple[bytes, str]:
    main = "word/document.xml"
    document = f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>'
    return _zipped(
        {
            "[Content_Types].xml": _types(main, "wordprocessingml.document"),
            "_rels/.rels": _relations(("officeDocument", main)),
            main: document,
        }
    ), ""


def _run(text: str, *, bold: bool = False) -> str:
    properties = "<w:rPr><w:b/></w:rPr>" if bold else ""
    return f'<w:r>{properties}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def _word_lines(one: List) -> tuple[bytes, str]:
    rows = "".join(f"<w:p>{_run(f'{term}: {meaning}')}</w:p>" for term, meaning in one.terms)
    return _word(f"<w:p>{_run(one.title)}</w:p>{rows}")


def _word_bold(one: List) -> tuple[bytes, str]:
    rows = "".join(
        f"<w:p>{_run(term, bold=True)}{_run(f' – {meaning}')}</w:p>" for term, meaning in one.upper()
    )
    return _word(f"<w:p>{_run(one.title)}</w:p>{rows}")


def _word_table(one: List) -> tuple[bytes, str]:
    rows = "".join(
        f"<w:tr><w:tc><w:p>{_run(term)}</w:p></w:tc><w:tc><w:p>{_run(meaning)}</w:p></w:tc></w:tr>"
        for term, meaning in one.terms
    )
    return _word(f"<w:p>{_run(one.title)}</w:p><w:tbl>{rows}</w:tbl>")


def _shape(text: str, kind: str) -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>'
        "<p:spPr/>"
        f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def _slides(one: List) -> tuple[bytes, str]:
    main = "ppt/presentation.xml"
    names = f'xmlns:p="{_P}" xmlns:a="{_A}" xmlns:r="{_R}"'
    places = range(len(one.terms))
    ids = "".join(f'<p:sldId id="{256 + n}" r:id="r{n}"/>' for n in places)
    parts = {
        "[Content_Types].xml": _types(main, "presentationml.presentation"),
        "_rels/.rels": _relations(("officeDocument", main)),
        main: f"<p:presentation {names}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": _relations(
            *(("slide", f"slides/slide{n + 1}.xml") for n in places)
        ),
    }
    for n, (term, meaning) in enumerate(one.upper()):
        parts[f"ppt/slides/slide{n + 1}.xml"] = (
            f"<p:sld {names}><p:cSld><p:spTree>{_shape(term, 'title')}{_shape(meaning, 'body')}</p:spTree>"
            "</p:cSld></p:sld>"
        )
    return _zipped(parts), ""


#: How each form is called.
FORMS: dict[str, Callable[[List], tuple[bytes, str]]] = {
    "dash": _lined(" – "),
    "hyphen": _lined(" - "),
    "colon": _lined(": "),
    "equals": _lined(" = "),
    "broken lines": _wrapped,
    "term above meaning": _paired,
    "tabs": lambda one: ("\n".join(f"{t}\t{m}" for t, m in one.terms).encode(), "text/plain"),
    "tabs, meaning first": lambda one: ("\n".join(f"{m}\t{t}" for t, m in one.terms).encode(), "text/plain"),
    "Anki": _anki,
    "CSV": _csv,
    "cards Q and A": _cards,
    "questions and tabs": _asked_table,
    "bulleted": lambda one: _markdown(f"# {one.title}\n\n" + "\n".join(f"- {t}: {m}" for t, m in one.terms)),
    "bold": lambda one: _markdown(f"# {one.title}\n\n" + "\n\n".join(f"**{t}** – {m}" for t, m in one.terms)),
    "definition list": lambda one: _markdown(f"# {one.title}\n\n" + "\n\n".join(f"{t}\n: {m}" for t, m in one.terms)),
    "headings": lambda one: _markdown(f"# {one.title}\n\n" + "\n\n".join(f"## {t}\n\n{m}" for t, m in one.upper())),
    "table": _table,
    "wide table": _wide_table,
    "HTML list": _html_list,
    "HTML table": _html_table,
    "HTML cards": _html_cards,
    "Word lines": _word_lines,
    "Word bold": _word_bold,
    "Word table": _word_table,
    "slides": _slides,
}  # fmt: skip
