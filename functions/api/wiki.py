"""Read a student's wiki: index, pages, history, evidence."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import FollowedEvidence, WikiDiff, WikiPage, application
from anamnesis.domain.wiki.addresses import read_address
from anamnesis.domain.wiki.evidence import ConnectorRecord
from anamnesis.domain.wiki.revisions import PageChange, Revision
from anamnesis.domain.wiki.writing.index_within import MIN_INDEX_TOKENS
from anamnesis.schemas.wiki import (
    MAX_INDEX_TOKENS,
    MAX_LISTED_PAGES,
    MAX_LISTED_REVISIONS,
    MAX_PATH_CHARS,
    ChangedPageOut,
    CitationOut,
    ConnectorRecordOut,
    ContextLinkOut,
    EvidenceAddress,
    ListedPageOut,
    PageChangeKind,
    PagePath,
    RevisionId,
    RevisionOut,
    TurnOut,
    WikiDiffOut,
    WikiEvidenceOut,
    WikiIndexOut,
    WikiLogOut,
    WikiPageList,
    WikiPageOut,
)
from api.episodes import episode_out
from api.files import file_out
from callers import student_of
from http_requests import name_in_path

router = APIGatewayHttpRouter()
ROUTE = "/v1/wiki"
Student = Annotated[str | None, Query()]
Cursor = Annotated[str | None, Query(max_length=2_000)]


@router.get(
    f"{ROUTE}/index", summary="What a student's wiki holds, within a budget", tags=["wiki"], compress=True
)
def read_index(
    budget_tokens: Annotated[int, Query(ge=MIN_INDEX_TOKENS, le=MAX_INDEX_TOKENS)] = 2_000,
    student: Student = None,
) -> WikiIndexOut:
    """An index of the current revision for an agent's first message: the more there is, the less of each."""
    found = application().read_wiki.index(
        student_of(router.current_event, student), budget_tokens=budget_tokens
    )
    return WikiIndexOut(revision=revision_out(found.revision), text=found.text, tokens=found.tokens)


@router.get(f"{ROUTE}/pages", summary="Pages by path", tags=["wiki"], compress=True)
def list_pages(
    prefix: Annotated[str, Query(max_length=MAX_PATH_CHARS)] = "",
    rev: Annotated[RevisionId | None, Query()] = None,
    cursor: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED_PAGES)] = 100,
    student: Student = None,
) -> WikiPageList:
    """Pages whose paths begin with ``prefix``, such as ``knowledge/concepts/``, with their titles and front matter."""
    found = application().read_wiki.pages(
        student_of(router.current_event, student), prefix=prefix, rev=rev, cursor=cursor, limit=limit
    )
    return WikiPageList(
        revision=revision_out(found.revision),
        pages=[
            ListedPageOut(path=p.path, bytes=p.size_bytes, title=p.title, front=dict(p.front))
            for p in found.pages
        ],
        cursor=found.cursor,
    )


@router.get(f"{ROUTE}/pages/<path>", summary="One page", tags=["wiki"], compress=True)
def read_page(
    path: Annotated[str, Path(max_length=9 * MAX_PATH_CHARS)],
    rev: Annotated[RevisionId | None, Query()] = None,
    student: Student = None,
) -> WikiPageOut:
    """A page of the current revision, or of ``rev``: its text, and its links and citations taken apart.

    The path has its slashes, as in ``knowledge/index.md``; they may be percent-encoded too. ``memory/`` in front of it
    says the same.
    """
    found = application().read_wiki.page(student_of(router.current_event, student), page_path(path), rev=rev)
    return page_out(found)


@router.get(f"{ROUTE}/log", summary="History of the wiki, or of a page", tags=["wiki"], compress=True)
def read_log(
    path: Annotated[PagePath | None, Query()] = None,
    cursor: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED_REVISIONS)] = 50,
    student: Student = None,
) -> WikiLogOut:
    """Revisions, newest first; with ``path`` those that changed that page, or anything in that folder."""
    found = application().read_wiki.log(
        student_of(router.current_event, student), path=path, cursor=cursor, limit=limit
    )
    return WikiLogOut(revisions=[revision_out(r) for r in found.revisions], cursor=found.cursor)


