"""Pages out of raw text: sections of Markdown and of marked-up blocks, parts of plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Length that a part of a plain text aims at: about one printed page.
PART_CHARS = 3_000
#: A section of a document with headings that is longer than about four printed pages is cut for citation.
_LONGEST_SECTION = 4 * PART_CHARS

_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_SECTION = re.compile(r"^ {0,3}#{1,2}(?:\s|$)")
_MARKED = re.compile(r"^(#{1,6}) \S")
_ITEM = re.compile(r"^ *(?:-|\(?[\w.]{1,8}[.)]) \S")
_SETEXT = re.compile(r"^ {0,3}(?:=+|-{2,})\s*$")
_LIST_OR_QUOTE = re.compile(r"^\s*(?:[-*+>|]|\d+[.)])\s")


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
