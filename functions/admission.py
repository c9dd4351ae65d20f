"""Who gets as far as a route (SV-11, SV-12).

Nobody without a tenant and a role, no student in another one's name, and no tenant beyond its share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2

import http_errors
from anamnesis.bootstrap import Admission, application
from anamnesis.domain.errors import Forbidden, TooManyRequests
from callers import caller_of
from observability import logger, metrics

#: The paths that need no token; each has one route, which touches no store.
OPEN_PATHS = frozenset({"/v1/health", "/v1/openapi.json"})


def refusal_of(event: Mapping[str, Any]) -> Response[str] | None:
    """The problem that an HTTP API's event is answered with before its body is looked at; None lets it in."""
    if event["rawPath"] in OPEN_PATHS:
        return None
    try:
        caller = caller_of(APIGatewayProxyEventV2(dict(event)))
        # Here for every route, those to come included, and before anything is said about the rest of the request.
        caller.require_naming((event.get("queryStringParameters") or {}).get("student"))
        admission = application().admit_request(caller.tenant)
    except (Forbidden, TooManyRequests) as refused:
        if isinstance(refused, TooManyRequests):
            metrics.add_metric("RequestsRefused", MetricUnit.Count, 1)
        return http_errors.problem(refused, refused.detail, field=refused.field)
    except Exception as error:  # noqa: BLE001 - nothing that goes wrong in front of the routes may lack its problem
        return http_errors.unexpected(error)
    if admission is Admission.UNCOUNTED:
        metrics.add_metric("RequestsUncounted", MetricUnit.Count, 1)
        logger.warning("request_not_counted")
    return None
