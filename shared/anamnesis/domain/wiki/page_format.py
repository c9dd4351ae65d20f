"""Pages as Markdown: how one is written out, and how any page is read back (WK-2, WK-3).

The form is CommonMark with three additions: front matter and ``[[wikilinks]]``, which note-taking tools share, and
``[cite:N]``, which is ours. A value of the front matter is JSON on one line, which is YAML as well (YAML 1.2, 1.3), so
that neither writing nor reading needs a YAML library. A context link is given twice, as a wikilink and as a relative
link, for tools that know only one of them.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.text.containment import contained
from anamnesis.domain.text.one_line import one_line
from anamnesis.domain.wiki.addresses import Address, read_address
from anamnesis.domain.wiki.pages import (
    AGENT_NOTES,
    Page,
    PageKind,
    Related,
    Section,
    Statement,
    without_ending,
)

REFERENCES: Final = "References"
RELATED: Final = "Related pages"
#: Longest sentence of a page, in characters; what was said at more length stands in its session.
MAX_STATEMENT_CHARS: Final = 600
#: Longest words of a reference about what stands at its address.
MAX_REFERENCE_CHARS: Final = 160
_FENCE: Final = "---"
#: Join and part letters of Persian and of Indic scripts, and the parts of an emoji.
_JOINERS: Final = "\u200c\u200d"
#: What begins markup inside a line, in CommonMark, GFM, wikilinks and citations. An underscore within a word does not.
#: Last what GFM makes a link of by itself: an address of the web or of mail.
_MARKUP: Final = re.compile(
    r"([\\`*\[\]<>|~$]|(?<!\w)_|_(?!\w)|!(?=\[)|&(?=#?\w+;)"
    r"|:(?=//)|(?<=mailto):|(?<=xmpp):|(?<=www)\.|(?<=[\w.+-])@(?=\w))",
    re.IGNORECASE,
)
#: Without one of these no part of ``_MARKUP`` matches, which most lines are told by in a tenth of the time.
_MAY_BE_MARKUP: Final = re.compile(r"[\\`*\[\]<>|~$_&@]|://|mailto:|xmpp:|www\.", re.IGNORECASE)
#: What begins a block where it begins a line.
_AT_START: Final = re.compile(r"^(?:([#+=-])|(\d{1,9})([.)]))")
#: Neither holds an opening bracket, so that a line of nothing else is read in one go.
_WIKILINK: Final = re.compile(r"(?<!\\)\[\[([^\[\]|\n]+)(?:\|((?:\\.|[^\[\]\\\n])*))?\]\]")
_CITATION: Final = re.compile(r"(?<!\\)\[cite:([^\[\]\n]*)\]")
_REFERENCE: Final = re.compile(r"^(\d{1,6})\. `([^`]*)`(.*)$")
_HEADING: Final = re.compile(r"^(#{1,6})\s+(.*)$")


def escaped(text: str, *, most: int = MAX_STATEMENT_CHARS, at_start: bool = True) -> str:
    """Somebody's words as plain text of one line of Markdown, cut between graphemes after `most` characters (SV-13).

    They name no role, marker or token that a model could take for structure: an agent reads pages as it reads blocks.

    Parameters
    ----------
    at_start
        Whether a line begins with it.
    """
    line = one_line(text, most=most)
    text = _plain(line) if len(line) <= MAX_STATEMENT_CHARS else _without_markup(line)
    if at_start:
        text = _AT_START.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", text)
    return text


@lru_cache(maxsize=8_192)
def _plain(line: str) -> str:
    """A line's words without markup; one sentence stands on the pages of its session, its concept and its topic."""
    return _without_markup(line)


def _without_markup(line: str) -> str:
    text = contained(line)
    return _MARKUP.sub(r"\\\1", text) if _MAY_BE_MARKUP.search(text) else text


def written(page: Page) -> str:
    """The page in Markdown; the same page always gives the same text."""
    return _Writer(page).text()


