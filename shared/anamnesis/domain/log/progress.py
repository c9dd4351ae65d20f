"""How far a log has been turned into what follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Progress:
    """What a stored projection of a pair's log covers.

    Attributes
    ----------
    position
        Position of the last episode whose consequences are stored; 0 at first.
    erasures
        ``Head.erasures`` as it was before the log was read. A lower number than the head's means that the projection
        may hold what was erased since, and is to be made from the log anew.
    tied_anew
        Whether checks were tied to concepts anew, by names of a later day than theirs, since the projection began. Then
        the concept recorded with a check says no longer which belief it is behind.
    revision
        Times that the projection was stored. Two values are equal whatever it is; stores compare it, so that nobody
        saves over what he has not read, even where position and erasures are the same again.
    """

    position: int = 0
    erasures: int = 0
    tied_anew: bool = False
    revision: int = field(default=0, compare=False)

    def covers(self, other: Progress) -> bool:
        """Whether the consequences of all that `other` covers are stored, and no less is gone."""
        return self.position >= other.position and self.erasures >= other.erasures
