"""Every state of a chat's turn in a real browser over the real handlers: the tests tell what is answered."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from support.api_in_process import Place
from support.browser import SUBJECT
from support.hostile_texts import HOSTILE, HOSTILE_MARKDOWN
from support.page_in_process import HOME, TENANT, PageVisitor, unsigned

MEMORY = "01J00000000000000000000001"
BLOCK: dict[str, Any] = {
    "block": "===== YOUR MEMORY OF THIS STUDENT AND SUBJECT =====\nstruggles with osmosis",
    "bridged": None,
    "memory_ids": [MEMORY],
    "tokens": 412,
    "intent": "history",
    "window": {"start": "2026-07-01T00:00:00Z", "end": "2026-08-01T00:00:00Z", "phrase": "July"},
    "window_empty": False,
    "matched": True,
    "routed": ["osmosis"],
    "degraded": ["embedder"],
    "dropped": False,
    "elapsed_ms": 61.5,
}
PASSAGES: list[dict[str, Any]] = [
    {"kind": "file", "id": "f1", "name": "cells.md", "page": 3, "at": None, "text": "Osmosis moves water."},
    {
        "kind": "episode",
        "id": MEMORY,
        "name": "check",
        "page": None,
        "at": "2026-07-01T09:00:00+02:00",
        "text": "Check on osmosis",
    },
]
#: Longer in bytes and UTF-16 than in characters.
TEXT = "🙂 You got **osmosis** wrong: नमक does not move, water does. 🙂"
ANSWERS = f"/v1/subjects/{SUBJECT}/answers"


class Script:
    """A service's side of the turns of one chat: `text` is what is written of the answer by now."""

    def __init__(self, visitor: PageVisitor, *, model: str | None = "fake-tutor") -> None:
        self.model = model
        self.text = ""
        self.status = "waiting"
        self.told: dict[str, Any] = {"reason": None, "answer": None, "grounding": None, "usage": None}
        self.block: dict[str, Any] = BLOCK
        self.passages: list[dict[str, Any]] = PASSAGES
        self.earlier: list[dict[str, Any]] = []
        self.kind = "question"
        self.piece = 100_000
        self.keys: list[str] = []
        visitor.made[f"POST {ANSWERS}"] = self._begin
        visitor.made[f"GET {ANSWERS}/.+"] = self._look

    def _begin(self, request: Request) -> dict[str, Any]:
        self.keys.append(request.headers["idempotency-key"])
        assert json.loads(request.post_data or "")["time_zone"] == "Europe/Madrid"
        return {
            "answer_id": "a1" if self.model else None,
            "status": "waiting" if self.model else "no-model",
            "model": self.model,
            "question": {"id": "q1", "position": 7, "hash": "h", "kind": self.kind, "concepts": []},
            "block": self.block,
            "passages": self.passages,
            "earlier": self.earlier,
        }

    def _look(self, request: Request) -> dict[str, Any]:
        after = int(parse_qs(urlsplit(request.url).query).get("after", ["0"])[0])
        return {
            "answer_id": "a1",
            "status": self.status,
            "model": self.model,
            "text": self.text[after : after + self.piece],
            "chars": len(self.text),
            "look_again_ms": None if self.status in {"done", "failed"} else 200,
            "question_id": "q1",
            **self.told,
        }

    def ends(self, *claims: dict[str, Any], stance: str = "answered") -> None:
        """The answer is recorded and its claims are traced."""
        traced = sum(claim["source"] is not None for claim in claims)
        share = traced / len(claims) if claims else 1.0
        self.told["answer"] = {"id": "e9", "position": 9, "hash": "h"}
        self.told["usage"] = {"input_tokens": 1312, "output_tokens": 48}
        self.told["grounding"] = {
            "claims": list(claims),
            "grounded_share": share,
            "mostly_ungrounded": share < 0.5,
            "stance": stance,
            "says_missing": False,
            "claims_not_searched": 0,
            "files_not_searched": 0,
            "stored": True,
        }
        self.status = "done"