class _Writer:
    """Numbers each address when it is first cited, in reading order."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._numbers: dict[Address, int] = {}

    def text(self) -> str:
        page = self._page
        body = [f"# {escaped(page.title, at_start=False)}"]
        if page.summary:
            body.append(" ".join(self._statement(s, at_start=n == 0) for n, s in enumerate(page.summary)))
        for section in page.sections:
            body.extend(self._section(section))
        if page.related:
            body.append(f"## {RELATED}")
            body.append("\n".join(self._related(related) for related in page.related))
        if page.agent_notes:
            body.append(f"## {AGENT_NOTES}")
            body.append(self._agent_notes())
        if self._numbers:
            body.append(f"## {REFERENCES}")
            body.append("\n".join(self._references()))
        return "\n\n".join([self._front_matter(), *body]) + "\n"

    def _front_matter(self) -> str:
        page = self._page
        return front_matter(
            title=page.title,
            kind=page.kind,
            created=page.created,
            updated=page.updated,
            sources=self._all_addresses(),
            aliases=page.aliases,
            synthesis=page.synthesis,
        )

    def _all_addresses(self) -> set[Address]:
        page = self._page
        statements = [*page.summary, *(s for section in page.sections for s in section.statements)]
        noted = ((page.note_references or {}).get(match[1]) for match in _CITATION.finditer(page.agent_notes))
        return {address for statement in statements for address in statement.cites} | {a for a in noted if a}

    def _section(self, section: Section) -> Iterator[str]:
        yield f"## {escaped(section.heading, at_start=False)}"
        if section.as_list:
            yield "\n".join(f"- {self._statement(s, at_start=True)}" for s in section.statements)
        else:
            yield " ".join(self._statement(s, at_start=n == 0) for n, s in enumerate(section.statements))

    def _statement(self, statement: Statement, *, at_start: bool) -> str:
        text = escaped(statement.text, at_start=at_start)
        for words, path in statement.links:
            text = text.replace(escaped(words, at_start=False), wikilink(path, words), 1)
        cited = [self._numbers.setdefault(address, len(self._numbers) + 1) for address in statement.cites]
        return " ".join([text, *(f"[cite:{number}]" for number in cited)])

    def _related(self, related: Related) -> str:
        why = f": {escaped(related.why, at_start=False)}" if related.why else ""
        return f"- {context_link(self._page.path, related.path, related.title)}{why}"

    def _agent_notes(self) -> str:
        """The notes as they are, but that their citations get the numbers that this page gives."""
        known = self._page.note_references or {}

        def renumbered(match: re.Match[str]) -> str:
            address = known.get(match[1])
            if address is None:
                return match[0]
            return f"[cite:{self._numbers.setdefault(address, len(self._numbers) + 1)}]"

        return _CITATION.sub(renumbered, self._page.agent_notes)

    def _references(self) -> Iterator[str]:
        told = self._page.references or {}
        for address, number in self._numbers.items():
            words = escaped(told.get(address, ""), most=MAX_REFERENCE_CHARS, at_start=False)
            yield f"{number}. `{address}`" + (f" · {words}" if words else "")


def front_matter(
    *,
    title: str,
    kind: PageKind,
    created: date,
    updated: date,
    sources: Iterable[Address] = (),
    aliases: Iterable[str] = (),
    synthesis: str = "",
) -> str:
    """The front matter of a page, with its fences; sources are given without turns and pages."""
    values: dict[str, Any] = {
        "title": _shown(title),
        "kind": kind.value,
        "created": created.isoformat(),
        "updated": updated.isoformat(),
        "sources": sorted({str(Address(address.scheme, address.where, address.what)) for address in sources}),
        "aliases": [_shown(alias) for alias in aliases],
        **({"synthesis": synthesis} if synthesis else {}),
    }
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]
    return "\n".join([_FENCE, *lines, _FENCE])


def _shown(title: str) -> str:
    """A title on one line, without what some readers' tables of characters do not have yet; never empty."""
    return "".join(c for c in one_line(title) if c.isprintable() or c in _JOINERS).strip() or "untitled"


