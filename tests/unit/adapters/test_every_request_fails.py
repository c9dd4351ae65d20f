"""Every use case over the real adapters, hit at every request to AWS: the boundaries inside the stores' own calls.

``make test`` tries a part of the points, the same each time; ``EVERY_FAULT=1`` tries all of them.
"""

from __future__ import annotations

import os
from typing import Any

import boto3
import pytest

from support.aws_faults import RequestPlan, Strike
from support.aws_stores import REGION, AwsStores
from support.aws_world import AwsWorld
from support.fault_invariants import holds_settled, meaning, rest
from support.fault_scenarios import SCENARIOS, Scenario
from support.fault_trials import heal
from support.fault_world import lived_in

EVERYTHING = bool(os.environ.get("EVERY_FAULT"))
#: Those whose writes take more than one request, or one that may be done in part.
CHOSEN = [
    scenario
    for scenario in SCENARIOS
    if not scenario.external
    and (
        EVERYTHING
        or scenario.name
        in {
            "append a long text",
            "read a replacement",
            "delete a file",
            "start a night",
            "run a night",
            "erase a subject",
        }
    )
]
#: Of a scenario's points, each so-manieth is tried; a prime.
EACH_POINT = 1 if EVERYTHING else 131


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)


@pytest.fixture(scope="module")
def queue(aws: AwsStores) -> tuple[Any, str]:
    """A queue of nights."""
    client = boto3.client("sqs", region_name=REGION)
    return client, client.create_queue(QueueName=f"{aws.prefix}-nights")["QueueUrl"]


@pytest.fixture(scope="module")
def beginning(aws: AwsStores, queue: tuple[Any, str]) -> Any:
    """A world that was lived in; made once, since that takes a second."""
    return lived_in(AwsWorld(aws, *queue)).state()  # type: ignore[attr-defined]


@pytest.mark.parametrize("scenario", CHOSEN, ids=[scenario.name for scenario in CHOSEN])
def test_every_request_may_fail(
    aws: AwsStores, queue: tuple[Any, str], beginning: Any, scenario: Scenario
) -> None:
    """Killed, throttled, unanswered or done by half at any request, a run is healed by the next try (SV-14, EP-7)."""
    clients = (aws.connection.client, aws.s3, queue[0])

    def world_of(state: Any) -> AwsWorld:
        world = AwsWorld(aws, *queue)
        world.restore(state)
        return world

    prepared = world_of(beginning)
    scenario.prepare(prepared)
    state, plan = prepared.state(), RequestPlan()
    world = world_of(state)
    with plan.attached(*clients):
        plan.armed = True
        result = scenario.act(world)
        plan.disarm()
    world.memory.clock.advance(minutes=1)
    holds_settled(world)
    rest(world)
    expected = meaning(world)
    points = [(s, n + 1) for s in Strike for n in range(sum(s.hits(name) for name in plan.sent))]
    # Each scenario begins at another point, so that all strikes have their turn somewhere.
    for strike, call in points[(17 * CHOSEN.index(scenario)) % EACH_POINT :: EACH_POINT]:
        struck = RequestPlan(call, strike)
        try:
            with struck.attached(*clients):
                heal(scenario, world_of(state), struck, result=result, expected=expected)
        except AssertionError as error:
            pytest.fail(f"{scenario.name}: {strike.value}, at request {call}, {struck.failed}: {error!r}")
    print(f"\n{scenario.name}: {len(points)} points")  # noqa: T201
