"""Text bodies and tables of DrawingML (slides, notes) as Markdown blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from anamnesis.adapters.reading.office_math import formula
from anamnesis.adapters.reading.word_text import shown
from anamnesis.domain.reading import markup

#: Characters that XML cannot hold, as Office writes them (ISO/IEC 29500-1, 22.9.2.19).
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
#: Fields that are furniture: the number of the slide, the date.
_FURNITURE_FIELDS = ("slidenum", "datetime")
_MOST_LEVELS = 9


def title_text(body: Element | None) -> str:
    """Text of a title on one line."""
    return "" if body is None else " ".join(" ".join(map(_text, body.findall("a.p"))).split())


def body_blocks(body: Element | None, styles: Sequence[Element | None] = ()) -> list[str]:
    """Paragraphs and items of a text body.

    Parameters
    ----------
    body
        ``p:txBody`` or ``a:txBody``.
    styles
        Lists of levels (``a:lstStyle``, ``p:bodyStyle``) that say which levels have bullets, nearest first.
    """
    if body is None:
        return []
    chain = [body.find("a.lstStyle"), *styles]
    blocks = []
    counts: dict[int, int] = {}
    for paragraph in body.findall("a.p"):
        text = _text(paragraph)
        properties = paragraph.find("a.pPr")
        level = _level(properties)
        if not text.strip():
            continue
        bullet = _bullet(properties, level, chain)
        if bullet is not None and bullet.tag == "a.buAutoNum":
            start = bullet.get("startAt", "1")
            counts[level] = (
                counts.get(level, int(start) - 1 if start.isdecimal() and len(start) < 6 else 0) + 1
            )
            blocks.append(markup.item(text, marker=f"{counts[level]}.", level=level))
        else:
            counts.pop(level, None)
            has_bullet = bullet is not None and bullet.tag != "a.buNone"
            blocks.append(markup.item(text, level=level) if has_bullet else markup.paragraph(text))
        for deeper in [one for one in counts if one > level]:
            del counts[deeper]
    return [block for block in blocks if block]


def table_blocks(table: Element) -> list[str]:
    """Blocks of an ``a:tbl``; merged cells stand once."""
    rows = []
    for row in table.findall("a.tr"):
        cells = []
        for cell in row.findall("a.tc"):
            if cell.get("hMerge") in {"1", "true"}:
                continue
            covered = cell.get("vMerge") in {"1", "true"}
            cells.append([] if covered else body_blocks(cell.find("a.txBody")))
        rows.append(cells)
    return markup.table(rows)


def _text(paragraph: Element) -> str:
    return "".join(_piece(element) for element in shown(paragraph))


def _piece(element: Element) -> str:
    tag = element.tag
    if tag == "a.r":
        return _unescaped("".join(t.text or "" for t in element.findall("a.t")))
    if tag == "a.br":
        return "\n"
    if tag == "a.fld":
        furniture = element.get("type", "").startswith(_FURNITURE_FIELDS)
        return "" if furniture else _unescaped("".join(t.text or "" for t in element.findall("a.t")))
    if tag in {"m.oMath", "m.oMathPara"}:
        return formula(element)
    # ``a14:m``, Office's frame round a formula; its namespace is one of extensions.
    return "".join(map(_piece, element)) if tag == "m" else ""


def _unescaped(text: str) -> str:
    def char(match: re.Match[str]) -> str:
        code = int(match[1], 16)
        if code in {0x0A, 0x0B, 0x0D}:
            return "\n"
        return "" if 0xD800 <= code < 0xE000 else chr(code)

    return _ESCAPED.sub(char, text)


def _level(properties: Element | None) -> int:
    level = "" if properties is None else properties.get("lvl", "")
    return min(int(level), _MOST_LEVELS - 1) if level.isdecimal() and len(level) < 3 else 0


def _bullet(properties: Element | None, level: int, chain: Sequence[Element | None]) -> Element | None:
    own = _bullet_in(properties)
    if own is not None:
        return own
    for styles in chain:
        found = None if styles is None else _bullet_in(styles.find(f"a.lvl{level + 1}pPr"))
        if found is not None:
            return found
    return None


def _bullet_in(properties: Element | None) -> Element | None:
    if properties is None:
        return None
    kinds = ("a.buNone", "a.buAutoNum", "a.buChar", "a.buBlip")
    return next((found for kind in kinds if (found := properties.find(kind)) is not None), None)
