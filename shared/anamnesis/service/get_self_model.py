"""What the memory knows about its own reliability, as the latest night composed it (NI-4)."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.errors import NotFound
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.night.records import SelfModel
from anamnesis.ports import RecordStore


@dataclass(frozen=True, slots=True)
class GetSelfModel:
    """The use case; call it with a pair."""

    records: RecordStore

    def __call__(self, pair: Pair) -> SelfModel:
        """The latest self-model.

        Raises
        ------
        NotFound
            Before the first night.
        """
        self_model = self.records.self_model(pair)
        if self_model is None:
            raise NotFound("no night has run for this student in this subject yet")
        return self_model
