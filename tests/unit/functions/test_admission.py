"""The door of both HTTP functions: who gets as far as a route, and how many of a tenant's requests a minute."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from anamnesis import bootstrap
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.service.admit_request import AdmitRequest
from support.lambda_events import EVENTS, Answer, Api
from support.memory_platform import SteppingClock

#: One event a route, as a student sends it; those of other roles are theirs to send.
GUARDED = sorted(
    file.stem
    for file in EVENTS.glob("http_*.json")
    if "authorizer" in json.loads(file.read_text())["requestContext"]
)
STUDENT = {"cognito:groups": "[student]", "custom:student": "ana"}
#: What an error's message might quote; the log shows the line that raised it, and so only this name.
SAID = "what ana said"
CHAIN, BLOCK = "http_verify_chain", "http_read_block"


@pytest.mark.parametrize("named", ["ben", "ana", ""])
def test_a_student_names_nobody_on_any_route(api: Api, named: str) -> None:
    """Each route refuses a student's token with ?student=, before it says anything of the rest (SV-11)."""
    for name in GUARDED:
        answer = api(name, claims=STUDENT, query={"student": named}, body="{")
        assert (answer.status, answer.problem, answer.body["field"]) == (403, "forbidden", "student"), name


@pytest.mark.parametrize(
    "claims",
    [
        {"custom:tenant": None},
        {"custom:tenant": ""},
        {"custom:tenant": "a/b"},
        {"custom:tenant": "school\u200b"},
        {"custom:tenant": "x" * 65},
        {"custom:student": "../ben"},
        {"custom:student": "x" * 129},
        {"cognito:groups": None},
        {"cognito:groups": "[teachers]"},
        {"token_use": None},
        {"token_use": "access"},
    ],
    ids=lambda claims: "=".join(map(str, *claims.items()))[:40],
)
def test_a_token_that_names_nobody_opens_no_route(api: Api, claims: dict[str, Any]) -> None:
    """No route answers a token that is no ID token or names no possible tenant, student or role (SV-11)."""
    for name in GUARDED:
        answer = api(name, claims={**STUDENT, **claims}, query={})
        assert (answer.status, answer.problem) == (403, "forbidden"), name
        assert answer.body.get("field") is None


def test_no_claims_open_no_route(api: Api) -> None:
    """A request that no authoriser has vouched for gets as far as no route, whatever else it holds (SV-11)."""
    for name in GUARDED:
        event = api.event(name)
        del event["requestContext"]["authorizer"]
        assert api.send(event).status == 403, name
        event["requestContext"]["authorizer"] = {"lambda": {"claims": STUDENT}}
        assert api.send(event).status == 403, name


def test_a_student_s_token_without_a_student(api: Api) -> None:
    """A student's token that does not say whose it is reads and writes nothing (SV-11)."""
    for name in (CHAIN, BLOCK, "http_record_episodes", "http_list_files"):
        answer = api(name, claims={**STUDENT, "custom:student": None})
        assert (answer.status, answer.problem) == (403, "forbidden")


# ---------------------------------------------------------------------------------------- throttles
@contextmanager
def limited(limit: int, **parts: Any) -> Iterator[SteppingClock]:
    """The application with a limit of so many requests a minute, on the real counter and a clock that stands still."""
    application = bootstrap.application()
    clock = SteppingClock()
    kept = application.admit_request
    with ThreadPoolExecutor(max_workers=2) as executor:
        application.__dict__["admit_request"] = AdmitRequest(
            counter=parts.get("counter", kept._counter),
            clock=clock,
            executor=executor,
            limit=limit,
            monotonic=time.monotonic,
        )
        try:
            yield clock
        finally:
            application.__dict__["admit_request"] = kept


def metric(out: str, name: str) -> float:
    """Sum of a metric over what the functions printed."""
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    return sum(sum(line[name]) for line in lines if name in line)


