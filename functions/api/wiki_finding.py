"""Find one's way in a student's wiki: search, the files of a new session, recall."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import WikiRecall, application
from anamnesis.domain.wiki.finding.search import Hit
from anamnesis.domain.wiki.finding.start_files import WikiFile
from anamnesis.schemas.wiki_finding import (
    HitOut,
    PassageOut,
    RecalledOut,
    RecallWikiIn,
    SearchWiki,
    StartWiki,
    WikiFileOut,
    WikiFilesOut,
    WikiHitsOut,
    WikiRecallOut,
)
from api.wiki import ROUTE, revision_out
from callers import student_of
from read_block.routes import zone_of

router = APIGatewayHttpRouter()
Student = Annotated[str | None, Query()]


@router.post(f"{ROUTE}/search", summary="Pages that hold words", tags=["wiki"], compress=True)
def search_wiki(body: SearchWiki, student: Student = None) -> WikiHitsOut:
    """Pages of knowledge, notes and session summaries by their words, in any script, with the lines that hold them."""
    found = application().find_in_wiki.search(
        student_of(router.current_event, student),
        body.query,
        levels=[level.value for level in body.levels],
        limit=body.limit,
    )
    return WikiHitsOut(revision=revision_out(found.revision), hits=[hit_out(hit) for hit in found.hits])


@router.post(
    f"{ROUTE}/working-set", summary="The files that a session starts with", tags=["wiki"], compress=True
)
def start_files(body: StartWiki, student: Student = None) -> WikiFilesOut:
    """Indexes, preferences, goals, the latest sessions and the latest pages, as many as there is room for.

    What the caller has already, as it is, is named and not sent.
    """
    found = application().find_in_wiki.start_files(
        student_of(router.current_event, student), have=body.have, max_bytes=body.max_bytes
    )
    return WikiFilesOut(
        revision=revision_out(found.revision),
        files=[file_out(file) for file in found.handed.files],
        unchanged=list(found.handed.unchanged),
        left_out=found.handed.left_out,
    )


@router.post(f"{ROUTE}/recall", summary="What the memory holds about something", tags=["wiki"], compress=True)
def recall_wiki(body: RecallWikiIn, student: Student = None) -> WikiRecallOut:
    """A short extractive synthesis over the whole history of all subjects, and the records behind it as files.

    What does not match is left out; where nothing does, the synthesis says that there is no record.
    """
    found = application().recall_wiki(
        student_of(router.current_event, student),
        body.description,
        now=application().clock.now(),
        zone=zone_of(body.time_zone),
        limit=body.limit,
        have=body.have,
        max_bytes=body.max_bytes,
    )
    return recall_out(found)


def hit_out(hit: Hit) -> HitOut:
    """The HTTP shape of a hit."""
    return HitOut(
        path=hit.path,
        title=hit.title,
        kind=hit.kind,
        updated=hit.updated,
        score=hit.score,
        passages=[PassageOut(line=passage.line, text=passage.text) for passage in hit.passages],
    )


def file_out(file: WikiFile) -> WikiFileOut:
    """The HTTP shape of a file."""
    return WikiFileOut(path=file.path, text=file.text, fingerprint=file.fingerprint)


def recall_out(found: WikiRecall) -> WikiRecallOut:
    """The HTTP shape of a recall."""
    return WikiRecallOut(
        revision=None if found.revision is None else revision_out(found.revision),
        matched=bool(found.recalled),
        synthesis=found.text,
        memory_ids=[one.episode.id for one in found.recalled],
        recalled=[
            RecalledOut(
                id=one.episode.id,
                subject=one.episode.pair.subject,
                path=one.place.path if one.place else None,
                line=one.place.line if one.place else None,
                address=one.place.turn if one.place else None,
                repeats=one.repeats,
            )
            for one in found.recalled
        ],
        pages=[hit.path for hit in found.pages],
        files=[file_out(file) for file in found.handed.files],
        unchanged=list(found.handed.unchanged),
        left_out=found.handed.left_out,
    )
