"""The served OpenAPI document: the routes as they run, plus what every route shares (SV-6)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import ApiGatewayResolver
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from admission import OPEN_PATHS
from anamnesis import __version__
from anamnesis.schemas.problems import Problem

TITLE = "Anamnesis"
DESCRIPTION = "Long-term memory for AI tutors: one block a turn, from a log that cannot be edited unseen."

#: Named in the path and the query; ``domain.identifiers`` holds the rules that no pattern can say: 128 bytes of UTF-8
#: at most, and no characters that do not show.
_NAME = {
    "type": "string",
    "minLength": 1,
    "maxLength": 128,
    "pattern": r"^[^\s/\x00-\x1f\x7f]([^/\x00-\x1f\x7f]*[^\s/\x00-\x1f\x7f])?$",
}
_NAMES = {
    "subject": {**_NAME, "title": "Subject"},
    "student": {
        **_NAME,
        "title": "Student",
        "description": "For teachers and services: whom the request is about",
    },
}

#: Status → how a refusal of that status is described.
REFUSALS: dict[int, dict[str, Any]] = {
    status: {
        "description": description,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, description in {
        403: "The token does not allow this",
        404: "There is no such thing, or not yet",
        405: "The path does not know the method; `Allow` lists those it knows",
        409: "It does not fit what is recorded: another request had its key, it was erased, nothing proves it yet",
        413: "The body is larger than is taken",
        415: "The body is not JSON",
        422: "An input breaks a rule; `field` names it",
        429: "Too many requests; `Retry-After` says when to come back",
        500: "Something went wrong on our side",
        503: "A store did not answer, or others were faster; send the same request again",
    }.items()
}
REFUSALS[405]["headers"] = {"Allow": {"required": True, "schema": {"type": "string"}}}
for _status in (429, 503):
    REFUSALS[_status]["headers"] = {
        "Retry-After": {"required": True, "schema": {"type": "string", "pattern": "^[0-9]+$"}}
    }
#: What API Gateway says itself, before any of our code runs; its answers are no problem documents.
REFUSALS[401] = {
    "description": "No valid token",
    "content": {
        "application/json": {"schema": {"type": "object", "properties": {"message": {"type": "string"}}}},
    },
}


def described(router: APIGatewayHttpRouter) -> dict[str, Any]:
    """The OpenAPI 3.1 document of the API that `router` is a part of.

    Powertools describes parameters, bodies and replies from the handlers' types. Added here: the bearer token that
    every route but health and this document needs, the rules of the names that a request is about, and every status
    that a refusal may have, with problem details as its shape.
    """
    app = router.api_resolver
    if not isinstance(app, ApiGatewayResolver):
        raise TypeError("the router is part of no API yet")
    document: dict[str, Any] = json.loads(
        app.get_openapi_json_schema(title=TITLE, version=__version__, description=DESCRIPTION)
    )
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ResponseValidationError", "ValidationError"):
        schemas.pop(unused, None)
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(problem.pop("$defs", {}))
    schemas["Problem"] = problem
    document["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
    }
    for path, operations in document["paths"].items():
        for operation in operations.values():
            operation["security"] = [] if path in OPEN_PATHS else [{"token": []}]
            operation["responses"] = {
                **{status: reply for status, reply in operation["responses"].items() if status[0] == "2"},
                **{str(status): REFUSALS[status] for status in statuses_of(operation)},
            }
            for parameter in operation.get("parameters", []):
                if parameter["name"] in _NAMES:
                    parameter["schema"] = _NAMES[parameter["name"]]
    return document


def statuses_of(operation: Mapping[str, Any]) -> list[int]:
    """The statuses of refusals that `operation` may be answered with: they follow from what it takes."""
    statuses = {405, 422, 500}
    if operation["security"]:
        # Whatever needs a token is about somebody's things, in a store.
        statuses |= {401, 403, 404, 429, 503}
    if "requestBody" in operation:
        statuses |= {413, 415}
    if operation.get("operationId", "").startswith(("write_page", "prove_episode")):
        statuses.add(409)
    if any(parameter["name"].lower() == "idempotency-key" for parameter in operation.get("parameters", [])):
        statuses.add(409)
    return sorted(statuses)
