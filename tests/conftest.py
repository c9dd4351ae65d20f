"""Marks every test with the kind its folder says it is, and reads botocore's descriptions of AWS once."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import botocore.session
import pytest

KINDS = ("unit", "integration", "e2e")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark by folder, and run the fast kinds first."""
    here = Path(__file__).parent
    kinds = {item: item.path.relative_to(here).parts[0] for item in items if item.path.is_relative_to(here)}
    for item, kind in kinds.items():
        if kind in KINDS:
            item.add_marker(kind)
    items.sort(key=lambda item: KINDS.index(kinds[item]) if kinds.get(item) in KINDS else -1)


@pytest.fixture(scope="session", autouse=True)
def _one_loader() -> Iterator[None]:
    """Every client has a session of its own, and each would read a megabyte of JSON anew, in a tenth of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(botocore.session, "create_loader", functools.cache(botocore.session.create_loader))
        yield