@router.get(f"{ROUTE}/diff", summary="What changed between two revisions", tags=["wiki"], compress=True)
def read_diff(
    old: Annotated[RevisionId | None, Query(alias="from")] = None,
    new: Annotated[RevisionId | None, Query(alias="to")] = None,
    path: Annotated[PagePath | None, Query()] = None,
    student: Student = None,
) -> WikiDiffOut:
    """A unified diff; by default of the current revision against the one before it."""
    found = application().read_wiki.diff(
        student_of(router.current_event, student), old=old, new=new, path=path
    )
    return diff_out(found)


@router.get(f"{ROUTE}/evidence", summary="What a citation stands on", tags=["wiki"], compress=True)
def follow_evidence(
    address: Annotated[EvidenceAddress, Query()],
    from_turn: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    student: Student = None,
) -> WikiEvidenceOut:
    """The episode, the turns of the session, the page of the file or the connector's record at an address."""
    found = application().follow_evidence(
        student_of(router.current_event, student), read_address(address), from_turn=from_turn
    )
    return evidence_out(found)


def page_path(part: str) -> str:
    """The path of a page behind the last part of a request's path."""
    return name_in_path(part, field="path")


def revision_out(revision: Revision) -> RevisionOut:
    """The HTTP shape of a revision."""
    return RevisionOut(
        id=revision.id,
        parents=list(revision.parents),
        author=revision.author,
        at=revision.at,
        message=revision.message,
    )


def page_out(found: WikiPage) -> WikiPageOut:
    """The HTTP shape of a page."""
    cited: dict[str, list[int]] = {}
    for line in found.page.lines:
        for number in line.citations:
            cited.setdefault(number, []).append(line.number)
    return WikiPageOut(
        revision=revision_out(found.revision),
        path=found.path,
        title=found.page.title,
        front=dict(found.page.front or {}),
        text=found.text,
        links=[
            ContextLinkOut(path=link, line=line.number, section=line.section)
            for line in found.page.lines
            for link in line.links
        ],
        citations=[
            CitationOut(
                number=number,
                address=None if address is None else str(address),
                lines=cited.get(str(number), []),
            )
            for number, address in sorted(found.page.references.items())
        ],
    )


def diff_out(found: WikiDiff) -> WikiDiffOut:
    """The HTTP shape of a diff."""
    return WikiDiffOut.model_validate(
        {
            "from": None if found.old is None else revision_out(found.old),
            "to": revision_out(found.new),
            "pages": [ChangedPageOut(path=change.path, change=_kind(change)) for change in found.changes],
            "diff": found.diff.text,
            "whole": found.diff.whole,
        }
    )


def _kind(change: PageChange) -> PageChangeKind:
    if change.before is None:
        return PageChangeKind.ADDED
    return PageChangeKind.REMOVED if change.after is None else PageChangeKind.CHANGED


def evidence_out(found: FollowedEvidence) -> WikiEvidenceOut:
    """The HTTP shape of evidence."""
    page = found.episodes
    episodes = [] if page is None else page.episodes
    first = found.first_turn
    return WikiEvidenceOut(
        address=str(found.address),
        episodes=[
            TurnOut(
                turn=None if first is None else first + index,
                episode=episode_out(
                    episode,
                    page.checks.get(episode.position) if page else None,
                    page.erased_on.get(episode.position) if page else None,
                    page.groundings.get(episode.position) if page else None,
                ),
            )
            for index, episode in enumerate(episodes)
        ],
        next_turn=found.next_turn,
        file=None if found.file is None else file_out(found.file, []),
        page=found.address.part if found.file is not None else None,
        text=found.text,
        record=None if found.record is None else record_out(found.record),
    )


def record_out(record: ConnectorRecord) -> ConnectorRecordOut:
    """The HTTP shape of a connector's record."""
    return ConnectorRecordOut(
        connector=record.connector,
        path=record.path,
        title=record.title,
        text=record.text,
        starts_at=record.starts_at,
        fetched_at=record.fetched_at,
        fingerprint=record.fingerprint,
    )
