"""`anamnesis report`: what it asks for and where it puts it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from typer.testing import CliRunner

from anamnesis_tools.cli import app

TEXT = "# ana · biología\n\nمرحبا\n"


class _Api(BaseHTTPRequestHandler):
    """Answers a report with what was asked for; refuses the language `xx`."""

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(place.query).items()}
        if asked["lang"] == "xx":
            return self._answer(422, json.dumps({"title": "Refused", "detail": "no such", "field": "lang"}))
        if asked["format"] == "json":
            return self._answer(200, json.dumps({"path": place.path, **asked}))
        return self._answer(200, TEXT if asked["format"] == "markdown" else f"<!doctype html>{TEXT}")

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, status: int, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def options() -> Iterator[list[str]]:
    """The options by which a command reaches the server."""
    server = HTTPServer(("127.0.0.1", 0), _Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield ["--api-url", f"http://127.0.0.1:{server.server_port}", "--token", "t"]
    server.shutdown()
    server.server_close()


def test_the_report_is_printed_as_it_came(options: list[str]) -> None:
    """Markdown goes to standard output character for character, and with --json the report as JSON (SV-8)."""
    runner = CliRunner()
    assert runner.invoke(app, ["report", "cell biology", *options]).output == TEXT
    asked = json.loads(
        runner.invoke(
            app, ["report", "cell biology", "--json", "--lang", "hi", "--tz", "Asia/Kolkata", *options]
        ).output
    )
    assert asked == {
        "path": "/v1/subjects/cell%20biology/report",
        "format": "json",
        "lang": "hi",
        "time_zone": "Asia/Kolkata",
    }


def test_the_report_goes_to_a_file(options: list[str], tmp_path: Path) -> None:
    """--out writes the page to the file and says where; a refusal writes nothing and names its field (SV-8)."""
    file = tmp_path / "a report.html"
    runner = CliRunner()
    done = runner.invoke(app, ["report", "biology", "--format", "html", "--out", str(file), *options])
    assert (done.exit_code, done.output) == (0, f"Written: {file}\n")
    assert file.read_text(encoding="utf-8") == f"<!doctype html>{TEXT}"
    other = tmp_path / "other.html"
    refused = runner.invoke(app, ["report", "biology", "--lang", "xx", "--out", str(other), *options])
    assert refused.exit_code == 1
    assert "(lang)" in refused.output
    assert not other.exists()
    nowhere = runner.invoke(app, ["report", "biology", "--out", str(tmp_path / "no" / "x"), *options])
    assert nowhere.exit_code == 2
