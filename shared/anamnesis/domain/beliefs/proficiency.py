"""How a student fares in a subject as a whole, as evidence on the concept that is checked next (BE-5).

Knowledge tracing looks at each concept alone, so that whoever has passed nineteen checks is taken for a beginner at the
twentieth concept. That students differ, and by how much more than concepts do, is known: a proficiency of the student
is one of the three terms of the Additive Factors Model (Cen, Koedinger, Junker, "Learning Factors Analysis", ITS 2006),
and parameters of the student help Bayesian knowledge tracing more than those of the concept (Yudelson, Koedinger,
Gordon, "Individualized Bayesian Knowledge Tracing Models", AIED 2013). As there, it is a term in log-odds. It is worked
out from what is believed of the other concepts, so that nothing else has to be kept, and shrunk towards none while
there are few of them.

What that still leaves of how a student fares is their intercept: the model was fitted to beginners who practise what
they were not taught, and whoever is checked on what was explained a week before does better than it expects, at every
concept and from the first check on. Each night works it out anew from the checks of the log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from datetime import datetime
from math import exp
from typing import Final

from anamnesis.domain.beliefs.knowledge_tracing import FITTED, Mastery, Parameters, predict, update
from anamnesis.domain.beliefs.revision import CheckResult

#: Log-odds for a student who knows everything against one who knows nothing, and P(known) of a student who fares as the
#: model alone would have it. Fitted by maximum likelihood with the model's own parameters held, five times on 16 of the
#: 20 learners that these stand for: 3.6 to 4.8 and 0.60 to 0.65 (`anamnesis bench calibration`).
WEIGHT: Final = 4.0
LEVEL: Final = 0.63
#: Concepts' worth of a student of that level which the evidence is weighed against. Ours; 2 and 8 do as well.
SHRINKAGE: Final = 4.0
#: Information, in checks' worth of p (1 - p), that no intercept is given; and the latest checks that it is worked out
#: from. Ours: on the 20 learners 2 to 16 do about as well (`anamnesis bench calibration`).
CAUTION: Final = 4.0
LATEST_CHECKS: Final = 1_000


def proficiency(others: Iterable[Mastery]) -> float:
    """Work out the student's proficiency, in log-odds: above 0 for one who fares better than the model expects.

    Parameters
    ----------
    others
        States of the subject's other concepts, as their latest checks left them; in any order.
    """
    known = sorted(state.known for state in others)  # one sum, whatever the order
    return WEIGHT * sum(value - LEVEL for value in known) / (len(known) + SHRINKAGE)


def predict_outcome(
    state: Mastery | None,
    at: datetime,
    others: Iterable[Mastery],
    *,
    intercept: float = 0.0,
    parameters: Parameters = FITTED,
) -> float:
    """Compute P(correct) of a check at a time: what is stored with it and compared with its outcome (BE-5).

    Parameters
    ----------
    state
        Of the concept; None before its first check.
    at
        Aware.
    others
        As for ``proficiency``.
    intercept
        The student's, as of the latest night; see ``student_intercept``.

    Returns
    -------
    float
        Above 0 and below 1.
    """
    alone = predict(state, at, parameters=parameters)
    return 1.0 / (1.0 + (1.0 - alone) / alone * exp(-proficiency(others) - intercept))


def student_intercept(checks: Iterable[CheckResult]) -> float:
    """Work out by how much a student fares better than the model expects, in log-odds, 0.0 without checks.

    Each check is predicted with what the ones before it tell and moves the intercept by its surprise, over the
    information gathered so far: the running posterior mode of a logistic intercept with a normal prior of mean 0
    (Glickman, "Parameter estimation in large dynamic paired comparison experiments", Applied Statistics 48 (1999),
    without its growth of uncertainty between periods).

    Parameters
    ----------
    checks
        In the order of the log; the latest ``LATEST_CHECKS`` are looked at.
    """
    states: dict[str, Mastery] = {}
    intercept, information = 0.0, CAUTION
    for check in deque(checks, LATEST_CHECKS):
        before, at = states.pop(check.concept, None), check.occurred_at
        expected = predict_outcome(before, at, states.values(), intercept=intercept)
        information += expected * (1.0 - expected)
        intercept += (check.correct - expected) / information
        states[check.concept] = update(before, correct=check.correct, score=check.score, at=at)
    return intercept
