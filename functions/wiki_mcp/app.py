"""The MCP Lambda: a student's wiki as tools for agents, over streamable HTTP without sessions."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from aws_lambda_powertools.logging import correlation_paths
from aws_lambda_powertools.utilities.typing import LambdaContext

from admission import refusal_of
from anamnesis.agents.server import wiki_server
from anamnesis.agents.wiki import Wiki
from anamnesis.bootstrap import application
from observability import logger, metrics, tracer
from wiki_mcp.bridge import built, other_method, say_kinds_only, served

#: Whose wiki the request at hand is about. A process answers one request at a time, and its threads see their own.
asked: ContextVar[Wiki] = ContextVar("asked")
server = wiki_server(asked.get)
say_kinds_only()


@logger.inject_lambda_context(correlation_id_path=correlation_paths.API_GATEWAY_HTTP, clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one HTTP API event."""
    refused = refusal_of(event) or other_method(event)
    if refused is not None:
        return built(refused, event)
    student = (event.get("queryStringParameters") or {}).get("student")
    asked.set(application().invoked_wiki(event["requestContext"], student))
    return served(server, event)
