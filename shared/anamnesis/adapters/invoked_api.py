"""The API without a socket: the function behind it is invoked with the event that the gateway would have made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlencode

from anamnesis.adapters.aws_errors import store_errors
from anamnesis.agents.api_wiki import Problem
from anamnesis.domain.errors import StoreUnavailable

_CALLER = "anamnesis-wiki-mcp"


class InvokedApi:
    """Requests of one caller, whose verified claims each of them carries.

    The API's function decides by them as it does behind the gateway: tenancy and roles have one place.

    Parameters
    ----------
    client
        A boto3 Lambda client that does not try twice: a request may have written something.
    function_name
        Of the API's function.
    context
        The gateway's own context of the request that is being answered: what its authoriser said of the caller is
        handed on as it came, with the request's id, by which the logs of both functions belong together.
    student
        Whom a teacher or a service asks about; None for a student.
    """

    def __init__(
        self, client: Any, function_name: str, context: Mapping[str, Any], *, student: str | None
    ) -> None:
        self._client = client
        self._function_name = function_name
        self._authorizer = dict(context["authorizer"])
        self._request_id = str(context["requestId"])
        self._params = {} if student is None else {"student": student}

    def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        params: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        """Send one request and return the reply's JSON.

        Raises
        ------
        Problem
            If the API refuses it.
        StoreUnavailable
            If the function does not answer, or ends without an answer.
        """
        event = self._event(method, path, body, {**self._params, **(params or {})}, headers or {})
        with store_errors("lambda"):
            answer = self._client.invoke(FunctionName=self._function_name, Payload=json.dumps(event).encode())
            payload = answer["Payload"].read()
        if answer.get("FunctionError"):
            # What it says of itself may quote what a student wrote.
            raise StoreUnavailable("lambda: the API ended without an answer")
        reply = json.loads(payload)
        document: dict[str, Any] = json.loads(reply.get("body") or "{}")
        if reply["statusCode"] >= 400:
            raise Problem(reply["statusCode"], document)
        return document

    def _event(
        self, method: str, path: str, body: Any, params: Mapping[str, Any], headers: Mapping[str, str]
    ) -> dict[str, Any]:
        """The request in payload format 2.0."""
        # The gateway undoes every escape of a path but that of the percent sign itself.
        raw_path = "%25".join(unquote(part) for part in path.split("%25"))
        asked = {name: str(value) for name, value in params.items()}
        event: dict[str, Any] = {
            "version": "2.0",
            "routeKey": "$default",
            "rawPath": raw_path,
            "rawQueryString": urlencode(asked),
            "headers": {
                "content-type": "application/json",
                **{name.lower(): value for name, value in headers.items()},
            },
            "requestContext": {
                "accountId": "",
                "apiId": "",
                "authorizer": self._authorizer,
                "domainName": "",
                "http": {
                    "method": method,
                    "path": raw_path,
                    "protocol": "HTTP/1.1",
                    "sourceIp": "",
                    "userAgent": _CALLER,
                },
                "requestId": self._request_id,
                "routeKey": "$default",
                "stage": "$default",
            },
            "isBase64Encoded": False,
        }
        if asked:
            event["queryStringParameters"] = asked
        if body is not None:
            event["body"] = json.dumps(body, ensure_ascii=False)
        return event
