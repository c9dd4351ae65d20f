"""Predicted mastery against what happened, beside the predictors that are known for it (BE-5, NI-3).

Every answer of a learner is predicted from that learner's answers before it. What a predictor has to fit it fits to the
other learners: their numbers are cut into five, and each fifth is predicted by what was fitted to the other four.

- *Always the mean*: the share of right answers among the others.
- *Running mean*: the learner's own share so far, with the others' mean as one answer.
- *PFA*: Performance Factors Analysis (Pavlik, Cen, Koedinger, AIED 2009), a logistic regression on the right and wrong
  answers so far to the component. Components differ from subject to subject, so there is one intercept for all.
- *BKT*: Bayesian knowledge tracing (Corbett and Anderson 1995), one set of parameters for all components.
- *BKT, forgetting* and *Anamnesis*: the product's own functions, with parameters fitted like those of the others.
- *Anamnesis as shipped*: with the constants in the code, which were chosen on other material of the same kind or this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import exp, log
from pathlib import Path
from statistics import fmean

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table
from scipy.optimize import minimize
from scipy.special import expit, logit
from scipy.stats import rankdata

from anamnesis.domain.beliefs import proficiency
from anamnesis.domain.beliefs.knowledge_tracing import FITTED, Mastery, Parameters, predict, update
from anamnesis.domain.beliefs.revision import CheckResult
from anamnesis.domain.night.calibration import calibrate
from anamnesis.domain.night.records import ReliabilityBucket
from anamnesis_tools.bench.beliefs.learning_log import Learner, learners

FOLDS = 5
#: Corbett and Anderson's bounds, within which a pass speaks for knowing.
MOST_GUESS, MOST_SLIP = 0.30, 0.10
#: Tries of the simplex, which stops by itself after a few hundred.
MOST_ITERATIONS = 300

Floats = npt.NDArray[np.float64]
Predictor = Callable[[Learner], Sequence[float]]
"""Predictions of a learner's answers, each from those before it."""


@dataclass(frozen=True, slots=True)
class Predictive:
    """How good a predictor was.

    Attributes
    ----------
    auc
        Area under the ROC curve: how well right answers are told from wrong ones.
    log_loss
        Mean negative log-likelihood, in nats.
    calibration_error
        Expected calibration error over all answers, in ten buckets of equal width. Who always says the mean
        has none, and tells nobody anything.
    bias_by_learner
        How far the mean of a learner's predictions is from their share of right answers, averaged over learners:
        whether predictions may be believed of one student. (ECE of one learner's hundred answers is mostly noise.)
    reliability
        Predicted against observed, by bucket.
    """

    predictor: str
    auc: float
    log_loss: float
    calibration_error: float
    bias_by_learner: float
    reliability: tuple[ReliabilityBucket, ...]


def measure(file: Path) -> list[Predictive]:
    """Predict every answer of a learning log by every predictor."""
    group = learners(file)
    predictions: dict[str, list[tuple[Learner, Sequence[float]]]] = {}
    for fold in range(FOLDS):
        others = [learner for i, learner in enumerate(group) if i % FOLDS != fold]
        for name, fit in PREDICTORS.items():
            predictor = fit(others)
            predictions.setdefault(name, []).extend(
                (learner, predictor(learner)) for i, learner in enumerate(group) if i % FOLDS == fold
            )
    return [_judged(name, made) for name, made in predictions.items()]


def _judged(name: str, made: Sequence[tuple[Learner, Sequence[float]]]) -> Predictive:
    by_learner = [
        list(zip(map(float, predicted), (a.correct for a in learner.answers), strict=True))
        for learner, predicted in made
    ]
    everything = [pair for pairs in by_learner for pair in pairs]
    predicted, correct = np.array(everything, dtype=float).T
    whole = calibrate(everything)
    return Predictive(
        name,
        _auc(predicted, correct),
        _log_loss(predicted, correct),
        whole.expected_calibration_error or 0.0,
        float(np.mean([abs(fmean(p - c for p, c in pairs)) for pairs in by_learner])),
        whole.buckets,
    )


def _auc(predicted: Floats, correct: Floats) -> float:
    right, wrong = correct.sum(), len(correct) - correct.sum()
    ranks = rankdata(predicted)[correct == 1].sum()
    return float((ranks - right * (right + 1) / 2) / (right * wrong))


def _log_loss(predicted: Floats, correct: Floats) -> float:
    sure = np.clip(predicted, 1e-9, 1 - 1e-9)
    return float(-(correct * np.log(sure) + (1 - correct) * np.log(1 - sure)).mean())


# ------------------------------------------------------------------ the predictors
def _mean(others: Sequence[Learner]) -> Predictor:
    mean = float(np.mean([answer.correct for learner in others for answer in learner.answers]))
    return lambda learner: [mean] * len(learner.answers)


def _running_mean(others: Sequence[Learner]) -> Predictor:
    mean = float(np.mean([answer.correct for learner in others for answer in learner.answers]))

    def predicted(learner: Learner) -> list[float]:
        right = [float(answer.correct) for answer in learner.answers]
        return [(sum(right[:i]) + mean) / (i + 1) for i in range(len(right))]

    return predicted


def _performance_factors(others: Sequence[Learner]) -> Predictor:
    factors = np.vstack([_factors(learner) for learner in others])
    correct = np.array([answer.correct for learner in others for answer in learner.answers], dtype=float)
    weights = minimize(lambda w: _log_loss(expit(factors @ w), correct), np.zeros(3)).x
    return lambda learner: list(expit(_factors(learner) @ weights))


