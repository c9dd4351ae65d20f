"""The service against its own description: what schemathesis makes of the served OpenAPI document."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import schemathesis
from pydantic import TypeAdapter
from schemathesis.config import SchemathesisConfig
from schemathesis.core.jsonschema.patterns import pin_pattern_length
from schemathesis.engine import events, from_schema
from schemathesis.specs.openapi.coverage import _schema as coverage

from anamnesis import bootstrap
from anamnesis.schemas.wiki import EvidenceAddress
from support.aws_stores import AwsStores
from support.http_bridge import HttpBridge
from support.lambda_events import Api
from support.wired_memory import HashEmbedder

#: Random cases an operation and kind of data, besides the ones at every boundary of the schema (about 900).
EXAMPLES = int(os.environ.get("ANAMNESIS_SCHEMA_EXAMPLES", "4"))
SEED = int(os.environ.get("ANAMNESIS_SCHEMA_SEED", "3"))

#: Left out: `positive_data_acceptance`, since a schema cannot say that a cited file must exist or that a check needs a
#: result; `mistakes` of the bridge holds those refusals to naming their field. And `ignored_auth`, which would test the
#: bridge: tokens are the gateway's to verify. And `use_after_free`: a deleted file is still told of, as deleted.
LEFT_OUT = ("positive_data_acceptance", "ignored_auth", "use_after_free")

#: How what violates the schema may be refused. A text that is too long by far makes a request that is too long, which
#: is said first (413).
REFUSALS = (400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429)

#: What no input made from a schema does: a page without evidence is refused, and so is a text that is no calendar.
NEVER_BY_CHANCE = ("PUT /v1/wiki/pages/{path}", "PUT /v1/connectors/{name}")

ADDRESS = str(TypeAdapter(EvidenceAddress).json_schema()["pattern"])


@dataclass
class Run:
    """What a run of schemathesis did and found."""

    cases: Counter[str] = field(default_factory=Counter)
    found: dict[tuple[str | None, str, str], str] = field(default_factory=dict)
    statuses: dict[str, Counter[int]] = field(default_factory=dict)


@pytest.fixture(scope="module")
def bridge(stack: tuple[AwsStores, HashEmbedder]) -> HttpBridge:
    """The service behind a gateway, for one service token."""
    stores, embedder = stack
    return HttpBridge(Api("schemas", stores, embedder), bootstrap.application().metered())


@pytest.fixture(scope="module")
def monkeypatch_of_module() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def run(bridge: HttpBridge, monkeypatch_of_module: pytest.MonkeyPatch) -> Run:
    """One run over every operation: boundary cases, random ones, and sequences that use what earlier replies named."""
    generation = {"deterministic": True, "max-examples": EXAMPLES, "no-shrink": True}
    config = SchemathesisConfig.from_dict(
        {
            "seed": SEED,
            "workers": 1,
            "continue-on-failure": True,
            "headers": {"Authorization": "Bearer service"},
            "generation": generation,
            "checks": {name: {"enabled": False} for name in LEFT_OUT}
            | {"negative_data_rejection": {"expected-statuses": [str(status) for status in REFUSALS]}},
        }
    )
    monkeypatch_of_module.setattr(coverage, "pin_pattern_length", _pinned)
    schema = schemathesis.openapi.from_wsgi("/v1/openapi.json", bridge, config=config)
    run = Run()
    for event in from_schema(schema).execute():
        assert not isinstance(event, events.FatalError), event.exception
        assert not isinstance(event, events.NonFatalError), event.info.format(bold=str)
        if isinstance(event, events.ScenarioFinished):
            _note(run, event)
    return run


def _pinned(pattern: str, shortest: int | None, longest: int | None) -> str:
    """A pattern whose matches have the length asked for; of an address it would be searched for in vain for seconds."""
    if pattern == ADDRESS and shortest is not None:
        return rf"^file://a/[a-z0-9]{{{shortest - len('file://a/')}}}$"
    return str(pin_pattern_length(pattern, shortest, longest))


def _note(run: Run, event: events.ScenarioFinished) -> None:
    recorder = event.recorder
    run.cases[event.phase.name] += len(recorder.cases)
    for case_id, interaction in recorder.interactions.items():
        if interaction.response is not None:
            label = recorder.cases[case_id].value.operation.label
            run.statuses.setdefault(label, Counter())[interaction.response.status_code] += 1
    for checks in recorder.checks.values():
        for check in checks:
            if check.failure_info is not None:
                failure = check.failure_info.failure
                run.found[event.label, check.name, failure.title] = (
                    f"{failure.message}\n{check.failure_info.code_sample}"[:1_000]
                )


def test_the_service_is_as_described(run: Run, record_property: Any) -> None:
    """No input derived from the description, valid or not, gets an answer that the description rules out (SV-7)."""
    record_property("schemathesis cases", sum(run.cases.values()))
    assert run.found == {}
    assert sum(run.cases.values()) > 800


def test_refusals_name_and_write_nothing(run: Run, bridge: HttpBridge) -> None:
    """Every refusal of such an input is a problem document that names the field, and wrote nothing (SV-7, SV-13)."""
    assert run.cases
    assert bridge.mistakes == []


def test_every_operation_is_reached(run: Run) -> None:
    """Such inputs get past validation too: every operation answers some as it answers a good request (SV-6)."""
    for operation, statuses in run.statuses.items():
        # Of what only a night or the service itself makes, no input can know an id; that it is not there is said then.
        asks = operation.startswith(("GET", "POST /v1/wiki/"))
        missing = statuses[404] and (operation.count("{") > 1 or asks)
        assert statuses[200] or statuses[204] or missing or operation in NEVER_BY_CHANCE, operation
        assert not any(status >= 500 for status in statuses), operation
