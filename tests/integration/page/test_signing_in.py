"""Signing in at a user pool's own pages, staying signed in, and signing out, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from support.api_in_process import Place
from support.browser import SUBJECT
from support.page_in_process import HOME, TENANT, PageVisitor
from support.sign_in_pages import POOL, VARIABLES, SignInPages


@pytest.fixture
def visitor(browser: Browser, place: Place) -> Iterator[PageVisitor]:
    """Somebody whom the stack tells to sign in at the pool's pages."""
    visitor = PageVisitor(browser, place, None, variables=VARIABLES)
    yield visitor
    # Their own pages are the one other place that the page may ask.
    visitor.asked = [url for url in visitor.asked if not url.startswith(f"{POOL}/")]
    assert visitor.foreign() == []
    visitor.leaves()


@pytest.fixture
def pages(visitor: PageVisitor) -> SignInPages:
    """The pool's pages, at which ana signs in."""
    return SignInPages(visitor, tenant=TENANT)


def signs_in(visitor: PageVisitor) -> None:
    """Go to the beliefs, sign in, and be there."""
    visitor.page.goto(f"{HOME}#/{SUBJECT}/beliefs")
    visitor.page.get_by_role("button", name="Sign in").click()
    expect(visitor.page.get_by_role("heading", name="What is believed")).to_be_visible()
    visitor.settled()


def refused(visitor: PageVisitor, token: str) -> None:
    """The gateway takes a token no more."""

    def gateway(route: Route) -> None:
        if route.request.headers["authorization"] == f"Bearer {token}":
            route.fulfill(status=401, json={"message": "Unauthorized"})
        else:
            route.fallback()

    visitor.page.route("**/v1/**", gateway)


def test_signing_in_leads_back_to_where_one_was(visitor: PageVisitor, pages: SignInPages) -> None:
    """The pool's pages give a code, the page takes a token for it by PKCE and keeps neither in its address (SV-11)."""
    signs_in(visitor)
    assert visitor.page.url == f"{HOME}#/{SUBJECT}/beliefs"
    assert [asked["grant_type"] for asked in pages.asked] == ["authorization_code"]
    expect(visitor.page.locator(".who")).to_contain_text("ana")
    visitor.page.reload()
    expect(visitor.page.locator(".who")).to_contain_text("ana")
    assert len(pages.asked) == 1


@pytest.mark.parametrize("query", ["error=access_denied&state=x", "code=a%20code&state=of-somebody-else"])
def test_a_code_that_nobody_here_asked_for_signs_nobody_in(
    visitor: PageVisitor, pages: SignInPages, query: str
) -> None:
    """A link with a code of somebody else's, or a refusal, is said to have failed and asks for no token (SV-11)."""
    visitor.page.goto(f"{HOME}?{query}")
    expect(visitor.page.get_by_role("alert")).to_contain_text("Signing in did not work")
    assert (visitor.page.url, pages.asked) == (HOME, [])


def test_a_token_is_renewed_before_it_runs_out(visitor: PageVisitor, pages: SignInPages) -> None:
    """A token with a minute left is renewed once, whatever asks at the same time, and nobody notices (SV-11)."""
    pages.seconds = 30
    used: list[str] = []
    visitor.page.on("request", lambda request: used.append(request.headers.get("authorization", "")))
    # The timeline asks for the chain and the episodes at once, and the header for the subjects.
    visitor.page.goto(f"{HOME}#/{SUBJECT}/timeline")
    visitor.page.get_by_role("button", name="Sign in").click()
    visitor.page.wait_for_selector(".who")
    visitor.settled()
    visitor.opens(SUBJECT, "files")
    assert [asked["grant_type"] for asked in pages.asked] == ["authorization_code", "refresh_token"]
    assert [header for header in used if header][-1] == f"Bearer {pages.tokens[-1]}"
    assert visitor.page.evaluate("sessionStorage.getItem('anamnesis.token')") == pages.tokens[-1]


