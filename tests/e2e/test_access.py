"""Who may do what over HTTP, and that nobody sees another's memory."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import pytest
import requests
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import CELLS, School, asked, check, event, everything_shown, given, offered

SUBJECT = "biology"


def refused(client: ApiClient, method: str, path: str, body: Any = None, **more: Any) -> ApiProblem:
    """The problem that a call is answered with."""
    with pytest.raises(ApiProblem) as caught:
        client.call(method, path, body, **more)
    return caught.value


def signed(claims: dict[str, Any], header: dict[str, Any], key: rsa.RSAPrivateKey) -> str:
    """A JWT."""
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in (header, claims)
    ]
    signature = key.sign(".".join(parts).encode(), padding.PKCS1v15(), hashes.SHA256())
    return ".".join([*parts, base64.urlsafe_b64encode(signature).rstrip(b"=").decode()])


def decoded(token: str, index: int) -> dict[str, Any]:
    """A part of a token: 0 its header, 1 its claims."""
    part = token.split(".")[index]
    return dict(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))))


@pytest.mark.parametrize(
    "authorization", ["", "Bearer", "Bearer garbage", "Bearer a.b.c", "Basic dGVzdDp0ZXN0"]
)
def test_garbage_is_no_token(stack: LocalStack, authorization: str) -> None:
    """Whatever stands where a token should be, only a token opens the door (SV-11)."""
    url = f"{stack.api_url}/v1/subjects/{SUBJECT}/map"
    assert requests.get(url, headers={"Authorization": authorization}, timeout=35).status_code == 401


def test_a_token_signed_by_another_key_is_refused(stack: LocalStack) -> None:
    """A token with every right claim, signed by a key that is not the pool's, does not pass (SV-11)."""
    genuine = stack.token("school", "ana")
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    forged = signed(decoded(genuine, 1), decoded(genuine, 0), key)
    assert refused(ApiClient(stack.api_url, forged), "GET", f"/v1/subjects/{SUBJECT}/map").status == 401
    assert ApiClient(stack.api_url, genuine).call("GET", f"/v1/subjects/{SUBJECT}/map")["concepts"] == []


def test_an_expired_token_is_refused(stack: LocalStack) -> None:
    """A token that the pool itself issued is worth nothing once it has expired (SV-11)."""
    cognito = stack.client("cognito-idp")
    which = {"UserPoolId": stack.outputs["UserPoolId"], "ClientId": stack.outputs["UserPoolClientId"]}
    before = cognito.describe_user_pool_client(**which)["UserPoolClient"]
    kept = {name: before[name] for name in ("ExplicitAuthFlows", "TokenValidityUnits") if name in before}
    kept |= {name: before[name] for name in ("IdTokenValidity", "AccessTokenValidity") if name in before}
    short = {"IdTokenValidity": 1, "TokenValidityUnits": {"IdToken": "seconds"}}
    try:
        cognito.update_user_pool_client(**which, **(kept | short))
        token = stack.token("school", "late")
    finally:
        cognito.update_user_pool_client(**which, **kept)
    assert decoded(token, 1)["exp"] - decoded(token, 1)["iat"] == 1
    time.sleep(max(0.0, decoded(token, 1)["exp"] - time.time()) + 1.5)
    assert refused(ApiClient(stack.api_url, token), "GET", f"/v1/subjects/{SUBJECT}/map").status == 401


def test_an_access_token_is_not_enough(stack: LocalStack) -> None:
    """A genuine token of the pool that says no tenant gets nothing (SV-11)."""
    cognito = stack.client("cognito-idp")
    pool, name = stack.outputs["UserPoolId"], "without-tenant"
    cognito.admin_create_user(
        UserPoolId=pool, Username=name, MessageAction="SUPPRESS", TemporaryPassword="Aa1" + "x" * 20
    )
    cognito.admin_set_user_password(UserPoolId=pool, Username=name, Password="Aa1" + "y" * 20, Permanent=True)
    signed_in = cognito.admin_initiate_auth(
        UserPoolId=pool,
        ClientId=stack.outputs["UserPoolClientId"],
        AuthFlow="ADMIN_USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": name, "PASSWORD": "Aa1" + "y" * 20},
    )["AuthenticationResult"]
    for kind in ("IdToken", "AccessToken"):
        for method, rest, body in (("GET", "chain", None), ("POST", "block", {"question": "Who am I?"})):
            client = ApiClient(stack.api_url, signed_in[kind])
            assert refused(client, method, f"/v1/subjects/{SUBJECT}/{rest}", body).status in {401, 403}


