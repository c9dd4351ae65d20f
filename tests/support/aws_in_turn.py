"""The emulation of AWS inside a test's process, one request at a time, for tests with threads.

moto takes a failed transaction back by restoring its rows, and frees an object's bytes when it is replaced: a second
request in between undoes the one and reads the other while it closes. AWS does neither, nor does the emulator, whose
requests go through one handler.
"""

from __future__ import annotations

import threading
from typing import Any

import pytest
from moto.core.botocore_stubber import BotocoreStubber


def one_request_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every request to any service wait until the one before it is answered."""
    lock, answer = threading.RLock(), BotocoreStubber.process_request

    def in_turn(self: Any, request: Any) -> Any:
        with lock:
            return answer(self, request)

    monkeypatch.setattr(BotocoreStubber, "process_request", in_turn)
