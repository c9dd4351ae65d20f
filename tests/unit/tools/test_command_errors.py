"""What every command does when it cannot do what was asked: one line for people, one object for programs."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from anamnesis_tools.cli import app
from anamnesis_tools.stack.saved_state import OBJECTS, RUNNING, SAVED, TABLES, recover
from anamnesis_tools.verify_command import BROKEN

PROBLEM = {
    "type": "https://anamnesis.dev/problems/invalid-request",
    "title": "Invalid request",
    "status": 422,
    "detail": "is no time zone of the IANA database",
    "field": "time_zone",
}
CHAIN = {"verified": False, "length": 2, "checkpoints_checked": 0, "breaks": [], "not_checked": []}


class _Api(BaseHTTPRequestHandler):
    """Refuses every block with the problem, and has a broken chain; says in the chain who was asked for."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(422, PROBLEM)

    def do_GET(self) -> None:
        if self.path.endswith("/episodes/mistyped"):
            self._answer(404, {"title": "There is no such thing", "status": 404, "detail": "no such episode"})
        else:
            self._answer(200, {**CHAIN, "path": self.path})

    def log_message(self, *_: Any) -> None:
        pass

    def _answer(self, status: int, document: dict[str, Any]) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def api() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def token_of(*groups: str) -> str:
    claims = base64.urlsafe_b64encode(json.dumps({"cognito:groups": groups}).encode()).rstrip(b"=").decode()
    return f"header.{claims}.signature"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def error_of(*arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit code and error object of a command called with --json."""
    result = run(*arguments, "--json")
    assert set(json.loads(result.stdout)) == {"error"}
    assert result.stderr == ""
    return result.exit_code, json.loads(result.stdout)["error"]


NOT_RUNNING = (
    ("ask", "biology", "why?"),
    ("chat", "biology", "why?"),
    ("teach", "biology", "Water moves."),
    ("night", "biology"),
    ("rederive", "biology"),
    ("verify", "biology"),
    ("token", "--tenant", "school", "--student", "ana"),
    ("page",),
    ("logs",),
)


@pytest.mark.parametrize("arguments", NOT_RUNNING, ids=lambda arguments: arguments[0])
def test_a_stack_that_does_not_run_is_said(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A command that needs the local stack says how to start it, as JSON or in one line (SV-8)."""
    code, error = error_of(*arguments, "--state", str(tmp_path))
    assert (code, error["type"]) == (1, "NotRunning")
    assert "anamnesis up" in error["detail"]
    for_people = run(*arguments, "--state", str(tmp_path))
    assert (for_people.exit_code, for_people.stdout) == (1, "")
    assert for_people.stderr == error["detail"] + "\n"


@pytest.mark.parametrize(
    "arguments, named",
    [
        (("nosuch",), "nosuch"),
        (("ask", "biology"), "question"),
        (("up", "--port", "x"), "--port"),
        (("up", "--tutor", "clever"), "--tutor"),
        (("up", "--tutor", "openai:"), "--tutor"),
        (("up", "--tutor", "openai:model"), "--tutor-url"),
        (("up", "--tutor-url", "http://127.0.0.1:8080/v1"), "--tutor-url"),
        (("night", "biology", "--date", "2026-13-01"), "--date"),
        (("upload", "biology", "/there/is/no/such.pdf"), "/there/is/no/such.pdf"),
        (("upload", "biology", "/"), "directory"),
        (("upload", "biology", __file__, "/dev/null"), "/dev/null: 0 bytes"),
        (("token", "--role", "headmaster"), "--role"),
        (("read", "/there/is/no/such.pdf"), "/there/is/no/such.pdf"),
        (("ask", "biology", "why?", "--api-url", "http://127.0.0.1:9", "--state", "/nowhere"), "--token"),
    ],
)
def test_a_wrong_call_is_named(arguments: tuple[str, ...], named: str) -> None:
    """A command that is called wrongly ends with code 2 and names what is wrong, as JSON or in one line (SV-8)."""
    code, error = error_of(*arguments)
    assert (code, error["type"]) == (2, "Usage")
    assert named in error["detail"].replace("QUESTION", "question")
    for_people = run(*arguments)
    assert for_people.exit_code == 2
    assert error["detail"] in for_people.stderr
    assert for_people.stderr.count("\n") == 1


def test_a_refusal_keeps_its_problem_document(api: str) -> None:
    """What the API refuses comes with every field of its problem document, or in one line with the field (SV-7)."""
    call = (
        "ask",
        "biology",
        "why?",
        "--tz",
        "Mars/Olympus",
        "--api-url",
        api,
        "--token",
        token_of("student"),
    )
    assert error_of(*call) == (1, PROBLEM)
    assert run(*call).stderr == "422 Invalid request (time_zone): is no time zone of the IANA database\n"


def test_a_refused_upload_names_the_file(api: str, tmp_path: Path) -> None:
    """Of many files, the one that the API refuses is named (SV-8)."""
    (tmp_path / "lesson.md").write_text("Water moves.", encoding="utf-8")
    call = ("upload", "biology", str(tmp_path / "lesson.md"), "--api-url", api, "--token", "none")
    code, error = error_of(*call)
    assert (code, error["status"]) == (1, 422)
    assert "lesson.md" in error["detail"]


def test_a_mistyped_id_is_said_before_it_is_asked_about(api: str) -> None:
    """Whoever would erase an episode that is not there is told so, and not asked whether they are sure (SV-8)."""
    call = ["erase", "episode", "biology", "mistyped", "--api-url", api, "--token", token_of("student")]
    result = CliRunner().invoke(app, call, input="y\n")
    assert (result.exit_code, result.output) == (1, "404 There is no such thing: no such episode\n")


def test_nothing_that_answers_is_said() -> None:
    """An address where nothing listens is named, without a traceback (SV-8)."""
    code, error = error_of("verify", "biology", "--api-url", "http://127.0.0.1:9", "--token", "none")
    assert (code, error["type"]) == (1, "ApiUnreachable")
    assert "http://127.0.0.1:9" in error["detail"]


def test_a_broken_log_has_an_exit_code_of_its_own(api: str) -> None:
    """A broken log ends `verify` with another code than a log that could not be verified (SV-8)."""
    result = run("verify", "biology", "--api-url", api, "--token", token_of("student"), "--json")
    assert result.exit_code == BROKEN
    assert json.loads(result.stdout)["verified"] is False
    assert "BROKEN" in run("verify", "biology", "--api-url", api, "--token", token_of("student")).stdout


@pytest.mark.parametrize("role, named", [("student", False), ("teacher", True), ("service", True)])
def test_a_token_says_whether_a_student_is_named(api: str, role: str, named: bool) -> None:
    """A teacher's or service's own token acts for the student given, a student's names none (SV-11)."""
    call = ("verify", "biology", "--student", "ana", "--api-url", api, "--token", token_of(role), "--json")
    assert ("student=ana" in json.loads(run(*call).stdout)["path"]) is named


NOW = datetime(2026, 3, 1, tzinfo=UTC)


def _state(folder: Path, *present: str) -> Path:
    for name in present:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "present",
    [(), (f"{TABLES}/s3.json", f"{OBJECTS}/a", SAVED), (f"{TABLES}/s3.json", f"{OBJECTS}/a")],
    ids=["new", "ended in order", "ended in order by an earlier version"],
)
def test_nothing_is_recovered_where_nothing_was_lost(tmp_path: Path, present: tuple[str, ...]) -> None:
    """A new state folder and one whose stack ended in order are used as they are (SV-9)."""
    assert recover(_state(tmp_path, *present), NOW) is None
    assert all((tmp_path / name).exists() for name in present)