def test_a_refused_token_is_renewed_and_the_request_sent_again(
    visitor: PageVisitor, pages: SignInPages
) -> None:
    """When the service no longer takes a token that looked good, it is renewed and nothing is lost (SV-11)."""
    signs_in(visitor)
    first = pages.tokens[0]

    refused(visitor, first)
    visitor.opens(SUBJECT, "map")
    expect(visitor.page.get_by_role("link", name="osmosis", exact=True)).to_be_visible()
    assert [asked["grant_type"] for asked in pages.asked] == ["authorization_code", "refresh_token"]


def test_a_full_tab_gives_up_its_conversations_rather_than_the_sign_in(
    visitor: PageVisitor, pages: SignInPages
) -> None:
    """A renewed token has room in a tab's storage that conversations have filled, and the session goes on (SV-11)."""
    signs_in(visitor)
    first = pages.tokens[0]
    visitor.page.evaluate("""() => {
        sessionStorage.setItem('anamnesis.chat.1.x', 'much');
        const put = Storage.prototype.setItem;
        Storage.prototype.setItem = function (name, value) {
            if (this.getItem('anamnesis.chat.1.x') !== null) throw new DOMException('full', 'QuotaExceededError');
            put.call(this, name, value);
        };
    }""")

    refused(visitor, first)
    visitor.opens(SUBJECT, "map")
    expect(visitor.page.get_by_role("link", name="osmosis", exact=True)).to_be_visible()
    assert visitor.page.evaluate("sessionStorage.getItem('anamnesis.token')") == pages.tokens[-1] != first


def test_whoever_comes_back_later_is_still_signed_in(visitor: PageVisitor, pages: SignInPages) -> None:
    """A page that is loaded when its token has run out renews it; when that is refused one signs in again (SV-11)."""
    signs_in(visitor)
    gone = "sessionStorage.setItem('anamnesis.token', 'a.e30.x')"
    visitor.page.evaluate(gone)
    visitor.page.reload()
    expect(visitor.page.locator(".who")).to_contain_text("ana")
    visitor.page.evaluate(gone)
    pages.refuses = True
    visitor.page.reload()
    expect(visitor.page.get_by_role("button", name="Sign in")).to_be_visible()
    assert visitor.page.evaluate("sessionStorage.length") == 0


@pytest.mark.parametrize("other", [None, "ben"])
def test_a_sign_in_that_cannot_be_renewed_ends(
    visitor: PageVisitor, pages: SignInPages, other: str | None
) -> None:
    """A refused renewal, or one that names somebody else, ends the session and says so (SV-11)."""
    signs_in(visitor)
    pages.refuses, pages.student = other is None, other or "ana"
    visitor.page.route("**/v1/**", lambda route: route.fulfill(status=401, json={"message": "Unauthorized"}))
    visitor.page.get_by_role("link", name="Map", exact=True).click()
    expect(visitor.page.get_by_role("alert")).to_contain_text("has run out")
    assert visitor.page.evaluate("sessionStorage.length") == 0


def test_signing_out_ends_it_everywhere(visitor: PageVisitor, pages: SignInPages) -> None:
    """Signing out revokes the refresh token, ends the pool's own session and leaves nothing in the browser (SV-11)."""
    signs_in(visitor)
    with visitor.page.expect_navigation(url=HOME):
        visitor.page.get_by_role("button", name="Sign out").click()
    expect(visitor.page.get_by_role("button", name="Sign in")).to_be_visible()
    assert pages.left == [{"client_id": "4711", "logout_uri": HOME}]
    assert pages.revoked == [{"token": "for long", "client_id": "4711"}]
    assert visitor.page.evaluate("sessionStorage.length") == 0


def test_a_page_that_cannot_be_set_up_says_so(visitor: PageVisitor, pages: SignInPages) -> None:
    """Without an answer about how to sign in the page says so, and tries again when asked to (SV-7)."""
    visitor.page.route("**/settings.json", lambda route: route.abort())
    visitor.page.goto(HOME)
    expect(visitor.page.get_by_role("alert")).to_contain_text("did not answer")
    visitor.page.unroute("**/settings.json")
    visitor.page.get_by_role("button", name="Try again").click()
    expect(visitor.page.get_by_role("button", name="Sign in")).to_be_visible()
