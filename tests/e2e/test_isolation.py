"""Attacks on the deployed service from outside: tokens, names, paths, ids, upload addresses and floods."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
import requests
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import (
    CELLS,
    School,
    asked,
    check,
    event,
    eventually,
    everything_shown,
    given,
    offered,
    put,
)

SUBJECT = "biology"
CHAIN = f"/v1/subjects/{SUBJECT}/chain"
#: An id that was never given out.
MISSING = "01K00000000000000000000000"
OPEN = {("GET", "/v1/health"), ("GET", "/v1/openapi.json")}
_TIMEOUT = 35


@pytest.fixture(scope="module")
def operations(stack: LocalStack) -> list[tuple[str, str]]:
    """Method and path of every route that the service describes, its placeholders filled."""
    document = requests.get(f"{stack.api_url}/v1/openapi.json", timeout=_TIMEOUT).json()
    return [
        (method.upper(), re.sub(r"\{\w+\}", MISSING, path.replace("{subject}", SUBJECT)))
        for path, methods in document["paths"].items()
        for method in methods
    ]


def send(stack: LocalStack, method: str, path: str, token: str | None, **more: Any) -> requests.Response:
    """One request with a token, or without any."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    body = {"json": {}} if method == "POST" else {}
    return requests.request(
        method, stack.api_url + path, headers=headers, timeout=_TIMEOUT, **{**body, **more}
    )


# ---------------------------------------------------------------------------------------- tokens
def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def part(token: str, index: int) -> dict[str, Any]:
    """A part of a token: 0 its header, 1 its claims."""
    text = token.split(".")[index]
    return dict(json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))


class Forger:
    """Makes tokens, with the pool's own key too: the emulator keeps it in a file, as Cognito never would."""

    def __init__(self, stack: LocalStack, genuine: str) -> None:
        [file] = stack.state_dir.rglob(f"{stack.outputs['UserPoolId']}-id.pem")
        key = serialization.load_pem_private_key(file.read_bytes(), password=None)
        assert isinstance(key, rsa.RSAPrivateKey)
        self.pool_key = key
        self.own_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.genuine = genuine
        self.header, self.claims = part(genuine, 0), part(genuine, 1)

    def signed(
        self, claims: dict[str, Any], header: dict[str, Any] | None = None, *, own: bool = False
    ) -> str:
        """A token over claims, signed with the pool's key, or with one of our own; None takes a claim away."""
        told = {name: value for name, value in (self.claims | claims).items() if value is not None}
        text = ".".join(encoded(json.dumps(p).encode()) for p in (self.header | (header or {}), told))
        key = self.own_key if own else self.pool_key
        return f"{text}.{encoded(key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256()))}"

    def with_mac(self) -> str:
        """A token whose "signature" is an HMAC under the pool's public key, which everybody has."""
        text = ".".join(
            encoded(json.dumps(p).encode()) for p in (self.header | {"alg": "HS256"}, self.claims)
        )
        public = self.pool_key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return f"{text}.{encoded(hmac.new(public, text.encode(), hashlib.sha256).digest())}"

    def unsigned(self, signature: str = "") -> str:
        """A token that says it needs no signature."""
        header = encoded(json.dumps(self.header | {"alg": "none"}).encode())
        return f"{header}.{self.genuine.split('.')[1]}.{signature}"

    def altered(self, **claims: Any) -> str:
        """A genuine token whose claims somebody changed afterwards."""
        header, _, signature = self.genuine.split(".")
        return ".".join((header, encoded(json.dumps(self.claims | claims).encode()), signature))


@pytest.fixture(scope="module")
def forger(stack: LocalStack) -> Forger:
    school = School(stack)
    return Forger(stack, stack.token(school.tenant, "ana"))


def jwk(key: rsa.RSAPrivateKey) -> dict[str, str]:
    """A public key as a token's header would bring it along."""
    numbers = key.public_key().public_numbers()
    return {
        "kty": "RSA",
        "kid": "mine",
        "n": encoded(numbers.n.to_bytes(256, "big")),
        "e": encoded(numbers.e.to_bytes(3, "big")),
    }


