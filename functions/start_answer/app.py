"""The start-answer Lambda: its own function, warmed up before its first turn, with the rights to record a question."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.logging import correlation_paths
from aws_lambda_powertools.utilities.typing import LambdaContext

from anamnesis.bootstrap import application
from http_api import HttpApi
from observability import logger, metrics, tracer
from start_answer.routes import router

app = HttpApi(router)

# While Lambda initialises, outside any turn's clock: the model and the connections are there for the first turn.
application().warm_up()


@logger.inject_lambda_context(correlation_id_path=correlation_paths.API_GATEWAY_HTTP, clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one HTTP API event."""
    return app.resolve(event, context)
