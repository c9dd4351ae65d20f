"""Who gets in, and what becomes of them: the page of the deployed service, in a real browser."""

from __future__ import annotations

import json

import requests
from playwright.sync_api import Browser, expect
from typer.testing import CliRunner

from anamnesis_tools.cli import app
from anamnesis_tools.stack.local_stack import LocalStack
from support.browser import SUBJECT, Visitor
from support.schools import School


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


def test_a_sign_in_that_ran_out_is_said(ana: Visitor) -> None:
    """When the service no longer takes the token the page says so and asks to sign in again (SV-11)."""
    page = ana.opens(SUBJECT, "chat")
    page.route("**/v1/**", lambda route: route.fulfill(status=401, json={"message": "Unauthorized"}))
    page.get_by_role("link", name="Beliefs").click()
    expect(page.get_by_role("alert")).to_contain_text("has run out")
    expect(page.get_by_label("Token")).to_be_visible()