def claim(text: str, source: dict[str, Any] | None = None, problem: str | None = "nothing") -> dict[str, Any]:
    """One claim of an answer."""
    return {"text": text, "source": source, "score": 0.9, "problem": None if source else problem}


def from_file(quote: str, name: str = "cells.md") -> dict[str, Any]:
    """A line of a file."""
    return {
        "kind": "file",
        "file_id": "f1",
        "file": name,
        "page": 3,
        "line": 12,
        "quote": quote,
        "same_language": True,
    }


def from_memory(quote: str, memory: str = "check", kind: str = "memory") -> dict[str, Any]:
    """A memory, or a belief."""
    return {
        "kind": kind,
        "episode_id": MEMORY,
        "belief_id": None,
        "memory": memory,
        "occurred_at": "2026-07-01T09:00:00Z",
        "quote": quote,
    }


def asks(page: Page, question: str) -> None:
    """Ask in the chat."""
    page.locator("#question").fill(question)
    page.locator("#question").press("Enter")


def test_an_answer_grows_and_outlives_views_and_reloads(ana: PageVisitor) -> None:
    """The block is there at once, then the answer as it is written, after another view and a reload too (BL-1)."""
    script = Script(ana)
    page = ana.opens(SUBJECT, "chat")
    asks(page, "What did I get wrong in July?")
    turn = page.locator(".turns > li")
    expect(turn.locator(".block pre")).to_contain_text("struggles with osmosis")
    expect(turn.locator(".answer")).to_contain_text("The model has been asked")
    expect(turn.locator(".block")).to_contain_text("search by meaning")
    script.status, script.text = "writing", TEXT[:21]
    expect(turn.locator(".prose strong")).to_have_text("osmosis")
    expect(turn.locator(".block pre")).to_have_count(0)
    script.text = TEXT[:39]
    expect(turn.locator(".prose")).to_contain_text("नमक does")
    page.reload()
    expect(turn.locator(".prose")).to_contain_text("नमक does")
    page.get_by_role("link", name="Timeline").click()
    expect(page.get_by_role("heading", name="Timeline")).to_be_visible()
    script.text = TEXT
    script.ends(
        claim("You got osmosis wrong.", from_memory("Check on osmosis")),
        claim("Water moves.", from_file("Osmosis moves water.")),
        claim("Salt weighs 7 grams.", problem="number"),
    )
    page.get_by_role("link", name="Chat").click()
    expect(turn.locator(".prose")).to_have_text(TEXT.replace("**", ""))
    expect(turn.locator(".answer")).to_contain_text("1,312 tokens read, 48 written")
    traced = turn.locator(".provenance")
    expect(traced.locator("summary")).to_contain_text("2 of 3 claims have a source (67%)")
    traced.locator("summary").click()
    claims = traced.locator("li")
    expect(claims.nth(0)).to_contain_text("Check Jul 1, 2026")
    expect(claims.nth(0).get_by_role("link")).to_have_attribute("href", f"#/{SUBJECT}/timeline/{MEMORY}")
    expect(claims.nth(1)).to_contain_text("cells.md · page 3 · line 12")
    expect(claims.nth(1).get_by_role("link")).to_have_attribute("href", f"#/{SUBJECT}/files/f1")
    expect(claims.nth(2)).to_contain_text("No source: the nearest source has another number")
    assert len(script.keys) == 1
    assert ana.foreign() == []


