"""The wiki: what is read of it, and what agents write."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from anamnesis.domain.wiki.addresses import MAX_ADDRESS_CHARS
from anamnesis.domain.wiki.pages import MAX_PAGE_BYTES, MAX_PATH_BYTES
from anamnesis.schemas.episodes import EpisodeOut
from anamnesis.schemas.files import FileOut
from anamnesis.schemas.values import Reply, Request

#: Items of one reply; a caller goes on by a cursor. Ours.
MAX_LISTED_PAGES = 500
MAX_LISTED_REVISIONS = 200
#: With ``memory/`` in front; in characters, of which none has less than a byte.
MAX_PATH_CHARS = MAX_PATH_BYTES + 7
#: Of an index: what an agent's whole first message may have.
MAX_INDEX_TOKENS = 16_000

RevisionId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{7,40}$")]
PagePath = Annotated[str, StringConstraints(min_length=1, max_length=MAX_PATH_CHARS)]
_PART = "([A-Za-z0-9_.~-]|%[0-9A-F]{2})+"
EvidenceAddress = Annotated[
    str,
    StringConstraints(
        min_length=1,
        max_length=MAX_ADDRESS_CHARS,
        pattern=rf"^((episode|session|file)://{_PART}|connector://{_PART}(/{_PART})*)/{_PART}(#[1-9][0-9]{{0,8}})?$",
    ),
]


class RevisionOut(Reply):
    """One commit of the wiki."""

    id: str = Field(description="As in git")
    parents: list[str]
    author: str
    at: datetime
    message: str = Field(description="Its first line says what changed, the rest is the changelog entry")


class WikiIndexOut(Reply):
    """What there is, within the budget."""

    revision: RevisionOut
    text: str
    tokens: int


class ListedPageOut(Reply):
    """A page as a list tells of it."""

    path: str
    bytes: int
    title: str
    front: dict[str, Any] = Field(description="Values of its front matter")


class WikiPageList(Reply):
    """Pages by path; `cursor` asks for those after them, null on the last."""

    revision: RevisionOut
    pages: list[ListedPageOut]
    cursor: str | None


class ContextLinkOut(Reply):
    """A `[[wikilink]]`."""

    path: str = Field(description="Of the page, without .md")
    line: int
    section: str


class CitationOut(Reply):
    """A reference of the page; `GET /v1/wiki/evidence?address=` follows it."""

    number: int
    address: str | None = Field(description="Null when it cannot be read")
    lines: list[int] = Field(description="Lines of the page that cite it")


class WikiPageOut(Reply):
    """A page of one revision, as text and taken apart."""

    revision: RevisionOut
    path: str
    title: str
    front: dict[str, Any] = Field(description="Values of its front matter")
    text: str
    links: list[ContextLinkOut]
    citations: list[CitationOut]


class WikiLogOut(Reply):
    """Revisions, newest first; `cursor` asks for older ones, null on the last."""

    revisions: list[RevisionOut]
    cursor: str | None


class PageChangeKind(StrEnum):
    """What became of a page."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


class ChangedPageOut(Reply):
    """A page that differs."""

    path: str
    change: PageChangeKind


class WikiDiffOut(Reply):
    """What changed from one revision to another, as a unified diff."""

    old: RevisionOut | None = Field(alias="from", description="Null for what was before the first revision")
    new: RevisionOut = Field(alias="to")
    pages: list[ChangedPageOut]
    diff: str
    whole: bool = Field(
        description="Whether `diff` has all of `pages`; ask for some by `path` when it has not"
    )


class TurnOut(Reply):
    """An episode; in a session its number there."""

    turn: int | None
    episode: EpisodeOut


class ConnectorRecordOut(Reply):
    """What a connector returned, and when."""

    connector: str
    path: str
    title: str
    text: str
    starts_at: datetime | None
    fetched_at: datetime
    fingerprint: str


class WikiEvidenceOut(Reply):
    """What stands at an address; what it is not is null or empty."""

    address: str
    episodes: list[TurnOut]
    next_turn: int | None = Field(description="`from_turn` of the rest of a long session")
    file: FileOut | None
    page: int | None
    text: str | None = Field(description="Of the page of the file")
    record: ConnectorRecordOut | None


class WritePage(Request):
    """A page as an agent wants it."""

    base: RevisionId | None = Field(
        default=None, description="The revision that it was read from; null when there was none"
    )
    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_PAGE_BYTES)] = Field(
        description="The whole page: front matter, text, references"
    )


class WrittenPageOut(Reply):
    """What a write did."""

    revision: RevisionOut
    path: str
    changed: bool = Field(description="Whether a revision was made; false when the page was so already")
    rebased: bool = Field(description="Whether it was put onto a newer revision than the one that it named")


class GateFindingOut(Reply):
    """Why a gate refused what a compile wrote."""

    path: str
    line: int
    rule: str
    detail: str


class CompiledWikiOut(Reply):
    """What a compile did."""

    revision: RevisionOut | None = Field(description="Null when nothing changed, or a gate refused the tree")
    written: list[str] = Field(description="Paths, at most 500 of them")
    removed: list[str] = Field(description="Paths, at most 500 of them")
    pages: int = Field(description="Files of the tree that stands")
    findings: list[GateFindingOut] = Field(description="Why a gate refused; the wiki is as it was then")
