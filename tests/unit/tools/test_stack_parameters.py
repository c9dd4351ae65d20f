"""What a kept state is deployed with again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from anamnesis_tools.cli import app
from anamnesis_tools.stack import deployment
from anamnesis_tools.stack.emulator import Emulator
from anamnesis_tools.stack.local_stack import HERE

NOBODY = {"tutor": "none", "tutor_url": None}


@pytest.fixture
def deployed(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """Parameters of every deployment, by an emulator that does nothing."""
    given: list[dict[str, str]] = []

    def deploy(_clients: object, _template: Path, _functions: Path, parameters: Mapping[str, str]) -> Any:
        given.append(dict(parameters))
        if parameters.get("Tutor") == "bedrock":
            raise deployment.DeploymentFailed("no such model")
        return {"ApiId": "api"}

    idle = SimpleNamespace(
        pid=1,
        known_as="idle",
        port=4566,
        endpoint_url="http://127.0.0.1:4566",
        is_running=lambda: True,
        save=lambda _: None,
        stop=lambda: True,
    )
    monkeypatch.setattr(deployment, "deploy", deploy)
    monkeypatch.setattr(Emulator, "start", lambda *_, **_more: idle)
    monkeypatch.setattr(Emulator, "is_running", lambda _: False)
    return given


def run(state: Path, *arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, [*arguments, "--state", str(state), "--json"])
    return dict(json.loads(done.stdout.splitlines()[-1])) if done.exit_code == 0 else {}


def test_what_people_are_told_can_be_pasted(tmp_path: Path, deployed: list[dict[str, str]]) -> None:
    """Addresses for people mean the same between double quotes, and none is of a console that is not there (SV-8)."""
    told = CliRunner().invoke(app, ["up", "--state", str(tmp_path)]).stdout
    assert deployed
    assert "api_url" in told
    assert "$" not in told
    assert "console" not in told
    assert run(tmp_path, "up")["console_url"]


def test_a_tutor_is_kept_until_another_is_named(tmp_path: Path, deployed: list[dict[str, str]]) -> None:
    """A state keeps the tutor that was deployed last, tells it, and loses it when it is told none (SV-8)."""

    def tutor(*options: str) -> dict[str, Any]:
        told = run(tmp_path, "up", *options)
        return {name: told.get(name) for name in NOBODY}

    url = "http://127.0.0.1:8080/v1"
    named = {"tutor": "openai:a/model:7b", "tutor_url": url}
    parameters = {"Tutor": "openai", "TutorModel": "a/model:7b", "TutorUrl": url}
    assert tutor() == NOBODY
    assert deployed[-1] == HERE
    assert tutor("--tutor", "openai:a/model:7b", "--tutor-url", url) == named
    assert deployed[-1] == HERE | parameters
    assert tutor() == named
    assert tutor("--tutor", "bedrock:gone") == dict.fromkeys(NOBODY)
    assert tutor() == named
    assert deployed[-1] == HERE | parameters
    assert tutor("--tutor", "none") == NOBODY
    assert tutor() == NOBODY
    assert deployed[-1] == HERE | {"Tutor": "none", "TutorModel": "", "TutorUrl": ""}
