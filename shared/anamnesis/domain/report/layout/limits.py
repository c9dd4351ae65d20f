"""The section on the memory's own limits: the self-model's statements, in any of the report's languages (NI-4).

In English they are the self-model's own, word for word, which a test holds them to.
"""

from __future__ import annotations

from collections.abc import Iterator

from anamnesis.domain.beliefs.decay import DECAY_INTERVAL_DAYS
from anamnesis.domain.night.calibration import MIN_PREDICTIONS
from anamnesis.domain.night.records import SelfModel
from anamnesis.domain.night.self_model import TOLERABLE_ERROR
from anamnesis.domain.report.document import Bullets, Line, Paragraph, Section
from anamnesis.domain.report.layout.phrases import Phrases
from anamnesis.domain.report.wording import Wording


def limits_section(phrases: Phrases) -> Section:
    """What the memory cannot say, as of the latest night."""
    words, model = phrases.words, phrases.report.self_model
    title = words.say("limits.title")
    if model is None:
        return Section("limits", title, (Paragraph(words.line("limits.none")),))
    as_of = Paragraph(words.line("limits.as_of", day=words.day(model.composed_on)))
    return Section("limits", title, (as_of, Bullets(tuple(statements(model, words)))))


def statements(model: SelfModel, words: Wording) -> Iterator[Line]:
    """The statements of a self-model, in the order of the self-model."""
    if not model.episodes:
        if model.chain_verified is False:
            yield words.line("limits.chain_broken")
        yield words.line("limits.nothing")
        return
    chain = {True: "chain_verified", False: "chain_broken", None: "chain_unknown"}[model.chain_verified]
    yield words.line(f"limits.{chain}")
    yield from _on_checks(model, words)
    yield from _on_calibration(model, words)
    if model.beliefs_to_confirm:
        yield words.line(
            "limits.to_confirm",
            model.current_beliefs,
            confirm=model.beliefs_to_confirm,
            days=DECAY_INTERVAL_DAYS,
        )
    if model.oldest_belief_days:
        yield words.line("limits.stalest", model.oldest_belief_days)
    yield from _on_citations(model, words)


def _on_checks(model: SelfModel, words: Wording) -> Iterator[Line]:
    untied = model.checks_tied_to_nothing
    if not model.checks:
        yield words.line("limits.no_checks")
    elif untied >= model.checks:
        yield words.line("limits.untied_all", model.checks)
    elif untied:
        yield words.line("limits.untied_some", model.checks, untied=untied)


def _on_calibration(model: SelfModel, words: Wording) -> Iterator[Line]:
    measured = model.calibration
    off = measured.expected_calibration_error
    if measured.calibrated and off is not None:
        yield calibrated(measured.predictions, off, words)
    elif model.checks:
        yield words.line("limits.uncalibrated", measured.predictions, needed=MIN_PREDICTIONS)


def calibrated(predictions: int, error: float, words: Wording) -> Line:
    """That predictions are calibrated, how far off they were (0–1), and whether that is too far."""
    key = "limits.calibrated_well" if error <= TOLERABLE_ERROR else "limits.calibrated_badly"
    return words.line(key, number=predictions, points=f"{100 * error:.0f}")


def _on_citations(model: SelfModel, words: Wording) -> Iterator[Line]:
    if model.citations_changed:
        yield words.line("limits.changed", model.citations_changed)
    if model.citations_unchecked:
        yield words.line("limits.unchecked", model.citations_unchecked)
    if model.citations_unverifiable:
        memories = words.say("limits.memories", model.episodes)
        yield words.line("limits.unverifiable", model.citations_unverifiable, memories=memories)
