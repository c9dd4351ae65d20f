"""What is signed as deleted and not gone yet: shown to nobody from the moment that its erasure has begun (EP-8)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Head, erased
from anamnesis.domain.log.erasures import DeletedPositions, ErasureStage, check_erasures
from anamnesis.ports import ErasureStore, Signer

_T = TypeVar("_T")

#: Of a log of which nothing is being erased.
NOTHING = DeletedPositions(())


@dataclass(frozen=True, slots=True)
class Withheld:
    """Knows the positions that readers leave out while an erasure is under way, or waits to be finished.

    Ask after reading what they are to be left out of: whatever had begun before is known then. One request, for logs
    that something was ever erased from.
    """

    erasures: ErasureStore
    signer: Signer

    def positions(self, pair: Pair, head: Head | None = None) -> DeletedPositions:
        """Every position that a deletion record covers which is to be believed, and was begun and not finished.

        Parameters
        ----------
        head
            The log's, to save the request for a log that nothing was erased from; None where something is known to be
            under way.
        """
        if head is not None and not head.erasures:
            return NOTHING
        begun = [erasure for erasure in self.erasures.all(pair) if erasure.stage is ErasureStage.BEGUN]
        return DeletedPositions(check_erasures(begun, pair, 0, self.signer)[0]) if begun else NOTHING

    def left_out(self, pair: Pair, episodes: Sequence[Episode], head: Head) -> list[Episode]:
        """`episodes`, of which those that are withheld say nothing."""
        return without(episodes, self.positions(pair, head))


def without(episodes: Sequence[Episode], withheld: Collection[int]) -> list[Episode]:
    """`episodes`, of which those at the withheld positions look as they will when they are erased."""
    return [erased(episode) if episode.position in withheld else episode for episode in episodes]


def telling_nothing_of(withheld: Collection[int], vectors: Mapping[int, _T]) -> dict[int, _T]:
    """Vectors by position, without those of withheld episodes and of the ones right behind, embedded with them."""
    return {p: vector for p, vector in vectors.items() if p not in withheld and p - 1 not in withheld}
