"""A look at how long the steps of a turn take, for whoever measures them; nobody does by default."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

#: Makes what is entered at a step's beginning and left at its end, in the thread that does it. Called with the step's
#: name; steps of one turn may run at once.
Watch = Callable[[str], AbstractContextManager[None]]


def unwatched(_step: str) -> AbstractContextManager[None]:
    """Watch nothing."""
    return nullcontext()
