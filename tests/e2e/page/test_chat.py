"""The chat of the page on the deployed service, in a real browser."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from anamnesis_tools.stack.local_stack import LocalStack
from support.browser import SUBJECT, Visitor
from support.schools import School


def test_a_turn_shows_the_very_block_and_is_recorded(ana: Visitor, school: School) -> None:
    """A question gets the block that a model would see, with its facts, and is recorded; "remember" teaches (BL-1)."""
    page = ana.opens(SUBJECT, "chat")
    expect(page.get_by_text("No model is configured here")).to_be_visible()
    question = page.get_by_label("Your question")
    question.fill("What did I get wrong in July 2026?")
    question.press("Enter")
    block = page.locator(".block").first
    expect(block.locator("pre")).to_contain_text("YOUR MEMORY OF THIS STUDENT AND SUBJECT")
    expect(block).to_contain_text("about past work")
    expect(block).to_contain_text("July 2026")
    expect(page.get_by_text("Recorded as a question")).to_be_visible()
    question.fill("Remember that my exam is on 12 May.")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("Recorded as something taught")).to_be_visible()
    listed = school.student().call("GET", f"/v1/subjects/{SUBJECT}/episodes", params={"limit": 200})[
        "episodes"
    ]
    kinds = {episode["text"]: episode["kind"] for episode in listed}
    assert kinds["What did I get wrong in July 2026?"] == "question"
    assert kinds["Remember that my exam is on 12 May."] == "taught"
    assert ana.foreign() == []


def test_a_teacher_looks_at_a_student_s_memory_and_leaves_no_trace(
    browser: Browser, stack: LocalStack, school: School
) -> None:
    """A teacher names the student, sees what a student's turn would get, and records nothing in their name (SV-11)."""
    before = school.student().call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"]
    visitor = Visitor(browser, stack, stack.token(school.tenant, None, "teacher"))
    page = visitor.opens()
    expect(page.get_by_text("Name a student above")).to_be_visible()
    page.get_by_label("Student").fill("ana")
    page.get_by_label("Student").press("Enter")
    page.get_by_role("link", name=SUBJECT).click()
    expect(page.get_by_text("You are not the student")).to_be_visible()
    page.get_by_label("Your question").fill("What did I get wrong?")
    page.get_by_role("button", name="Ask").click()
    expect(page.locator(".block pre")).to_contain_text("YOUR MEMORY OF THIS STUDENT")
    assert visitor.foreign() == []
    visitor.leaves()
    assert school.student().call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"] == before


def test_what_goes_wrong_is_said_and_can_be_tried_again(ana: Visitor) -> None:
    """A refusal is shown in the service's own words, as text, and a turn is taken up where it stopped (SV-7, SV-14)."""
    page = ana.opens(SUBJECT, "chat")
    problem = {"title": "Too much contention", "detail": "<b>try</b> again", "status": 503}
    page.route("**/episodes", lambda route: route.fulfill(status=503, json=problem))
    page.get_by_label("Your question").fill("What is diffusion?")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("alert")).to_contain_text("Too much contention: <b>try</b> again")
    expect(page.locator(".block pre")).to_be_visible()
    page.unroute("**/episodes")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Recorded as a question")).to_be_visible()
    assert page.locator(".block").count() == 1
    assert ana.foreign() == []


def test_everything_is_reached_by_keyboard(ana: Visitor) -> None:
    """The first key leads past the header, and Tab and Enter alone make a turn (SV-6)."""
    page = ana.opens(SUBJECT, "chat")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "question":
            break
    page.keyboard.type("What is osmosis?")
    page.keyboard.press("Enter")
    expect(page.locator(".block pre")).to_contain_text("osmosis")
