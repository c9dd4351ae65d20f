"""A report in Markdown (CommonMark with GFM's tables), in which nothing that somebody said can be markup (SV-13)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from anamnesis.domain.reading.printed.direction import holds_right_to_left
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
    Story,
    Strong,
    Table,
    Tone,
    Trend,
)

#: What may begin markup anywhere in a line, in CommonMark, GFM and the usual extensions (footnotes, formulas,
#: highlights): a backslash before ASCII punctuation makes a letter of it (CommonMark 0.31, 2.4).
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>#|~&$^=])")
#: What GFM makes a link of without any markup (GFM 0.29, 6.9); an at sign is made harmless by what stands after it.
_SCHEME: Final = re.compile(r":(?=//)|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_WWW: Final = re.compile(r"\b(www)\.", re.IGNORECASE)
_WORD_JOINER: Final = "\u2060"
#: What may begin a list or a rule, where text begins a line.
_AT_START: Final = re.compile(r"^(\d{1,9})([.)])|^([-+])")
#: First strong isolate and its end (UAX #9): text of the other direction does not reorder what is around it.
_ISOLATE: Final = "\u2068"
_END: Final = "\u2069"


def markdown_of(document: Document) -> str:
    """The document in Markdown."""
    return "\n\n".join(_Writer(right_to_left=document.right_to_left).parts(document)) + "\n"


def escaped(text: str) -> str:
    """`text`, of one line, as plain text of Markdown wherever it stands."""
    text = _MARKUP.sub(r"\\\1", text)
    text = _WWW.sub(r"\1\\.", _SCHEME.sub(r"\\:", text)).replace("@", f"@{_WORD_JOINER}")
    return _AT_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", text)


class _Writer:
    def __init__(self, *, right_to_left: bool) -> None:
        self._right_to_left = right_to_left

    def parts(self, document: Document) -> Iterator[str]:
        yield f"# {self._line(document.title)}"
        yield " · ".join(self._line(line) for line in document.lead)
        tiles = [
            f"- **{escaped(t.label)}:** {escaped(t.value)}{f' ({escaped(t.note)})' if t.note else ''}"
            for t in document.tiles
        ]
        if tiles:
            yield "\n".join(tiles)
        for section in document.sections:
            if section.title:
                yield f"## {escaped(section.title)}"
            for block in section.blocks:
                yield from self._block(block)

    def _block(self, block: Block) -> Iterator[str]:
        if isinstance(block, Paragraph):
            text = self._line(block.line)
            yield text if block.tone is Tone.PLAIN else f"> {text}"
        elif isinstance(block, Bullets):
            yield self._bullets(block.lines)
        elif isinstance(block, Table):
            yield self._table(block)
        elif isinstance(block, Figure):
            yield escaped(block.text)
            yield self._table(block.table)
        else:
            yield from self._story(block)

    def _story(self, story: Story) -> Iterator[str]:
        yield f"### {self._line(story.title)}"
        if story.lead:
            yield self._line(story.lead)
        if story.lines:
            yield self._bullets(story.lines)

    def _bullets(self, lines: Sequence[Line]) -> str:
        return "\n".join(f"- {self._line(line)}" for line in lines)

    def _table(self, table: Table) -> str:
        rules = ["---:" if column in table.numeric else "---" for column in range(len(table.heads))]
        rows = [[escaped(head) for head in table.heads], rules]
        rows += [[self._line(cell) or " " for cell in row] for row in table.rows]
        written = "\n".join(f"| {' | '.join(row)} |" for row in rows)
        return f"**{escaped(table.caption)}**\n\n{written}"

    def _line(self, line: Line) -> str:
        written = "".join(self._inline(part, first=index == 0) for index, part in enumerate(line))
        return written.strip()

    def _inline(self, part: Inline, *, first: bool) -> str:
        if isinstance(part, Quoted):
            text = escaped(part.text)
            if holds_right_to_left(part.text) != self._right_to_left:
                return f"{_ISOLATE}{text}{_END}"
            return text
        if isinstance(part, Strong | Badge):
            return f"**{escaped(part.text)}**"
        if isinstance(part, Code):
            # No code span: a backtick within would end it, and codes are few and plain.
            return escaped(part.text)
        if isinstance(part, Meter | Trend):
            return escaped(part.text)
        # Within a line only what begins it could be a list.
        return escaped(part.text) if first else _MARKUP.sub(r"\\\1", part.text)
