"""The latency benchmark: stores that stand in, and costs of turns over histories in their stored forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anamnesis_tools.bench.costs import turn_costs
from anamnesis_tools.bench.costs.latency import Latency, scenarios, shown
from anamnesis_tools.bench.costs.stand_in_stores import StandInStores
from anamnesis_tools.bench.costs.turn_costs import WatchedApplication, measured, pair_number, written

TURNS = 7
#: Memories that a turn recalls at most.
RECALLED = 48


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Latency]:
    """A short history and one eight times as long, measured in this process."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(turn_costs, "COLD_TURNS", 1)
    runs = []
    for scenario in scenarios([100, 800], 0, turns=TURNS):
        path = tmp_path / f"{scenario.episodes}.sqlite"
        assert list(written(path, scenario))[-1] == scenario.episodes
        runs.append(Latency(scenario, (1.0, 2), measured(path, scenario)))
    return runs


def test_requests_do_not_grow(found: list[Latency], capsys: pytest.CaptureFixture[str]) -> None:
    """Turns over a long history send as many requests as over a short one, and every step is told (EV-7, SV-4)."""
    shown(found, as_json=True)
    short, long = json.loads(capsys.readouterr().out)
    for state in ("warm", "cold"):
        for told in (short, long):
            # A lease of requests lasts for ten turns, or until the minute ends.
            told[state]["by_operation"].pop("dynamodb.UpdateItem", None)
        assert short[state]["by_operation"] == long[state]["by_operation"]
        assert {"history", "recall", "episodes", "composing", "embedder"} <= set(long[state]["steps"])
    # One for each memory, which is a read of its own, and one for each 4 kB of all else.
    assert RECALLED < long["warm"]["read_units"]["max"] <= 2 * RECALLED
    assert long["cold"]["by_operation"]["s3.GetObject"] == 2
    assert "s3.GetObject" not in long["warm"]["by_operation"]
    shown(found, as_json=False)
    assert "processor" in capsys.readouterr().out


def test_stores_that_stand_in_give_back_what_was_written(tmp_path: Path) -> None:
    """What the store's own append wrote comes back by every way that a turn and a night read (EV-7)."""
    path = tmp_path / "stores.sqlite"
    (scenario,) = scenarios([450], 0, turns=1, behind=30)
    assert list(written(path, scenario))[-1] == 450
    ports = WatchedApplication(StandInStores(path)).read_block
    pair = pair_number(0)
    assert [e.position for e in ports.log.scan(pair)] == list(range(1, 451))
    assert [e.position for e in ports.log.latest(pair, 3)] == [450, 449, 448]
    tail, erasing = ports.log.tail(pair, after=420, limit=250)
    assert ([e.position for e in tail], erasing) == (list(range(421, 451)), False)
    assert ports.log.head(pair).hash == tail[-1].hash
    assert [e.position for e in ports.log.read(pair, [7, 451, 3])] == [7, 3]
    assert sorted(ports.records.vectors(pair, ports.embedder.name)) == list(range(421, 451))
    assert ports.records.working_set(pair).last_position == 420
    assert len(ports.beliefs.current(pair)) == 450 // 25