HOUR = 3_600
#: Tokens that the authoriser must not let in, each wrong in one way.
WORTHLESS: dict[str, Callable[[Forger], str]] = {
    "expired": lambda f: f.signed({"exp": int(time.time()) - 1}),
    "not yet valid": lambda f: f.signed({"nbf": int(time.time()) + HOUR}),
    "issued in the future": lambda f: f.signed({"iat": int(time.time()) + HOUR}),
    "for another application": lambda f: f.signed({"aud": "another"}),
    "for nobody": lambda f: f.signed({"aud": None}),
    "by another issuer": lambda f: f.signed({"iss": "https://example.org/pool"}),
    "by a pool next door": lambda f: f.signed({"iss": f.claims["iss"] + "x"}),
    "by nobody": lambda f: f.signed({"iss": None}),
    "signed by another key": lambda f: f.signed({}, own=True),
    "bringing its own key": lambda f: f.signed({}, {"kid": "mine", "jwk": jwk(f.own_key)}, own=True),
    "pointing to its own key": lambda f: f.signed({}, {"jku": "https://example.org/keys"}, own=True),
    "with an unknown key": lambda f: f.signed({}, {"kid": "unknown"}),
    "with a path for a key": lambda f: f.signed({}, {"kid": "../../dev/null"}, own=True),
    "unsigned": lambda f: f.unsigned(),
    "unsigned with a signature": lambda f: f.unsigned(f.genuine.split(".")[2]),
    "authenticated by the public key": lambda f: f.with_mac(),
    "another tenant's afterwards": lambda f: f.altered(**{"custom:tenant": "elsewhere"}),
    "a service's afterwards": lambda f: f.altered(**{"cognito:groups": ["service"]}),
    "without its signature": lambda f: f.genuine.rpartition(".")[0] + ".",
    "cut": lambda f: f.genuine[:-4],
    "doubled": lambda f: f"{f.genuine}.{f.genuine}",
}


@pytest.mark.parametrize("kind", WORTHLESS)
def test_a_worthless_token_opens_nothing(stack: LocalStack, forger: Forger, kind: str) -> None:
    """A token that is wrong in any one way opens neither function, and the refusal says nothing of why (SV-11)."""
    token = WORTHLESS[kind](forger)
    for method, path in (("GET", CHAIN), ("POST", f"/v1/subjects/{SUBJECT}/block")):
        answer = send(stack, method, path, token)
        assert (answer.status_code, answer.json()) == (401, {"message": "Unauthorized"})


@pytest.mark.parametrize(
    "claims",
    [
        {"token_use": "access"},
        {"custom:tenant": None},
        {"custom:tenant": "a/b"},
        {"custom:student": None},
        {"cognito:groups": None},
        {"cognito:groups": ["students"]},
        {"cognito:groups": ["art,student"]},
        {"cognito:groups": ["[student]"]},
    ],
    ids=lambda claims: "=".join(map(str, *claims.items())),
)
def test_a_token_that_does_not_say_who_opens_nothing(
    stack: LocalStack, forger: Forger, claims: dict[str, Any]
) -> None:
    """A valid signature under claims that name no tenant, student or role of ours is not enough (SV-11)."""
    assert send(stack, "GET", CHAIN, forger.signed({})).status_code == 200
    for method, path in (("GET", CHAIN), ("POST", f"/v1/subjects/{SUBJECT}/block")):
        answer = send(stack, method, path, forger.signed(claims))
        assert (answer.status_code, answer.json()["type"]) == (403, "urn:anamnesis:problem:forbidden")


@pytest.mark.parametrize(
    "groups", [["student", "art,service"], ["student", "[service]"], ["student", "Service"]]
)
def test_a_group_called_like_a_role_gives_no_rights(
    stack: LocalStack, forger: Forger, groups: list[str]
) -> None:
    """A student in a group whose name merely holds `service` stays a student after the gateway's flattening (SV-11)."""
    path = f"/v1/subjects/{SUBJECT}/night"
    refused = send(
        stack, "POST", path, forger.signed({"cognito:groups": groups}), json={"date": "2026-05-04"}
    )
    assert refused.status_code == 403
    assert send(stack, "GET", CHAIN, forger.signed({"cognito:groups": groups})).status_code == 200


def test_every_route_asks_for_a_token(stack: LocalStack, operations: list[tuple[str, str]]) -> None:
    """Of all routes that the service describes only two answer without a token (SV-11)."""
    assert set(operations) > OPEN
    for method, path in operations:
        for token in (None, "", "a.b.c"):
            expected = 200 if (method, path) in OPEN else 401
            assert send(stack, method, path, token).status_code == expected, (method, path)


