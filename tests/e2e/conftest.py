"""The real template.yaml, deployed once for all end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from anamnesis_tools.stack.local_stack import LocalStack
from support.fake_tutor import FakeTutor, fake_tutor


@pytest.fixture(scope="session")
def tutor() -> Iterator[FakeTutor]:
    """The model that answers students: it says what a test tells it."""
    with fake_tutor() as listening:
        yield listening


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory, tutor: FakeTutor) -> Iterator[LocalStack]:
    """The deployed service on loopback; tests keep apart by tenants and students of their own."""
    parameters = {"Tutor": "openai", "TutorModel": tutor.model, "TutorUrl": tutor.url}
    with LocalStack(tmp_path_factory.mktemp("stack"), parameters=parameters) as running:
        yield running
