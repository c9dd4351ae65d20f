"""The API Lambda: every HTTP route but the block and the question to the tutor."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.logging import correlation_paths
from aws_lambda_powertools.utilities.typing import LambdaContext

from api.routes import MODULES
from http_api import HttpApi
from observability import logger, metrics, tracer

app = HttpApi(*(module.router for module in MODULES))


@logger.inject_lambda_context(correlation_id_path=correlation_paths.API_GATEWAY_HTTP, clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one HTTP API event."""
    return app.resolve(event, context)
