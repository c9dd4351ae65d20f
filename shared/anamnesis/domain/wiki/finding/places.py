"""Where in a tree an episode stands: the transcript that holds it, and its turn there (WU-3)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.pages import SESSIONS, Tree

_TURN: Final = re.compile(r"^## Turn \d+.*`(session://[^`]+)`$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """The transcript that holds an episode, the line (from 1) at which its turn begins, and the turn's address."""

    path: str
    line: int
    turn: str


def places_of(tree: Tree, episodes: Iterable[Address]) -> dict[Address, Place]:
    """Where each of some episodes stands; those that no transcript holds are left out.

    Parameters
    ----------
    episodes
        Addresses of the scheme ``episode``.
    """
    wanted = {f"\n`{address}`\n": address for address in episodes}
    found: dict[Address, Place] = {}
    for path, text in tree.items():
        if not path.startswith(f"{SESSIONS}/") or "/transcript" not in path:
            continue
        for marker in [marker for marker in wanted if marker in text]:
            at = text.index(marker)
            turns = list(_TURN.finditer(text, 0, at + 1))
            if turns:
                found[wanted.pop(marker)] = Place(
                    path, text.count("\n", 0, turns[-1].start()) + 1, turns[-1][1]
                )
        if not wanted:
            break
    return found
