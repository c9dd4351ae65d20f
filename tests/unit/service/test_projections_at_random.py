"""Beliefs in whatever order checks, teachings, files, erasures, re-derivations, nights and crashes come."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from anamnesis.domain.beliefs.rederivation import RETIRED
from anamnesis.domain.log.episodes import Episode
from support.port_faults import Crash
from support.projections import PLANTS, SAVES, TEACHING, believed, erase, read, replayed, stored
from support.wired_memory import ANA, NOW, Memory, check, question

#: Topics and the concepts of their names; the third is in a file that may come, the fourth in a teaching.
TOPICS = {
    "Osmosis": "osmosis",
    "Cytoplasm": "cytoplasm",
    "Photosynthesis": "photosynthesis",
    "Lunar tides": "lunar tide",
    "just ask me": "just ask me",
}
#: The save at which an act dies first, 0 for none.
CRASHES = st.integers(0, 3)


class Projections(RuleBasedStateMachine):
    """A student's memory, and beside it which concept each check is tied to."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = Memory()
        self.memory.add_file()
        self.topics: dict[str, str] = {}
        self.ties: dict[str, str | None] = {}
        self.day = 0

    @rule(topic=st.sampled_from(sorted(TOPICS)), correct=st.booleans())
    def check(self, topic: str, correct: bool) -> None:
        """A check is recorded."""
        self.day += 1
        draft = check(topic, correct=correct, at=NOW + timedelta(days=self.day))
        (said,) = self.memory.say(draft)
        self.topics[said.id] = topic
        self.ties[said.id] = self._today(said)
        assert said.outcome is not None
        assert said.outcome.concept == self.ties[said.id]

    @rule()
    def teach(self) -> None:
        """The student names a concept, which another teaching may have named already."""
        self.memory.say(question(TEACHING))

    @rule()
    def add_file(self) -> None:
        """A file that explains more arrives."""
        self.memory.add_file(PLANTS, name="plants.txt")

    @rule(crash=CRASHES)
    def rederive(self, crash: int) -> None:
        """Beliefs by today's map."""
        self._through(crash, lambda: self.memory.rederive(ANA))
        self.ties = {e.id: self._today(e) for e in self._checks()}
        before = stored(self.memory)
        self.memory.rederive(ANA)
        assert stored(self.memory) == before

    @rule(which=st.integers(0, 60), crash=CRASHES)
    def erase(self, which: int, crash: int) -> None:
        """Some episode is erased; checks keep the concept of their day if something names it, or were tied anew."""
        log = read(self.memory)
        erase(self.memory, log[which % len(log)])
        self._through(crash, lambda: self.memory.project(ANA))
        anew, known = self.memory.raw_beliefs.projected_to(ANA).tied_anew, self._known()
        for said in self._checks():
            if anew:
                self.ties[said.id] = self._today(said)
            else:
                self.ties[said.id] = said.tied_to if said.tied_to in known else None

    @invariant()
    def beliefs_are_the_replay_of_what_is_left(self) -> None:
        """One current row a concept, on nothing that is erased, and as the model has it."""
        assert believed(self.memory) == replayed((e, self.ties[e.id]) for e in self._checks())
        rows = self.memory.raw_beliefs.history(ANA)
        assert {i for row in rows for i in row.evidence} <= {e.id for e in read(self.memory) if e.content}
        assert {row.superseded_by for row in rows} <= {None, RETIRED, *(row.id for row in rows)}

    def _checks(self) -> list[Episode]:
        return [e for e in read(self.memory) if e.outcome is not None]

    def _known(self) -> set[str]:
        own = self.memory.raw_concepts.layer(ANA).own_concepts
        return {concept.key for concept in self.memory.maps.load(ANA.scope).concepts} | set(own)

    def _today(self, said: Episode) -> str | None:
        concept = TOPICS[self.topics[said.id]]
        return concept if concept in self._known() else None

    def _through(self, crash: int, act: Callable[[], object]) -> None:
        """Do something that dies at one of its saves, and again until it is done."""
        plan = self.memory.plan
        plan.armed, plan.call, plan.counted = bool(crash), crash, SAVES
        plan.calls.clear()
        try:
            act()
        except Crash:
            self.memory.fresh()
        plan.armed = False
        act()


class TestProjections(Projections.TestCase):  # type: ignore[name-defined,misc]  # made by hypothesis
    """Runs it."""

    settings = settings(
        max_examples=40,
        stateful_step_count=20,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
