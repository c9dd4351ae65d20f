"""The HTTP resolver that both API functions share, and the routers that make it up."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
from aws_lambda_powertools.event_handler.api_gateway import ResponseBuilder
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from aws_lambda_powertools.utilities.typing import LambdaContext

import http_errors
from admission import refusal_of


class HttpApi(APIGatewayHttpResolver):
    """Powertools' resolver for HTTP APIs, with problem documents for errors and room for every script.

    Parameters
    ----------
    routers
        The routes, in the order in which the OpenAPI document lists them.
    """

    def __init__(self, *routers: APIGatewayHttpRouter) -> None:
        super().__init__(enable_validation=True, json_body_deserializer=parsed_json)
        for router in routers:
            self.include_router(router)
        http_errors.install(self)

    def resolve(self, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Answer one event of payload format 2.0."""
        refused = refusal_of(event)
        if refused is not None:
            builder: ResponseBuilder[APIGatewayProxyEventV2] = ResponseBuilder(refused)
            return builder.build(APIGatewayProxyEventV2(dict(event)))
        return super().resolve(
            {**event, **ascii_path(event), **text_body(event), **json_header(event)}, context
        )


def ascii_path(event: Mapping[str, Any]) -> dict[str, str]:
    """The path of `event` percent-encoded, which Powertools' routes match whatever script a name is in.

    An HTTP API hands the path over with every escape undone but ``%25``; a ``%`` therefore always begins an escape, and
    undoing the escapes of a matched part once gives exactly the name that the caller had encoded.
    """
    return {"rawPath": quote(event["rawPath"], safe="/%", errors="surrogatepass")}


def text_body(event: Mapping[str, Any]) -> dict[str, Any]:
    """The body of `event` as text when it came as Base64; bytes that are no UTF-8 become lone surrogates.

    Those break the rules of every field of text and so get an answer that names the field.
    """
    if not event.get("isBase64Encoded"):
        return {}
    try:
        body = base64.b64decode(event.get("body") or "").decode(errors="surrogateescape")
    except binascii.Error:
        body = "\x00"  # no JSON either
    return {"body": body, "isBase64Encoded": False}


def json_header(event: Mapping[str, Any]) -> dict[str, Any]:
    """Headers that call a form what every body here is, JSON: `curl -d` names a form unless it is told otherwise.

    Taken for a form, its text would be read as the name of a field, and an answer about it would repeat that text.
    """
    headers: Mapping[str, str] = event.get("headers") or {}
    named = {name: value for name, value in headers.items() if name.lower() == "content-type"}
    if not any(value.startswith("application/x-www-form-urlencoded") for value in named.values()):
        return {}
    return {"headers": {**headers, **dict.fromkeys(named, "application/json")}}


def parsed_json(body: str) -> Any:
    """The value of a JSON text.

    Raises
    ------
    json.JSONDecodeError
        For everything that cannot be read, numbers and nesting beyond Python's limits included.
    """
    try:
        return json.loads(body)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError):
        raise json.JSONDecodeError("a number or a nesting beyond what is read", "", 0) from None
