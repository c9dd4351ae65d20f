"""The served OpenAPI document: the routes as they run, plus what every route shares (SV-6)."""

from __future__ import annotations

import json
from typing import Any

from aws_lambda_powertools.event_handler import ApiGatewayResolver
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from admission import OPEN_PATHS
from anamnesis import __version__
from anamnesis.schemas.problems import Problem

TITLE = "Anamnesis"
DESCRIPTION = "Long-term memory for AI tutors: one block a turn, from a log that cannot be edited unseen."


def described(router: APIGatewayHttpRouter) -> dict[str, Any]:
    """The OpenAPI 3.1 document of the API that `router` is a part of.

    Powertools describes parameters, bodies and replies from the handlers' types. Added here: the bearer token that
    every route but health and this document needs, and problem details as the shape of every error.
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
            operation["responses"].pop("422", None)
            operation["responses"]["default"] = {
                "description": "Problem details (RFC 9457)",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            }
            operation["security"] = [] if path in OPEN_PATHS else [{"token": []}]
    return document
