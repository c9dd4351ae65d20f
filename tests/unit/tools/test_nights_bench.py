"""The bench of nights: active pairs are queued by the index, and a night costs a bounded number of requests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anamnesis_tools.bench.costs.aws_prices import DYNAMODB_WRITE_UNIT, Usage, bill_of
from anamnesis_tools.bench.costs.night_costs import (
    NightScenario,
    PairKind,
    WorkerCosts,
    dispatched,
    worked,
    written,
)
from anamnesis_tools.bench.costs.nights import NightFound, shown

PAIRS = 8
KINDS = (PairKind("quiet", 0, 0.3), PairKind("a few", 5, 0.4), PairKind("many", 50, 0.3))


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the bench sets for its own processes is taken back."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, "")


def ran(path: Path, before: int) -> NightFound:
    """A night over a few pairs, in this process."""
    scenario = NightScenario(2 * PAIRS, PAIRS, before, embedded=0, kinds=KINDS)
    assert list(written(path, scenario))[-1] == 2 * PAIRS
    dispatch, messages = dispatched(path, scenario)
    assert (len(messages), dispatch.queued) == (PAIRS, 2 * PAIRS)
    return NightFound(scenario, dispatch, [worked(path, scenario, messages)], (0.0, 1))


def most_requests(workers: list[WorkerCosts]) -> int:
    """Requests of the dearest night."""
    return max(sum(night.requests.values()) for worker in workers for night in worker.nights)


def test_a_nights_requests_do_not_grow_with_the_past(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Six times the history and earlier nights cost no more requests; an index by day dispatches them (NI-1)."""
    short, long = ran(tmp_path / "short.sqlite", 20), ran(tmp_path / "long.sqlite", 120)
    # But for the batches of 25 in which the results of a night's citations, 200 at most, are kept.
    assert most_requests(long.workers) <= most_requests(short.workers) + 2
    # A query for each of the day's shards and a message for each ten pairs, whatever else the tables hold.
    assert long.dispatch.requests == {"dynamodb.Query": 16, "sqs.SendMessageBatch": 2}
    shown(long, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert set(told["kinds"]) == {"quiet", "a few", "many"}
    for kind, found in told["kinds"].items():
        assert found["consolidated"] == (0 if kind == "quiet" else found["pairs"])
        assert found["by_operation"]["kms.Sign"] == 1
    assert told["usd"]["total"] == pytest.approx(told["usd"]["a_pair"] * 2 * PAIRS)
    shown(long, as_json=False)
    assert "a second of" in capsys.readouterr().out


def test_a_bill_is_a_sum_of_what_was_used() -> None:
    """Each unit is priced as published, and a request without a price is no free one (NI-1)."""
    usage = Usage(0.0, 0.0, 0.0, 2e6, {"s3.PutObject": 1_000.0}, 0.0, 0.0)
    bill = bill_of(usage)
    assert bill.dynamodb == pytest.approx(2e6 * DYNAMODB_WRITE_UNIT)
    assert bill.dynamodb < bill.total == pytest.approx(bill.dynamodb + bill.s3)
    with pytest.raises(KeyError):
        bill_of(Usage(0.0, 0.0, 0.0, 0.0, {"s3.SelectObjectContent": 1.0}, 0.0, 0.0))
