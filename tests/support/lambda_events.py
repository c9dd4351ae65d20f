"""What calls the functions as Lambda does: events of the folder ``events``, a context, and the HTTP API in front."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.aws_stores import REGION, AwsStores
from support.wired_memory import HashEmbedder

EVENTS = Path(__file__).parents[2] / "events"


def load_event(name: str) -> dict[str, Any]:
    """An event of the folder ``events``."""
    event: dict[str, Any] = json.loads((EVENTS / f"{name}.json").read_text())
    return event


class LambdaContext:
    """What Lambda hands to a handler beside the event."""

    function_name = "anamnesis"
    function_version = "$LATEST"
    invoked_function_arn = f"arn:aws:lambda:{REGION}:123456789012:function:anamnesis"
    memory_limit_in_mb = 512
    aws_request_id = "7f6e5d4c-0000-4000-8000-000000000001"
    log_group_name = "/aws/lambda/anamnesis"
    log_stream_name = "2026/07/03/[$LATEST]0"

    def get_remaining_time_in_millis(self) -> int:
        return 10_000


@dataclass(frozen=True)
class Answer:
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    body: Any

    @property
    def problem(self) -> str:
        """The suffix of a problem document's type."""
        assert self.headers["Content-Type"] == "application/problem+json", self
        assert self.body["status"] == self.status
        assert self.body["title"]
        assert self.body["detail"]
        kind: str = self.body["type"]
        assert kind.startswith("urn:anamnesis:problem:")
        return kind.removeprefix("urn:anamnesis:problem:")


@dataclass
class Api:
    """The HTTP functions behind one call, as API Gateway routes between them; each instance is a tenant of its own."""

    tenant: str
    stores: AwsStores
    embedder: HashEmbedder

    def event(self, name: str, **changes: Any) -> dict[str, Any]:
        """An event of the folder, in this tenant; ``body``, ``path``, ``claims``, ``query``, ``headers`` change it."""
        event = copy.deepcopy(load_event(name))
        authorizer = event["requestContext"].get("authorizer")
        if authorizer is not None:
            authorizer["jwt"]["claims"]["custom:tenant"] = self.tenant
            for claim, value in changes.get("claims", {}).items():
                authorizer["jwt"]["claims"].pop(claim, None)
                if value is not None:
                    authorizer["jwt"]["claims"][claim] = value
        if "body" in changes:
            body = changes["body"]
            event["body"] = body if isinstance(body, str) else json.dumps(body)
        if "path" in changes:
            event["rawPath"] = event["requestContext"]["http"]["path"] = changes["path"]
        if "query" in changes:
            event["queryStringParameters"] = changes["query"]
            event.pop("rawQueryString", None)
        event["headers"].update(changes.get("headers", {}))
        if "method" in changes:
            event["requestContext"]["http"]["method"] = changes["method"]
        return event

    def send(self, event: dict[str, Any]) -> Answer:
        """What the function behind the event's route answers."""
        answer = self.raw(event)
        body = json.loads(answer["body"]) if answer.get("body") else None
        return Answer(answer["statusCode"], answer.get("headers", {}), body)

    def raw(self, event: dict[str, Any]) -> dict[str, Any]:
        """The answer in the form in which the function hands it to the gateway."""
        import api.app
        import read_block.app
        import start_answer.app

        # The functions live in one process here; in Lambda each has its own.
        posted = event["requestContext"]["http"]["method"] == "POST"
        own = {"block": read_block, "answers": start_answer}
        part = own.get(event["rawPath"].rpartition("/")[2]) if posted else None
        app = (part or api).app
        for module in api.routes.MODULES if part is None else (part.routes,):
            module.router.api_resolver = app.app
        answer: dict[str, Any] = app.handler(event, LambdaContext())
        return answer

    def __call__(self, name: str, **changes: Any) -> Answer:
        """Send an event of the folder, changed."""
        return self.send(self.event(name, **changes))


def record(api: Api, *episodes: dict[str, Any], key: str = "k", **more: Any) -> Answer:
    """Record a batch over HTTP."""
    headers = {"idempotency-key": key, **more.pop("headers", {})}
    return api("http_record_episodes", body={"episodes": list(episodes)}, headers=headers, **more)
