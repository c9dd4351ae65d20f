"""AWS inside a test's process: moto, one request at a time, with transactions that cost what they change.

moto changes a row by reading it, working and writing it, takes a failed transaction back by restoring its rows, and
frees an object's bytes when it is replaced: a second thread's request in between is lost, undoes the one or reads the
other while it closes. AWS does none of these, nor does the emulator, whose requests go through one handler.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from moto import mock_aws
from moto.core.botocore_stubber import BotocoreStubber

from support.aws_answers import light_answers
from support.aws_stores import REGION
from support.aws_transactions import light_transactions


@contextmanager
def emulated_aws() -> Iterator[pytest.MonkeyPatch]:
    """Emulate AWS inside the block, whose environment names test credentials and a region; yields what patches it."""
    lock, answer = threading.RLock(), BotocoreStubber.process_request

    def in_turn(self: Any, request: Any) -> Any:
        with lock:
            return answer(self, request)

    with pytest.MonkeyPatch.context() as patch, mock_aws(), light_transactions(), light_answers():
        patch.setattr(BotocoreStubber, "process_request", in_turn)
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
            patch.setenv(name, "testing")
        for name in ("AWS_DEFAULT_REGION", "AWS_REGION"):
            patch.setenv(name, REGION)
        for name in ("AWS_ENDPOINT_URL", "AWS_PROFILE"):
            patch.delenv(name, raising=False)
        yield patch
