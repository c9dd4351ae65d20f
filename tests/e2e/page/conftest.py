"""A browser, and a school whose student has something of everything that the page shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from anamnesis_tools.stack.local_stack import LocalStack
from support.browser import PATIENCE, SUBJECT, Visitor, chromium
from support.schools import CELLS, School, check, event, given

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser a module, gone before other tests: it keeps an event loop running."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def school(stack: LocalStack) -> School:
    """A school in which ana has a file, a belief that changed, and a wiki."""
    school = School(stack, "page")
    ana = school.student()
    given(ana, SUBJECT, "cells.md", CELLS)
    for day, correct in (("2026-07-01", False), ("2026-07-02", True), ("2026-07-03", True)):
        said = [
            event(
                "question", f"Why does a raisin swell in water on {day}?", f"{day}T09:00:00Z", session_id=day
            ),
            check("osmosis", correct=correct, at=f"{day}T09:01:00Z", session_id=day),
        ]
        ana.record(SUBJECT, day, said)
    school.service().call("POST", "/v1/wiki/compile")
    return school


@pytest.fixture
def ana(browser: Browser, stack: LocalStack, school: School) -> Iterator[Visitor]:
    """Ana, signed in."""
    visitor = Visitor(browser, stack, stack.token(school.tenant, "ana"))
    yield visitor
    visitor.leaves()