def test_a_student_names_nobody_else(stack: LocalStack) -> None:
    """A student's token with ?student= is refused on every route, even for the student's own name (SV-11)."""
    school = School(stack)
    client = ApiClient(stack.api_url, stack.token(school.tenant, "ana"), student="ben")
    own = ApiClient(stack.api_url, stack.token(school.tenant, "ana"), student="ana")
    path = f"/v1/subjects/{SUBJECT}"
    for caller in (client, own):
        for rest in ("map", "episodes", "beliefs", "chain", "files", "teaching-order", "self-model"):
            assert refused(caller, "GET", f"{path}/{rest}").status == 403
        assert refused(caller, "POST", f"{path}/block", {"question": "What is osmosis?"}).status == 403
        written = refused(
            caller,
            "POST",
            f"{path}/episodes",
            {"episodes": [event("question", "Hello")]},
            headers={"Idempotency-Key": "1"},
        )
        assert (written.status, written.problem["field"]) == (403, "student")
    assert school.student("ben").call("GET", f"{path}/chain")["length"] == 0


def test_teacher_and_service_act_for_a_student_of_their_tenant(stack: LocalStack) -> None:
    """A teacher or a service names the student, reads and writes that memory, and no other tenant's (SV-11)."""
    school, other = School(stack), School(stack)
    school.student("ana").record(SUBJECT, "1", [event("question", "Why do raisins swell in water?")])
    for client in (school.teacher("ana"), school.service("ana")):
        assert "raisins" in asked(client, SUBJECT, "raisins?")["block"]
    school.teacher("ana").record(SUBJECT, "2", [event("question", "Asked in class: what is tonicity?")])
    assert school.student("ana").call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"] == 2
    for client in (other.teacher("ana"), other.service("ana")):
        assert client.call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"] == 0
        assert "raisins" not in asked(client, SUBJECT, "raisins?")["block"]


def test_who_is_no_student_must_name_one(stack: LocalStack) -> None:
    """A teacher or a service that names no student is told which input is missing (SV-11)."""
    school = School(stack)
    for client in (school.teacher(), school.service(None)):
        problem = refused(client, "GET", f"/v1/subjects/{SUBJECT}/beliefs")
        assert (problem.status, problem.problem["field"]) == (422, "student")


def test_another_tenants_file_is_not_there(stack: LocalStack) -> None:
    """Knowing a file's id opens nothing in another tenant or another subject: not found, as if it never was (SV-11)."""
    school, other = School(stack), School(stack)
    owner = school.student()
    file_id = offered(owner, SUBJECT, "cells.md", CELLS.encode())["file_id"]
    for client in (other.student(), other.teacher("ana"), other.service("ana")):
        for method in ("GET", "DELETE"):
            assert refused(client, method, f"/v1/subjects/{SUBJECT}/files/{file_id}").status == 404
    assert refused(owner, "GET", f"/v1/subjects/chemistry/files/{file_id}").status == 404
    assert owner.call("GET", f"/v1/subjects/{SUBJECT}/files/{file_id}")["deleted_at"] is None


@pytest.mark.parametrize(
    "options", [{"now": "2026-01-01T00:00:00Z"}, {"switch_off": ["map"]}], ids=["now", "switch_off"]
)
def test_only_a_service_sets_the_clock_and_switches_layers(
    stack: LocalStack, options: dict[str, Any]
) -> None:
    """`now` and `switch_off` are refused to students and teachers by name, and work for a service (SV-11)."""
    school, body = School(stack), {"question": "What is osmosis?", **options}
    for client in (school.student(), school.teacher("ana")):
        problem = refused(client, "POST", f"/v1/subjects/{SUBJECT}/block", body)
        assert (problem.status, problem.problem["field"]) == (403, next(iter(options)))
    assert asked(school.service("ana"), SUBJECT, **body)["block"]