@pytest.mark.parametrize(
    "present", [(f"{OBJECTS}/a",), (RUNNING, f"{OBJECTS}/a"), (RUNNING, f"{TABLES}/s3.json", f"{OBJECTS}/a")]
)
def test_state_that_cannot_be_used_is_moved_never_deleted(tmp_path: Path, present: tuple[str, ...]) -> None:
    """Objects without the tables that belong to them are kept in a folder that the message names (SV-9)."""
    recovered = recover(_state(tmp_path, *present), NOW)
    assert recovered is not None
    assert recovered.moved_to is not None
    assert recovered.moved_to in recovered.detail
    assert Path(recovered.moved_to).name == "state.broken-20260301T000000000000Z"
    assert all((Path(recovered.moved_to) / name).exists() for name in present)
    assert not any((tmp_path / name).exists() for name in present)


def test_a_saved_state_is_used(tmp_path: Path) -> None:
    """A killed stack that had saved goes on from there, and the time of the save is told (SV-9)."""
    present = (RUNNING, SAVED, f"{TABLES}/s3.json", f"{OBJECTS}/a")
    recovered = recover(_state(tmp_path, *present), NOW)
    assert recovered is not None
    assert (recovered.kind, recovered.moved_to) == ("last-save", None)
    assert recovered.saved_at is not None
    assert recovered.saved_at in recovered.detail
    assert all((tmp_path / name).exists() for name in present)
