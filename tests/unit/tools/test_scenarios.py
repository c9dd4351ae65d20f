"""Every scenario that comes with the project, through the real handlers over stores in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from anamnesis_tools.bench.scenarios import library
from anamnesis_tools.bench.scenarios.player import play
from support.api_in_process import InProcessClient, Place, place_in_process

#: Most requests publish none, in Lambda as here.
pytestmark = pytest.mark.filterwarnings("ignore:No application metrics to publish")


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """One application for all: each scenario has a student and a subject of its own."""
    with place_in_process() as made:
        yield made


@pytest.mark.parametrize("name", library.names())
def test_scenario(place: Place, name: str) -> None:
    """What a user would suffer from does not happen, and what still does is said to (EV-1)."""
    played = play(name, library.load([name])[name], InProcessClient(place), "run")
    assert played.as_it_should, (played.outcome, played.faults)
