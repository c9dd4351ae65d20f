"""sessions/…/transcript.md: every turn of a session in full, as data (WK-1, SV-13).

Each line that somebody wrote is a quoted line with its markup escaped: nothing of it can become a heading, a link, a
citation or HTML, and ordinary words stay as they are for ``grep``. A transcript that grows beyond the size of a file
goes on in ``transcript-2.md``, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from typing import Final

import regex

from anamnesis.domain.log.episodes import Content, Episode
from anamnesis.domain.wiki.addresses import Address, episode_address, file_address
from anamnesis.domain.wiki.page_format import context_link, escaped, front_matter
from anamnesis.domain.wiki.pages import MAX_SESSION_FILE_BYTES, PageKind
from anamnesis.domain.wiki.sessions import Session, Turn
from anamnesis.domain.wiki.writing.wording import WHO, verdict

#: Longest line of a transcript, in characters; a longer one goes on in the next. Ours: what an editor wraps.
MAX_LINE_CHARS: Final = 1_000
#: What of a file's size is left for front matter and links beside the turns and their addresses, in bytes.
_HEAD_BYTES: Final = 6_000
#: How far before the end of a long line a place to cut is looked for, in characters.
_LOOKED_BACK: Final = 200
_BREAK: Final = regex.compile(r"[\s\p{P}](?=[^\s\p{P}\p{M}])", regex.REVERSE)
_INDENT: Final = regex.compile(r"^[ \t]+")
_MAX_INDENT: Final = 40
_JOINED: Final = regex.compile(r"[\p{M}\p{Cf}]")


def transcript_files(session: Session, heading: str) -> list[tuple[str, str]]:
    """Path and text of each part of a session's transcript, in order.

    Parameters
    ----------
    heading
        Title of the session.
    """
    parts: list[_Part] = [_Part()]
    for turn in session.turns:
        for part_of_turn in _blocks(session, turn):
            if not parts[-1].takes(part_of_turn):
                parts.append(_Part())
            parts[-1].add(part_of_turn)
    names = [session.transcript_page]
    names += [f"{session.transcript_page}-{number}" for number in range(2, len(parts) + 1)]
    return [
        (f"{name}.md", _text(session, heading, part, names, index))
        for index, (name, part) in enumerate(zip(names, parts, strict=True))
    ]


class _Block:
    """A turn, or as much of it as goes into one file."""

    __slots__ = ("episode", "size", "text")

    def __init__(self, text: str, episode: Address | None) -> None:
        self.text = text
        self.episode = episode
        self.size = len(text.encode()) + 2 + (0 if episode is None else len(str(episode)) + 4)


class _Part:
    """What goes into one file."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []
        self.size = 0

    def takes(self, block: _Block) -> bool:
        return not self.blocks or self.size + block.size <= MAX_SESSION_FILE_BYTES - _HEAD_BYTES

    def add(self, block: _Block) -> None:
        self.blocks.append(block)
        self.size += block.size


def _text(session: Session, heading: str, part: _Part, names: list[str], index: int) -> str:
    path = f"{names[index]}.md"
    title = f"Transcript of {heading}" + (f", part {index + 1}" if index else "")
    head = front_matter(
        title=title,
        kind=PageKind.TRANSCRIPT,
        created=session.day,
        updated=session.ended.date(),
        sources=[session.address(), *(block.episode for block in part.blocks if block.episode)],
    )
    links = [context_link(path, session.summary_page, "Summary")]
    links += [
        context_link(path, names[i], f"Part {i + 1}") for i in (index - 1, index + 1) if 0 <= i < len(names)
    ]
    return (
        "\n\n".join(
            [head, f"# {escaped(title, at_start=False)}", " · ".join(links), *(b.text for b in part.blocks)]
        )
        + "\n"
    )


def _blocks(session: Session, turn: Turn) -> Iterator[_Block]:
    """A turn as text; one that is larger than a file in pieces."""
    episode = turn.episode
    address = session.address(turn.number)
    at = f"{episode.occurred_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    if episode.content is None:
        yield _Block(f"## Turn {turn.number} · `{address}`\n\nerased", None)
        return
    source = episode_address(session.subject, episode.id)
    about = " · about the record itself, no evidence" if episode.about_record else ""
    head = f"## Turn {turn.number} · {at} · {_actor(episode)}{about} · `{address}`"
    lines = [head, "", *_facts(session, episode, episode.content), f"`{source}`", ""]
    size = sum(len(line.encode()) + 1 for line in lines)
    for line in _quoted(episode.content.text):
        length = len(line.encode()) + 1
        if size + length > MAX_SESSION_FILE_BYTES - 2 * _HEAD_BYTES:
            yield _Block("\n".join(lines), source)
            lines = [f"## Turn {turn.number}, continued · `{address}`", "", f"`{source}`", ""]
            size = sum(len(each.encode()) + 1 for each in lines)
        lines.append(line)
        size += length
    yield _Block("\n".join(lines).rstrip(), source)


def _actor(episode: Episode) -> str:
    who = WHO[episode.kind]
    return who if who == episode.kind.value else f"{who} · {episode.kind.value}"


def _facts(session: Session, episode: Episode, content: Content) -> list[str]:
    """What is recorded beside the text, each on a line of a list."""
    facts: list[str] = []
    if episode.outcome is not None:
        facts.append(f"- result: {verdict(episode.outcome)}")
    for name, text in (("topic", content.topic), ("evaluation", content.evaluation)):
        facts += _field(name, text)
    if content.summary and content.summary.rstrip(" …") not in " ".join(content.text.split()):
        facts += _field("summary", content.summary)
    for citation in dict.fromkeys((c.file_id, c.page) for c in episode.evidence):
        facts.append(f"- cites: `{file_address(session.subject, *citation)}`")
    return [*facts, ""] if facts else []


def _field(name: str, text: str | None) -> list[str]:
    """A text that may be long, in as many lines as it needs."""
    quoted = [line for line in _quoted(text or "") if line != ">"]
    return [f"- {name}:", *(f"  {line}" for line in quoted)] if quoted else []


def _quoted(text: str) -> Iterator[str]:
    """Each line of somebody's text as a quoted one."""
    for line in text.splitlines():
        indent = _INDENT.match(line)
        # Spaces at the start of a line would be taken away; how code stands tells what it does.
        space = "\u00a0" * min(_MAX_INDENT, len(indent[0].expandtabs(4))) if indent else ""
        for piece in _pieces(line):
            shown = escaped(piece, most=MAX_LINE_CHARS)
            yield f"> {space}{shown}" if shown else ">"
            space = ""


def _pieces(line: str) -> Iterator[str]:
    """A line in pieces of at most ``MAX_LINE_CHARS``, cut where a word ends or else between graphemes."""
    start = 0
    while len(line) - start > MAX_LINE_CHARS:
        end = start + MAX_LINE_CHARS
        found = _BREAK.search(line, end - _LOOKED_BACK, end)
        cut = found.end() if found else end
        while not found and cut > start + 1 and end - cut < _LOOKED_BACK and _JOINED.match(line[cut]):
            cut -= 1
        yield line[start:cut]
        start = cut
    yield line[start:]
