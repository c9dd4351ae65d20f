"""The page's files as a browser gets them."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

import pytest

from page.files import BUILT, answer, built
from support.lambda_events import load_event

POOL = {
    "sign_in_url": "https://school.auth.eu-west-1.amazoncognito.com",
    "client_id": "4711",
    "files_origins": "https://files.s3.eu-west-1.amazonaws.com,https://files.s3.amazonaws.com",
}
LOCAL = {"sign_in_url": "none", "client_id": "4711", "files_origins": "none"}


def asked(file: str | None = None, variables: dict[str, str] | None = None, **headers: str) -> dict[str, Any]:
    """The answer to a request for the page, or for one of its files."""
    event = load_event("http_get_health")
    path = "/" if file is None else f"/page/{file}"
    event["rawPath"] = event["requestContext"]["http"]["path"] = path
    event["headers"] |= {name.replace("_", "-"): value for name, value in headers.items()}
    event["stageVariables"] = variables or LOCAL
    event.pop("pathParameters", None)
    if file is not None:
        event["pathParameters"] = {"file": file}
    return answer(event)


def policy_of(answer: dict[str, Any]) -> dict[str, list[str]]:
    """The content security policy, by directive."""
    parts = [part.split() for part in answer["headers"]["Content-Security-Policy"].split(";")]
    return {part[0]: part[1:] for part in parts}


def test_the_page_runs_nothing_but_its_own_files() -> None:
    """No inline script or style runs, no text becomes markup, and nobody else is asked for anything (SV-11, SV-13)."""
    policy = policy_of(asked())
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == ["'none'"]
    assert policy["script-src"] == policy["style-src"] == policy["img-src"] == ["'self'"]
    assert policy["connect-src"] == ["'self'"]
    assert policy["frame-ancestors"] == ["'none'"]
    assert (policy["require-trusted-types-for"], policy["trusted-types"]) == (["'script'"], ["'none'"])
    assert asked()["headers"]["X-Content-Type-Options"] == "nosniff"


def test_in_aws_it_may_also_ask_the_pool_and_the_bucket() -> None:
    """Beside its own address the page may reach where people sign in and where files go, and no other (SV-11)."""
    connects = policy_of(asked(variables=POOL))["connect-src"]
    assert connects == ["'self'", POOL["sign_in_url"], *POOL["files_origins"].split(",")]
    told = json.loads(base64.b64decode(asked("settings.json", POOL)["body"]))
    assert told == {"sign_in": {"url": POOL["sign_in_url"], "client_id": "4711"}}
    assert json.loads(base64.b64decode(asked("settings.json")["body"])) == {"sign_in": None}


def test_files_are_kept_for_ever_and_the_page_is_asked_about() -> None:
    """What has a hash in its name is immutable; the page itself is asked about with its entity tag (SV-6)."""
    page = asked()
    assert page["headers"]["Cache-Control"] == "no-cache"
    again = asked(if_none_match=f'"other", W/{page["headers"]["ETag"]}')
    assert (again["statusCode"], again["body"]) == (304, "")
    assert asked(if_none_match='"other"')["statusCode"] == 200
    for name in {*built()} - {"index.html"}:
        assert re.search(r"-[\w-]{8}\.(js|css|svg)$", name), name
        assert "immutable" in asked(name)["headers"]["Cache-Control"]


def test_files_come_compressed_when_that_is_asked_for() -> None:
    """The same bytes, compressed for whoever takes that (SV-6)."""
    plain, packed = asked(), asked(accept_encoding="br, gzip")
    assert "Content-Encoding" not in plain["headers"]
    assert packed["headers"]["Content-Encoding"] == "gzip"
    assert gzip.decompress(base64.b64decode(packed["body"])) == base64.b64decode(plain["body"])
    assert base64.b64decode(plain["body"]) == (BUILT / "index.html").read_bytes()


@pytest.mark.parametrize(
    "name", ["../app.py", "app.py", "record.json", "", ".", "page", "%2e%2e", "index.html\0"]
)
def test_nothing_else_is_served(name: str) -> None:
    """Only the page's own files have an address; everything else is a problem document (SV-7, SV-11)."""
    refused = asked(name)
    assert refused["statusCode"] == 404
    assert json.loads(refused["body"])["type"] == "urn:anamnesis:problem:not-found"
