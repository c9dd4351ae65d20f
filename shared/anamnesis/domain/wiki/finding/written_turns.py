"""Turns as they stand in transcripts: the way back from what ``writing.transcripts`` writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from anamnesis.domain.wiki.pages import SESSIONS

#: Of a turn that begins here; what goes on from the file before says ", continued" after its number.
_HEADING: Final = re.compile(r"^## Turn (\d+) .*`(session://[^`\s]+)`$", re.MULTILINE)


#: What goes on from the file before; it stands before all turns that begin in its file.
_CONTINUED: Final = re.compile(r"^## Turn (\d+), continued · `(session://[^`\s]+)`$", re.MULTILINE)
_PART: Final = re.compile(r"/transcript(?:-(\d+))?\.md$")


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """A turn in the file that holds it.

    Attributes
    ----------
    address
        As its heading spells it.
    start
        Where its heading begins, in characters of the file.
    line
        The same as a line, from 1.
    text
        From its heading up to the next turn's, without white space at its edges.
    """

    number: int
    address: str
    start: int
    line: int
    text: str


def is_transcript(path: str) -> bool:
    """Whether a path is that of a transcript, or of a later part of one."""
    return path.startswith(f"{SESSIONS}/") and "/transcript" in path


def part_of(path: str) -> int:
    """Which part of its transcript a file is, from 1."""
    found = _PART.search(path)
    return int(found[1] or 1) if found else 1


def continued_in(text: str) -> WrittenTurn | None:
    """The rest, or more, of a long turn that began in an earlier file; None where this file begins with another."""
    heading = _CONTINUED.search(text)
    if heading is None:
        return None
    start = heading.start()
    following = _HEADING.search(text, heading.end())
    end = following.start() if following else len(text)
    line = text.count("\n", 0, start) + 1
    return WrittenTurn(int(heading[1]), heading[2], start, line, text[start:end].strip())


def turns_in(text: str) -> Iterator[WrittenTurn]:
    """Yield the turns of a transcript that begin in this file, in order."""
    headings = list(_HEADING.finditer(text))
    line, counted = 1, 0
    # Where nothing is a turn, the end of the file ends none.
    for heading, end in zip(headings, [*(h.start() for h in headings[1:]), len(text)], strict=False):
        line += text.count("\n", counted, heading.start())
        counted = heading.start()
        yield WrittenTurn(int(heading[1]), heading[2], counted, line, text[counted:end].strip())
