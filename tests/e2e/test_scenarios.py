"""Some scenarios over real HTTP on the deployed template; all of them run in process, in seconds."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from anamnesis_tools.cli import app
from anamnesis_tools.stack.local_stack import LocalStack

#: Those whose steps reach what stores in memory stand in for: uploads, the stream, erasure, keys.
PLAYED = ("cited-file-replaced", "half-erased-log", "sent-twice")


@pytest.mark.slow
def test_scenarios_pass_on_the_deployed_stack(stack: LocalStack) -> None:
    """The command plays scenarios on a running stack as it does in process, and says so as JSON (EV-1, SV-8)."""
    ran = CliRunner().invoke(
        app, ["bench", "scenarios", *PLAYED, "--json", "--state", str(stack.state_dir), "--at-once", "2"]
    )
    told = json.loads(ran.stdout)
    assert [one["faults"] for one in told["scenarios"]] == [[]] * len(PLAYED)
    assert ran.exit_code == 0
    assert told["tally"] == {"passed": len(PLAYED), "known failing": 0, "failed": 0, "passes unexpectedly": 0}
    assert [one["name"] for one in told["scenarios"]] == list(PLAYED)
