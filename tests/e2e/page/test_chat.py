"""The chat of the page on the deployed service, in a real browser."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from anamnesis_tools.stack.local_stack import LocalStack
from support.browser import SUBJECT, Visitor
from support.fake_tutor import FakeTutor
from support.schools import School, check


def test_a_turn_is_answered_and_tells_where_each_claim_comes_from(
    browser: Browser, stack: LocalStack, school: School, tutor: FakeTutor
) -> None:
    """The block at once, the answer as it is written, its claims with their sources, all recorded (BL-1, GR-1)."""
    ben = school.student("ben")
    ben.record(SUBJECT, "first", [check("osmosis", correct=False, at="2026-07-01T09:01:00Z")])
    visitor = Visitor(browser, stack, stack.token(school.tenant, "ben"))
    page = visitor.opens(SUBJECT, "chat")
    tutor.forget()
    tutor.will_say(
        "**Osmosis** is the diffusion of water ",
        "through a cell membrane. You got the check on osmosis wrong on 1 July 2026. ",
        "The moon is made of green cheese.",
        held_after=1,
    )
    question = page.get_by_label("Your question")
    question.fill("What did I get wrong in July 2026?")
    question.press("Enter")
    turn = page.locator(".turns > li").first
    expect(turn).to_contain_text("Recorded as a question")
    expect(turn.locator(".block")).to_be_visible()
    expect(turn.locator(".answer .prose")).to_have_text("Osmosis is the diffusion of water")
    page.reload()
    expect(turn.locator(".answer strong")).to_have_text("Osmosis")
    tutor.release()
    expect(turn.locator(".provenance summary")).to_contain_text("2 of 3 claims have a source")
    expect(turn.locator(".answer")).to_contain_text("green cheese.")
    expect(turn.locator(".answer")).to_contain_text("Model: fake-tutor")
    turn.locator(".block summary").click()
    block = turn.locator(".block")
    expect(block).to_contain_text("about past work")
    expect(block).to_contain_text("July 2026")
    shown = turn.locator(".block pre").inner_text()
    assert "YOUR MEMORY OF THIS STUDENT AND SUBJECT" in shown
    prompt = tutor.prompt()
    assert " ".join(shown.split()) in " ".join(f"{prompt['system']}\n{prompt['user']}".split())
    turn.locator(".provenance summary").click()
    claims = turn.locator(".claims > li")
    expect(claims.filter(has_text="membrane").get_by_role("link")).to_have_text("cells.md")
    expect(claims.filter(has_text="cheese")).to_contain_text("No source")
    visitor.keeps("chat-answered")
    claims.filter(has_text="1 July").get_by_role("link", name="Open the record").click()
    expect(page.locator(".chosen")).to_contain_text("Check on osmosis")
    page.get_by_role("link", name="Chat").click()
    expect(turn.locator(".answer")).to_contain_text("green cheese.")
    assert visitor.foreign() == []
    visitor.leaves()
    listed = ben.call("GET", f"/v1/subjects/{SUBJECT}/episodes", params={"limit": 200})["episodes"]
    assert sorted(episode["kind"] for episode in listed) == ["answer", "check", "question"]


def test_a_chat_teaches_checks_and_tries_again(
    browser: Browser, stack: LocalStack, school: School, tutor: FakeTutor
) -> None:
    """What is to be remembered is taught, a check changes beliefs, a model that fails is said and asked anew (BE-1)."""
    visitor = Visitor(browser, stack, stack.token(school.tenant, "eva"))
    page = visitor.opens(SUBJECT, "chat")
    tutor.forget()
    tutor.will_fail(400)
    question, last = page.get_by_label("Your question"), page.locator(".turns > li").last
    question.fill("Remember that my exam is on 12 May.")
    page.get_by_role("button", name="Ask").click()
    expect(last).to_contain_text("Recorded as something taught")
    expect(last.get_by_role("alert")).to_contain_text("the model refused to answer")
    tutor.will_say("I will remember it.")
    last.get_by_role("button", name="Try again").click()
    expect(last.locator(".answer .prose")).to_have_text("I will remember it.")
    for result, claim in (("wrong", "struggles with lysosome"), ("right", "")):
        page.get_by_text("Record a check").click()
        page.get_by_label("Concept").fill("lysosome")
        page.get_by_label("What was asked").fill(f"What digests in a cell? ({result})")
        page.get_by_label(result).check()
        page.locator(".check form").get_by_role("button").click()
        expect(last).to_contain_text("Recorded as a check")
        expect(last).to_contain_text(f"Now believed: {claim}")
    assert visitor.foreign() == []
    visitor.leaves()
    listed = school.student("eva").call("GET", f"/v1/subjects/{SUBJECT}/episodes", params={"limit": 200})
    kinds = [episode["kind"] for episode in listed["episodes"]]
    assert kinds == ["taught", "answer", "check", "check"]


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