def test_a_student_names_nobody_on_any_described_route(
    stack: LocalStack, operations: list[tuple[str, str]]
) -> None:
    """Every described route refuses a student's token that names a student, the own one included (SV-11)."""
    token = stack.token(School(stack).tenant, "ana")
    for method, path in operations:
        if (method, path) in OPEN:
            continue
        for named in ("ben", "ana", ""):
            answer = send(stack, method, path, token, params={"student": named})
            assert (answer.status_code, answer.json()["field"]) == (403, "student"), (method, path)


# ---------------------------------------------------------------------------------------- names and paths
@pytest.fixture(scope="module")
def victim(stack: LocalStack) -> ApiClient:
    """A student called `student1` in a tenant `V`, whose memory holds one unusual word, and their files too."""
    client = School(stack, "V").student("student1")
    given(client, SUBJECT, "axolotl.md", CELLS.replace("lysosome", "axolotl"))
    client.record(
        SUBJECT,
        "k",
        [
            event("question", "Why does the axolotl drink?", session_id="axolotl"),
            event("taught", "Remember that in our class we call osmosis the axolotl rule."),
            check("osmosis", correct=False, evaluation="Said axolotl."),
        ],
    )
    assert "axolotl" in everything_shown(client, SUBJECT, "axolotl?")
    return client


#: Paths as they go over the wire.
CROOKED = (
    "/v1/subjects/../subjects/biology/chain",
    "/v1/subjects/%2e%2e/chain",
    "/v1/subjects/..%2F..%2FV%2Fstudent1%2Fbiology/episodes",
    "/v1/subjects/biology%2Fepisodes/chain",
    "/v1/subjects/V%23student1%23biology/episodes",
    "/v1/subjects/V%2523student1%2523biology/episodes",
    "/v1/subjects/%23student1%23biology/map",
    "/v1/subjects/biology%00/episodes",
    "/v1/subjects/biology%0a/episodes",
    "/v1/subjects/biology%0d%0aX-Tenant:%20V/episodes",
    "/v1/subjects/%20biology/episodes",
    "/v1/subjects/biology%E2%80%8B/episodes",
    "/v1/subjects/biology%C0%AF/episodes",
    "/v1/subjects/biology/files/..%2F..%2Fepisodes",
    "/v1/subjects/biology/files/%2e%2e/%2e%2e/episodes",
    "/v1/subjects/biology/beliefs/B%23/history",
    "/v1/subjects//biology/episodes",
    "/v1//subjects/biology/episodes",
    "//v1/subjects/biology/episodes",
    "/v1/subjects/biology/episodes/",
    "/v1/subjects/biology/episodes;student=student1",
    "/v1/subjects/biology/episodes%3Fstudent=student1",
    "/v1/subjects/biology/episodes?%73tudent=student1",
    "/v1/subjects/biology/episodes?student%00=student1",
    "/v1/subjects/biology/episodes?tenant=V&custom:tenant=V",
    "/v1/health/../subjects/biology/episodes",
    "/v1/health%2F..%2Fsubjects/biology/episodes",
    "/v1/openapi.json/../subjects/biology/episodes",
    "/v1/openapi.json%2F..%2F..%2Fv1%2Fsubjects%2Fbiology%2Fepisodes",
    f"/v1/subjects/{'x' * 129}/episodes",
    f"/v1/subjects/{quote('語' * 43)}/episodes",
)


