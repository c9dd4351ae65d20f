"""Elements of a web page's text as Markdown blocks."""

from __future__ import annotations

from collections.abc import Sequence

from anamnesis.adapters.reading import web_math
from anamnesis.adapters.reading.html_tree import Node
from anamnesis.adapters.reading.web_tables import rows_of
from anamnesis.domain.reading import markup
from anamnesis.domain.reading.markup import Span

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
#: Elements that stand on lines of their own (HTML Living Standard, 15.3).
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dir", "div", "dl",
     "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "html", "legend", "li",
     "listing",
     "main", "menu", "ol", "p", "plaintext", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot",
     "th", "thead", "tr", "ul", "xmp", *_HEADINGS}
)  # fmt: skip
_PREFORMATTED = frozenset({"pre", "xmp", "listing", "plaintext"})
_BOLD = frozenset({"b", "strong", "dfn"})
_DELETED = frozenset({"del", "s", "strike"})
_RAISED = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
#: Classes of pictures that stand for formulas.
_FORMULA_PICTURES = ("math", "tex", "latex", "equation", "formula")
#: What links of headings to themselves show.
_ANCHORS = " §¶🔗"
#: Elements below this depth are read as plain text: the parser's own limit lies above, the interpreter's below.
_DEEPEST = 150


