"""Compile a student's wiki, and write a page of it as an agent."""

from __future__ import annotations

import time
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import Deadline, application
from anamnesis.schemas.wiki import (
    MAX_LISTED_PAGES,
    MAX_PATH_CHARS,
    CompiledWikiOut,
    GateFindingOut,
    WritePage,
    WrittenPageOut,
)
from api.wiki import ROUTE, page_path, revision_out
from callers import caller_of, student_of

router = APIGatewayHttpRouter()
Student = Annotated[str | None, Query()]
#: From when on a request's compile or write begins no further step; the function is given 29 s, the gateway 30. Ours.
WRITING_SECONDS = 18.0


@router.post(f"{ROUTE}/compile", summary="Compile a student's wiki (service role)", tags=["wiki"])
def compile_wiki(student: Student = None) -> CompiledWikiOut:
    """The same as behind each night; nothing new makes no revision, and what a gate refuses changes nothing.

    503 ``unfinished`` when a long history takes more time than a request has: the night has more.
    """
    caller_of(router.current_event).require_service("compile")
    scope = student_of(router.current_event, student)
    report = application().compile_wiki(scope, Deadline.after(WRITING_SECONDS, time.monotonic))
    return CompiledWikiOut(
        revision=None if report.revision is None else revision_out(report.revision),
        written=list(report.written[:MAX_LISTED_PAGES]),
        removed=list(report.removed[:MAX_LISTED_PAGES]),
        pages=report.pages,
        findings=[
            GateFindingOut(path=f.path, line=f.line, rule=f.rule.value, detail=f.detail)
            for f in report.findings
        ],
    )


@router.put(f"{ROUTE}/pages/<path>", summary="Write a page, or notes on one", tags=["wiki"])
def write_page(
    path: Annotated[str, Path(max_length=9 * MAX_PATH_CHARS)], body: WritePage, student: Student = None
) -> WrittenPageOut:
    """A page of an agent's own (its front matter says ``"author": "agent"``), or the section Notes of a compiled one.

    ``base`` is the revision that was read. 409 ``page-conflict`` when somebody changed the page since, 422
    ``gate-refused`` with each finding when it cites nothing, or what does not support it.
    """
    caller = caller_of(router.current_event)
    written = application().write_wiki_page(
        student_of(router.current_event, student),
        page_path(path),
        body.text,
        base=body.base,
        by=caller.role,
        deadline=Deadline.after(WRITING_SECONDS, time.monotonic),
    )
    return WrittenPageOut(
        revision=revision_out(written.revision),
        path=written.path,
        changed=written.changed,
        rebased=written.rebased,
    )
