"""An AWS emulator with nothing deployed on it: tests make the tables and buckets that they need."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from anamnesis_tools.stack.aws_clients import ACCESS_KEY, REGION, SECRET_KEY
from anamnesis_tools.stack.local_stack import LocalStack


@pytest.fixture(scope="session")
def emulator_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Endpoint of a running emulator; clients made from the environment have its credentials."""
    emulated = {
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    }
    stack = LocalStack(tmp_path_factory.mktemp("emulator"))
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        for name, value in emulated.items():
            patch.setenv(name, value)
        stack.start_emulator(tied=True)
        yield stack.endpoint_url
        stack.stop()
