"""A stand-in of a user pool's sign-in pages: what Cognito's endpoints for them answer, told to a browser in a test.

References
----------
Amazon Cognito Developer Guide, "User pool endpoints and managed login reference": authorize, token, revoke, logout.
RFC 7636 (PKCE), section 4.6.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Route

from support.page_in_process import HOME, PageVisitor, unsigned

POOL = "https://school.auth.test"
CLIENT = "4711"
VARIABLES = {"sign_in_url": POOL, "client_id": CLIENT, "files_origins": "none"}


class SignInPages:
    """The pages, for one person.

    Attributes
    ----------
    student
        Whom the next token names.
    seconds
        How long the first token is good; every later one is for an hour.
    refuses
        Whether refresh tokens are refused, as after 30 days or a sign-out elsewhere.
    asked
        What the token endpoint was asked, and what was revoked.
    tokens
        The ID tokens that were given, oldest first.
    """

    def __init__(self, visitor: PageVisitor, *, tenant: str, student: str = "ana") -> None:
        self.tenant, self.student, self.seconds, self.refuses = tenant, student, 3_600, False
        self.asked: list[dict[str, str]] = []
        self.revoked: list[dict[str, str]] = []
        self.tokens: list[str] = []
        self.left: list[dict[str, str]] = []
        self._challenge = ""
        visitor.context.route(f"{POOL}/**", self._answer)

    def _answer(self, route: Route) -> None:
        parts = urlsplit(route.request.url)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        body = {name: values[0] for name, values in parse_qs(route.request.post_data or "").items()}
        if parts.path == "/oauth2/authorize":
            assert (query["client_id"], query["response_type"], query["scope"]) == (CLIENT, "code", "openid")
            assert query["code_challenge_method"] == "S256"
            self._challenge = query["code_challenge"]
            return self._leads_to(route, query["redirect_uri"], code="a code", state=query["state"])
        if parts.path == "/oauth2/token":
            self.asked.append(body)
            return self._give(route, body)
        if parts.path == "/oauth2/revoke":
            self.revoked.append(body)
            return self._reply(route, 200, {})
        assert parts.path == "/logout"
        self.left.append(query)
        return self._leads_to(route, query["logout_uri"])

    def _give(self, route: Route, body: dict[str, str]) -> None:
        assert body["client_id"] == CLIENT
        if body["grant_type"] == "authorization_code":
            digest = hashlib.sha256(body["code_verifier"].encode()).digest()
            good = base64.urlsafe_b64encode(digest).decode().rstrip("=") == self._challenge
            good &= (body["code"], body["redirect_uri"]) == ("a code", HOME)
        else:
            good = body["refresh_token"] == "for long" and not self.refuses
        if not good:
            return self._reply(route, 400, {"error": "invalid_grant"})
        # One second more each, so that no two are the same.
        lasts = 3_600 + len(self.tokens) if self.tokens else self.seconds
        self.tokens.append(unsigned(self.student, tenant=self.tenant, seconds=lasts))
        more = {"refresh_token": "for long"} if body["grant_type"] == "authorization_code" else {}
        return self._reply(route, 200, {"id_token": self.tokens[-1], "token_type": "Bearer", **more})

    @staticmethod
    def _reply(route: Route, status: int, body: dict[str, Any]) -> None:
        route.fulfill(status=status, json=body, headers={"Access-Control-Allow-Origin": "*"})

    @staticmethod
    def _leads_to(route: Route, where: str, **query: str) -> None:
        to = f"{where}?{urlencode(query)}" if query else where
        route.fulfill(status=200, content_type="text/html", body=f"<script>location.replace({to!r})</script>")
