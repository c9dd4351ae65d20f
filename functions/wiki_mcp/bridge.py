"""Between an HTTP API's event and the protocol's own HTTP application (ASGI), one request at a time."""

from __future__ import annotations

import base64
import logging
from collections.abc import Mapping
from typing import Any

import anyio
from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.api_gateway import ResponseBuilder
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

import http_errors
from observability import logger

PATH = "/v1/mcp"
#: Guards against pages that make a browser call a server on its own machine; here every request has a token.
_NO_REBINDING = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class Kinds(logging.Handler):
    """Logs that something failed inside the package, and where, without its words: they may quote a student's."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record's kind."""
        kind = record.exc_info[0] if record.exc_info else None
        about = {"error": kind.__name__ if kind else None, "where": f"{record.name}:{record.lineno}"}
        logger.warning("protocol_failed", extra=about)


def say_kinds_only() -> None:
    """Let the package's own log lines, from warnings on, through `Kinds` alone."""
    package = logging.getLogger("mcp")
    package.handlers = [Kinds(logging.WARNING)]
    package.propagate = False


def other_method(event: Mapping[str, Any]) -> Response[str] | None:
    """What GET and DELETE are answered: there is no stream to listen to and no session to end."""
    if event["requestContext"]["http"]["method"] == "POST":
        return None
    response = http_errors.problem(http_errors.MethodNotAllowed(), "it knows POST")
    response.headers["Allow"] = "POST"
    return response


def built(response: Response[str], event: Mapping[str, Any]) -> dict[str, Any]:
    """An answer in the form in which the gateway takes it."""
    builder: ResponseBuilder[APIGatewayProxyEventV2] = ResponseBuilder(response)
    return builder.build(APIGatewayProxyEventV2(dict(event)))


def served(server: MCPServer[Any], event: Mapping[str, Any]) -> dict[str, Any]:
    """What the server answers to a POST: JSON, in one piece."""
    try:
        return anyio.run(_served, server, event)
    except Exception as error:  # noqa: BLE001 - nothing that goes wrong may lack its problem
        return built(http_errors.unexpected(error), event)


async def _served(server: MCPServer[Any], event: Mapping[str, Any]) -> dict[str, Any]:
    # A new application for each request: it keeps nothing between two, and its streams belong to one event loop.
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        transport_security=_NO_REBINDING,
    )
    body = event.get("body") or ""
    sent: list[Any] = [base64.b64decode(body) if event.get("isBase64Encoded") else body.encode()]
    status, headers, parts = 500, {}, []

    async def receive() -> dict[str, Any]:
        if not sent:
            await anyio.sleep_forever()
        return {"type": "http.request", "body": sent.pop(), "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in message["headers"]}
        else:
            parts.append(message.get("body", b""))

    async with app.router.lifespan_context(app):
        await app(_scope(event), receive, send)
    return {
        "statusCode": status,
        "headers": headers,
        "body": b"".join(parts).decode(),
        "isBase64Encoded": False,
    }


def _scope(event: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "https",
        "path": PATH,
        "raw_path": PATH.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [
            (name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
            for name, value in (event.get("headers") or {}).items()
        ],
        "client": None,
        "server": None,
    }
