from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from anamnesis_tools.window_command import window

NOW = "2026-11-25T12:00:00+01:00"


def run(*arguments: str) -> Result:
    app = typer.Typer()
    app.command()(window)
    return CliRunner().invoke(app, list(arguments))


def test_a_window_is_printed_as_one_object() -> None:
    """The window and its phrase come as JSON with offsets (RC-5)."""
    result = run("what did we do last week?", "--now", NOW, "--tz", "Europe/Madrid", "--lang", "en", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "window": {"start": "2026-11-16T00:00:00+01:00", "end": "2026-11-23T00:00:00+01:00"},
        "phrase": "last week",
    }


def test_no_window_is_null_and_no_error() -> None:
    """A text without a time gives nulls and exit code 0 (RC-5)."""
    result = run("may I ask?", "--now", NOW, "--tz", "Europe/Madrid")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"window": None, "phrase": None}


@pytest.mark.parametrize(
    "now, tz, named",
    [
        ("2026-11-25T12:00:00", "Europe/Madrid", "--now"),
        ("yesterday", "Europe/Madrid", "--now"),
        (NOW, "Mars/Olympus", "--tz"),
        (NOW, "../etc/passwd", "--tz"),
        (NOW, "", "--tz"),
    ],
)
def test_bad_options_are_named(now: str, tz: str, named: str) -> None:
    """A naive or broken time and an unknown zone end with exit code 2 and the option's name (SV-7)."""
    result = run("yesterday", "--now", now, "--tz", tz)
    assert result.exit_code == 2
    assert named in result.output


def test_missing_options_are_named() -> None:
    """Without a time or a zone the command says which it needs (SV-7)."""
    assert "--now" in run("yesterday", "--tz", "UTC").output
    assert "--tz" in run("yesterday", "--now", NOW).output
    assert run().exit_code == 2


def test_a_batch_answers_line_by_line(tmp_path: Path) -> None:
    """Each line gets one object, in order, the options standing in for what a line leaves out (RC-5)."""
    lines = [
        {"text": "ayer", "lang": "es"},
        {"text": "昨日", "tz": "Asia/Tokyo", "now": "2026-01-01T00:30:00+09:00"},
        {"text": "osmosis", "lang": None},
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n", encoding="utf-8")
    result = run("--batch", str(batch), "--now", NOW, "--tz", "Europe/Madrid")
    assert result.exit_code == 0
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [item["phrase"] for item in found] == ["ayer", "昨日", None]
    assert found[1]["window"]["start"] == "2025-12-31T00:00:00+09:00"


@pytest.mark.parametrize(
    "line, named",
    [
        ("{broken", "JSON"),
        ("[]", "JSON"),
        ("{}", "text"),
        ('{"text": 1}', "text"),
        ('{"text": "x", "now": "2026-11-25"}', "now"),
        ('{"text": "x", "tz": "Nowhere"}', "tz"),
        ('{"text": "x", "lang": 5}', "lang"),
    ],
)
def test_a_bad_line_is_named_by_number_and_field(tmp_path: Path, line: str, named: str) -> None:
    """A broken line ends with exit code 2, its number and its field (SV-7)."""
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"text": "yesterday"}\n' + line + "\n", encoding="utf-8")
    result = run("--batch", str(batch), "--now", NOW, "--tz", "UTC")
    assert result.exit_code == 2
    assert "line 2" in result.output
    assert named in result.output


def test_a_missing_batch_file_is_named() -> None:
    """A file that is not there is a clear error of the option (SV-7)."""
    result = run("--batch", "no-such-file.jsonl", "--now", NOW, "--tz", "UTC")
    assert result.exit_code == 2
    assert "--batch" in result.output


def test_the_command_starts_without_any_aws_library() -> None:
    """Finding a window needs no stack and loads no SDK (SV-8)."""
    code = "import sys, anamnesis_tools.window_command; sys.exit(any(m in sys.modules for m in ('boto3', 'botocore')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