class PageWriter:
    """Writes one page; its state is the paragraph that is being gathered and the lists that are open."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._spans: list[Span] = []
        self._lists: list[tuple[str, int]] = []
        self._marker: str | None = None
        self._level = 0
        self._term = ""

    def blocks(self, content: Node) -> list[str]:
        """Blocks of everything below an element."""
        self._children(content, 0)
        self._end()
        if self._term:
            self._blocks.append(markup.paragraph(self._term))
            self._term = ""
        return [block for block in self._blocks if block.strip()]

    # ------------------------------------------------------------------------------------------ paragraphs
    def _end(self) -> None:
        """End the paragraph that is being gathered."""
        spans, self._spans = self._spans, []
        if not any(span.text.strip() for span in spans):
            return
        text = markup.emphasised(_collapsed(spans))
        if self._term:
            self._blocks.append(markup.entry(self._term, text))
            self._term = ""
        elif self._marker is not None:
            self._blocks.append(markup.item(text, marker=self._marker, level=self._level))
            self._marker = None
        else:
            self._blocks.append(markup.paragraph(text))

    def _add(self, text: str, *, bold: bool = False) -> None:
        if text:
            self._spans.append(Span(text, bold))

    # ------------------------------------------------------------------------------------------ elements
    def _children(self, node: Node, depth: int, *, bold: bool = False) -> None:
        if depth > _DEEPEST:
            self._add(_one_line(node.text()), bold=bold)
            return
        rubies: list[Node] = []
        for child in node.children:
            if isinstance(child, Node) and child.tag == "ruby":
                rubies.append(child)
                continue
            if rubies and not (isinstance(child, str) and not child.strip()):
                self._ruby(rubies)
                rubies = []
            if isinstance(child, str):
                self._add(" ".join(("." + child + ".").split())[1:-1] if child else "", bold=bold)
            else:
                self._element(child, depth + 1, bold=bold)
        if rubies:
            self._ruby(rubies)

    def _element(self, node: Node, depth: int, *, bold: bool) -> None:
        tag = node.tag
        if tag in _DELETED:
            return
        if tag in _BLOCKS:
            self._end()
            self._block(node, depth)
            self._end()
        elif tag == "br":
            self._add("\n")
        elif tag in {"math", "script", "img"}:
            self._add(_formula(node))
        elif tag in {"sup", "sub"}:
            self._script(node, depth, bold=bold)
        elif tag == "q":
            self._add("“")
            self._children(node, depth, bold=bold)
            self._add("”")
        else:
            self._children(node, depth, bold=bold or tag in _BOLD)

    def _block(self, node: Node, depth: int) -> None:
        tag = node.tag
        if tag in _HEADINGS:
            self._blocks.append(markup.heading(_HEADINGS[tag], self._inline(node, depth).strip(_ANCHORS)))
        elif tag in _PREFORMATTED:
            self._preformatted(node)
        elif tag in {"ul", "ol", "menu", "dir"}:
            self._list(node, depth)
        elif tag == "li":
            self._item(node, depth)
        elif tag == "dt":
            if self._term:
                # Two terms with one meaning.
                self._term += f", {self._inline(node, depth)}"
            else:
                self._term = self._inline(node, depth)
        elif tag == "dl":
            self._children(node, depth)
            if self._term:
                self._blocks.append(markup.paragraph(self._term))
                self._term = ""
        elif tag == "table":
            self._table(node, depth)
        else:
            self._children(node, depth)

    def _list(self, node: Node, depth: int) -> None:
        start = node.attribute("start")
        first = int(start) if start.isdecimal() and len(start) < 6 else 1
        self._lists.append((node.tag, first))
        self._children(node, depth)
        self._lists.pop()
        self._marker = None

    def _item(self, node: Node, depth: int) -> None:
        kind, number = self._lists[-1] if self._lists else ("ul", 1)
        if self._lists:
            self._lists[-1] = (kind, number + 1)
        self._marker = f"{number}." if kind == "ol" else "-"
        self._level = min(max(len(self._lists) - 1, 0), 6)
        self._children(node, depth)
        self._end()
        self._marker = None

    def _table(self, node: Node, depth: int) -> None:
        captions = [child for child in node.children if isinstance(child, Node) and child.tag == "caption"]
        for caption in captions:
            self._children(caption, depth)
            self._end()
        rows = [
            [_DEEPER if cell is None else self._inside(cell, depth) for cell in row] for row in rows_of(node)
        ]
        self._blocks += markup.table(rows)

    def _inside(self, node: Node, depth: int) -> Sequence[str]:
        """Blocks of a cell, written by a writer of its own."""
        if depth > _DEEPEST:
            return [markup.paragraph(_one_line(node.text()))]
        writer = PageWriter()
        writer._children(node, depth + 1)
        return writer.blocks(Node("div", {}))

    def _inline(self, node: Node, depth: int) -> str:
        """Text of a heading or term on one line."""
        return _one_line(" ".join(self._plain(block) for block in self._inside(node, depth)))

    @staticmethod
    def _plain(block: str) -> str:
        return block.lstrip("#-\\ ").replace("**", "")

    def _preformatted(self, node: Node) -> None:
        lines = node.text().strip("\n").rstrip().split("\n")
        if any(line.strip() for line in lines):
            fence = "~~~" if any(line.lstrip().startswith("```") for line in lines) else "```"
            self._blocks.append("\n".join([fence, *(line.rstrip() for line in lines), fence]))

    def _script(self, node: Node, depth: int, *, bold: bool) -> None:
        text = _one_line(node.text())
        if _is_reference(node, text):
            return
        figures = bool(text) and not set(text) - set("0123456789+-−=()n")
        if node.tag == "sup" and figures:
            self._add(text.translate(_RAISED), bold=bold)
        else:
            self._children(node, depth, bold=bold)

    def _ruby(self, rubies: Sequence[Node]) -> None:
        """Write words with their readings behind them, those set character by character as one."""
        base = "".join(_ruby_part(ruby, reading=False) for ruby in rubies)
        reading = "".join(_ruby_part(ruby, reading=True) for ruby in rubies)
        self._add(f"{base}（{reading}）" if reading else base)


_DEEPER: Sequence[str] = ()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _collapsed(spans: Sequence[Span]) -> list[Span]:
    """Spans without doubled spaces between them, and without any around line breaks."""
    kept: list[Span] = []
    last = "\n"
    for span in spans:
        text = span.text.lstrip(" ") if last in " \n" else span.text
        if text:
            kept.append(Span(text, span.bold))
            last = text[-1]
    return kept


def _formula(node: Node) -> str:
    if node.tag == "math":
        # Displayed or not, a formula is told where it stands.
        return web_math.formula(node)
    if node.tag == "script":
        return f" {_one_line(node.text())} "
    told = f"{node.attribute('class')} {node.attribute('src')}".casefold()
    return node.attribute("alt") if any(word in told for word in _FORMULA_PICTURES) else ""


def _is_reference(node: Node, text: str) -> bool:
    """Whether a raised text is the mark of a note: a link in brackets or to a note."""
    links = [child for child in node.below() if child.tag == "a"]
    marked = "reference" in node.attribute("class") or any(
        link.attribute("href").startswith("#") or "footnote" in link.attribute("class") for link in links
    )
    return node.tag == "sup" and bool(links) and marked and len(text) <= 8


def _ruby_part(ruby: Node, *, reading: bool) -> str:
    parts = [
        child if isinstance(child, str) else child.text()
        for child in ruby.children
        if (isinstance(child, Node) and child.tag in {"rt", "rtc"}) is reading
    ]
    return "".join("".join(parts).split())
