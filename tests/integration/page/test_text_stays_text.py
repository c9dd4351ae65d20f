"""What people, files and the service say is never markup on the page, in whatever field of whatever reply it comes."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser

from support.api_in_process import InProcessClient, Place
from support.browser import SUBJECT, VIEWS
from support.hostile_texts import HOSTILE, HOSTILE_MARKDOWN
from support.page_in_process import TENANT, PageVisitor, unsigned
from support.schools import CELLS, check, event

TEXTS = HOSTILE + HOSTILE_MARKDOWN
#: Those that are recorded for good: a third, each of another kind.
SOME = HOSTILE[1::3]
#: A time is no words, and stays one.
DATE = re.compile(r"\d{4}-\d\d-\d\d")
#: Everything that a reader is shown or told, and nothing that only scripts see.
SEEN = """() => [document.title, ...[...document.querySelectorAll('body, body *')].flatMap(e => [
  ...[...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data),
  ...['title', 'aria-label', 'placeholder', 'value'].map(a => e.getAttribute(a) ?? ''), e.value ?? ''])].join('\\0')"""
#: Texts with controls of direction that could turn what stands beside them: nothing of their own isolates them.
LEAKING = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (!/[\\u202a-\\u202e\\u2066-\\u2069]/.test(data) || parentElement.closest('pre, .prose, option, title')) continue;
    let e = parentElement;
    while (e && !/isolate|plaintext/.test(getComputedStyle(e).unicodeBidi)) e = e.parentElement;
    if (!e || e.textContent.length > data.length + 2) found.push(parentElement.outerHTML);
  }
  return found;
}"""

#: The fields whose texts are shown whole, by the listings and single things that they are of. What is read as Markdown
#: or shortened is shown otherwise, and what it must not do is looked at all the same.
EPISODE = ("annotations[].result", "evaluation", "kind", "text", "topic")
WHOLE_EPISODE = (*EPISODE, "concepts[]", "hash", "session_id")
LISTED = {
    *(f"episodes[].{field}" for field in EPISODE),
    *(f"files[].{field}" for field in ("concepts[]", "detail", "name", "status")),
    *("beliefs[].concept_name", "history[].claim", "history[].history[].reason", "subjects[]"),
    *("breaks[].kind", "not_checked[]", "concepts[].gist", "concepts[].name"),
    *("pages[].path", "pages[].title", "revisions[].author"),
}
SINGLE = {
    *(f"episode.{field}" for field in WHOLE_EPISODE),
    *(f"evidence.episodes[].episode.{field}" for field in WHOLE_EPISODE),
    *("evidence.file.name", "evidence.record.text", "evidence.record.title", "evidence.text"),
    *(f"concepts[].{field}" for field in ("assumed[]", "builds_on[]", "definition", "name", "taught[]")),
    *("block.window.phrase", "page.path"),
}


class Kept(str):
    """A word that tells the page what a thing is, and stays it."""


def marked(reply: Any, text: str, path: str) -> Any:
    """A reply with every text in it replaced by a hostile one that says where it stood."""
    if isinstance(reply, dict):
        return {name: marked(value, text, f"{path}.{name}") for name, value in reply.items()}
    if isinstance(reply, list):
        return [marked(value, text, f"{path}[]") for value in reply]
    if isinstance(reply, str) and not isinstance(reply, Kept) and not DATE.match(reply):
        return f"«{path}»{text}"
    return reply


