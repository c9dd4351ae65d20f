"""The served OpenAPI document is what runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from support.lambda_events import EVENTS, Answer, Api, load_event

#: The contract's routes, as far as they are built.
CONTRACT = {
    "GET /v1/connectors",
    "GET /v1/connectors/{name}/records",
    "GET /v1/export",
    "GET /v1/health",
    "GET /v1/openapi.json",
    "GET /v1/subjects",
    "GET /v1/subjects/{subject}/answers/{answer_id}",
    "GET /v1/subjects/{subject}/beliefs",
    "GET /v1/subjects/{subject}/beliefs/{belief_id}/history",
    "GET /v1/subjects/{subject}/calibration",
    "GET /v1/subjects/{subject}/chain",
    "GET /v1/subjects/{subject}/chain/checkpoints",
    "GET /v1/subjects/{subject}/episodes",
    "GET /v1/subjects/{subject}/episodes/{episode_id}",
    "GET /v1/subjects/{subject}/episodes/{episode_id}/proof",
    "GET /v1/subjects/{subject}/files",
    "GET /v1/subjects/{subject}/files/{file_id}",
    "GET /v1/subjects/{subject}/map",
    "GET /v1/subjects/{subject}/report",
    "GET /v1/subjects/{subject}/self-model",
    "GET /v1/subjects/{subject}/teaching-order",
    "GET /v1/wiki/diff",
    "GET /v1/wiki/evidence",
    "GET /v1/wiki/index",
    "GET /v1/wiki/log",
    "GET /v1/wiki/pages",
    "GET /v1/wiki/pages/{path}",
    "POST /v1/subjects/{subject}/answers",
    "POST /v1/subjects/{subject}/beliefs/rederive",
    "POST /v1/subjects/{subject}/block",
    "POST /v1/subjects/{subject}/episodes",
    "POST /v1/subjects/{subject}/files",
    "POST /v1/subjects/{subject}/grounding",
    "POST /v1/subjects/{subject}/night",
    "POST /v1/wiki/compile",
    "POST /v1/wiki/recall",
    "POST /v1/wiki/search",
    "POST /v1/wiki/working-set",
    "PUT /v1/connectors/{name}",
    "PUT /v1/wiki/pages/{path}",
    "DELETE /v1/connectors/{name}",
    "DELETE /v1/student",
    "DELETE /v1/subjects/{subject}",
    "DELETE /v1/subjects/{subject}/episodes/{episode_id}",
    "DELETE /v1/subjects/{subject}/files/{file_id}",
}
#: What the gateway has besides, which no description of JSON over HTTP can hold: git, the agents' protocol, the page.
BESIDES = {
    "GET /",
    "GET /page/{file}",
    "GET /v1/wiki/git",
    "GET /v1/wiki/git/{student}",
    "POST /v1/mcp",
}
API_PAGE = Path(__file__).parents[3] / "docs" / "api.md"


@pytest.fixture
def document(api: Api) -> dict[str, Any]:
    """The document as served."""
    answer = api("http_get_openapi")
    assert answer.status == 200
    served: dict[str, Any] = answer.body
    return served


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    """The served document is valid OpenAPI 3.1, every reference in it resolved (SV-6)."""
    assert document["openapi"].startswith("3.1")
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_the_document_lists_the_contract(document: dict[str, Any]) -> None:
    """The document lists exactly the contract's routes that are built, no others and no stubs (SV-6)."""
    assert set(operations(document)) == CONTRACT