def test_only_a_service_runs_a_night(stack: LocalStack) -> None:
    """A night is run for a service and refused to students and teachers (SV-11)."""
    school, body = School(stack), {"date": "2026-05-04"}
    for client in (school.student(), school.teacher("ana")):
        assert refused(client, "POST", f"/v1/subjects/{SUBJECT}/night", body).status == 403
    assert school.service("ana").call("POST", f"/v1/subjects/{SUBJECT}/night", body)["date"] == "2026-05-04"


def test_a_student_deletes_only_own_files(stack: LocalStack) -> None:
    """A student cannot delete what a classmate uploaded; a teacher can (SV-11)."""
    school = School(stack)
    file = given(school.student("ana"), SUBJECT, "cells.md", CELLS)
    path = f"/v1/subjects/{SUBJECT}/files/{file['file_id']}"
    assert refused(school.student("ben"), "DELETE", path).status == 403
    assert school.student("ben").call("GET", path)["deleted_at"] is None
    assert school.teacher("ben").call("DELETE", path)["deleted_at"]


QUESTIONS = ("Why does the zebrafish drink?", "What did I get wrong so far?", "osmosis")


@pytest.fixture(scope="module")
def zebrafish(stack: LocalStack) -> ApiClient:
    """A student, `student1` of tenant `A`, whose whole memory holds one unusual word."""
    client = School(stack, "A").student("student1")
    client.record(
        SUBJECT,
        "same key",
        [
            event("question", "Why does the zebrafish drink?"),
            event("answer", "The zebrafish drinks because of osmosis."),
            event("taught", "Remember that in our class we call osmosis the zebrafish rule."),
            check("osmosis", correct=False, evaluation="Said zebrafish."),
        ],
    )
    assert "zebrafish" in everything_shown(client, SUBJECT, *QUESTIONS)
    return client


@pytest.mark.parametrize(
    "other",
    [
        ("A", "student10", SUBJECT),
        ("A", "student1#", SUBJECT),
        ("A", "Student1", SUBJECT),
        ("A", "student1", "biology2"),
        ("A#student1", "student1", SUBJECT),
        ("B", "student1", SUBJECT),
    ],
    ids="|".join,
)
def test_look_alike_owners_share_nothing(
    stack: LocalStack, zebrafish: ApiClient, other: tuple[str, str, str]
) -> None:
    """Nothing of one student shows to another tenant, student or subject, however alike the names (SV-11)."""
    tenant, student, subject = other
    client = School(stack, tenant).student(student)
    assert "zebrafish" not in everything_shown(client, subject, *QUESTIONS)
    # The same idempotency key is free for everybody else, and the first one's log does not move.
    assert client.record(subject, "same key", [event("question", "Hello there")])[0]["position"] == 1
    assert zebrafish.call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"] == 4


def test_files_reach_the_subject_and_notes_stay_with_the_student(stack: LocalStack) -> None:
    """A file's concepts show to every student of the subject, a taught note and a check only to their own (CM-9)."""
    school, elsewhere = School(stack), School(stack)
    ana, ben = school.student("student1"), school.student("student10")
    given(ana, SUBJECT, "cells.md", CELLS)
    ana.record(
        SUBJECT,
        "1",
        [
            event("taught", "Remember that in our class we call osmosis the water walk."),
            check("diffusion", correct=True),
        ],
    )

    def concepts(client: ApiClient) -> dict[str, dict[str, Any]]:
        return {c["key"]: c for c in client.call("GET", f"/v1/subjects/{SUBJECT}/map")["concepts"]}

    mine, hers = concepts(ben), concepts(ana)
    assert set(mine) == set(hers) >= {"osmosis", "diffusion"}
    assert (hers["osmosis"]["readiness"], hers["diffusion"]["readiness"]) == (1.0, 0.85)
    assert (mine["osmosis"]["readiness"], mine["diffusion"]["readiness"]) == (0.6, 0.6)
    assert "water walk" in hers["osmosis"]["taught"][0]
    assert mine["osmosis"]["taught"] == []
    assert "water walk" not in asked(ben, SUBJECT, "What is osmosis?")["block"]
    assert concepts(elsewhere.student("student1")) == {}