class Said:
    """Replies in which every text is hostile."""

    def __init__(self, client: InProcessClient) -> None:
        route = f"/v1/subjects/{SUBJECT}"

        def real(route: str, **params: str) -> Any:
            return client.call("GET", route, params=params)

        check = real(f"{route}/episodes", kind="check")["episodes"][-1]
        notes = [
            {
                "kind": Kept(kind),
                "result": "x",
                "changed": ["x"],
                "checked_on": "2026-07-01",
                "grounded_share": 1,
            }
            for kind in ("verification", "grounding", "erasure")
        ]
        self.episode = check | {
            "evaluation": "x",
            "session_id": "x",
            "concepts": ["x"],
            "memory_ids": ["x"],
            "annotations": notes,
            "evidence": [{"file_id": "x", "page": 1, "fingerprint": "x"}],
        }
        self.belief = real(f"{route}/beliefs", history="true")["beliefs"][0]
        names = ("aliases", "assumed", "builds_on", "taught", "taught_superseded")
        self.concept = real(f"{route}/map")["concepts"][0] | {name: ["x"] for name in names}
        self.file = real(f"{route}/files")["files"][1] | {"concepts": ["x"]}
        self.page = real("/v1/wiki/pages/knowledge/index.md")
        self.revision = real("/v1/wiki/log", path="knowledge/index.md")["revisions"][0]

    def listings(self, texts: tuple[str, ...]) -> dict[str, Any]:
        """Listings with an item for each of these texts, by the requests for them."""

        def each(item: Any, path: str) -> list[Any]:
            return [marked(item, text, f"{path}[]") for text in texts]

        broken = {"verified": False, "length": 9, "head": "x", "checkpoints_checked": 1, "erased": []}
        notes = [{"length": 9, "note": f"a\n9\n«note»{text}\n", "consistency": None} for text in texts]
        return {
            "GET /v1/subjects": {"subjects": each("x", "subjects")},
            "GET .*/beliefs": {"beliefs": each(self.belief | {"verb": Kept("understands")}, "beliefs")},
            "GET .*/beliefs/.+/history": {"beliefs": each(self.belief, "history")},
            "GET .*/map": {"concepts": each(self.concept, "concepts"), "cursor": None},
            "GET .*/teaching-order": {"layers": [each("x", "layers[]")]},
            "GET .*/chain": broken
            | {
                "breaks": each({"position": 1, "kind": "x", "count": 1}, "breaks"),
                "not_checked": each("x", "not_checked"),
            },
            "GET .*/chain/checkpoints": {"checkpoints": notes, "following": None},
            "GET .*/episodes": {"episodes": each(self.episode, "episodes"), "cursor": None},
            "GET .*/files": {"files": each(self.file, "files")},
            "GET /v1/wiki/pages": {"pages": each({"path": "x", "title": "x"}, "pages"), "cursor": None},
            "GET /v1/wiki/log": {"revisions": each(self.revision, "revisions"), "cursor": None},
            "GET /v1/wiki/diff": {"diff": "".join(f"+«diff»{text}\n" for text in texts)},
        }

    def singles(self, text: str) -> dict[str, Any]:
        """Replies about one thing, with this text."""
        found = {
            "episodes": [{"turn": 1, "episode": self.episode}],
            "file": self.file,
            "page": 1,
            "text": "x",
        }
        record = {"title": "x", "text": "x", "fetched_at": "2026-07-01"}
        window = {"start": "2026-07-01T00:00:00Z", "end": "2026-07-02T00:00:00Z", "phrase": "x"}
        return {
            "GET .*/episodes/.+": marked(self.episode, text, "episode"),
            "POST .*/block": marked({"window": window}, text, "block"),
            "GET /v1/wiki/pages/.+": marked(self.page, text, "page"),
            "GET /v1/wiki/evidence": marked(found | {"record": record}, text, "evidence"),
        }


