"""Beliefs as of now, with every row they came from (BE-2)."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.errors import NotFound
from anamnesis.domain.identifiers import Pair
from anamnesis.ports import BeliefStore
from anamnesis.service.project_log import ProjectLog


@dataclass(frozen=True, slots=True)
class ListBeliefs:
    """The use case; call it with a pair."""

    beliefs: BeliefStore
    project: ProjectLog

    def __call__(self, pair: Pair, *, history: bool) -> list[Belief]:
        """Current rows, or all of them oldest first; catches up with the log before answering."""
        self.project(pair)
        return self.beliefs.history(pair) if history else self.beliefs.current(pair)

    def chain_of(self, pair: Pair, belief_id: str) -> list[Belief]:
        """All rows of the same chain of supersession as `belief_id`, oldest first.

        Raises
        ------
        NotFound
            If this pair has no such belief.
        """
        self.project(pair)
        rows = self.beliefs.history(pair)
        start = next((row for row in rows if row.id == belief_id), None)
        if start is None:
            raise NotFound("no such belief", field="belief_id")
        by_id = {row.id: row for row in rows}
        before = {row.superseded_by: row for row in rows if row.superseded_by is not None}
        chain = [start]
        while (earlier := before.get(chain[0].id)) is not None:
            chain.insert(0, earlier)
        while (later := chain[-1].superseded_by) is not None and later in by_id:
            chain.append(by_id[later])
        return chain
