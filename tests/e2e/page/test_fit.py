"""The deployed page on a phone, read from the right: every view fits it and is accessible, in a real browser."""

from __future__ import annotations

from playwright.sync_api import Browser

from anamnesis_tools.stack.local_stack import LocalStack
from support.browser import SUBJECT, VIEWS, Visitor
from support.schools import School


def test_every_view_fits_a_phone_read_from_the_right(
    browser: Browser, stack: LocalStack, school: School
) -> None:
    """No view is wider than a phone's window or has a serious finding of axe-core, in Arabic (SV-6)."""
    token = stack.token(school.tenant, "ana")
    visitor = Visitor(browser, stack, token, locale="ar", viewport={"width": 360, "height": 740})
    found = {}
    for view in VIEWS:
        visitor.opens(SUBJECT, view)
        found[view] = (visitor.overflow(), visitor.unfit())
        visitor.keeps(f"deployed-{view}")
    assert found == dict.fromkeys(VIEWS, (0, []))
    assert visitor.page.locator("html").get_attribute("dir") == "rtl"
    assert visitor.foreign() == []
    visitor.leaves()
