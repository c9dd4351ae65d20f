"""The page on the deployed service, in a real browser."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, expect
from typer.testing import CliRunner

from anamnesis_tools.cli import app
from anamnesis_tools.demo.tampering import edited_row
from anamnesis_tools.stack.local_stack import LocalStack
from support.browser import PATIENCE, Visitor, chromium
from support.schools import CELLS, School, check, event, given

VIEWS = ("chat", "beliefs", "map", "timeline", "files", "wiki", "report")
SUBJECT = "biology"
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the module."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
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


def test_the_page_is_there_and_a_token_opens_it(browser: Browser, stack: LocalStack, school: School) -> None:
    """The stack's own address serves the page; a pasted token signs in, another one is refused (SV-6, SV-11)."""
    assert stack.describe()["page_url"] == f"{stack.api_url}/"
    answer = requests.get(stack.page_url, timeout=35)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    again = requests.get(stack.page_url, headers={"If-None-Match": answer.headers["ETag"]}, timeout=35)
    assert again.status_code == 304
    visitor = Visitor(browser, stack, None)
    page = visitor.opens()
    page.get_by_label("Token").fill("no token at all")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("no token of this service")
    page.get_by_label("Token").fill(stack.token(school.tenant, "ana"))
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name=SUBJECT).click()
    expect(page.get_by_label("Subject")).to_have_value(SUBJECT)
    expect(page.get_by_role("navigation")).to_contain_text("Beliefs")
    assert visitor.foreign() == []
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0
    visitor.leaves()


def test_a_printed_address_opens_the_page_signed_in(
    browser: Browser, stack: LocalStack, school: School
) -> None:
    """`anamnesis page` prints an address that signs in, and the page takes the token out of it (SV-8, SV-11)."""
    command = [
        "page",
        "--tenant",
        school.tenant,
        "--student",
        "ana",
        "--state",
        str(stack.state_dir),
        "--json",
    ]
    printed = json.loads(CliRunner().invoke(app, command).stdout)["url"]
    visitor = Visitor(browser, stack, None)
    visitor.page.goto(printed)
    expect(visitor.page.get_by_role("link", name=SUBJECT)).to_be_visible()
    assert "token" not in visitor.page.url
    visitor.leaves()


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


def test_a_sign_in_that_ran_out_is_said(ana: Visitor) -> None:
    """When the service no longer takes the token the page says so and asks to sign in again (SV-11)."""
    page = ana.opens(SUBJECT, "chat")
    page.route("**/v1/**", lambda route: route.fulfill(status=401, json={"message": "Unauthorized"}))
    page.get_by_role("link", name="Beliefs").click()
    expect(page.get_by_role("alert")).to_contain_text("has run out")
    expect(page.get_by_label("Token")).to_be_visible()


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


def test_a_belief_opens_its_chain_and_the_record_behind_it(ana: Visitor) -> None:
    """A belief shows what was believed before, since when, and leads to the check that changed it (BE-2)."""
    page = ana.opens(SUBJECT, "beliefs")
    page.get_by_role("button", name="How it came about").first.click()
    chain = page.locator(".chain").first
    expect(chain).to_contain_text("struggles with osmosis")
    expect(chain).to_contain_text("understands osmosis")
    expect(chain).to_contain_text("July 1, 2026")
    chain.get_by_role("link", name="Open the record").first.click()
    expect(page.locator(".chosen")).to_contain_text("Check on osmosis")
    assert ana.foreign() == []


def test_the_map_is_a_list_by_layers_and_a_graph(ana: Visitor) -> None:
    """Concepts come in teaching order with readiness and sources, and what one builds on is linked (CM-5, CM-10)."""
    page = ana.opens(SUBJECT, "map")
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    page.get_by_role("link", name="osmosis", exact=True).first.click()
    chosen = page.locator(".chosen")
    expect(chosen).to_contain_text("diffusion of water")
    expect(chosen).to_contain_text("cells.md p.")
    expect(chosen.get_by_role("link", name="diffusion")).to_be_visible()
    page.get_by_role("button", name="Graph").click()
    assert page.locator(".graph .dot").count() >= 4
    assert page.locator(".graph .edge").count() >= 1
    assert ana.foreign() == []


