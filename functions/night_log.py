"""One log line a night: how much each step changed, in numbers alone (SV-15)."""

from __future__ import annotations

from anamnesis.domain.night.records import NightReport
from observability import logger


def log_night(report: NightReport, **about: str | None) -> None:
    """Log what a night changed; names and texts stay out.

    Parameters
    ----------
    about
        Which night, by identifiers that hold no student text.
    """
    changes, model = report.changes, report.self_model
    logger.info(
        "night",
        extra={
            "night": report.night.isoformat(),
            "days_consolidated": [day.isoformat() for day in changes.consolidated],
            "days_left": changes.days_left,
            "beliefs_decayed": len(changes.decayed),
            "citations_checked": changes.citations_checked,
            "citations_turned": len(changes.citations_turned),
            "predictions": model.calibration.predictions,
            "predictions_added": changes.predictions_added,
            "working_set_position": report.working_set_position,
            "episodes_indexed": changes.indexed,
            "vectors_made": changes.vectors_made,
            "chain_verified": model.chain_verified,
            "checkpointed": changes.checkpointed,
            "statements_new": len(changes.statements_new),
            "statements_gone": len(changes.statements_gone),
            **about,
        },
    )
