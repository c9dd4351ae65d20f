"""`anamnesis reindex` on the real use case over a memory; Lambda in between hands events on."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from typing import Any

import pytest

from anamnesis.domain.identifiers import Pair
from anamnesis_tools.reindex_command import active, through
from anamnesis_tools.replay.place import Place
from index_episodes import replays
from support.memory_platform import MemorySemanticIndex
from support.wired_memory import ANA, BEN, HashEmbedder, Memory, question


class Functions:
    """Lambda's client, whose one function is the real one on a memory; it fails for the students in `broken`."""

    def __init__(self) -> None:
        self.broken: set[str] = set()

    def invoke(self, *, FunctionName: str, InvocationType: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803
        asked = json.loads(Payload)["index_again"]
        if asked.get("pair", {}).get("student") in self.broken:
            said: Any = {"errorType": "StoreUnavailable", "errorMessage": "SECRET"}
            return {
                "StatusCode": 200,
                "FunctionError": "Unhandled",
                "Payload": io.BytesIO(json.dumps(said).encode()),
            }
        return {"StatusCode": 200, "Payload": io.BytesIO(json.dumps(replays.index_again(asked)).encode())}


@pytest.fixture
def functions() -> Functions:
    return Functions()


@pytest.fixture
def place(functions: Functions) -> Place:
    return Place("here", {"IndexEpisodesFunctionName": "index"}, lambda _: functions)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Memory:
    """Two students with episodes under one model, and then another model with an empty index."""
    memory = Memory()
    for pair, count in ((ANA, 70), (BEN, 3)):
        for number in range(count):
            memory.say(question(f"What is number {number}?"), pair=pair)
        memory.clock.advance(days=40)
    memory.embedder = HashEmbedder("words 2")
    memory.semantic_index = MemorySemanticIndex()
    memory.fresh()
    monkeypatch.setattr(replays, "application", lambda: memory)
    return memory


def in_index(memory: Memory, pair: Pair) -> int:
    assert memory.semantic_index is not None
    query = memory.embedder.embed_query("number")
    return len(memory.semantic_index.neighbours(pair, query, 1_000, timeout_seconds=1))


def test_another_models_index_is_filled_from_the_log(place: Place, memory: Memory) -> None:
    """After a change of model one command indexes every active pair's whole log by the new one (CM-3, SV-14)."""
    now = memory.clock.now()
    pairs = active(place, now - timedelta(days=400), now)
    assert sorted(pair["student"] for pair in pairs) == ["ana", "ben"]
    for _ in range(2):
        done = through(place, pairs, now)
        assert (done.pairs, done.episodes, done.left) == (2, 73, [])
        assert (in_index(memory, ANA), in_index(memory, BEN)) == (70, 3)


def test_only_pairs_of_late_are_asked_for(place: Place, memory: Memory) -> None:
    """Pairs that recorded nothing in the days asked for are left as they are (SV-14)."""
    now = memory.clock.now()
    assert [pair["student"] for pair in active(place, now - timedelta(days=60), now)] == ["ben"]


def test_a_pair_that_fails_keeps_no_other(place: Place, memory: Memory, functions: Functions) -> None:
    """A pair whose indexing fails is named, without what the function said, and all others are indexed (SV-14)."""
    functions.broken = {"ana"}
    now = memory.clock.now()
    told: list[None] = []
    pairs = active(place, now - timedelta(days=400), now)
    done = through(place, pairs, now, tell=lambda: told.append(None))
    assert (done.pairs, in_index(memory, BEN), len(told)) == (1, 3, 2)
    [left] = done.left
    assert left["pair"]["student"] == "ana"
    assert "SECRET" not in json.dumps(left)
