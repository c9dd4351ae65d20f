"""A wiki behind a web server of its own on loopback, for clients of git that know no better."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import StudentScope
from anamnesis.ports import WikiRepository

#: So that neither the developer's configuration nor a prompt has a part in it.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
}


def git(
    *arguments: str | Path, cwd: Path | None = None, check: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run git; paths are shown as they are."""
    if shutil.which("git") is None:
        pytest.skip("NO GIT ON THIS MACHINE: what an ordinary client does was not tested")
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", *map(str, arguments)],
        cwd=cwd,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0 or not check, done.stderr
    return done


@dataclass
class GitServer:
    """What was asked of it, by path and protocol version; `packs` are served under ``/packs/``."""

    url: str = ""
    asked: list[tuple[str, str]] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    packs: dict[str, bytes] = field(default_factory=dict)


@contextmanager
def serving(store: WikiRepository, scope: StudentScope) -> Iterator[GitServer]:
    """Serve a wiki until the block ends."""
    server = GitServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/packs/"):
                self._send(server.packs[self.path.removeprefix("/packs/")], "application/octet-stream")
                return
            assert self.path == "/wiki/info/refs?service=git-upload-pack"
            self._send(
                store.advertise(scope, version=self._version()), "application/x-git-upload-pack-advertisement"
            )

        def do_POST(self) -> None:
            assert self.path == "/wiki/git-upload-pack"
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            try:
                answer = store.upload_pack(scope, body, version=self._version())
            except InvalidInput:
                self.send_error(422)
                return
            self._send(answer, "application/x-git-upload-pack-result")

        def _version(self) -> int:
            return 2 if "version=2" in self.headers.get("Git-Protocol", "") else 0

        def _send(self, data: bytes, media_type: str) -> None:
            server.asked.append((self.path, self.headers.get("Git-Protocol", "")))
            server.sent.append(len(data))
            self.send_response(200)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