def test_a_tenant_beyond_its_limit_is_told_when_to_come_back(
    api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both functions count into one limit; beyond it all routes answer 429 with Retry-After (SV-12)."""
    with limited(4) as clock:
        clock.advance(seconds=18)
        assert [api(name).status for name in (CHAIN, BLOCK, CHAIN, "http_get_map")] == [200] * 4
        for name in (CHAIN, BLOCK, "http_record_episodes", "http_broken_json"):
            answer = api(name)
            assert (answer.status, answer.problem) == (429, "too-many-requests")
            assert answer.headers["Retry-After"] == "42"
        assert api("http_get_health").status == api("http_get_openapi").status == 200
        clock.advance(seconds=42)
        assert api(CHAIN).status == 200
        assert api(CHAIN).body["length"] == 0
    assert metric(capsys.readouterr().out, "RequestsRefused") == 4


def test_one_tenant_s_flood_is_no_other_s(api: Api) -> None:
    """While one tenant is refused, all others are served, look-alikes and their services too (SV-12)."""
    with limited(3):
        assert [api(CHAIN).status for _ in range(6)] == [200] * 3 + [429] * 3
        for other in (f"{api.tenant} ", f"{api.tenant}#", api.tenant.upper(), f"{api.tenant}0"):
            event = api.event(CHAIN)
            event["requestContext"]["authorizer"]["jwt"]["claims"]["custom:tenant"] = other
            assert api.send(event).status == (403 if other.endswith(" ") else 200)
        assert api(CHAIN, claims={"custom:student": "ben"}).status == 429


def test_refused_requests_cost_no_store_anything(api: Api) -> None:
    """A refused request asks no store, and of those let in one in ten asks the counter once (SV-12)."""
    meter = bootstrap.application().metered()
    with limited(1_000):
        api(CHAIN)
        with meter.measure() as free:
            [api(CHAIN) for _ in range(9)]
        with meter.measure() as leased:
            api(CHAIN)
    assert "dynamodb.UpdateItem" not in free.by_operation
    assert leased.by_operation["dynamodb.UpdateItem"].requests == 1
    with limited(1):
        api(CHAIN, claims={"custom:student": "ben"})
        api(CHAIN)
        with meter.measure() as refused:
            statuses = {api(name).status for name in (CHAIN, BLOCK, "http_record_episodes")}
    assert statuses == {429}
    assert refused.total.requests == 0


class Broken:
    """A counter that does what it is told instead of counting."""

    def __init__(self, act: Callable[[], int]) -> None:
        self.act = act

    def add(self, *_: Any) -> int:
        return self.act()


def unavailable() -> int:
    raise StoreUnavailable("dynamodb: ThrottlingException")


def late() -> int:
    time.sleep(1.0)
    return 0


@pytest.mark.parametrize("act", [unavailable, late])
def test_a_throttle_out_of_order_stops_nobody(
    api: Api, capsys: pytest.CaptureFixture[str], act: Callable[[], int]
) -> None:
    """When the counter fails or hangs, requests are served, and a metric and the log say so (SV-12, SV-14)."""
    with limited(1, counter=Broken(act)):
        assert [api(CHAIN).status for _ in range(3)] == [200] * 3
    out = capsys.readouterr().out
    assert metric(out, "RequestsUncounted") == 3
    assert "request_not_counted" in out


def test_what_breaks_at_the_door_is_a_problem_too(api: Api, capsys: pytest.CaptureFixture[str]) -> None:
    """An error that nobody foresaw in front of the routes is a problem document, and no message of it leaks (SV-7)."""

    def fail() -> int:
        raise KeyError(SAID)

    with limited(1, counter=Broken(fail)):
        answer: Answer = api(CHAIN)
    assert (answer.status, answer.problem) == (500, "internal")
    out = capsys.readouterr().out
    assert "unexpected_error" in out
    assert SAID not in json.dumps(answer.body) + out
