"""A local stack whose emulator is killed comes up again, and says what that has cost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.chat_command import follow, start
from anamnesis_tools.stack import processes
from anamnesis_tools.stack.local_stack import LocalStack
from anamnesis_tools.stack.saved_state import SAVED
from support.fake_tutor import fake_tutor

TAUGHT = {
    "kind": "taught",
    "occurred_at": "2026-03-01T10:00:00Z",
    "text": "Osmosis is the diffusion of water.",
}


def up(state: Path, *options: str) -> tuple[dict[str, Any], str]:
    """What `anamnesis up --json` prints, and what it writes to standard error."""
    given = ["up", "--state", str(state), "--json", *options]
    command = [str(Path(sys.executable).with_name("anamnesis")), *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout)), done.stderr


def kill(pid: int) -> None:
    """Kill an emulator as an operating system out of memory would."""
    known_as = processes.identity(pid)
    os.kill(pid, signal.SIGKILL)
    while processes.identity(pid) == known_as:
        time.sleep(0.01)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A state folder whose stack is stopped at the end; each test finds it running, or starts it, and leaves it so."""
    folder = tmp_path_factory.mktemp("recovery") / "a state"
    yield folder
    LocalStack(folder).stop()


def memory(state: Path, tenant: str) -> ApiClient:
    stack = LocalStack(state).attach()
    return ApiClient(stack.api_url, stack.token(tenant, "ana"))


def length(state: Path, tenant: str) -> int:
    client = memory(state, tenant)
    return int(client.call("GET", client.subject("biology", "chain"))["length"])


def test_an_end_in_order_is_nothing_to_tell(state: Path) -> None:
    """After `down`, `up` goes on with everything, warns of nothing, and has the tutor that it names (SV-9, GR-3)."""
    up(state)
    memory(state, "ended").record("biology", "one", [TAUGHT])
    asked = start(memory(state, "ended"), "biology", "What is osmosis?")
    assert (asked["status"], asked["answer_id"]) == ("no-model", None)
    assert LocalStack(state).stop()
    with fake_tutor() as tutor:
        tutor.will_say("Osmosis is ", "the diffusion of water.")
        again, said = up(state, "--tutor", f"openai:{tutor.model}", "--tutor-url", tutor.url)
        assert (again["recovered"], said) == (None, "")
        assert length(state, "ended") == 2
        assert LocalStack(state).attach().describe()["tutor"] == again["tutor"] == f"openai:{tutor.model}"
        begun = start(memory(state, "ended"), "biology", "What is osmosis, then?")
        ended = follow(memory(state, "ended"), "biology", begun["answer_id"], lambda _: None)
    assert (ended["status"], ended["text"]) == ("done", "Osmosis is the diffusion of water."), ended
    assert length(state, "ended") == 4


def test_a_killed_stack_goes_on_from_its_last_save(state: Path) -> None:
    """A stack that is killed comes up with what it had saved, and says from when that is (SV-9)."""
    first, _ = up(state)
    assert first["recovered"] is None
    memory(state, "killed").record("biology", "one", [TAUGHT])
    assert LocalStack(state).attach().emulator.save(state)
    kill(first["pid"])
    second, said = up(state)
    assert second["recovered"]["kind"] == "last-save"
    assert second["recovered"]["saved_at"] in said
    assert length(state, "killed") == 1
    third, said = up(state)
    assert (third["pid"], third["recovered"], said) == (second["pid"], None, "")


def test_objects_without_tables_are_put_aside(state: Path) -> None:
    """What a stack that never saved leaves behind is kept aside, and an empty stack comes up (SV-9)."""
    first, _ = up(state)
    memory(state, "lost").record("biology", "one", [TAUGHT])
    kill(first["pid"])
    (state / SAVED).unlink()
    second, said = up(state)
    assert second["recovered"]["kind"] == "fresh-start"
    aside = Path(second["recovered"]["moved_to"])
    assert str(aside) in said
    assert any((aside / "s3").rglob("*.zip"))
    assert length(state, "lost") == 0
