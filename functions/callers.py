"""Who is calling, from the claims of a token that API Gateway's JWT authoriser has verified (SV-11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.errors import Forbidden, InvalidInput
from anamnesis.domain.identifiers import Pair, StudentScope
from http_requests import name_in_path

_LEAST_FIRST = (Role.STUDENT, Role.TEACHER, Role.SERVICE)


def caller_of(event: APIGatewayProxyEventV2) -> Caller:
    """The caller of an HTTP API request.

    Raises
    ------
    Forbidden
        If the token is no ID token, or names no tenant, no role that we know, or one of them by no possible name.
    """
    authorizer: Mapping[str, Any] = event.raw_event.get("requestContext", {}).get("authorizer", {})
    claims: Mapping[str, Any] = authorizer.get("jwt", {}).get("claims", {})
    # The authoriser takes access tokens as well. They are meant for other services, and say what others may do there.
    if claims.get("token_use") != "id":
        raise Forbidden("this is no ID token")
    tenant, student = claims.get("custom:tenant"), claims.get("custom:student")
    roles = [role for role in _LEAST_FIRST if role.value in groups_of(claims.get("cognito:groups"))]
    if not tenant or not roles:
        raise Forbidden("the token names no tenant or no known role")
    try:
        return Caller(str(tenant), str(student) if student else None, roles[-1])
    except InvalidInput as error:
        raise Forbidden(f"the token's {error.field} {error.detail}") from None


def groups_of(claim: Any) -> set[str]:
    """Group names; HTTP APIs flatten the claim's list into text such as ``[student teacher]``.

    Only spaces part two names, since Cognito's groups may have brackets and commas in theirs and never white space:
    ``art,service`` and ``[service]`` are groups of somebody's, and no role of ours.

    References
    ----------
    Amazon Cognito API Reference, "CreateGroup", pattern of ``GroupName``.
    """
    if isinstance(claim, list):
        return {str(group) for group in claim}
    text = str(claim or "")
    inside = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    return {group for group in inside.split(" ") if group}


def pair_of(event: APIGatewayProxyEventV2, subject: str, student: str | None) -> Pair:
    """The pair that a request is about."""
    return caller_of(event).pair(subject_of(subject), student)


def student_of(event: APIGatewayProxyEventV2, student: str | None) -> StudentScope:
    """The student that a request is about, over all subjects."""
    caller = caller_of(event)
    return StudentScope(caller.tenant, caller.whom(student))


def subject_of(part: str) -> str:
    """The subject's name behind a part of the request's path."""
    return name_in_path(part, field="subject")
