"""Marks every test with the kind its folder says it is."""

from __future__ import annotations

from pathlib import Path

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
