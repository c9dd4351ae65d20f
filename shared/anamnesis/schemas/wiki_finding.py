"""Finding one's way in a wiki: search, the files of a new session, recall."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from anamnesis.domain.wiki.finding.search import MAX_QUERY_CHARS
from anamnesis.schemas.values import MAX_TIME_ZONE_CHARS, Reply, Request
from anamnesis.schemas.wiki import PagePath, RevisionOut

#: Most pages in one answer.
MAX_HITS = 50
#: Most episodes of one recall.
MAX_RECALLED = 48
#: Most bytes of files in one answer: a reply of Lambda has 6 MiB, and JSON spells a character in up to 12 bytes.
MAX_FILES_BYTES = 1_000_000
#: Most files that a caller may say it has.
MAX_HAD = 5_000

Looked = Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUERY_CHARS)]
Fingerprint = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Had = Annotated[
    dict[PagePath, Fingerprint],
    Field(
        max_length=MAX_HAD,
        description="Fingerprints by path of the files that the caller has: it is given only what differs",
    ),
]
FilesBytes = Annotated[
    int, Field(ge=0, le=MAX_FILES_BYTES, strict=True, description="Most bytes of all files handed out")
]


class Level(StrEnum):
    """A level of the wiki."""

    KNOWLEDGE = "knowledge"
    NOTES = "notes"
    SESSIONS = "sessions"


class SearchWiki(Request):
    """What to look for."""

    query: Looked
    levels: list[Level] = Field(default_factory=list, max_length=3, description="All of them when empty")
    limit: int = Field(default=10, ge=1, le=MAX_HITS, strict=True)


class PassageOut(Reply):
    """A line that holds words of the query."""

    line: int
    text: str


class HitOut(Reply):
    """A page that was found."""

    path: str
    title: str
    kind: str
    updated: str
    score: float = Field(description="Comparable within one search only")
    passages: list[PassageOut]


class WikiHitsOut(Reply):
    """Pages, best first."""

    revision: RevisionOut
    hits: list[HitOut]


class StartWiki(Request):
    """What the caller has already."""

    have: Had = Field(default_factory=dict)
    max_bytes: FilesBytes = 200_000


class WikiFileOut(Reply):
    """A file at its stable path."""

    path: str
    text: str
    fingerprint: str = Field(description="SHA-256 (hex) of its text in UTF-8")


class WikiFilesOut(Reply):
    """Files that the caller lacks, what it has as it is, and how many more had no room."""

    revision: RevisionOut
    files: list[WikiFileOut]
    unchanged: list[str]
    left_out: int


class RecallWikiIn(Request):
    """What is looked for, in words."""

    description: Looked
    time_zone: str = Field(
        default="UTC", max_length=MAX_TIME_ZONE_CHARS, description="IANA name: times are read in it"
    )
    limit: int = Field(default=12, ge=1, le=MAX_RECALLED, strict=True)
    have: Had = Field(default_factory=dict)
    max_bytes: FilesBytes = 200_000


class RecalledOut(Reply):
    """A record that the synthesis cites."""

    id: str = Field(description="Of the episode")
    subject: str
    path: str | None = Field(
        description="Of the transcript that holds it; null until the wiki is compiled anew"
    )
    line: int | None
    address: str | None = Field(description="Of its turn there")
    repeats: int = Field(description="How many more like it there are")


class WikiRecallOut(Reply):
    """An extractive synthesis, and the records behind it as files."""

    revision: RevisionOut | None
    matched: bool
    synthesis: str
    memory_ids: list[str]
    recalled: list[RecalledOut] = Field(description="In the order in which they happened, as they are cited")
    pages: list[str] = Field(description="Paths of pages that speak of it, best first")
    files: list[WikiFileOut]
    unchanged: list[str]
    left_out: int
