"""The page fits every window, language, eye and hand, in a real browser over the real handlers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from support.api_in_process import Place
from support.browser import SUBJECT, VIEWS
from support.page_in_process import TENANT, PageVisitor, unsigned

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
#: What axe-core finds by eyes alone; the rest does not change with colours.
CONTRAST = ["color-contrast"]


def states(visitor: PageVisitor) -> Iterator[str]:
    """Every view as it opens, and with what can be opened in it."""
    for view in VIEWS:
        page = visitor.opens(SUBJECT, view)
        yield view
        if view == "beliefs":
            page.locator("[aria-expanded]").first.click()
            visitor.settled()
            yield "belief"
        if view == "map":
            page.locator(".concepts h3 a").first.click()
            page.locator("[aria-pressed=false]").click()
            yield "graph"
        if view == "timeline":
            page.locator(".checkpoints summary").click()
            page.locator(".episode", has=page.locator(".kind-answer")).first.get_by_role("link").first.click()
            page.wait_for_selector(".chosen .facts")
            visitor.settled()
            yield "record"
        if view == "files":
            page.locator("summary, .small").first.click()
            page.locator(".small").first.click()
            yield "delete"
        if view == "wiki":
            page.locator(".prose a").first.click()
            visitor.settled()
            page.locator(".history summary").click()
            visitor.settled()
            page.locator(".history [aria-expanded]").first.click()
            visitor.settled()
            yield "history"


@pytest.mark.parametrize(
    "language, scheme, window, rules",
    [
        ("en", "light", DESK, None),
        ("ar", "dark", PHONE, None),
        ("en", "dark", PHONE, CONTRAST),
        ("ar", "light", DESK, CONTRAST),
        ("es", "light", PHONE, []),
        ("id", "light", PHONE, []),
        ("hi", "dark", PHONE, []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_view_fits(
    browser: Browser,
    place: Place,
    language: str,
    scheme: str,
    window: dict[str, int],
    rules: list[str] | None,
) -> None:
    """Nothing is wider than its window and axe-core has no serious finding, in any view, language or colours (SV-6)."""
    token = unsigned("ana", tenant=TENANT)
    visitor = PageVisitor(browser, place, token, locale=language, color_scheme=scheme, viewport=window)
    found: dict[str, list[str]] = {}
    for state in states(visitor):
        wide = visitor.overflow()
        found[state] = [f"{wide} pixels too wide"] * (wide > 0)
        if rules != []:
            found[state] += visitor.unfit(rules)
        if rules is None or language == "hi":
            visitor.keeps(f"{language}-{scheme}-{state}")
    root = visitor.page.locator("html")
    assert (root.get_attribute("lang"), root.get_attribute("dir")) == (
        language,
        "rtl" if language == "ar" else "ltr",
    )
    assert visitor.foreign() == []
    visitor.leaves()
    assert {state: faults for state, faults in found.items() if faults} == {}
    assert len(found) == len(VIEWS) + 5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_way_in_is_accessible(browser: Browser, place: Place, scheme: str) -> None:
    """Before somebody signs in axe-core has no serious finding either (SV-6)."""
    visitor = PageVisitor(browser, place, None, color_scheme=scheme)
    visitor.opens()
    assert visitor.unfit() == []
    visitor.leaves()


def test_nobody_needs_a_mouse(ana: PageVisitor) -> None:
    """Views, filters, chains, lists and confirmations are reached and used by Tab, Enter and Space alone (SV-6)."""
    page = ana.opens(SUBJECT, "chat")
    tabbed(page, "Beliefs")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What is believed")).to_be_visible()
    ana.settled()
    tabbed(page, "How it came about")
    page.keyboard.press("Space")
    expect(page.locator(".chain")).to_be_visible()
    tabbed(page, "Open the record")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="This record")).to_be_visible()
    ana.settled()
    tabbed(page, "Signed checkpoints", backwards=True)
    page.keyboard.press("Enter")
    expect(page.locator(".checkpoints tbody")).to_be_visible()
    tabbed(page, "Time in words")
    page.keyboard.type("on 2 July 2026")
    page.keyboard.press("Enter")
    expect(page.get_by_text("is taken as")).to_be_visible()
    tabbed(page, "Map", backwards=True)
    page.keyboard.press("Enter")
    page.wait_for_selector(".concepts")
    tabbed(page, "osmosis")
    page.keyboard.press("Enter")
    expect(page.locator(".chosen")).to_contain_text("diffusion of water")


def test_what_is_opened_comes_into_view(browser: Browser, place: Place) -> None:
    """A record, a concept or a file that was asked for is in the window and has the keyboard's place (SV-6)."""
    visitor = PageVisitor(browser, place, unsigned("ana", tenant=TENANT), viewport=PHONE)
    for view, asked in (("timeline", ".day .episode .hint a[href*=timeline]"), ("map", ".concepts h3 a")):
        page = visitor.opens(SUBJECT, view)
        page.locator(asked).last.click()
        expect(page.locator(".chosen")).to_be_focused()
        expect(page.locator(".chosen")).to_be_in_viewport()
        page.locator(".chosen a[href*=files]").first.click() if view == "map" else None
    expect(page.locator("li.chosen")).to_be_focused()
    expect(page.locator("li.chosen")).to_be_in_viewport()
    visitor.leaves()


def tabbed(page: Page, name: str, *, backwards: bool = False) -> None:
    """Go on by Tab until what has the keyboard's place is called so; every place on the way can be seen."""
    for _ in range(80):
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
        name_there, seen = page.evaluate(FOCUSED)
        assert seen, name_there
        if name_there == name:
            return
    raise AssertionError(f"no {name} within 80 steps")


#: What has the keyboard's place is called, and whether that can be seen.
FOCUSED = """() => {
  const at = document.activeElement;
  return [(at.labels?.[0] ?? at).textContent.trim(), at.matches(':focus-visible, [type=date]:focus-within')];
}"""
