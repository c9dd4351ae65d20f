"""Requests are held to what the served description says: nothing is taken that a schema forbids, nothing is guessed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Annotated, Any

import jsonschema_rs
import pytest
from pydantic import TypeAdapter, ValidationError

from anamnesis import schemas
from anamnesis.schemas.grounding import GroundingIn
from anamnesis.schemas.values import Request
from support.lambda_events import Api

#: Values of every JSON type, and texts that are nearly of some kind: what a lenient reader takes for something else.
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 1.0, 1.5, 600, 600.0, 1200.0, 10**30, -(10**30), 1e308, 1_751_533_200),
    *(
        "",
        " ",
        "x",
        " x",
        "x ",
        "x\n",
        "x\ty",
        "\u00a0",
        "é",
        "１",
        "1",
        "0.5",
        "600",
        "true",
        "false",
        "yes",
    ),
    *([], {}, [[]], ["x"], [1], [None], {"x": 1}, {"x": "y"}, "x" * 41, "x" * 300, "x" * 5_000),
    *("2026-07-03", "20260703", "2026-07-03T09:00:00", "2026-07-03 09:00:00Z", "2026-07-03T09:00:00Z\n"),
    *("2026-13-03", "1751533200", "en", "en\n", "EN-us", "en_US", "text/plain", "text/plain\n", "té/x"),
    *("text/plain; charset=é", "a/b;  charset=x", "question", "QUESTION", "icalendar", "f" * 7, "F" * 7),
)


def requests_of(base: type[Request] = Request) -> Iterator[type[Request]]:
    """Every body of a request and every part of one."""
    for module in pkgutil.iter_modules(schemas.__path__):
        importlib.import_module(f"{schemas.__name__}.{module.name}")
    for found in base.__subclasses__():
        yield found
        yield from requests_of(found)


def test_an_id_is_told_by_what_it_looks_like() -> None:
    """What is no id is named by its place, with what one looks like and without a pattern (SV-7)."""
    body = {"answer": "Water moves.", "memory_ids": ["01J8ZQ4TB2M5V9K7R3XW6YD0HE", "the one of July"]}
    with pytest.raises(ValidationError) as refused:
        GroundingIn.model_validate(body)
    [error] = refused.value.errors()
    assert error["loc"] == ("memory_ids", 1)
    assert "without spaces: 01J8" in error["msg"]
    assert "pattern" not in error["msg"]


def takes(adapter: TypeAdapter[Any], value: object) -> bool:
    try:
        adapter.validate_python(value)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("model", sorted(set(requests_of()), key=lambda model: model.__name__))
def test_no_field_takes_what_its_schema_forbids(model: type[Request]) -> None:
    """Of no field another type, another spelling or another pattern is taken than its schema says (SV-7)."""
    described = model.model_json_schema()
    wrong = []
    for name, field in model.model_fields.items():
        schema = described["properties"][name] | {"$defs": described.get("$defs", {})}
        allowed = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
        adapter: TypeAdapter[Any] = TypeAdapter(Annotated[field.annotation, field])
        wrong += [(name, odd) for odd in ODD if takes(adapter, odd) and not allowed.is_valid(odd)]
    assert wrong == []
    assert not any(takes(TypeAdapter(model), odd) for odd in (None, [], "x", 1, {"not a field": 1}))


@pytest.mark.parametrize("sent", ["1_0", " 5", "5 ", "+5", "05", "5.0", "1e1", "５", "", "five"])
def test_a_number_in_a_query_is_written_in_digits(api: Api, sent: str) -> None:
    """A number that is written otherwise than in digits is refused by name (SV-7)."""
    refused = api("http_list_episodes", query={"limit": sent})
    assert (refused.status, refused.body["field"]) == (422, "limit")
    assert api("http_list_episodes", query={"limit": "5"}).status == 200


@pytest.mark.parametrize("sent", ["1", "yes", "on", "TRUE", "t", "0", ""])
def test_yes_or_no_in_a_query_is_true_or_false(api: Api, sent: str) -> None:
    """Whatever else than true and false, or True and False, a query has for yes and no is refused by name (SV-7)."""
    path = "/v1/subjects/biology/beliefs"
    refused = api("http_list_episodes", path=path, query={"history": sent})
    assert (refused.status, refused.body["field"]) == (422, "history")
    for taken in ("true", "false", "True", "False"):
        assert api("http_list_episodes", path=path, query={"history": taken}).status == 200
