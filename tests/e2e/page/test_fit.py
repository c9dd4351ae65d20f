"""The page fits every window, language and eye: on the deployed service, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from anamnesis_tools.stack.local_stack import LocalStack
from support.browser import SUBJECT, VIEWS, Visitor
from support.schools import School


@pytest.mark.parametrize("language", ["en", "es", "id", "hi", "ar"])
def test_every_view_fits_a_phone_in_every_language(
    browser: Browser, stack: LocalStack, school: School, language: str
) -> None:
    """No view is wider than a phone's window, and Arabic is read from the right (SV-6)."""
    token = stack.token(school.tenant, "ana")
    visitor = Visitor(browser, stack, token, locale=language, viewport={"width": 360, "height": 740})
    # Each script on some views, one from the left and one from the right on all.
    views = VIEWS if language in {"id", "ar"} else ("chat", "timeline")
    widths = {}
    for view in views:
        visitor.opens(SUBJECT, view)
        widths[view] = visitor.overflow()
        assert language != "ar" or visitor.unfit() == [], view
        visitor.keeps(f"{language}-{view}")
    assert widths == dict.fromkeys(views, 0)
    page = visitor.page
    assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
    assert page.locator("html").get_attribute("lang") == language
    assert visitor.foreign() == []
    visitor.leaves()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_accessible(browser: Browser, stack: LocalStack, school: School, scheme: str) -> None:
    """axe-core has no serious finding on any view, nor on contrast in the dark (SV-6)."""
    rules = ["color-contrast"] if scheme == "dark" else None
    visitor = Visitor(browser, stack, None, color_scheme=scheme)
    visitor.opens()
    found = {"sign in": visitor.unfit(rules)}
    visitor.leaves()
    visitor = Visitor(browser, stack, stack.token(school.tenant, "ana"), color_scheme=scheme)
    for view in VIEWS:
        page = visitor.opens(SUBJECT, view)
        if view == "beliefs":
            page.get_by_role("button", name="How it came about").first.click()
            visitor.settled()
        found[view] = visitor.unfit(rules)
        visitor.keeps(f"{scheme}-{view}")
    page = visitor.opens(SUBJECT, "map", "osmosis")
    page.get_by_role("button", name="Graph").click()
    found["graph"] = visitor.unfit(rules)
    visitor.leaves()
    assert [finding for view, several in found.items() for finding in (view, *several) if several] == []