def test_a_conversation_that_was_stored_badly_sends_nothing_of_it(ana: PageVisitor) -> None:
    """Of what a tab has kept only whole turns are taken up, with what the model was told before them (SV-14, BL-1)."""
    script = Script(ana)
    script.earlier = [
        {"question": "What is salt?", "answer": "A <b>crystal</b>."},
        {"question": "Why?", "answer": None},
    ]
    page = ana.opens(SUBJECT, "chat")
    asks(page, "Does it move?")
    earlier = page.locator(".earlier")
    expect(earlier).to_contain_text("Earlier turns that the model was told: 2")
    [place] = page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('anamnesis.chat.'))")
    kept = page.evaluate("place => JSON.parse(sessionStorage.getItem(place))", place)
    [whole] = kept["entries"]
    del whole["started"]["passages"]
    asked = whole["asked"]
    broken = [
        None,
        7,
        {},
        {"kind": "turn", "key": "k1"},
        {"kind": "turn", "key": "k2", "asked": {}},
        {"kind": "turn", "key": "k3", "asked": asked | {"question": ""}},
        {"kind": "check", "key": "k4", "episode": {"kind": "check"}},
    ]
    for entries in ([*broken, whole], "none", None):
        stored = json.dumps(kept | {"entries": entries})
        page.evaluate("([place, stored]) => sessionStorage.setItem(place, stored)", [place, stored])
        page.reload()
        expect(page.locator(".turns > li")).to_have_count(1 if isinstance(entries, list) else 0)
        expect(page.locator("#question")).to_be_visible()
        if isinstance(entries, list):
            # What came of it was not whole: the same turn has it again.
            expect(earlier).to_contain_text("Earlier turns")
            earlier.locator("summary").click()
            expect(earlier.locator("li").first).to_contain_text("A <b>crystal</b>.")
    assert script.keys == [whole["key"]] * 2
    assert ana.foreign() == []


def test_what_a_model_does_not_do_is_said(ana: PageVisitor) -> None:
    """No model, one that fails, an answer that is gone: said in plain words, tried again under one key (BL-1)."""
    script = Script(ana, model=None)
    page = ana.opens(SUBJECT, "chat")
    asks(page, "What did I get wrong?")
    turn = page.locator(".turns > li").last
    expect(turn).to_contain_text("No model is configured here")
    expect(turn.locator(".block pre")).to_contain_text("YOUR MEMORY")
    expect(turn.locator(".passages li").first).to_contain_text("Osmosis moves water.")
    expect(turn.locator(".passages li").first).to_contain_text("cells.md · page 3")
    expect(page.locator(".answer")).to_have_count(0)
    script.model = "fake-tutor"
    script.status, script.text, script.told["reason"] = "failed", "You got", "model-unavailable"
    asks(page, "And now?")
    alert = turn.get_by_role("alert")
    expect(alert).to_contain_text("There is no answer: the model could not be reached.")
    expect(turn.locator(".answer")).to_contain_text("This much was written before it stopped:")
    script.told["reason"] = "<b>unheard of</b>"
    alert.get_by_role("button").click()
    expect(alert).to_contain_text("something went wrong (<b>unheard of</b>)")
    gone = re.compile(".*/answers/a1.*")
    page.route(gone, lambda route: route.fulfill(status=404, json={"title": "gone", "status": 404}))
    alert.get_by_role("button").click()
    expect(alert).to_contain_text("no longer kept, or was erased")
    page.unroute(gone)
    script.text = ""
    script.told["reason"] = None
    script.ends(stance="answered")
    script.text = "Hello."
    alert.get_by_role("button").click()
    expect(turn.locator(".prose")).to_have_text("Hello.")
    expect(turn).to_contain_text("It claims nothing that would need a source.")
    assert len(set(script.keys)) == 2
    assert ana.foreign() == []


def test_a_refusal_is_said_and_the_turn_goes_on_where_it_stopped(ana: PageVisitor) -> None:
    """A refusal is shown as text, and trying again sends the same turn under the same key (SV-7, SV-14)."""
    script = Script(ana, model=None)
    page = ana.opens(SUBJECT, "chat")
    problem = {"title": "Too much contention", "detail": "<b>try</b> again", "status": 503}
    refusing = re.compile(".*/answers$")
    sent: list[str | None] = []

    def refuses(route: Route) -> None:
        sent.append(route.request.post_data)
        route.fulfill(status=503, json=problem)

    page.route(refusing, refuses)
    asks(page, "What is diffusion?")
    expect(page.get_by_role("alert")).to_contain_text("Too much contention: <b>try</b> again")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("Too much contention")
    page.unroute(refusing)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Recorded as a question")).to_be_visible()
    expect(page.locator(".block")).to_have_count(1)
    assert (len(set(sent)), len(sent), len(script.keys)) == (1, 2, 1)
    assert ana.foreign() == []