def context_link(page: str, path: str, title: str, *, label: str | None = None) -> str:
    """A link from the page at `page` to the one at `path` (without ``.md``), in both forms.

    Parameters
    ----------
    label
        What the relative one is shown as, to save room in lists; the title when None.
    """
    target = quote(posixpath.relpath(f"{path}.md", posixpath.dirname(page) or "."))
    shown = escaped(title if label is None else label, at_start=False)
    return f"{wikilink(path, title)} ([{shown}]({target}))"


def wikilink(path: str, words: str) -> str:
    """A context link to the page at `path` (without ``.md``), shown as `words`."""
    return f"[[{path}|{escaped(words, at_start=False)}]]"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page's body.

    Attributes
    ----------
    number
        From 1, in the whole file.
    section
        Heading of the section that it stands in, empty before the first.
    citations
        What stands between ``[cite:`` and ``]``, usually a number.
    links
        Paths that its wikilinks name.
    """

    number: int
    text: str
    section: str
    citations: tuple[str, ...]
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as anybody may have written it; what is wrong with it is for the gates to say.

    Attributes
    ----------
    front
        Values by name, as JSON gives them; None when there is no front matter that can be read.
    lines
        Of the body, without the reference list.
    references
        Address by number; None in place of one that cannot be read.
    repeated
        Numbers that the reference list gives twice.
    """

    path: str
    front: Mapping[str, Any] | None
    lines: tuple[Line, ...]
    references: Mapping[int, Address | None]
    repeated: tuple[int, ...] = ()

    @property
    def title(self) -> str:
        """From the front matter, or the path's last part."""
        title = (self.front or {}).get("title")
        return title if isinstance(title, str) and title else posixpath.basename(without_ending(self.path))

    def section(self, heading: str) -> str:
        """The text of a section, without its heading; empty when there is none."""
        inside = [line.text for line in self.lines if line.section == heading]
        return "\n".join(inside[1:]).strip() if inside else ""


def read(path: str, text: str) -> ReadPage:
    """Take a page apart; never raises, whatever the text."""
    lines = text.split("\n")
    front, begin = _front_matter(lines)
    section = ""
    body: list[Line] = []
    references: dict[int, Address | None] = {}
    repeated: list[int] = []
    for number, line in enumerate(lines[begin:], start=begin + 1):
        if (heading := _HEADING.match(line)) and len(heading[1]) <= 2:
            section = heading[2].rstrip().rstrip("#").rstrip() if len(heading[1]) == 2 else ""
        if section == REFERENCES:
            if found := _REFERENCE.match(line):
                which = int(found[1])
                if which in references:
                    repeated.append(which)
                references[which] = _address(found[2])
            continue
        body.append(
            Line(
                number,
                line,
                section,
                tuple(match[1] for match in _CITATION.finditer(line)),
                tuple(match[1] for match in _WIKILINK.finditer(line)),
            )
        )
    return ReadPage(path, front, tuple(body), references, tuple(repeated))


def agent_notes(text: str) -> str:
    """What agents wrote on a page under ``AGENT_NOTES``."""
    return read("", text).section(AGENT_NOTES)


def _front_matter(lines: Sequence[str]) -> tuple[Mapping[str, Any] | None, int]:
    """The values, and the number of lines that they take."""
    if not lines or lines[0] != _FENCE:
        return None, 0
    values: dict[str, Any] = {}
    for count, line in enumerate(lines[1:], start=2):
        if line == _FENCE:
            return values, count
        name, colon, value = line.partition(": ")
        if not colon or name in values:
            return None, 0
        try:
            values[name] = json.loads(value)
        except (ValueError, RecursionError):
            return None, 0
    return None, 0


def _address(text: str) -> Address | None:
    try:
        return read_address(text)
    except InvalidInput:
        return None