class Reader:
    """Looks at everything that the page shows, and remembers what it read."""

    def __init__(self, visitor: PageVisitor) -> None:
        self.visitor = visitor
        self.seen = ""

    def told(self, replies: dict[str, Any]) -> None:
        """Have requests answered so."""
        self.visitor.made |= {asked: (lambda _, reply=reply: reply) for asked, reply in replies.items()}

    def looks(self, where: str) -> None:
        """Nothing of what is shown now may be anything but text, or turn what stands beside it."""
        self.visitor.settled()
        assert self.visitor.foreign() == [], where
        assert self.visitor.page.evaluate(LEAKING) == [], where
        self.seen += self.visitor.page.evaluate(SEEN)

    def fields(self) -> dict[str, set[str]]:
        """By the place that a text says it comes from, which texts were shown there letter by letter."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for field in set(re.findall("«([^»]+)»", self.seen)):
            found[field] = {text for text in TEXTS if f"«{field}»{text}" in self.seen}
        return dict(found)


def test_no_text_of_a_listing_becomes_anything_but_text(ana: PageVisitor, place: Place) -> None:
    """Script, style, link, image, SVG, Markdown and turned text in every field of every listing stays text (SV-13)."""
    said, reader = Said(InProcessClient(place, tenant=TENANT)), Reader(ana)
    reader.told(said.listings(TEXTS) | said.singles(TEXTS[0]))
    for view in VIEWS[1:]:
        page = ana.opens(SUBJECT, view)
        page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
        ana.settled()
        for button in page.locator("main [aria-expanded=false], main .small").all()[:3]:
            button.click()
        reader.looks(view)
        if view == "map":
            page.get_by_role("button", name="Graph").click()
            reader.looks("graph")
    ana.opens("")
    reader.looks("subjects")
    fields = reader.fields()
    whole = {field for field, texts in fields.items() if len(texts) == len(TEXTS)}
    assert whole >= LISTED, fields.keys() - whole


def test_no_text_of_one_thing_becomes_anything_but_text(ana: PageVisitor, place: Place) -> None:
    """The same in a record, a page of the wiki, what a citation stands on, a concept, and a time in words (SV-13)."""
    said, reader = Said(InProcessClient(place, tenant=TENANT)), Reader(ana)
    for number, text in enumerate(TEXTS):
        reader.told(said.listings((text,)) | said.singles(text))
        page = ana.opens(SUBJECT, "timeline", f"x{number}")
        page.get_by_label("Time in words").fill(text)
        page.get_by_role("button", name="Find").click()
        page.locator(".phrase [role=status] bdi").wait_for()
        reader.looks(f"record {text}")
        ana.opens(SUBJECT, "map", f"«concepts[].key»{text}")
        reader.looks(f"concept {text}")
        ana.opens(SUBJECT, "wiki", f"x{number}")
        reader.looks(f"page {text}")
        ana.opens(SUBJECT, "wiki", "evidence", f"x{number}")
        reader.looks(f"evidence {text}")
    fields = reader.fields()
    whole = {field for field, texts in fields.items() if len(texts) == len(TEXTS)}
    assert whole >= SINGLE, fields.keys() - whole


def test_what_is_recorded_stays_text_in_every_view(browser: Browser, place: Place) -> None:
    """Hostile episodes, topics, sessions, files, concepts, people and subjects are read as they are (SV-13)."""
    # Names may hold no slash.
    subject, student = "<img src=x onerror=window.pwned=1>", "<b onclick=window.pwned=1>ana"
    tenant = "<style>body{display:none}"
    client = InProcessClient(place, tenant=tenant, student=student)
    at = (f"2026-07-{day:02d}T09:00:00Z" for day in itertools.cycle(range(1, 29)))
    chapter = "".join(f"**Osmosis{n}** is a {text} of water.\n\n" for n, text in enumerate(SOME))
    client.send_file(subject, f"{subject}.md", f"# {SOME[0]}\n\n{CELLS}\n\n{chapter}".encode())
    said = [
        event(kind, text, next(at), summary=text, session_id=text[:200])
        for text in SOME
        for kind in ("question", "answer")
    ]
    said += [check(text, correct=False, at=next(at), evaluation=text) for text in SOME]
    said += [event("taught", f"Remember that osmosis is {text}", next(at)) for text in SOME]
    said.append(check("osmosis", correct=False, at=next(at)))
    for number in range(0, len(said), 50):
        client.record(subject, str(number), said[number : number + 50])
    client.call("POST", client.subject(subject, "night"), {"date": "2026-07-28"})
    client.call("POST", "/v1/wiki/compile")
    reader = Reader(PageVisitor(browser, place, unsigned(student, tenant=tenant)))
    for view in VIEWS[1:]:
        page = reader.visitor.opens(subject, view)
        page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
        reader.visitor.settled()
        while page.get_by_role("button", name="Show more").count():
            page.get_by_role("button", name="Show more").click()
            reader.visitor.settled()
        reader.looks(view)
    assert [text for text in SOME if text not in reader.seen] == []
    reader.visitor.leaves()


def test_a_refusal_is_text_too(ana: PageVisitor) -> None:
    """What a refusal says, in title, detail and field, stays text (SV-7, SV-13)."""
    told: dict[str, str] = {}
    ana.opens(SUBJECT, "map")
    ana.page.route("**/beliefs", lambda route: route.fulfill(status=503, json=told))
    page = ana.opens(SUBJECT, "beliefs")
    for text in TEXTS:
        told |= {name: f"«{name}»{text}" for name in ("type", "title", "detail", "field")}
        page.get_by_role("button", name="Try again").click()
        ana.settled()
        page.wait_for_function("told => document.body.textContent.includes(told)", arg=told["detail"])
        seen = page.evaluate(SEEN)
        assert all(told[name] in seen for name in ("title", "detail", "field")), text
        assert ana.foreign() == []
        assert page.evaluate(LEAKING) == []


def test_who_a_token_names_is_text_too(browser: Browser, place: Place) -> None:
    """Whoever a token says that somebody is, the page says it as text (SV-11, SV-13)."""
    for text in TEXTS[::12]:
        visitor = PageVisitor(browser, place, unsigned(f"«student»{text}", tenant=text))
        page = visitor.opens()
        assert f"«student»{text}" in page.evaluate(SEEN)
        assert visitor.foreign() == []
        assert page.evaluate(LEAKING) == []
        visitor.leaves()