def test_a_turn_and_a_check_are_made_by_keyboard(browser: Browser, place: Place) -> None:
    """The first key leads past the header; Tab, Space and Enter alone ask, open what is behind, and record (SV-6)."""
    zoe = PageVisitor(browser, place, unsigned("zoe", tenant=TENANT))
    page = zoe.opens(SUBJECT, "chat")
    keys = page.keyboard

    def tab_to(selector: str, back: bool = False) -> None:
        for _ in range(20):
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            keys.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"no key leads to {selector}")

    keys.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    keys.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    tab_to("#question")
    keys.type("What is osmosis?")
    keys.press("Enter")
    block = page.locator(".block pre")
    expect(block).to_contain_text("osmosis")
    expect(page.get_by_text("No model is configured here")).to_be_visible()
    tab_to(".passages summary", back=True)
    keys.press("Enter")
    expect(page.locator(".passages li")).to_have_count(0)
    tab_to(".block summary", back=True)
    keys.press("Enter")
    expect(block).to_have_count(0)
    tab_to(".check summary")
    keys.press("Enter")
    expect(page.locator(".check form")).to_be_visible()
    tab_to("[list=check-concepts]")
    keys.type("osmosis")
    keys.press("Tab")
    keys.type("What does osmosis move?")
    keys.press("Tab")
    keys.press("Space")
    keys.press("Enter")
    expect(page.locator(".checked")).to_contain_text("right")
    expect(page.locator(".checked")).to_contain_text("Now believed: understands osmosis")
    zoe.leaves()


def test_a_check_is_recorded_and_changes_what_is_believed(browser: Browser, place: Place) -> None:
    """A check made in the chat is recorded once, with score and session, and what is believed now is said (BE-1)."""
    ben = PageVisitor(browser, place, unsigned("ben", tenant=TENANT))
    page = ben.opens(SUBJECT, "chat")
    page.get_by_text("Record a check").click()
    form = page.locator(".check form")
    expect(form.locator("datalist option[value=lysosome]")).to_have_count(1)
    form.get_by_label("Concept").fill("lysosome")
    form.get_by_label("What was asked").fill("What digests what the cell no longer needs?")
    form.get_by_label("wrong").check()
    form.get_by_label("Score").fill("0.2")
    failing = re.compile(".*/episodes$")
    page.route(failing, lambda route: route.fulfill(status=503, json={"title": "Busy", "status": 503}))
    form.get_by_role("button").click()
    checked = page.locator(".checked")
    expect(checked.get_by_role("alert")).to_contain_text("Busy")
    assert page.evaluate("document.activeElement.textContent") == "Record a check"
    page.unroute(failing)
    checked.get_by_role("button", name="Try again").click()
    expect(checked).to_contain_text("Recorded as a check, number 1 of the log.")
    expect(checked).to_contain_text("wrong 20%")
    expect(checked).to_contain_text("Now believed: struggles with lysosome")
    checked.get_by_role("link", name="all beliefs").click()
    expect(page.locator(".card h2")).to_have_text("struggles with lysosome")
    page.get_by_role("link", name="Chat").click()
    checked.get_by_role("link", name="Open the record").click()
    expect(page.locator(".chosen")).to_contain_text("What digests what the cell no longer needs?")
    assert ben.foreign() == []
    ben.leaves()


