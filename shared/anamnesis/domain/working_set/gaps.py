"""What a working set makes of rows that are missing from a log: somebody removed them, or a row was forged far off.

A row that somebody removed is a break that verification names; it must end neither the nights nor reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anamnesis.domain.log.episodes import Episode, erased

#: Most consecutive missing rows that the set keeps empty places for; what lies behind more is read as tail.
MAX_GAP = 10_000


def before_chasm(episodes: Sequence[Episode], after: int) -> list[Episode]:
    """The first of `episodes`, ascending, up to a gap of more than ``MAX_GAP`` positions.

    A forged row at a far position, together with a forged head, would otherwise cost an empty place for each position
    in between.
    """
    near: list[Episode] = []
    for episode in episodes:
        if episode.position - after > MAX_GAP:
            break
        near.append(episode)
        after = episode.position
    return near


def without_gaps(episodes: Sequence[Episode], after: int) -> list[Episode]:
    """`episodes`, ascending, with an erased one at every missing position from ``after + 1`` on."""
    filled: list[Episode] = []
    for episode in episodes:
        blank = replace(erased(episode), id="")
        filled += [replace(blank, position=p) for p in range(after + len(filled) + 1, episode.position)]
        filled.append(episode)
    return filled
