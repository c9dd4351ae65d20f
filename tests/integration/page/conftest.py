"""A browser over the real handlers, and a student of whom the page has something of everything to show."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from support.api_in_process import InProcessClient, Place, place_in_process
from support.browser import PATIENCE, SUBJECT, chromium
from support.known_vectors import embedded_once
from support.page_in_process import TENANT, PageVisitor, lived, unsigned

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser a module, gone before other tests: it keeps an event loop running."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """The application, in which ana has lived."""
    with embedded_once(), place_in_process() as made:
        lived(InProcessClient(made, tenant=TENANT), SUBJECT)
        yield made


@pytest.fixture
def ana(browser: Browser, place: Place) -> Iterator[PageVisitor]:
    """Ana, signed in."""
    visitor = PageVisitor(browser, place, unsigned("ana", tenant=TENANT))
    yield visitor
    visitor.leaves()
