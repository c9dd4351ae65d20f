"""Formulas of web pages (MathML) as one line of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anamnesis.adapters.reading.html_tree import Node
from anamnesis.domain.reading import linear_math as linear

_LARGE = frozenset("∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂")
_LEAVES = frozenset({"mi", "mn", "mo", "ms", "mtext"})
_SILENT = frozenset({"annotation", "annotation-xml", "mspace", "mphantom", "none", "mprescripts"})
#: Elements inside each other that are read; a formula has ten. Ours.
_DEEPEST = 100


def formula(math: Node) -> str:
    """Return a ``math`` element as a line; its own alternative text where it has no parts."""
    text = linear.tidied(_row(math.children, 0))
    return text or math.attribute("alttext")


def _row(children: Sequence[Node | str], depth: int) -> str:
    """Parts of a row one after the other; the body of a large operator keeps a space before it."""
    written = ""
    for child in children:
        part = _written(child, depth + 1)
        gap = bool(written) and written[-1].isalnum() and part[:1].isalpha() and _is_word(child)
        written = f"{written} {part}" if gap or _is_large(written) else linear.row([written, part])
    return written


def _is_large(written: str) -> bool:
    last = written.rsplit(" ", 1)[-1]
    return bool(last) and last[0] in _LARGE


def _is_word(child: Node | str) -> bool:
    return isinstance(child, Node) and child.tag in {"mi", "mtext"} and len(child.text().strip()) > 1


def _written(node: Node | str, depth: int) -> str:
    if isinstance(node, str):
        return linear.symbols(" ".join(node.split()))
    if node.tag in _SILENT or depth > _DEEPEST:
        return ""
    if node.tag in _LEAVES:
        text = node.text()
        return linear.symbols(f" {' '.join(text.split())} " if node.tag == "mtext" else "".join(text.split()))
    if node.tag == "mtable":
        return _table(node, depth)
    write = _WRITERS.get(node.tag)
    parts = [child for child in node.children if isinstance(child, Node)]
    if write is None or not parts:
        return _row(node.children, depth)
    return write(node, [_written(part, depth + 1) for part in parts])


def _table(node: Node, depth: int) -> str:
    return linear.matrix(
        [_row(cell.children, depth) for cell in row.children if isinstance(cell, Node)]
        for row in node.children
        if isinstance(row, Node)
    )


def _at(parts: Sequence[str], index: int) -> str:
    return parts[index] if index < len(parts) else ""


def _fraction(node: Node, parts: Sequence[str]) -> str:
    bar = node.attribute("linethickness") not in {"0", "0px", "0pt", "0em"}
    return linear.fraction(_at(parts, 0), _at(parts, 1), bar=bar)


def _over(node: Node, parts: Sequence[str]) -> str:
    above = _at(parts, 1).strip()
    if len(above) == 1 and (node.attribute("accent") == "true" or above in "^ˆ~˜¯‾→⃗˙¨_̂̃̄"):
        return linear.accented(_at(parts, 0), above)
    return linear.scripts(_at(parts, 0), sup=above)


_WRITERS: dict[str, Callable[[Node, Sequence[str]], str]] = {
    "mfrac": _fraction,
    "msup": lambda _, parts: linear.scripts(_at(parts, 0), sup=_at(parts, 1)),
    "msub": lambda _, parts: linear.scripts(_at(parts, 0), sub=_at(parts, 1)),
    "msubsup": lambda _, parts: linear.scripts(_at(parts, 0), sub=_at(parts, 1), sup=_at(parts, 2)),
    "munder": lambda _, parts: linear.scripts(_at(parts, 0), sub=_at(parts, 1)),
    "munderover": lambda _, parts: linear.scripts(_at(parts, 0), sub=_at(parts, 1), sup=_at(parts, 2)),
    "mover": _over,
    "msqrt": lambda _, parts: linear.root("".join(parts)),
    "mroot": lambda _, parts: linear.root(_at(parts, 0), _at(parts, 1)),
    "mfenced": lambda node, parts: linear.fenced(
        parts,
        begin=node.attributes.get("open") or "(",
        end=node.attributes.get("close") or ")",
        separator=(node.attributes.get("separators") or ",")[:1],
    ),
}
