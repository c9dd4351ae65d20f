"""Pages of the wiki as values, and the rules of their paths and sizes (WK-1, WK-2).

A page that a writer makes is structure, not text: sentences, each with its evidence, in sections. Text that somebody
said gets its escapes in one place, where the page is written out (``page_format``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.wiki.addresses import Address

#: A whole wiki: text by path, such as ``knowledge/index.md``; paths begin below ``memory/`` (WK-1).
Tree = Mapping[str, str]

KNOWLEDGE: Final = "knowledge"
NOTES: Final = "notes"
SESSIONS: Final = "sessions"
#: Where everything of the three levels is found from.
INDEX_PATH: Final = "knowledge/index.md"
SESSION_INDEX_PATH: Final = "sessions/index.md"
#: What each compile changed, newest first (WK-5).
CHANGELOG_PATH: Final = "CHANGELOG.md"
#: Section of a page that belongs to the agents that work with it; a compile carries it over as it is (WD-1, WK-6).
AGENT_NOTES: Final = "Notes"

#: Longest page of knowledge/ and notes/, in bytes of UTF-8: what an agent can read in one go, some 8,000 tokens. Ours.
MAX_PAGE_BYTES: Final = 32_768
#: Longest file of sessions/, in bytes of UTF-8; a longer transcript goes on in ``transcript-2.md``. Ours.
MAX_SESSION_FILE_BYTES: Final = 262_144
#: Longest name of a file or folder, in bytes of UTF-8: what common file systems take, less an ending.
MAX_NAME_BYTES: Final = 120
MAX_PATH_BYTES: Final = 400


class PageKind(StrEnum):
    """What a page is about; stands in its front matter."""

    INDEX = "index"
    CONCEPT = "concept"
    ENTITY = "entity"
    PROJECT = "project"
    LEARNING = "learning"
    NOTE = "note"
    SESSION = "session"
    TRANSCRIPT = "transcript"
    CHANGELOG = "changelog"


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, as plain text, and where it is known from; a factual one has at least one address (WK-3).

    Attributes
    ----------
    links
        Pages named in it: (text as it stands in the sentence, path of the page without ``.md``).
    """

    text: str
    cites: tuple[Address, ...] = ()
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its statements, as a paragraph or one a line."""

    heading: str
    statements: tuple[Statement, ...]
    as_list: bool = True


@dataclass(frozen=True, slots=True)
class Related:
    """A context link: the other page's path without ``.md``, its title, and why one would go there (may be empty)."""

    path: str
    title: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as a writer makes it (WK-2).

    Attributes
    ----------
    path
        From the root of the tree, with ``.md``.
    created, updated
        Days of the oldest and of the newest evidence, so that the same evidence always gives the same page.
    summary
        What one reads first: the current state, in one to three sentences.
    sections
        The current synthesis, then what changed (WK-4), in the order shown.
    references
        What each address is, in words, for the reader of the reference list: date, kind, a short quotation.
    agent_notes
        Markdown that agents wrote under ``AGENT_NOTES``, carried over unchanged; empty when there is none.
    note_references
        What the notes cite, by the number (as written) under which they cite it; writing gives each the page's own.
    synthesis
        Who was asked for the page's synthesis, and of which evidence (``writing.synthesis``); empty when nobody was.
    """

    path: str
    title: str
    kind: PageKind
    created: date
    updated: date
    summary: tuple[Statement, ...]
    sections: tuple[Section, ...] = ()
    related: tuple[Related, ...] = ()
    aliases: tuple[str, ...] = ()
    references: Mapping[Address, str] | None = None
    agent_notes: str = ""
    note_references: Mapping[str, Address] | None = None
    synthesis: str = ""


def checked_path(path: str, *, field: str = "path") -> str:
    """Return `path` unchanged if a file of the wiki may have it.

    Raises
    ------
    InvalidInput
        If it leaves the tree, is absolute, hidden, empty, too long, does not end in ``.md``, is not in NFC or
        holds what file systems or git refuse; names `field`.
    """
    parts = path.split("/")
    if len(path.encode(errors="surrogatepass")) > MAX_PATH_BYTES or not path.endswith(".md"):
        raise InvalidInput(f"must end in .md and have at most {MAX_PATH_BYTES} bytes", field=field)
    if any(not part or part.startswith(".") or part != part.strip() for part in parts):
        raise InvalidInput("must be a relative path without empty, hidden or dotted parts", field=field)
    if path != unicodedata.normalize("NFC", path) or any(_refused(c) for c in path):
        raise InvalidInput('must be NFC without control characters, \\ : * ? " < > |', field=field)
    if any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        raise InvalidInput(f"a part must not be longer than {MAX_NAME_BYTES} bytes", field=field)
    return path


def _refused(character: str) -> bool:
    return character in '\\:*?"<>|' or unicodedata.category(character) in {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"}


def without_ending(path: str) -> str:
    """A page's path as links spell it: without ``.md``."""
    return path.removesuffix(".md")
