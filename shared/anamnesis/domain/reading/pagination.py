"""Pages out of raw text: sections of Markdown, parts of plain text, and printed pages without their furniture."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

#: Length that a part of a plain text aims at: about one printed page.
PART_CHARS = 3_000
#: A line that stands at the same edge of this share of the pages is a running header or footer.
_RUNNING_SHARE = 0.6
#: Fewest pages on which a repeated line can be told from a repeated word.
_RUNNING_PAGES = 3
#: Lines looked at from each edge of a page.
_EDGE_LINES = 2
_MAX_RUNNING_CHARS = 160
#: A section of a document with headings that is longer than about four printed pages is cut for citation.
_LONGEST_SECTION = 4 * PART_CHARS

_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_SECTION = re.compile(r"^ {0,3}#{1,2}(?:\s|$)")
_MARKED = re.compile(r"^(#{1,6}) \S")
_ITEM = re.compile(r"^ *(?:-|\(?[\w.]{1,8}[.)]) \S")
_SETEXT = re.compile(r"^ {0,3}(?:=+|-{2,})\s*$")
_LIST_OR_QUOTE = re.compile(r"^\s*(?:[-*+>|]|\d+[.)])\s")
_PAGE_NUMBER = re.compile(
    r"^[\s\-–—|·.\[\](]*(?:(?:page|p|pag|página|seite|strona|str|halaman|hal|стр|страница|पृष्ठ|صفحة|sayfa|trang)\.?\s*)?"
    r"(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:/|of|de|von|z|dari|из)\s*\d{1,4})?[\s\-–—|·.\])]*$",
    re.IGNORECASE,
)
_HYPHENATED = re.compile(
    r"([^\W\d_]{2,})(?:[\u00ad\u2010\u2027\ufffe\x02]|(?<![\-–])-)[ \t]*\n[ \t]*([^\W\d_]{2,})"
)
_SET_APART = re.compile(r"(?<=[\u3040-\u30ff\u3400-\u9fff])[ \u3000]+(?=[\u3040-\u30ff\u3400-\u9fff])")
_TOGETHER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff](?=[\u3040-\u30ff\u3400-\u9fff])")
_COMPOUND = re.compile(r"[^\W\d_]{2,}-[^\W\d_]{2,}")
#: First parts that are written with a hyphen wherever they stand.
_HYPHEN_PREFIXES = frozenset({"self", "non", "well", "ex", "quasi", "half", "all", "cross", "semi"})
_SOFT_HYPHEN_INSIDE = re.compile(r"[\u00ad\ufffe\x02](?:[ \t]*\n[ \t]*)?")


def markdown_sections(text: str) -> list[str]:
    """Split Markdown at its level 1 and 2 headings (ATX and setext), outside code fences; nothing is lost.

    Returns
    -------
    list of str
        One text per section, its heading included; what stands before the first heading comes first. A text
        without such headings is cut like a plain text.
    """
    sections: list[list[str]] = [[]]
    fence = ""
    for line in text.split("\n"):
        marker = _FENCE.match(line)
        if marker and not fence:
            fence = marker[1][:3]
        elif marker and marker[1].startswith(fence):
            fence = ""
        elif not fence and _SECTION.match(line):
            sections.append([])
        elif not fence and _SETEXT.match(line) and _is_setext_title(sections[-1]):
            title = sections[-1].pop()
            sections.append([title])
        sections[-1].append(line)
    if len(sections) == 1:
        # Without headings there are no sections to cite: such a text is cut like a plain one.
        return plain_parts(text)
    texts = ["\n".join(lines).strip("\n") for lines in sections]
    return [section for section in texts if section.strip()]


def _is_setext_title(lines: Sequence[str]) -> bool:
    if not lines or not lines[-1].strip() or _LIST_OR_QUOTE.match(lines[-1]) or "|" in lines[-1]:
        return False
    return len(lines) < 2 or not lines[-2].strip()


def plain_parts(text: str) -> list[str]:
    """Split plain text at form feeds, else into parts of about ``PART_CHARS`` at paragraphs, lines or words.

    A form feed ends a page even where the page is empty, so that numbers stay those of the printout.
    """
    if "\f" in text:
        return [page.strip("\n") for page in text.removesuffix("\f").split("\f")]
    parts: list[str] = []
    start = 0
    while len(text) - start > PART_CHARS * 4 // 3:
        end = _break_before(text, start, start + PART_CHARS)
        parts.append(text[start:end])
        start = end
    parts.append(text[start:])
    return [part.strip("\n") for part in parts if part.strip()]


def _break_before(text: str, start: int, limit: int) -> int:
    earliest = start + PART_CHARS // 2
    for separator in ("\n\n", "\n", ". ", "。", "। ", " "):
        found = text.rfind(separator, earliest, limit)
        if found >= 0:
            return found + len(separator)
    return limit


def without_furniture(pages: Sequence[str]) -> list[str]:
    """Drop running headers, footers and page numbers from printed pages, and join words hyphenated at a line's end.

    A line counts as running when it stands, digits apart, at the same edge of at least ``_RUNNING_SHARE`` of three or
    more pages. Pages that would be left empty keep their lines: a slide's only words are its content.
    """
    split = [
        [line.rstrip() for line in page.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
        for page in pages
    ]
    running = _running_lines(split)
    cleaned = [_without_edges(lines, running) for lines in split]
    emptied = sum(1 for lines, left in zip(split, cleaned, strict=True) if any(lines) and not any(left))
    if emptied * 2 > sum(1 for lines in split if any(lines)):
        cleaned = split
    texts = ["\n".join(lines) for lines in cleaned]
    compounds = frozenset(word.casefold() for text in texts for word in _COMPOUND.findall(text))
    return [_drawn_together(joined_hyphens(text, compounds)).strip("\n") for text in texts]


def _drawn_together(text: str) -> str:
    """Take the spaces out of Chinese and Japanese that is set apart character by character."""
    apart = len(_SET_APART.findall(text))
    together = len(_TOGETHER.findall(text))
    return _SET_APART.sub("", text) if apart > together else text


def joined_hyphens(text: str, compounds: Collection[str] = ()) -> str:
    """Join words that a hyphen splits over two lines, and take invisible hyphens out.

    Parameters
    ----------
    compounds
        Casefolded words that are written with a hyphen inside a line; they keep it, as does a capitalised continuation.
    """

    def join(match: re.Match[str]) -> str:
        keeps = not match[2][0].islower() or f"{match[1]}-{match[2]}".casefold() in compounds
        keeps = keeps or match[1].casefold() in _HYPHEN_PREFIXES
        return f"{match[1]}-{match[2]}" if keeps else f"{match[1]}{match[2]}"

    return _SOFT_HYPHEN_INSIDE.sub("", _HYPHENATED.sub(join, text))


def _edge_indices(lines: Sequence[str]) -> list[tuple[str, int]]:
    filled = [i for i, line in enumerate(lines) if line.strip()]
    top = [("top", i) for i in filled[:_EDGE_LINES]]
    return top + [("bottom", i) for i in filled[max(_EDGE_LINES, len(filled) - _EDGE_LINES) :]]


def _shape(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.split())).casefold()


def _running_lines(pages: Sequence[Sequence[str]]) -> frozenset[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    filled = 0
    for lines in pages:
        edges = {
            (edge, _shape(lines[i]))
            for edge, i in _edge_indices(lines)
            if len(lines[i]) <= _MAX_RUNNING_CHARS
        }
        counts.update(edges)
        filled += bool(edges)
    if filled < _RUNNING_PAGES:
        return frozenset()
    return frozenset(
        line for line, count in counts.items() if count >= max(_RUNNING_PAGES, _RUNNING_SHARE * filled)
    )


def _without_edges(lines: Sequence[str], running: frozenset[tuple[str, str]]) -> list[str]:
    edges = _edge_indices(lines)
    outermost = {edges[0][1], edges[-1][1]} if len(edges) > 1 else set()
    dropped = {
        i
        for edge, i in edges
        if (edge, _shape(lines[i])) in running or (i in outermost and _PAGE_NUMBER.match(lines[i]))
    }
    return [line for i, line in enumerate(lines) if i not in dropped]


def marked_sections(blocks: Sequence[str]) -> list[str]:
    """Split marked-up blocks at headings of the two highest levels they have; a long section is cut into parts.

    Parameters
    ----------
    blocks
        Headings, paragraphs, items and tables in reading order, as ``markup`` writes them.

    Returns
    -------
    list of str
        One text per section, its heading included. Blocks without headings are cut into parts of about ``PART_CHARS``.
    """
    levels = sorted({_level(block) for block in blocks} - {0})
    cuts = frozenset(levels[:2])
    sections: list[list[str]] = [[]]
    has_text = False
    for block in blocks:
        level = _level(block)
        # A heading without text of its own stays with what follows: a title is no section.
        if level in cuts and has_text:
            sections.append([])
            has_text = False
        has_text = has_text or level == 0
        sections[-1].append(block)
    texts = [joined_blocks(section) for section in sections]
    return [
        part
        for text in texts
        for part in (plain_parts(text) if not cuts or len(text) > _LONGEST_SECTION else [text])
        if part.strip()
    ]


def _level(block: str) -> int:
    match = _MARKED.match(block)
    return len(match[1]) if match else 0


def joined_blocks(blocks: Sequence[str]) -> str:
    """Blocks as one text: items of a list follow each other, everything else is set apart by a blank line."""
    text = ""
    after_item = False
    for block in blocks:
        if not block.strip():
            continue
        is_item = _ITEM.match(block) is not None
        gap = "\n" if is_item and after_item else "\n\n"
        text += f"{gap if text else ''}{block}"
        after_item = is_item
    return text
