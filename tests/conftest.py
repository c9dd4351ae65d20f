"""Marks each test by its folder, orders them, and has done once what each would do anew."""

from __future__ import annotations

import functools
import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import botocore.session
import pytest

from support.order_of_tests import LongestFirst, place_of

KINDS = ("unit", "integration", "e2e")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LongestFirst | None:
    """Several processes get whole files, those that take longest first."""
    return LongestFirst(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark by folder, and run the fast kinds first, or what takes longest where several processes share the tests."""
    here = Path(__file__).parent
    kinds = {item: item.path.relative_to(here).parts[0] for item in items if item.path.is_relative_to(here)}
    for item, kind in kinds.items():
        if kind in KINDS:
            item.add_marker(kind)
    items.sort(key=lambda item: KINDS.index(kinds[item]) if kinds.get(item) in KINDS else -1)
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: place_of(item.nodeid))


def pytest_collection_finish() -> None:
    """Look for garbage no more among all that was imported and collected, which stays until the end."""
    gc.collect()
    gc.freeze()


def pytest_xdist_auto_num_workers() -> int:
    """One process more than processors, since those with a stack wait for retries and timers much of their time."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session", autouse=True)
def _one_loader() -> Iterator[None]:
    """Every client has a session of its own, and each would read a megabyte of JSON anew, in a tenth of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(botocore.session, "create_loader", functools.cache(botocore.session.create_loader))
        yield
