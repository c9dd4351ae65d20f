"""The benchmarks embed the same lessons and histories."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.known_vectors import embedded_once


@pytest.fixture(scope="module", autouse=True)
def _embedded_once() -> Iterator[None]:
    with embedded_once():
        yield
