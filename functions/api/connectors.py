"""Register evidence outside the log for a tenant's wikis, and look at it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import application
from anamnesis.domain.access import Role
from anamnesis.domain.errors import Forbidden
from anamnesis.domain.wiki.connectors import MAX_RECORDS, Registered
from anamnesis.schemas.connectors import (
    ConnectorList,
    ConnectorOut,
    ConnectorRecords,
    RegisterConnector,
    RegisteredConnector,
)
from api.wiki import record_out
from callers import caller_of

router = APIGatewayHttpRouter()
ROUTE = "/v1/connectors"
Name = Annotated[str, Path(max_length=200)]


@router.get(ROUTE, summary="Connectors of the tenant", tags=["connectors"])
def list_connectors() -> ConnectorList:
    """Every connector by name; for teachers and services."""
    return ConnectorList(
        connectors=[connector_out(found) for found in application().connectors.all(_tenant())]
    )


@router.put(f"{ROUTE}/<name>", summary="Register a connector", tags=["connectors"])
def register_connector(name: Name, body: RegisterConnector) -> RegisteredConnector:
    """Read a calendar from a URL or from the text given, and keep it for the wikis; for teachers and services.

    One of the same name is put in its place. What cannot be read is refused now.
    """
    found, records = application().connectors.register(
        _tenant(), name, kind=body.kind, subject=body.subject, url=body.url, text=body.text
    )
    return RegisteredConnector(**connector_out(found).model_dump(), records=records)


@router.get(f"{ROUTE}/<name>/records", summary="Records of a connector", tags=["connectors"], compress=True)
def search_connector(
    name: Name,
    query: Annotated[str, Query(max_length=1_000)] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_RECORDS)] = 50,
) -> ConnectorRecords:
    """Records that hold words of the query, as they were fetched last; all of them without a query."""
    found = application().connectors.search(_tenant(), name, query, limit=limit)
    return ConnectorRecords(records=[record_out(record) for record in found])


@router.delete(
    f"{ROUTE}/<name>",
    summary="Forget a connector",
    tags=["connectors"],
    responses={HTTPStatus.NO_CONTENT: {"description": "Forgotten"}},
)
def remove_connector(name: Name) -> tuple[None, int]:
    """Forget a connector and what it returned; the next compile of each wiki leaves it out."""
    application().connectors.remove(_tenant(), name)
    return None, HTTPStatus.NO_CONTENT


def _tenant() -> str:
    """The caller's tenant.

    Raises
    ------
    Forbidden
        For students: what all students' wikis are made of is not theirs to change.
    """
    caller = caller_of(router.current_event)
    if caller.role is Role.STUDENT:
        raise Forbidden("only a teacher's or a service's token may use connectors")
    return caller.tenant


def connector_out(found: Registered) -> ConnectorOut:
    """The HTTP shape of a connector."""
    return ConnectorOut(
        name=found.name,
        kind=found.kind,
        subject=found.subject,
        url=found.url,
        registered_at=found.registered_at,
        fetched_at=found.fetched_at,
    )