@pytest.mark.parametrize(
    "language, scheme, width",
    [("ar", "dark", 360), ("hi", "light", 360), ("es", "dark", 1_200), ("ar", "light", 1_200)],
)
def test_an_answered_turn_fits_every_window_language_and_eye(
    browser: Browser, place: Place, language: str, scheme: str, width: int
) -> None:
    """Beside an answer everything that can be opened fits its window, and axe has no serious finding (SV-6)."""
    options: dict[str, Any] = {"locale": language, "color_scheme": scheme}
    size = {"width": width, "height": 740}
    visitor = PageVisitor(browser, place, unsigned("ana", tenant=TENANT), viewport=size, **options)
    script = Script(visitor)
    long = "Ein-sehr-langes-Wort" * 12
    script.text = f"{TEXT}\n\n| {long} | b | c |\n| --- | --- | --- |\n| {long} | d | e |\n\n```\n{long}\n```"
    script.block = {**BLOCK, "routed": [long, "osmosis"], "block": f"{BLOCK['block']} {long}"}
    script.ends(
        claim("You got osmosis wrong.", from_memory("Check on osmosis")),
        claim(long, from_file(long, name=f"{long}.md")),
        claim("تتحرك المياه", problem="negation"),
        stance="partial",
    )
    page = visitor.opens(SUBJECT, "chat")
    asks(page, f"What did I get wrong? {long}")
    expect(page.locator(".provenance")).to_be_visible()
    for summary in page.locator("aside summary, .check summary").all():
        summary.click()
    expect(page.locator(".check form")).to_be_visible()
    assert visitor.overflow() == 0
    assert visitor.unfit() == []
    visitor.keeps(f"chat-answered-{language}-{scheme}-{width}")
    assert visitor.foreign() == []
    visitor.leaves()


def test_nothing_in_a_turn_becomes_anything_but_text(browser: Browser, place: Place) -> None:
    """Injection through a turn's question, answer, claims, sources, block, passages and check stays text (SV-13)."""
    ana = PageVisitor(browser, place, unsigned("ana", tenant="hostile"))
    every = (*HOSTILE, *HOSTILE_MARKDOWN)
    all_of_it = "\n\n".join(every)
    script = Script(ana, model=all_of_it)
    script.kind = "taught"
    script.block = {
        **BLOCK,
        "block": all_of_it,
        "routed": [*every],
        "memory_ids": [*every],
        "degraded": [*every],
        "window": {**BLOCK["window"], "phrase": all_of_it},
    }
    script.passages = [
        {"kind": kind, "id": text, "name": text, "page": None, "at": None, "text": text}
        for text in every
        for kind in ("file", "episode")
    ]
    page = ana.opens(SUBJECT, "chat")
    asks(page, all_of_it)
    turn = page.locator(".turns > li").first
    # Markup cut in two must not be anything either.
    script.status, script.piece, script.text = "writing", 97, all_of_it[:-1]
    expect(turn.locator(".prose")).to_contain_text("<details open ontoggle")
    assert ana.foreign() == []
    script.text = all_of_it
    sources = (
        lambda text: from_file(text, name=text),
        lambda text: from_memory(text, memory=text),
        lambda text: from_memory(text, kind="belief"),
        lambda text: None,
    )
    script.ends(
        *(claim(text, source(text), problem=text) for text in every for source in sources), stance="partial"
    )
    expect(turn.locator(".provenance")).to_have_count(1)
    for part in (".provenance", ".block", ".passages"):
        turn.locator(f"{part} summary").click()
    page.locator(".check summary").click()
    page.get_by_label("Concept").fill(HOSTILE[0])
    page.get_by_label("What was asked").fill(all_of_it)
    page.get_by_label("right").check()
    page.locator(".check form").get_by_role("button").click()
    expect(page.locator(".checked")).to_contain_text("Recorded as a check")
    shown = {
        part: page.locator(part).first.inner_text()
        for part in (".bubble", ".claims", ".block", ".passages", ".checked")
    }
    missing = [
        (part, text) for part, said in shown.items() for text in HOSTILE if text.split("\n")[0] not in said
    ]
    assert missing == []
    assert ana.foreign() == []
    # What turns the direction of writing does so only in a place of its own.
    loose = page.evaluate(
        """() => {
          const walk = document.createTreeWalker(document.querySelector('.chat'), NodeFilter.SHOW_TEXT), found = [];
          while (walk.nextNode()) if (/[\\u202e\\u2066]/.test(walk.currentNode.data)
            && !walk.currentNode.parentElement.closest('[dir=auto]')) found.push(walk.currentNode.data);
          return found;
        }"""
    )
    assert loose == []
    # Nor is it kept beyond the sign-in.
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0
    assert page.url.startswith(HOME)
    ana.leaves()
