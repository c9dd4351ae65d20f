"""Index what the stream no longer tells: how a replay goes on when its records are gone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from anamnesis.bootstrap import application
from anamnesis.domain.identifiers import Pair


def index_again(asked: dict[str, Any]) -> dict[str, Any]:
    """Answer a replay whose records the stream no longer has: the pairs of a span, or one pair's next chunk."""
    again = application().index_again
    start, end = (datetime.fromisoformat(asked[name]) for name in ("start", "end"))
    if "pair" not in asked:
        found = again.pairs(start, end)
        return {
            "pairs": [
                {"tenant": pair.tenant, "student": pair.student, "subject": pair.subject} for pair in found
            ]
        }
    indexed, after = again(Pair(**asked["pair"]), start, end, after=asked.get("after", 0))
    return {"indexed": indexed, "after": after}
