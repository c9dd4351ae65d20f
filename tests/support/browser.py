"""The machine's own Chromium over the page, as a person would use it, and what it must never do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from anamnesis_tools.stack.local_stack import LocalStack

#: Every view of the page, as its addresses name them.
VIEWS = ("chat", "beliefs", "map", "timeline", "files", "wiki", "report", "limits")
#: What the students of the page's tests learn.
SUBJECT = "biology"
AXE = Path(__file__).parents[1] / "data" / "axe-core-4.14.1.min.js"
#: Where pictures are kept, made anew by each run.
PICTURES = Path(__file__).parents[2] / ".build" / "page"
#: WCAG 2.2 up to level AA, as axe tags its rules.
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: Of one step, in milliseconds; the machine may be busy with other tests.
PATIENCE = 30_000
#: What stands in the page of elements and attributes that text could have become, and none of ours.
_FOREIGN = """() => [...document.querySelectorAll(
  'img,iframe,object,embed,base,form[action],style,video,audio,math,foreignObject,script:not([type=module][src])'
)].map(e => e.outerHTML).concat([...document.querySelectorAll('*')].flatMap(e => [...e.attributes]
  .filter(a => a.name.startsWith('on') || /^\\s*(javascript|data|vbscript):/i.test(a.value))
  .map(a => `${e.tagName} ${a.name}=${a.value}`)))"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser; the test is skipped, with the reason, on a machine that has none."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"THE PAGE IS NOT TESTED: no browser on this machine (looked for {', '.join(_NAMES)})")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visitor:
    """A person in front of the page, in a browser of their own.

    Parameters
    ----------
    browser
        From `chromium`.
    where
        The stack that has the page, or the page's own address.
    token
        Whose; None for nobody's yet.
    options
        Of the browser's context, such as ``locale`` and ``viewport``.
    """

    def __init__(self, browser: Browser, where: LocalStack | str, token: str | None, **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(timezone_id="Europe/Madrid", **options)
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.home = where if isinstance(where, str) else where.page_url
        self.token = token
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._heard)

    def _heard(self, message: Any) -> None:
        # A refused request is shown in the page; everything else that a browser complains of is a fault of the page.
        if message.type in {"error", "warning"} and "Failed to load resource" not in message.text:
            self.complaints.append(message.text)

    def opens(self, *place: str) -> Page:
        """Go to a subject's view, signed in; without a place to the page as it greets."""
        path = "/".join(quote(part, safe="") for part in place)
        if self.token is not None and self.page.url == "about:blank":
            self.page.goto(f"{self.home}#token={self.token}&to={path}")
            self.page.wait_for_selector("header .who")
        elif place:
            self.page.evaluate("hash => { location.hash = hash }", f"#/{path}")
        else:
            self.page.goto(self.home)
        self.settled()
        return self.page

    def settled(self) -> None:
        """Wait until nothing is on its way any more."""
        self.page.wait_for_selector("main")
        self.page.wait_for_function("() => !document.querySelector('.waiting')")

    def foreign(self) -> list[str]:
        """What text has become markup, been run or been fetched; what the browser complained of."""
        elements: list[str] = self.page.evaluate(_FOREIGN)
        ran = self.page.evaluate("() => window.pwned === undefined") is not True
        here = urlsplit(self.home)
        outside = [url for url in self.asked if urlsplit(url)[:2] != here[:2] and not url.startswith("blob:")]
        return elements + ["a script ran"] * ran + outside + self.complaints

    def overflow(self) -> int:
        """By how many pixels the page is wider than its window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))

    def unfit(self, rules: list[str] | None = None) -> list[str]:
        """Serious findings of axe-core on what is shown now, by WCAG's rules or by these alone."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
        chosen = {"type": "tag", "values": WCAG} if rules is None else {"type": "rule", "values": rules}
        found = self.page.evaluate(
            "chosen => axe.run(document, {runOnly: chosen}).then(r => r.violations)", chosen
        )
        return [
            f"{rule['id']}: {node['target']} {node['failureSummary']}"
            for rule in found
            if rule["impact"] in {"serious", "critical"}
            for node in rule["nodes"]
        ]

    def keeps(self, name: str) -> None:
        """Keep a picture of what is shown, for people to look at."""
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=True)

    def leaves(self) -> None:
        """Close the browser's context."""
        self.context.close()
