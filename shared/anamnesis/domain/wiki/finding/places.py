"""Where in a tree an episode stands: the transcript that holds it, and its turn there (WU-3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.finding.written_turns import is_transcript, turns_in
from anamnesis.domain.wiki.pages import Tree


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
        held = [marker for marker in wanted if marker in text] if is_transcript(path) else []
        turns = list(turns_in(text)) if held else []
        for marker in held:
            at = text.index(marker)
            of = next((turn for turn in reversed(turns) if turn.start <= at), None)
            if of is not None:
                found[wanted.pop(marker)] = Place(path, of.line, of.address)
        if not wanted:
            break
    return found
