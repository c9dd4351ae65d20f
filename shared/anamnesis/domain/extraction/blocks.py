"""Pages into blocks (headings, paragraphs, items, glossary entries), each with its page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise

import regex

from anamnesis.domain.extraction.labels import is_reference, unlabelled
from anamnesis.domain.extraction.lists import Entry, entries
from anamnesis.domain.files import Page
from anamnesis.domain.reading import markup
from anamnesis.domain.reading.section_headings import (
    announces_a_list,
    glossary_headings,
    holds_no_explanations,
    is_section_heading,
)


class BlockKind(Enum):
    """What a block is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a page.

    Attributes
    ----------
    text
        On one line, Markdown emphasis kept, list and heading signs taken off.
    glossary
        Whether it stands in a section of terms and their meanings.
    explains
        False for what explains nothing: captions, exercises, references, tables.
    term
        The term whose entry in a list it is.
    """

    kind: BlockKind
    page: int
    text: str
    glossary: bool = False
    explains: bool = True
    term: str = ""


_ATX = regex.compile(r"^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$")
_SETEXT = regex.compile(r"^ {0,3}(?:={3,}|-{3,})\s*$")
_MARKED_HEADING = regex.compile(r"^ {0,3}#{1,6}\s|\S\n {0,3}(?:={3,}|-{3,})\s*$", regex.MULTILINE)
_FENCE = regex.compile(r"^ {0,3}(?:```|~~~)")
_ITEM = regex.compile(r"^\s*(?:[-*+•●▪◦‣·–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+")
#: A line that sets a term apart and goes on with its meaning, without the space that begins a paragraph.
_MARKED_ENTRY = regex.compile(r"^\s*+(\*{2,3}|__)(?=[^\s*_])[^*_\n]{1,80}(?:\1\s*[:：]|[:：]\1|\1\s+[–—-]\s)")
_NUMBERED_HEADING = regex.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[IVX]{1,5}\.)\s+(?=[\p{Lu}\p{Lo}])")
_CAPTION = regex.compile(
    r"^(?:\[\s*)?(?:fig(?:ure|ura|uur)?|abb(?:ildung)?|rys(?:unek)?|tab(?:le|elle|ela|la|leau|ella)?|gambar|tabel|चित्र|"
    r"तालिका|الشكل|شكل|جدول|рис(?:унок)?|таблица|şekil|hình|bảng|图|圖|図|表|그림|표|image|imagen|photo|source|fuente|źródło)"
    r"\.?\s*(?:\]|\d|[:：])",
    regex.IGNORECASE,
)
_TABLE_ROW = regex.compile(r"^\s*\|.*\|\s*$")
_TABLE_RULE = regex.compile(r"^[\s|:-]*$")
_LEADERS = regex.compile(r"(?:\s?[.…·_]){4,}\s*\S*\s*$")
_ENDS_SENTENCE = regex.compile(r"[.!?:;,।。！？؟…:]['\"”’»)\]]*\s*$")
_ENDS_PARAGRAPH = regex.compile(r"[.!?।。！？؟]['\"”’»)\]]*\s*$")
#: Share of a file's text in entries of lists from which on the file is a list.
_LIST_SHARE = 0.5
#: What a heading, and what comes below it, begins with.
_OPENS = regex.compile(r"[\p{Lu}\p{Lo}\p{N}•●]")
_SHORTER, _LEAST_LINE_CHARS = 0.75, 40
#: A line that ends a sentence ends its paragraph where the next line's first word would have fitted on it: share of
#: the longest line that counts as full (fonts differ in width), and longest first word that is waited for.
_FULL_LINE, _LONGEST_FITTED = 0.95, 12
#: A letter of a script that parts phrases by spaces and words by nothing, and the share of the longest line from which
#: on one broke for want of room: marks above and below letters make lengths uneven.
_UNSPACED_END = regex.compile(r"(?:\p{Thai}|\p{Lao}|\p{Khmer}|\p{Myanmar})(?:$|(?<=^.))")
_WRAPPED_LINE, _LEAST_WRAPPED = 0.75, 24
_MAX_HEADING_CHARS = 90
_MAX_HEADING_WORDS = 10
#: A heading that ends in a full stop is short ("1. Introduction."); longer lines that do are sentences.
_MAX_STOPPED_HEADING_WORDS = 4
#: A paragraph of this length is prose, not the opening line of a list.
_PROSE_CHARS = 160
_MAX_BLOCK_CHARS = 20_000


def blocks(pages: Sequence[Page], *, markdown: bool) -> Iterator[Block]:
    """Blocks of all pages in reading order.

    Exercises, references, captions, code and tables of contents come out as blocks that explain nothing.
    """
    # Markdown whose headings are not marked as such is read by its looks, like a printed page.
    markdown = markdown and any(_MARKED_HEADING.search(page.text) for page in pages)
    section = _Section()
    listed = _listed(pages)
    for page in pages:
        lines = page.text.split("\n")
        for block in _page_blocks(page.number, lines, listed.get(page.number, []), markdown=markdown):
            yield section.placed(block)


def _listed(pages: Sequence[Page]) -> dict[int, list[Entry]]:
    """Entries of lists of terms, by page."""
    found = {page.number: entries(page.text.split("\n")) for page in pages}
    own = sum(_letters(entry.term + entry.meaning) for of in found.values() for entry in of)
    if own >= _LIST_SHARE * sum(_letters(page.text) for page in pages):
        return found
    return {number: [entry for entry in of if entry.sure] for number, of in found.items()}


@dataclass
class _Section:
    """What the heading last seen says of the blocks below it."""

    glossary: bool = False
    explains: bool = True
    list_only: bool = False

    def placed(self, block: Block) -> Block:
        if block.kind is BlockKind.HEADING:
            bare = _NUMBERED_HEADING.sub("", block.text).strip(" *_:#").casefold()
            self.glossary = bare in glossary_headings()
            self.explains = not holds_no_explanations(block.text)
            self.list_only = announces_a_list(block.text)
            return block
        if block.term:
            return replace(block, explains=self.explains)
        if self.list_only and block.kind is BlockKind.PARAGRAPH and len(block.text) >= _PROSE_CHARS:
            # Objectives are a list; the chapter's prose often goes on below them without a heading of its own.
            self.explains, self.list_only = True, False
        explains = self.explains and block.explains and not _CAPTION.match(block.text)
        explains = explains and "lorem ipsum" not in block.text.casefold()
        explains = explains and not is_reference(block.text)
        text, told = (block.text, True) if self.glossary else unlabelled(block.text)
        return Block(block.kind, block.page, text, self.glossary, explains and told)


def _letters(text: str) -> int:
    return sum(1 for char in text if char.isalnum())


def _page_blocks(
    page: int, lines: Sequence[str], found: Sequence[Entry], *, markdown: bool
) -> Iterator[Block]:
    longest = max(map(len, lines), default=0)
    paragraph = _Paragraph(page, wrapped=0 if markdown else int(_WRAPPED_LINE * longest))
    full = _FULL_LINE * longest
    listed = {entry.start: entry for entry in found}
    taken = {place for entry in listed.values() for place in range(entry.start, entry.end)}
    left = [" " if place in taken else line for place, line in enumerate(lines)]
    for number, line in _readable(left, markdown=markdown):
        if number in listed:
            yield from paragraph.ended()
            yield _entry(page, listed[number])
            continue
        if number is None:
            heading = None
        elif markdown:
            heading = _markdown_heading(lines, number)
        else:
            heading = _printed_heading(lines, number, opens=not paragraph.lines)
        if heading is None and markdown and _SETEXT.match(line):
            continue
        if heading is not None or not line.strip():
            yield from paragraph.ended()
            if heading:
                yield Block(BlockKind.HEADING, page, heading)
            continue
        begins = _ITEM.match(line) or _MARKED_ENTRY.match(line)
        if begins or _LEADERS.search(line) or paragraph.ends_before(line, full):
            yield from paragraph.ended()
        paragraph.add(line)
        if _LEADERS.search(line):
            yield from paragraph.ended()
    yield from paragraph.ended()


def _entry(page: int, entry: Entry) -> Block:
    text = " ".join(f"{entry.term}: {entry.meaning}".split())[:_MAX_BLOCK_CHARS]
    return Block(BlockKind.ITEM, page, text, glossary=True, term=entry.term)


def _readable(lines: Sequence[str], *, markdown: bool) -> Iterator[tuple[int | None, str]]:
    """Lines with their numbers, without code and rows of tables; a table of terms as entries without numbers."""
    fenced = False
    rows: list[list[list[str]]] = []
    for number, line in enumerate(lines):
        if markdown and _FENCE.match(line):
            fenced = not fenced
        elif not fenced and _TABLE_ROW.match(line):
            if not _TABLE_RULE.match(line):
                rows.append([[cell.strip()] for cell in line.strip().strip("|").split("|")])
        elif not fenced:
            yield from _entries(rows)
            rows = []
            yield number, line
    yield from _entries(rows)


def _entries(rows: Sequence[Sequence[Sequence[str]]]) -> Iterator[tuple[None, str]]:
    for block in markup.table(rows):
        if _MARKED_ENTRY.match(block):
            yield None, ""
            yield None, block
            yield None, ""


@dataclass
class _Paragraph:
    """The lines of a paragraph or list item until it ends.

    Attributes
    ----------
    wrapped
        From how many characters on a printed line broke for want of room; 0 where lines are not printed ones.
    """

    page: int
    wrapped: int = 0
    lines: list[str] = field(default_factory=list)
    kind: BlockKind = BlockKind.PARAGRAPH

    def add(self, line: str) -> None:
        if _ITEM.match(line):
            self.kind = BlockKind.ITEM
        self.lines.append(_ITEM.sub("", line).strip())

    def ends_before(self, line: str, full: float) -> bool:
        """Whether the paragraph ends above `line`: its last sentence has ended on a line that had room for more."""
        if (
            not self.lines
            or not _ENDS_PARAGRAPH.search(self.lines[-1])
            or not _OPENS.match(line.strip(' *_"“«„¿¡'))
        ):
            return False
        word = min(_LONGEST_FITTED, len(line.split(maxsplit=1)[0]))
        return len(self.lines[-1]) + 1 + word <= full

    def ended(self) -> Iterator[Block]:
        if self.lines:
            text = " ".join(self._joined().split())[:_MAX_BLOCK_CHARS]
            yield Block(self.kind, self.page, text, explains=not _LEADERS.search(text))
        self.lines = []
        self.kind = BlockKind.PARAGRAPH

    def _joined(self) -> str:
        """The lines as one; a space would part the words of Thai and its kin, which full lines break between."""
        text = self.lines[0]
        for before, line in pairwise(self.lines):
            broken = (
                self.wrapped >= _LEAST_WRAPPED
                and len(before) >= self.wrapped
                and _UNSPACED_END.search(before)
                and _UNSPACED_END.match(line)
            )
            text += line if broken else f" {line}"
        return text


def _markdown_heading(lines: Sequence[str], number: int) -> str | None:
    """Text of an ATX or setext heading, or None."""
    line = lines[number]
    atx = _ATX.match(line)
    if atx:
        return " ".join(atx[2].split())
    underlined = number + 1 < len(lines) and _SETEXT.match(lines[number + 1]) and not _ITEM.match(line)
    return " ".join(line.split()) if underlined and line.strip() and "|" not in line else None


def _printed_heading(lines: Sequence[str], number: int, *, opens: bool) -> str | None:
    """Text of a line of a printed page that is a heading by its look, or None.

    Parameters
    ----------
    opens
        Whether no paragraph goes on above the line: it stands below another heading, a blank line or nothing.
    """
    text = " ".join(lines[number].split())
    if not text or len(text) > _MAX_HEADING_CHARS or len(text.split()) > _MAX_HEADING_WORDS:
        return None
    numbered = _NUMBERED_HEADING.match(text) is not None and not _in_numbered_list(lines, number)
    if _ENDS_PARAGRAPH.search(text) and len(text.split()) > _MAX_STOPPED_HEADING_WORDS:
        return None
    if _LEADERS.search(text) or (_ITEM.match(lines[number]) and not numbered):
        return None
    return (
        text
        if is_section_heading(text)
        or _looks_like_heading(text, lines, number, numbered=numbered, opens=opens)
        else None
    )


def _in_numbered_list(lines: Sequence[str], number: int) -> bool:
    """Whether a numbered line stands next to another one at once: items of a list, not headings."""
    beside = [lines[i].strip() for i in (number - 1, number + 1) if 0 <= i < len(lines)]
    depth = _depth(lines[number])
    return any(_NUMBERED_HEADING.match(line) and _depth(line) == depth for line in beside)


def _depth(line: str) -> int:
    """Levels of the number that a line begins with, less one: 0 for "2.", 1 for "2.1"."""
    return line.split(maxsplit=1)[0].rstrip(".").count(".")


def _looks_like_heading(text: str, lines: Sequence[str], number: int, *, numbered: bool, opens: bool) -> bool:
    if _ENDS_SENTENCE.search(text) or not _OPENS.match(text):
        return False
    before = lines[number - 1].strip() if number else ""
    after = lines[number + 1].strip() if number + 1 < len(lines) else ""
    starts = opens or bool(_ENDS_PARAGRAPH.search(before)) or before.endswith((":", "："))
    alone = not after or _OPENS.match(after) is not None
    # A wrapped line of a paragraph is nearly as long as its neighbours; a heading is much shorter than what follows.
    shorter = not after or not before or len(text) < _SHORTER * max(len(after), _LEAST_LINE_CHARS)
    return starts and alone and (numbered or shorter)