def over_the_wire(stack: LocalStack, path: str, headers: dict[str, str]) -> tuple[int, str]:
    """Status and text of the answer to a path sent exactly as it is, which clients would tidy up."""
    url = urlsplit(stack.api_url)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=_TIMEOUT)
    try:
        connection.putrequest("GET", url.path + path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    finally:
        connection.close()


@pytest.mark.parametrize("path", CROOKED, ids=lambda path: path[:60])
def test_no_path_leads_to_another_s_memory(stack: LocalStack, victim: ApiClient, path: str) -> None:
    """Whatever a path is made of, it shows nothing without a token, and with one nothing of anybody else (SV-11)."""
    status, text = over_the_wire(stack, path, {})
    assert status in {400, 401, 403, 404}, text
    others = (("V", "student10"), ("V", "V#student1"), ("V#student1", "student1"), ("W", "student1"))
    for tenant, student in others:
        # What a client claims in headers is not what a token says.
        headers = {"Authorization": f"Bearer {stack.token(tenant, student)}", "X-Tenant": "V"}
        status, text = over_the_wire(stack, path, headers | {"X-Student": "student1"})
        assert status in {200, 400, 403, 404, 422}, text
        # A file's concepts show to every student of the tenant's subject; they are not on these paths.
        assert "axolotl" not in text


LOOK_ALIKES = (
    ("V", "student1\u0301", SUBJECT),
    ("V", "ｓtudent1", SUBJECT),
    ("V", "ѕtudent1", SUBJECT),
    ("V", "student１", SUBJECT),
    ("V", "student%31", SUBJECT),
    ("V", "...", SUBJECT),
    ("Ｖ", "student1", SUBJECT),
    ("v", "student1", SUBJECT),
    ("V", "student1", "вiology"),
    ("V", "student1", "biology#"),
    ("V#student1", "biology", SUBJECT),
    ("V", "student1" + "x" * 120, SUBJECT),
    ("V" + "x" * 63, "student1", SUBJECT),
)


@pytest.mark.parametrize("other", LOOK_ALIKES, ids=lambda other: quote("|".join(other), safe="|")[:60])
def test_confusable_names_share_nothing(
    stack: LocalStack, victim: ApiClient, other: tuple[str, str, str]
) -> None:
    """Names in another script, width, case or normal form, or with escapes for letters, are other owners (SV-11)."""
    tenant, student, subject = other
    client = School(stack, tenant).student(student)
    shown = everything_shown(client, subject, "osmosis")
    if (tenant, subject) != ("V", SUBJECT):
        assert "axolotl" not in shown
    for rest in ("episodes", "beliefs", "chain"):
        assert "axolotl" not in json.dumps(client.call("GET", client.subject(subject, rest)))
    assert "axolotl rule" not in shown
    assert client.record(subject, "k", [event("question", "Hello there")])[0]["position"] == 1
    assert victim.call("GET", CHAIN)["length"] == 4


def test_what_a_student_did_reaches_no_classmate(stack: LocalStack, victim: ApiClient) -> None:
    """A classmate sees the subject's files, and of a student's notes, checks, beliefs, log and night nothing (CM-9)."""
    School(stack, "V").service("student1").call(
        "POST", f"/v1/subjects/{SUBJECT}/night", {"date": "2026-05-04"}
    )
    classmate = School(stack, "V").student("student2")
    concepts = classmate.call("GET", classmate.subject(SUBJECT, "map"))["concepts"]
    assert "axolotl" in {concept["key"] for concept in concepts}
    assert {concept["readiness"] for concept in concepts} <= {0.35, 0.6}
    assert [concept["taught"] for concept in concepts if concept["taught"]] == []
    for rest, empty in (("episodes", "episodes"), ("beliefs?history=true", "beliefs")):
        assert classmate.call("GET", classmate.subject(SUBJECT, rest))[empty] == []
    for rest in ("self-model", "calibration"):
        assert (
            send(stack, "GET", f"/v1/subjects/{SUBJECT}/{rest}", stack.token("V", "student2")).status_code
            == 404
        )
    for question in ("What is osmosis called in our class?", "What did I get wrong so far?"):
        assert "axolotl rule" not in asked(classmate, SUBJECT, question)["block"]


# ---------------------------------------------------------------------------------------- ids and addresses
def test_an_id_from_elsewhere_is_as_good_as_none(stack: LocalStack, victim: ApiClient) -> None:
    """Over HTTP too, another's id gets the very answer of one that never was, but for the id (SV-11)."""
    ids = {
        "files": victim.call("GET", victim.subject(SUBJECT, "files"))["files"][0]["file_id"],
        "beliefs": victim.call("GET", victim.subject(SUBJECT, "beliefs"))["beliefs"][0]["id"],
        "episodes": victim.call("GET", victim.subject(SUBJECT, "episodes"))["episodes"][0]["id"],
    }
    document = requests.get(f"{stack.api_url}/v1/openapi.json", timeout=_TIMEOUT).json()
    tokens = (stack.token("W", "student1"), stack.token("V#student1", "student1"))
    tried = 0
    for path, methods in document["paths"].items():
        template = path.replace("{subject}", SUBJECT)
        if "{" not in template:
            continue
        for method, token, foreign in ((m, t, i) for m in methods for t in tokens for i in ids.values()):
            answers = [
                send(stack, method.upper(), re.sub(r"\{\w+\}", one, template), token)
                for one in (foreign, MISSING)
            ]
            texts = [re.sub(f"{foreign}|{MISSING}", "ID", answer.text) for answer in answers]
            assert answers[0].status_code == answers[1].status_code, (method, path)
            assert texts[0] == texts[1], (method, path)
            assert "axolotl" not in texts[0]
            tried += 1
    assert tried >= 6 * 3
    kept = victim.call("GET", victim.subject(SUBJECT, f"files/{ids['files']}"))
    assert (kept["status"], kept["deleted_at"]) == ("read", None)


def test_an_upload_s_address_is_good_for_one_file(stack: LocalStack, victim: ApiClient) -> None:
    """The address given for one file puts no other one, reads nothing, and lists nothing (SV-11)."""
    theirs = victim.call("GET", victim.subject(SUBJECT, "files"))["files"][0]["file_id"]
    intruder = School(stack, "W").student("student1")
    data = b"# Nothing\n\nNothing to see.\n"
    upload = offered(intruder, SUBJECT, "nothing.md", data)["upload"]
    url = urlsplit(upload["url"])
    own_key = url.path.split("/uploads/")[1]
    bucket = url.path.split("/uploads/")[0]
    for key in (
        quote(quote(f"V#{SUBJECT}", safe="#"), safe="%") + f"/{theirs}",
        "V%23biology/" + theirs,
        f"../{theirs}",
        "",
    ):
        address = url._replace(path=f"{bucket}/uploads/{key}").geturl()
        assert put({**upload, "url": address}, data).status_code == 403, key
    for method in ("GET", "DELETE", "HEAD"):
        assert requests.request(method, upload["url"], timeout=_TIMEOUT).status_code == 403
    bare = url._replace(query="").geturl()
    for method, address in (("GET", bare), ("GET", bare.replace(own_key, "")), ("PUT", bare)):
        assert requests.request(method, address, data=data, timeout=_TIMEOUT).status_code == 403
    shown = victim.call("GET", victim.subject(SUBJECT, f"files/{theirs}"))
    assert (shown["status"], shown["name"]) == ("read", "axolotl.md")


# ---------------------------------------------------------------------------------------- floods
def use_up(stack: LocalStack, tenant: str) -> None:
    """Count a flood of a tenant's in this minute and the next ones: thousands of requests would take minutes here."""
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    for minute in range(4):
        stack.client("dynamodb").update_item(
            TableName=stack.outputs["RecordsTableName"],
            Key={
                "pk": {"S": f"#REQUESTS#{quote(tenant, safe='')}"},
                "sk": {"S": (now + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")},
            },
            UpdateExpression="ADD requests :n",
            ExpressionAttributeValues={":n": {"N": "1000000"}},
        )


def test_a_flooding_tenant_is_refused_and_no_other(stack: LocalStack) -> None:
    """At its limit a tenant is told by both functions when to come back, and all others are served on (SV-12)."""
    loud, quiet = School(stack), School(stack)
    use_up(stack, loud.tenant)
    token = stack.token(loud.tenant, "ana")

    def ask() -> requests.Response:
        return send(stack, "GET", CHAIN, token)

    # A counter that takes longer than a request waits for it lets that one in.
    refused = eventually(ask, lambda answer: answer.status_code == 429)
    block = eventually(
        lambda: send(stack, "POST", f"/v1/subjects/{SUBJECT}/block", token, json={"question": "Hello?"}),
        lambda answer: answer.status_code == 429,
    )
    for answer in (refused, block):
        assert answer.status_code == 429
        assert answer.json()["type"] == "urn:anamnesis:problem:too-many-requests"
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
        assert loud.tenant not in answer.text
    # The tenant's other people share its limit; another tenant's do not.
    for client in (quiet.student("ana"), quiet.teacher("ana"), quiet.service("ana")):
        for _ in range(5):
            assert client.call("GET", CHAIN)["length"] == 0
    assert quiet.student().record(SUBJECT, "1", [event("question", "Is anybody here?")])[0]["position"] == 1
    assert asked(quiet.student(), SUBJECT, "Is anybody here?")["block"]
    assert requests.get(f"{stack.api_url}/v1/health", timeout=_TIMEOUT).status_code == 200
