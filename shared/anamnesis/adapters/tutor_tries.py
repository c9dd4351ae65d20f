"""Asking a tutor's model again while it has said nothing: what all of them share, whoever serves them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.tutoring.answers import AnswerFailed, Failing
from anamnesis.ports import Backoff

logger = logging.getLogger(__name__)

#: Pieces of an answer, and what it took.
Spoken = Generator[str | ModelUse, None, None]


class Passing(Exception):
    """A failure that may pass; its name, which quotes nothing that was said."""


def too_slow() -> AnswerFailed:
    """What is raised when the time is over."""
    return AnswerFailed(Failing.TOO_SLOW, "the time for answering is over")


def spoken_with_tries(
    ask: Callable[[], Spoken],
    *,
    attempts: Iterator[int],
    most: int,
    seconds_left: Callable[[], float],
    backoff: Backoff,
    whose: str,
) -> Spoken:
    """What the model says, asked again after a failure that may pass, until it has said something.

    Parameters
    ----------
    ask
        Asks once; raises ``Passing`` when another try may go better.
    attempts
        Numbers of the tries, from 1; the last of them is `most`.
    whose
        Names the model's side in the details of a failure.

    Raises
    ------
    AnswerFailed
        If the time is over, the tries are, or it breaks off.
    """
    said = False
    for attempt in attempts:
        try:
            with closing(ask()) as pieces:
                for piece in pieces:
                    said = True
                    yield piece
        except Passing as failure:
            if seconds_left() <= 0:
                raise too_slow() from None
            if said or attempt >= most:
                raise AnswerFailed(Failing.UNAVAILABLE, f"{whose}: {failure}") from None
            logger.info("tutor_waits", extra={"error": str(failure), "attempt": attempt})
            backoff.pause(attempt)
        else:
            return
