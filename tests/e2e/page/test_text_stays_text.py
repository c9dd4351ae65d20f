"""What people and files say is never markup on the page: on the deployed service, in a real browser."""

from __future__ import annotations

import itertools

from playwright.sync_api import Browser, expect

from anamnesis_tools.stack.local_stack import LocalStack
from support.browser import VIEWS, Visitor
from support.hostile_texts import HOSTILE
from support.schools import CELLS, School, check, event, given


def test_no_text_becomes_anything_but_text(browser: Browser, stack: LocalStack) -> None:
    """Script, style, link, image, SVG and Markdown injection through every field that is shown stays text (SV-13)."""
    # Names may hold no slash.
    subject, student = "<img src=x onerror=window.pwned=1>", "<b onclick=window.pwned=1>ana"
    school = School(stack, "<style>body{display:none}")
    client = school.student(student)
    at = (f"2026-07-{day:02d}T09:00:00Z" for day in itertools.count(1))
    said = []
    for text in HOSTILE:
        said += [
            event(
                kind,
                text,
                next(at) if kind == "question" else "2026-07-25T09:00:00Z",
                summary=text,
                session_id=text[:200],
            )
            for kind in ("question", "answer")
        ]
        said.append(check(text, correct=False, at="2026-07-26T09:00:00Z", evaluation=text))
        said.append(event("taught", f"Remember that osmosis is {text}", "2026-07-27T09:00:00Z"))
    for half in (said[::2], said[1::2]):
        client.record(subject, half[0]["kind"], half)
    chapter = "".join(f"**Osmosis{n}** is a {text} of water.\n\n" for n, text in enumerate(HOSTILE))
    given(client, subject, "<img src=x onerror=window.pwned=1>.md", f"# {HOSTILE[0]}\n\n{CELLS}\n\n{chapter}")
    client.record(subject, "known", [check("osmosis", correct=False, at="2026-07-28T09:00:00Z")])
    visitor = Visitor(browser, stack, stack.token(school.tenant, student))
    shown = ""
    for view in VIEWS:
        page = visitor.opens(subject, view)
        if view == "chat":
            for text in HOSTILE[::5]:  # a turn takes a second; the other views show all of them
                page.locator("#question").fill(text)
                page.locator("#question").press("Enter")
                expect(page.locator(".turns > li").last.locator(".asked")).to_be_visible()
        for name in ("Show more", "How it came about"):
            while page.get_by_role("button", name=name).count():
                page.get_by_role("button", name=name).first.click()
                visitor.settled()
        for summary in page.locator("summary").all():
            summary.click()
        shown += page.locator("body").inner_text()
        assert visitor.foreign() == [], view
    for text in HOSTILE:
        assert text.split("\n")[0].strip() in shown, text
    visitor.leaves()
