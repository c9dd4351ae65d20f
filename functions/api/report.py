"""A report on one student in one subject: JSON for programs, Markdown and HTML for people."""

from __future__ import annotations

import time
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import Deadline, application
from anamnesis.domain.report.html import CONTENT_SECURITY_POLICY, html_of
from anamnesis.domain.report.layout import document_of
from anamnesis.domain.report.markdown import markdown_of
from anamnesis.domain.report.wording import LANGUAGES, wording
from anamnesis.schemas.report import ReportFormat, ReportLanguage, ReportOut
from anamnesis.schemas.values import MAX_TIME_ZONE_CHARS
from api.negotiation import best_language, best_of
from callers import pair_of
from observability import metrics
from read_block.routes import zone_of

router = APIGatewayHttpRouter()
ROUTE = "/v1/subjects/<subject>/report"
#: Seconds in which a short log is verified; else the report says what the latest night found. Ours: the function is
#: given 29, and reading and writing a report take one or two.
VERIFYING_SECONDS = 8.0
#: Media type of each form, the default first.
MEDIA_TYPES = {
    ReportFormat.JSON: "application/json",
    ReportFormat.MARKDOWN: "text/markdown",
    ReportFormat.HTML: "text/html",
}
#: A report is somebody's record: no cache keeps it, no page frames it, and nothing in it is run, fetched or sent.
HEADERS = {
    "Cache-Control": "no-store",
    "Vary": "Accept, Accept-Language, Authorization",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_DESCRIBED: Any = {
    200: {
        "description": "The report, in the form that was asked for",
        "content": {
            "application/json": {"model": ReportOut},
            "text/markdown": {"schema": {"type": "string"}},
            "text/html": {"schema": {"type": "string"}},
        },
    }
}


@router.get(ROUTE, summary="A report for a teacher", tags=["report"], compress=True, responses=_DESCRIBED)
def get_report(
    subject: Annotated[str, Path()],
    form: Annotated[ReportFormat | None, Query(alias="format")] = None,
    lang: Annotated[ReportLanguage | None, Query()] = None,
    time_zone: Annotated[str, Query(max_length=MAX_TIME_ZONE_CHARS)] = "UTC",
    student: Annotated[str | None, Query()] = None,
) -> Response[Any]:
    """What is believed and why, what is open, what the memory cannot vouch for.

    In the form of ``format``, else the one that ``Accept`` likes best, JSON when that says nothing; Markdown and HTML
    in the language of ``lang``, else of ``Accept-Language``, else English. Long sections are cut and say by how much.
    """
    event = router.current_event
    asked = event.headers.get("accept")
    form = form or best_of(asked, {media: name for name, media in MEDIA_TYPES.items()}, ReportFormat.JSON)
    report = application().compose_report(
        pair_of(event, subject, student),
        zone=zone_of(time_zone),
        deadline=Deadline.after(VERIFYING_SECONDS, time.monotonic),
    )
    if report.chain.breaks is not None:
        metrics.add_metric("ChainBreaks", MetricUnit.Count, report.chain.breaks.total)
    headers: dict[str, str | list[str]] = {**HEADERS}
    if form is ReportFormat.JSON:
        body = ReportOut.model_validate(report, from_attributes=True)
        return Response(200, MEDIA_TYPES[form], body, headers)
    language = lang.value if lang else best_language(event.headers.get("accept-language"), LANGUAGES)
    headers["Content-Language"] = language
    document = document_of(report, wording(language))
    if form is ReportFormat.HTML:
        headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    text = html_of(document) if form is ReportFormat.HTML else markdown_of(document)
    return Response(200, f"{MEDIA_TYPES[form]}; charset=utf-8", text, headers)
