"""Queue the night for every pair that was active on a day (NI-1, SV-5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from anamnesis.ports import EpisodeLog, NightQueue


@dataclass(frozen=True, slots=True)
class StartNight:
    """The use case; call it with the UTC day that ended."""

    log: EpisodeLog
    queue: NightQueue

    def __call__(self, night: date) -> int:
        """Queue one message per pair active on `night`; return how many. Queueing twice runs nothing twice (NI-2)."""
        return self.queue.send(self.log.active_pairs(night), night)
