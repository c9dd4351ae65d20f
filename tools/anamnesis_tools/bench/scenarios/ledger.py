"""What the service gave for what a scenario calls by handles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

#: A student's subject, as the service knows them.
Owner = tuple[str, str]


@dataclass(slots=True)
class Ledger:
    """Ids by handle, and whose they are.

    Attributes
    ----------
    episodes
        Ids of the episodes of each handle, in the order recorded.
    files
        Id of each file.
    logs
        For each student's subject, when each of its episodes happened, by id.
    """

    episodes: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    logs: dict[Owner, dict[str, datetime]] = field(default_factory=dict)

    def recorded(self, owner: Owner, handle: str | None, episode_id: str, at: datetime) -> None:
        """Note an episode; one that came under an idempotency key before is noted once."""
        if handle is not None:
            ids = self.episodes.setdefault(handle, [])
            if episode_id not in ids:
                ids.append(episode_id)
        self.logs.setdefault(owner, {})[episode_id] = at

    def listed(self, owner: Owner, episodes: Iterable[Mapping[str, Any]]) -> None:
        """Note what a listing shows: the log's own events, such as files and consolidations, have no handle."""
        log = self.logs.setdefault(owner, {})
        for episode in episodes:
            log[episode["id"]] = datetime.fromisoformat(episode["occurred_at"])

    def handle_of(self, episode_id: str) -> str:
        """The handle of an id, for people; the id itself when it has none."""
        return next((handle for handle, ids in self.episodes.items() if episode_id in ids), episode_id)
