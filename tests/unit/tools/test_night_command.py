"""What `anamnesis night` prints of a night's steps."""

from __future__ import annotations

from typing import Any

from anamnesis_tools.day_to_day import night_steps

QUIET: dict[str, Any] = {
    "days_consolidated": [],
    "days_left": 0,
    "decayed": [],
    "citations_checked": 0,
    "citations_turned": [],
    "predictions_added": 0,
    "working_set_position": 9,
    "episodes_indexed": 0,
    "vectors_made": 0,
    "checkpoint_length": 9,
    "checkpointed": False,
    "statements_new": [],
    "statements_gone": [],
    "self_model": {"chain_verified": True, "calibration": {"predictions": 3, "calibrated": False}},
}


def test_every_step_says_what_it_changed() -> None:
    """Each of the seven steps of a night is told, by what it changed, and a quiet one says so (NI-1)."""
    quiet = dict(night_steps(QUIET))
    assert list(quiet) == [
        "consolidate", "decay", "calibrate", "verify citations", "working set", "chain", "self-model",
    ]  # fmt: skip
    assert quiet["consolidate"].startswith("nothing")
    assert (quiet["decay"], quiet["self-model"]) == ("nothing", "says the same")
    assert quiet["chain"] == "verified, nothing new to sign"
    busy = dict(
        night_steps(
            {
                **QUIET,
                "days_consolidated": ["2026-03-10", "2026-03-11"],
                "days_left": 2,
                "decayed": [{"concept": "osmosis", "before": 0.8, "after": 0.68}],
                "citations_checked": 3,
                "citations_turned": [{"result": "changed"}, {"result": "changed"}, {"result": "holds"}],
                "predictions_added": 2,
                "checkpointed": True,
                "statements_new": ["a"],
                "self_model": {
                    "chain_verified": False,
                    "calibration": {"predictions": 5, "calibrated": True},
                },
            }
        )
    )
    assert busy["consolidate"] == "2026-03-10, 2026-03-11; 2 days are left"
    assert busy["decay"] == "osmosis 0.80 → 0.68"
    assert busy["verify citations"] == "3 looked up; 2 now changed, 1 now holds"
    assert busy["calibrate"] == "+2 predicted checks, 5 in all"
    assert busy["chain"].startswith("did NOT verify")
    assert busy["self-model"] == "1 new statements, 0 gone"