def test_the_timeline_filters_and_shows_where_the_log_is_broken(
    ana: Visitor, stack: LocalStack, school: School
) -> None:
    """Episodes by day, by kind and date; a log that verifies says so, one that does not shows where (EP-4, EP-5)."""
    page = ana.opens(SUBJECT, "timeline")
    expect(page.get_by_text("The log is whole")).to_be_visible()
    expect(page.get_by_role("heading", name="July 2, 2026")).to_be_visible()
    page.get_by_label("Kind").select_option("check")
    expect(page.get_by_text("Why does a raisin")).to_have_count(0)
    expect(page.get_by_text("Check on osmosis")).to_have_count(3)
    page.get_by_label("From").fill("2026-07-02")
    page.get_by_label("To").fill("2026-07-02")
    expect(page.get_by_text("Check on osmosis")).to_have_count(1)
    with edited_row(stack, school.tenant, "ana", SUBJECT, 3):
        page.reload()
        ana.settled()
        expect(page.get_by_role("alert")).to_contain_text("at record 3")
        expect(page.locator(".broken")).to_contain_text("The chain breaks here")
    assert ana.foreign() == []


def test_files_are_uploaded_and_read_before_one_s_eyes(ana: Visitor, tmp_path: Path) -> None:
    """A chosen file is sent, read and shown with its concepts, a refused one with what to do (CM-1, SV-6)."""
    good, bad = tmp_path / "plants.md", tmp_path / "table.json"
    good.write_text("# Plants\n\n**Chlorophyll** is a green pigment that catches light.\n")
    bad.write_text('{"rows": [1, 2, 3]}')
    page = ana.opens("botany", "files")
    expect(page.get_by_text("No files yet")).to_be_visible()
    page.locator("input[type=file]").set_input_files([good, bad])
    expect(page.locator("li", has_text="plants.md").locator(".state")).to_have_text("read")
    expect(page.locator("li", has_text="plants.md")).to_contain_text("concepts found")
    refused = page.locator("li", has_text="table.json")
    expect(refused.locator(".state")).to_have_text("refused")
    assert len(refused.locator(".bad").inner_text()) > 20
    assert ana.foreign() == []


def test_wiki_links_work_and_citations_open_what_was_said(ana: Visitor) -> None:
    """A link of the index leads to a page, a citation to its episode, and a page tells its history (WK-3, WK-4)."""
    page = ana.opens(SUBJECT, "wiki")
    page.locator(".prose a", has_text="osmosis").first.click()
    expect(page.locator(".prose h1")).to_have_text("osmosis")
    page.locator(".prose sup a").first.click()
    expect(page.get_by_role("heading", name="What it stands on")).to_be_visible()
    expect(page.locator(".chosen .episode").first).to_be_visible()
    page.get_by_role("button", name="Back").click()
    page.get_by_text("History", exact=True).click()
    page.get_by_role("button", name="What changed").first.click()
    expect(page.locator(".diff .added").filter(has_text="# osmosis")).to_have_count(1)
    assert ana.foreign() == []


def test_the_report_is_shown_and_can_be_kept(ana: Visitor) -> None:
    """The report for a teacher is shown, and comes as a page to keep (SV-6)."""
    page = ana.opens(SUBJECT, "report")
    expect(page.locator(".prose")).to_contain_text("What is believed now")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "biology.html"
    assert download.value.path().read_text(encoding="utf-8").startswith("<!")


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


#: Text that would do something if it became markup, a link, a script or a style anywhere.
HOSTILE = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "<svg onload=window.pwned=1><a href='javascript:window.pwned=1'>x</a></svg>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<style>body{display:none}</style>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<base href=https://evil.example/><meta http-equiv=refresh content=0;url=https://evil.example/>",
    "<form action=https://evil.example/><button autofocus onfocus=window.pwned=1>x</button></form>",
    "<math><mtext><object data=javascript:window.pwned=1></object></mtext></math>",
    "[click](javascript:window.pwned=1)",
    "[click](data:text/html,<script>window.pwned=1</script>)",
    "![x](https://evil.example/pixel.png)",
    "<https://evil.example/auto> and <javascript:window.pwned=1>",
    "[[javascript:window.pwned=1|click]] [cite:1]",
    "```html\n<script>window.pwned=1</script>\n```",
    "</pre></textarea></title><script>window.pwned=1</script>",
    "&lt;img src=x onerror=window.pwned=1&gt; &#60;script&#62;window.pwned=1&#60;/script&#62;",
    "{{constructor.constructor('window.pwned=1')()}} ${window.pwned=1}",
    "' onmouseover=window.pwned=1 x='\" onfocus=window.pwned=1 y=\"",
    "\u202e<script>window.pwned=1</script>\u2066",
)


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
                expect(page.locator(".turns > li").last.locator(".hint")).to_be_visible()
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
