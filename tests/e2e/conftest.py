"""The real template.yaml, deployed once for all end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from anamnesis_tools.stack.local_stack import LocalStack


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalStack]:
    """The deployed service on loopback; tests keep apart by tenants and students of their own."""
    with LocalStack(tmp_path_factory.mktemp("stack")) as running:
        yield running
