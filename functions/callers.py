"""Who is calling, from the claims of a token that API Gateway's JWT authoriser has verified (SV-11)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.errors import Forbidden, InvalidInput
from anamnesis.domain.identifiers import Pair

_LEAST_FIRST = (Role.STUDENT, Role.TEACHER, Role.SERVICE)


def caller_of(event: APIGatewayProxyEventV2) -> Caller:
    """The caller of an HTTP API request.

    Raises
    ------
    Forbidden
        If the token names no tenant or no role that we know.
    """
    authorizer: Mapping[str, Any] = event.raw_event.get("requestContext", {}).get("authorizer", {})
    claims: Mapping[str, Any] = authorizer.get("jwt", {}).get("claims", {})
    tenant = claims.get("custom:tenant")
    roles = [role for role in _LEAST_FIRST if role.value in groups_of(claims.get("cognito:groups"))]
    if not tenant or not roles:
        raise Forbidden("the token names no tenant or no known role")
    return Caller(str(tenant), claims.get("custom:student") or None, roles[-1])


def groups_of(claim: Any) -> set[str]:
    """Group names; HTTP APIs flatten the claim's list into text such as ``[student teacher]``."""
    if isinstance(claim, list):
        return {str(group) for group in claim}
    return {group for group in re.split(r"[\[\],\s]+", str(claim or "")) if group}


def pair_of(event: APIGatewayProxyEventV2, subject: str, student: str | None) -> Pair:
    """The pair that a request is about."""
    return caller_of(event).pair(subject_of(subject), student)


def subject_of(part: str) -> str:
    """The subject's name behind a part of the request's path; ``http_api.ascii_path`` says how it is encoded.

    Raises
    ------
    InvalidInput
        If the escapes are no UTF-8.
    """
    try:
        return unquote(part, errors="strict")
    except UnicodeDecodeError:
        raise InvalidInput("must be percent-encoded UTF-8", field="subject") from None
