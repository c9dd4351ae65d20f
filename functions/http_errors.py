"""The one table from our errors to RFC 9457 problem details (SV-7)."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.openapi.exceptions import (
    RequestUnsupportedContentType,
    RequestValidationError,
)

from anamnesis.domain import errors
from anamnesis.schemas.problems import FieldProblem, GateFinding, Problem
from observability import logger

#: Offending inputs listed in one problem document, and characters of an input's path: a reply is never much larger
#: than what it answers.
MAX_LISTED = 20
MAX_PATH_CHARS = 200


class MethodNotAllowed(NotFoundError):
    """The path has routes, but none for the method."""


#: Error class → status, type (a stable URN suffix) and title. Looked up along the class's ancestors.
TABLE: dict[type[Exception], tuple[int, str, str]] = {
    errors.GateRefused: (422, "gate-refused", "The wiki's gates refuse this page"),
    errors.PageConflict: (409, "page-conflict", "Somebody changed this page since"),
    errors.TooLarge: (413, "too-large", "Larger than a stated limit"),
    errors.InvalidInput: (422, "invalid-input", "The input breaks a stated rule"),
    errors.NotFound: (404, "not-found", "There is no such thing"),
    MethodNotAllowed: (405, "method-not-allowed", "This path does not know the method"),
    NotFoundError: (404, "no-such-route", "There is no such route"),
    RequestUnsupportedContentType: (415, "not-json", "Bodies are JSON"),
    errors.Forbidden: (403, "forbidden", "Your role does not allow this"),
    errors.IdempotencyConflict: (
        409,
        "idempotency-conflict",
        "The idempotency key was used differently before",
    ),
    errors.ErasedBefore: (409, "erased", "This was erased and is not recorded again"),
    errors.NotCheckpointed: (409, "not-checkpointed", "No checkpoint covers it yet"),
    errors.LogBroken: (409, "log-broken", "The log is not what was recorded"),
    errors.TooManyRequests: (429, "too-many-requests", "Your tenant sent more requests than it may"),
    errors.Busy: (503, "busy", "Too much contention; send the same request again"),
    errors.Unfinished: (503, "unfinished", "Not done yet; send the same request again and it goes on"),
    errors.HeadMoved: (503, "busy", "Too much contention; send the same request again"),
    errors.RevisionMoved: (503, "busy", "Too much contention; send the same request again"),
    errors.StoreUnavailable: (503, "unavailable", "A store did not answer; send the same request again"),
    errors.ModelUnavailable: (503, "unavailable", "A model did not answer; send the same request again"),
    Exception: (500, "internal", "Something went wrong on our side"),
}


def install(app: APIGatewayHttpResolver, methods_at: Callable[[str], Sequence[str]]) -> None:
    """Make `app` answer every error with a problem document; `methods_at` tells which methods a path has routes for."""
    app.exception_handler(errors.AnamnesisError)(_known)
    app.exception_handler(RequestValidationError)(_invalid)
    app.exception_handler(RequestUnsupportedContentType)(_no_json)
    app.exception_handler(Exception)(unexpected)
    app.not_found(lambda error: _no_route(error, methods_at(app.current_event.path)))


def problem(
    error: Exception, detail: str, *, field: str | None = None, several: Sequence[FieldProblem] = ()
) -> Response[str]:
    """The problem document of an error."""
    status, suffix, title = next(TABLE[cls] for cls in type(error).__mro__ if cls in TABLE)
    body = Problem(
        type=f"urn:anamnesis:problem:{suffix}",
        title=title,
        status=status,
        detail=detail,
        field=field,
        errors=list(several) or None,
        **_wiki_details(error),
    )
    headers: dict[str, str | list[str]] = {"Retry-After": "1"} if status == 503 else {}
    if isinstance(error, errors.TooManyRequests):
        headers["Retry-After"] = str(error.retry_after)
    return Response(status, "application/problem+json", body.model_dump_json(exclude_none=True), headers)


def _wiki_details(error: Exception) -> dict[str, Any]:
    """What a refusal of a wiki's page tells beside its words."""
    if isinstance(error, errors.GateRefused):
        found = [
            GateFinding(path=path, line=line, rule=rule, detail=detail)
            for path, line, rule, detail in error.findings[:MAX_LISTED]
        ]
        return {"findings": found}
    if isinstance(error, errors.PageConflict):
        return {"base": error.base, "current": error.current, "paths": list(error.paths)}
    return {}


def _known(error: errors.AnamnesisError) -> Response[str]:
    return problem(error, error.detail, field=error.field)


def _no_route(error: Exception, methods: Sequence[str]) -> Response[str]:
    if not methods:
        return problem(error, "see /v1/openapi.json for what there is")
    response = problem(MethodNotAllowed(), f"it knows {', '.join(methods)}")
    response.headers["Allow"] = ", ".join(methods)
    return response


def _invalid(error: RequestValidationError) -> Response[str]:
    items = error.errors()[:MAX_LISTED]
    found = [FieldProblem(field=path_of(item["loc"]), detail=str(item["msg"])) for item in items]
    first = found[0]
    if any(item["type"] == "json_invalid" for item in items):
        return problem(errors.InvalidInput("", field="body"), "the body is not JSON", field="body")
    return problem(errors.InvalidInput(first.detail), first.detail, field=first.field, several=found)


def _no_json(error: RequestUnsupportedContentType) -> Response[str]:
    return problem(error, "send application/json", field="Content-Type")


def unexpected(error: Exception) -> Response[str]:
    """The problem document of an error that nobody foresaw, which is logged."""
    # Where it happened, never the message: that may quote what a student wrote.
    where = traceback.format_tb(error.__traceback__)
    logger.error("unexpected_error", extra={"error": type(error).__name__, "where": where})
    return problem(
        error, "it has been logged; send the same request again or tell the operator the request id"
    )


def path_of(location: Sequence[Any]) -> str:
    """A pydantic location as a path: ``("body", "episodes", 0, "kind")`` is ``episodes[0].kind``; never empty."""
    if location[0] == "header" and len(location) > 1:
        return "-".join(word.capitalize() for word in str(location[1]).split("-"))
    path = ""
    for part in location[1:] if len(location) > 1 else location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path[:MAX_PATH_CHARS].encode(errors="replace").decode() or str(location[0])
