"""The self-model: what the memory knows about its own reliability, in words a tutor can use (NI-4, BE-6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.beliefs.decay import DECAY_INTERVAL_DAYS, days_untouched
from anamnesis.domain.beliefs.proficiency import student_intercept
from anamnesis.domain.beliefs.revision import CheckResult, tied_result
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.night.calibration import MIN_PREDICTIONS
from anamnesis.domain.night.records import Calibration, CitationCheck, SelfModel, Verification

#: The memory's own episodes: they come from no conversation, so nothing about them waits to be verified.
_OWN_KINDS: Final = frozenset({Kind.CONSOLIDATION, Kind.FILE})
#: Decimals of the intercept that are kept: more tell nothing. Ours.
_INTERCEPT_DIGITS: Final = 4


def compose(
    *,
    episodes: Iterable[Episode],
    beliefs: Iterable[Belief],
    citation_checks: Iterable[CitationCheck],
    calibration: Calibration,
    chain_verified: bool | None,
    on: date,
) -> SelfModel:
    """Compose the self-model of a pair as of a night.

    Parameters
    ----------
    episodes
        Every episode of the pair; texts are not looked at. What was erased is no memory and does not count.
    beliefs
        Rows of the pair; superseded ones are not counted.
    citation_checks
        The latest result per episode. Of episodes that cite nothing none is needed: they are unverifiable.
    chain_verified
        Whether the chain verified; None when that was not checked.
    on
        The UTC date of the night.
    """
    log = [episode for episode in episodes if episode.content is not None]
    current = [belief for belief in beliefs if belief.superseded_by is None]
    outcomes = [episode.outcome for episode in log if episode.outcome is not None]
    # Events of files name their own file: they are no answers that cite one, and no night looks them up.
    citing = sum(bool(episode.evidence) for episode in log if episode.kind is Kind.ANSWER)
    results = Counter(check.result for check in citation_checks)
    holding, changed = results[Verification.HOLDS], results[Verification.CHANGED]
    model = SelfModel(
        composed_on=on,
        episodes=len(log),
        first_occurred_at=min((episode.occurred_at for episode in log), default=None),
        last_occurred_at=max((episode.occurred_at for episode in log), default=None),
        checks=len(outcomes),
        checks_tied_to_nothing=sum(outcome.concept is None for outcome in outcomes),
        current_beliefs=len(current),
        beliefs_to_confirm=sum(belief.needs_confirmation for belief in current),
        oldest_belief_days=max((days_untouched(belief, on) for belief in current), default=None),
        citations_holding=holding,
        citations_changed=changed,
        citations_unverifiable=sum(e.kind not in _OWN_KINDS and not e.evidence for e in log),
        citations_unchecked=max(0, citing - holding - changed),
        chain_verified=chain_verified,
        calibration=calibration,
        statements=(),
        intercept=round(student_intercept(_tied(log)), _INTERCEPT_DIGITS),
    )
    return replace(model, statements=tuple(_statements(model)))


def _tied(log: Iterable[Episode]) -> Iterator[CheckResult]:
    """The checks that were tied to a concept, in the order of the log."""
    for episode in log:
        check = tied_result(episode, episode.tied_to, {})
        if check is not None:
            yield check


def _statements(model: SelfModel) -> Iterator[str]:
    """Say first what forbids trust in the record, then what limits the beliefs, then what limits the sources."""
    if not model.episodes:
        if model.chain_verified is False:
            yield _on_chain(model.chain_verified)
        yield "Nothing has been recorded with this student in this subject yet."
        return
    yield _on_chain(model.chain_verified)
    yield from _on_checks(model)
    yield from _on_calibration(model)
    yield from _on_beliefs(model)
    yield from _on_citations(model)


def _on_chain(verified: bool | None) -> str:
    if verified is None:
        return "Whether the log of this memory is intact has not been checked yet."
    if verified:
        return "The log of this memory verified: no recorded event was changed, removed or reordered."
    return "The log of this memory did NOT verify: the record may have been changed, so do not rely on it."


def _on_checks(model: SelfModel) -> Iterator[str]:
    recorded, untied = _count(model.checks, "check", "checks"), model.checks_tied_to_nothing
    if not model.checks:
        yield "No checks have been recorded yet, so nothing is believed about what the student knows."
    elif untied >= model.checks:
        yield f"{recorded} recorded, none could be tied to a concept of the map yet."
    elif untied:
        yield (
            f"{recorded} recorded, {untied} of them could not be tied to a concept of the map "
            "and count for no belief."
        )


#: Expected calibration error up to which a confidence may be read as a probability. Ours: one in ten.
TOLERABLE_ERROR = 0.1


def _on_calibration(model: SelfModel) -> Iterator[str]:
    calibration = model.calibration
    if calibration.calibrated and calibration.expected_calibration_error is not None:
        off = calibration.expected_calibration_error
        measured = (
            f"Calibrated on {calibration.predictions} predicted checks: predictions were off by "
            f"{100 * off:.0f} percentage points on average"
        )
        yield (
            f"{measured}."
            if off <= TOLERABLE_ERROR
            else f"{measured}. That is far off: do not read a confidence as a probability."
        )
    elif model.checks:
        predicted = _count(calibration.predictions, "check", "checks")
        yield (
            f"Not calibrated: {predicted} predicted beforehand so far, {MIN_PREDICTIONS} are needed. "
            "Treat confidence as a ranking, not as a probability."
        )


def _on_beliefs(model: SelfModel) -> Iterator[str]:
    if model.beliefs_to_confirm:
        yield (
            f"{model.beliefs_to_confirm} of {_count(model.current_beliefs, 'belief', 'beliefs')} went without a "
            f"check for {DECAY_INTERVAL_DAYS} days or more: confirm by a check before relying on it."
        )
    if model.oldest_belief_days:
        yield f"The stalest belief was last checked {_count(model.oldest_belief_days, 'day', 'days')} ago."


def _on_citations(model: SelfModel) -> Iterator[str]:
    if model.citations_changed:
        yield (
            f"{_count(model.citations_changed, 'memory cites', 'memories cite')} a file that was replaced or "
            "deleted since: what the file says now may differ."
        )
    if model.citations_unchecked:
        unchecked = _count(
            model.citations_unchecked, "memory that cites files has", "memories that cite files have"
        )
        yield f"{unchecked} not been checked against the files yet."
    if model.citations_unverifiable:
        cite = "cites" if model.citations_unverifiable == 1 else "cite"
        yield (
            f"{model.citations_unverifiable} of {_count(model.episodes, 'memory', 'memories')} {cite} no file "
            "(conversations, checks, teaching): recorded as it happened, but no source can confirm it."
        )


def _count(number: int, singular: str, plural: str) -> str:
    return f"{number} {singular if number == 1 else plural}"
