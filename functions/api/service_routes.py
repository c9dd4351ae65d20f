"""Health and the OpenAPI document: the two routes that need no token."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis import __version__
from anamnesis.schemas.service import HealthOut
from api.description import described

router = APIGatewayHttpRouter()


@router.get("/v1/health", summary="Whether the service answers", tags=["service"])
def health() -> HealthOut:
    """Touches no store."""
    return HealthOut(status="ok", version=__version__)


@router.get("/v1/openapi.json", summary="This description", tags=["service"])
def openapi() -> dict[str, Any]:
    """Generated from the routes that run."""
    return described(router)
