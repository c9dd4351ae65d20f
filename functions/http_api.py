"""The HTTP resolver that both API functions share, and the routers that make it up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.api_gateway import ResponseBuilder
from aws_lambda_powertools.event_handler.middlewares import NextMiddleware
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from aws_lambda_powertools.utilities.typing import LambdaContext

import http_errors
from admission import refusal_of
from http_requests import check_parameters, parsed_json, strict


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
        self.use([self._with_known_parameters])
        http_errors.install(self, self.methods_at)

    def resolve(self, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Answer one event of payload format 2.0."""
        refused = refusal_of(event)
        if refused is not None:
            builder: ResponseBuilder[APIGatewayProxyEventV2] = ResponseBuilder(refused)
            return builder.build(APIGatewayProxyEventV2(dict(event)))
        return super().resolve(strict(event), context)

    def methods_at(self, path: str) -> list[str]:
        """The methods of the routes at a path, sorted; none where there is no route."""
        routes = self._static_routes + self._dynamic_routes
        return sorted({route.method for route in routes if route.rule.match(path)})

    def _with_known_parameters(
        self, app: APIGatewayHttpResolver, next_middleware: NextMiddleware
    ) -> Response[Any]:
        event, route = app.current_event, app.context["_route"]
        # Where there is no route for the request, that is the answer.
        if event.http_method in self.methods_at(event.path):
            known = {field.alias: field.type_ for field in route.dependant.query_params}
            check_parameters(event.query_string_parameters, known)
        return next_middleware(app)