def test_the_docs_list_every_route() -> None:
    """The table of routes in the docs has all that are built, and no others (SV-6)."""
    table = API_PAGE.read_text(encoding="utf-8").partition("\n## Routes\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
    written = {route for row in rows for route in re.findall(r"`([A-Z]+ [^`?]+)[^`]*`", row)}
    assert {route.replace("…", "/v1/subjects/{subject}") for route in written} == CONTRACT | BESIDES


def test_every_listed_route_runs(api: Api, document: dict[str, Any]) -> None:
    """Each listed route has an event, and that event is answered by the route and not as unknown (SV-6)."""
    answered = {}
    for file in sorted(EVENTS.glob("http_*.json")):
        if file.stem == "http_unknown_route":
            continue
        event = api.event(file.stem)
        path, method = event["rawPath"], event["requestContext"]["http"]["method"]
        for route in operations(document):
            verb, _, template = route.partition(" ")
            # A page's path has its slashes.
            pattern = re.escape(template).replace(r"\{path\}", ".+")
            if verb == method and re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", pattern), path):
                answered[route] = api.send(event)
    assert set(answered) == CONTRACT
    for route, answer in answered.items():
        assert answer.status < 500, (route, answer)
        assert answer.status < 400 or answer.problem != "no-such-route", (route, answer)


def test_replies_and_errors_are_described(api: Api, document: dict[str, Any]) -> None:
    """Each route describes its reply, and every error as problem details (SV-7)."""
    schemas = document["components"]["schemas"]
    for route, operation in operations(document).items():
        described = operation["responses"]
        assert "204" in described or described["200"]["content"]["application/json"]["schema"], route
        assert {"405", "422", "500"} <= set(described), route
        assert ("415" in described) is ("requestBody" in operation), route
        assert ("403" in described) is ("401" in described) is (operation["security"] != []), route
        # A missing token is API Gateway's to refuse, with a body of its own.
        for refusal in described.keys() - {"200", "202", "204", "401"}:
            reference = described[refusal]["content"]["application/problem+json"]["schema"]["$ref"]
            assert reference.rsplit("/", 1)[1] in schemas
    sent: Answer = api("http_unknown_route")
    assert set(sent.body) <= set(schemas["Problem"]["properties"])
    assert set(schemas["Problem"]["required"]) <= set(sent.body)


def test_only_health_and_document_are_open(api: Api, document: dict[str, Any]) -> None:
    """All routes but health and the document need a token, in the document and in fact (SV-11)."""
    open_routes = {route for route, operation in operations(document).items() if operation["security"] == []}
    assert open_routes == {"GET /v1/health", "GET /v1/openapi.json"}
    assert api("http_get_health").body["status"] == "ok"
    for file in sorted(EVENTS.glob("http_*.json")):
        event = api.event(file.stem)
        if "authorizer" in event["requestContext"] and file.stem not in {
            "http_unknown_route",
            "http_broken_json",
        }:
            del event["requestContext"]["authorizer"]
            assert api.send(event).status == 403, file.stem


def test_the_gateway_sends_every_route(document: dict[str, Any]) -> None:
    """Each listed route is matched by a route of the template, the open ones by one without authoriser (SV-1)."""

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_multi_constructor("!", lambda loader, tag, node: {tag: getattr(node, "value", None)})
    resources = yaml.load((EVENTS.parent / "template.yaml").read_text(), Loader)["Resources"]
    routes = {
        r["Properties"]["RouteKey"]: r["Properties"].get("AuthorizationType", "NONE")
        for r in resources.values()
        if r["Type"] == "AWS::ApiGatewayV2::Route"
    }
    for route, operation in operations(document).items():
        verb = route.partition(" ")[0]
        kept = routes.get(route) or routes.get(f"{verb} /v1/{{proxy+}}")
        assert kept == ("NONE" if operation["security"] == [] else "JWT"), route


def test_parameters_are_described(document: dict[str, Any]) -> None:
    """The document names the parameters of the contract where they belong (SV-6)."""
    recorded = operations(document)["POST /v1/subjects/{subject}/episodes"]
    assert {(p["in"], p["name"].lower(), p.get("required", False)) for p in recorded["parameters"]} == {
        ("path", "subject", True),
        ("header", "idempotency-key", True),
        ("query", "student", False),
    }
    listed = operations(document)["GET /v1/subjects/{subject}/episodes"]
    assert {p["name"] for p in listed["parameters"]} == {
        *("subject", "from", "to", "kind", "cursor", "limit", "student"),
    }


def test_events_are_the_gateway_s(document: dict[str, Any]) -> None:
    """Every HTTP event of the folder has the shape of payload format 2.0 (SV-2)."""
    assert document
    for file in EVENTS.glob("http_*.json"):
        event = load_event(file.stem)
        assert event["version"] == "2.0"
        assert event["rawPath"] == event["requestContext"]["http"]["path"]
        assert event["routeKey"] == event["requestContext"]["routeKey"]
        assert all(name == name.lower() for name in event["headers"])
