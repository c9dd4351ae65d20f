"""What pages of facts share: quotations of the student, newest first, and the days on which they were said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date
from typing import Final

from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.facts.said import Said
from anamnesis.domain.wiki.pages import Section, Statement

#: Most sentences that a page quotes; all of them stand in the sessions. Ours.
MAX_QUOTED: Final = 12
#: Most lines of a list. Ours.
MAX_LINES: Final = 40
WHAT_CHANGED: Final = "What changed"
_IN_THEIR_WORDS: Final = "In the student's words"


def quoted(said: Sequence[Said]) -> Section:
    """The latest sentences, newest first."""
    newest = list(reversed(said))[:MAX_QUOTED]
    return Section(
        _IN_THEIR_WORDS, tuple(Statement(f"{day_of(s)}: “{s.text}”", (s.address,)) for s in newest)
    )


def references(said: Iterable[Said]) -> dict[Address, str]:
    """What the addresses of sentences are."""
    return {s.address: f"{day_of(s)} · “{s.text}”" for s in said}


def day_of(said: Said) -> date:
    """The UTC day on which a sentence was said."""
    return said.at.astimezone(UTC).date()


def day_on(episode: Episode) -> date:
    """The UTC day on which something happened."""
    return episode.occurred_at.astimezone(UTC).date()