def _factors(learner: Learner) -> Floats:
    """Rows of (1, right answers so far, wrong answers so far) to the component that is asked."""
    before: dict[str, list[int]] = {}
    rows = []
    for answer in learner.answers:
        counts = before.setdefault(answer.component, [0, 0])
        rows.append((1, *counts))
        counts[0 if answer.correct else 1] += 1
    return np.array(rows, dtype=float)


@dataclass(frozen=True, slots=True)
class _Tracing:
    """Knowledge tracing with parameters as one vector of unbounded numbers, as a simplex moves them."""

    forgets: bool
    weighs_proficiency: bool

    def start(self) -> Floats:
        model = [logit(FITTED.prior), logit(FITTED.learn), -0.5, 0.4]
        forgetting = [log(FITTED.forgetting_exponent), log(FITTED.forgetting_scale_days)]
        student = [proficiency.WEIGHT, proficiency.LEVEL]
        return np.array(model + forgetting * self.forgets + student * self.weighs_proficiency)

    def parameters(self, x: Floats) -> Parameters:
        model = Parameters(
            float(expit(x[0])),
            float(expit(x[1])),
            float(MOST_GUESS * expit(x[2])),
            float(MOST_SLIP * expit(x[3])),
        )
        if not self.forgets:
            return model
        return replace(
            model, forgetting_exponent=exp(min(x[4], 5.0)), forgetting_scale_days=exp(max(x[5], -30.0))
        )

    def predicted(self, x: Floats, learner: Learner) -> Floats:
        alone, others, count = _traced(learner, self.parameters(x))
        if not self.weighs_proficiency:
            return alone
        weight, level = x[-2:]
        student = weight * (others - level * count) / (count + proficiency.SHRINKAGE)
        return np.asarray(expit(logit(alone) + student), dtype=float)


def _traced(learner: Learner, parameters: Parameters) -> tuple[Floats, Floats, Floats]:
    """By answer: P(correct) by its component alone; P(known) of the others, added up; how many these are."""
    states: dict[str, Mastery] = {}
    rows = []
    for answer in learner.answers:
        before = states.pop(answer.component, None)
        alone = predict(before, answer.at, parameters=parameters)
        rows.append((alone, sum(state.known for state in states.values()), len(states)))
        states[answer.component] = update(
            before, correct=answer.correct, score=float(answer.correct), at=answer.at, parameters=parameters
        )
    alone, known, count = np.array(rows, dtype=float).T
    return alone, known, count


def _tracing(
    *, forgets: bool = False, weighs_proficiency: bool = False
) -> Callable[[Sequence[Learner]], Predictor]:
    model = _Tracing(forgets, weighs_proficiency)

    def fit(others: Sequence[Learner]) -> Predictor:
        correct = np.array([answer.correct for learner in others for answer in learner.answers], dtype=float)

        def loss(x: Floats) -> float:
            return _log_loss(np.concatenate([model.predicted(x, learner) for learner in others]), correct)

        best = minimize(
            loss, model.start(), method="Nelder-Mead", options={"maxiter": MOST_ITERATIONS, "fatol": 1e-6}
        ).x
        return lambda learner: list(model.predicted(best, learner))

    return fit


def _as_shipped(_others: Sequence[Learner]) -> Predictor:
    def predicted(learner: Learner) -> list[float]:
        states: dict[str, Mastery] = {}
        made: list[float] = []
        tried: list[CheckResult] = []
        intercept, day = 0.0, None
        for answer in learner.answers:
            if answer.at.date() != day:
                # A night has come by.
                intercept, day = proficiency.student_intercept(tried), answer.at.date()
            name, score = answer.component, float(answer.correct)
            tried.append(CheckResult("", answer.at, name, name, answer.correct, score))
            before = states.pop(name, None)
            made.append(proficiency.predict_outcome(before, answer.at, states.values(), intercept=intercept))
            states[answer.component] = update(
                before, correct=answer.correct, score=float(answer.correct), at=answer.at
            )
        return made

    return predicted


PREDICTORS: dict[str, Callable[[Sequence[Learner]], Predictor]] = {
    "always the mean": _mean,
    "running mean": _running_mean,
    "PFA": _performance_factors,
    "BKT": _tracing(),
    "BKT, forgetting": _tracing(forgets=True),
    "Anamnesis": _tracing(forgets=True, weighs_proficiency=True),
    "Anamnesis as shipped": _as_shipped,
}


def shown(results: Sequence[Predictive], *, as_json: bool = False) -> None:
    """Print the table, and the reliability curve of what ships."""
    console = Console()
    if as_json:
        console.print_json(data=[asdict(result) for result in results])
        return
    table = Table(
        "predictor", "AUC", "log loss", "ECE", "bias by learner", title="The next answer of other learners"
    )
    for result in results:
        table.add_row(
            result.predictor,
            f"{result.auc:.3f}",
            f"{result.log_loss:.3f}",
            f"{result.calibration_error:.3f}",
            f"{result.bias_by_learner:.3f}",
        )
    console.print(table)
    last = results[-1]
    curve = Table("predicted", "observed", "answers", "", title=f"Reliability: {last.predictor}")
    for bucket in last.reliability:
        bar = "█" * round(40 * bucket.share_correct)
        line = bar.ljust(41)
        at = round(40 * bucket.mean_predicted)
        curve.add_row(
            f"{bucket.mean_predicted:.2f}",
            f"{bucket.share_correct:.2f}",
            str(bucket.count),
            f"{line[:at]}│{line[at + 1 :]}",
        )
    console.print(curve)
    console.print("The bar is what was observed, the stroke what was predicted.")
