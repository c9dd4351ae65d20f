"""Ids from elsewhere: what is another's cannot be told from what never was, by answer, by text or by cost."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from anamnesis import bootstrap
from support.lambda_events import EVENTS, Answer, Api, load_event, record

RECORD = "http_record_episodes"
QUESTION = json.loads(load_event(RECORD)["body"])["episodes"][0]
SUBJECT = "/v1/subjects/biology"
SECRET = "zebrafish"
#: Ids are ULIDs. This one was never given out.
MISSING = "01K00000000000000000000000"
_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
STUDENT = {"cognito:groups": "[student]"}
TEACHER = {"cognito:groups": "[teacher]", "custom:student": None}


class Elsewhere:
    """A caller who is not the owner of what the ids name."""

    def __init__(self, api: Api, *, claims: dict[str, Any], query: dict[str, str], subject: str) -> None:
        self._api = api
        self._changes = {"claims": claims, "query": query}
        self.path = f"/v1/subjects/{subject}"

    def __call__(self, method: str, rest: str, body: Any = None, **headers: str) -> Answer:
        event = self._api.event(
            RECORD if body is not None else "http_verify_chain",
            method=method,
            path=f"{self.path}/{rest}",
            headers={name.replace("_", "-"): value for name, value in headers.items()},
            **self._changes,
        )
        event["body"] = json.dumps(body) if body is not None else event.get("body")
        return self._api.send(event)


def ids_of(api: Api) -> dict[str, set[str]]:
    """Every id that the owner gets to see, by what it is of."""
    owned: dict[str, set[str]] = {}
    offered = api("http_offer_file", claims={**STUDENT, "custom:student": "victim"})
    owned["file"] = {offered.body["file_id"]}
    claims = {**STUDENT, "custom:student": "victim"}
    taught = {**QUESTION, "text": f"Remember that in our class we call osmosis the {SECRET} rule."}
    checked = {**QUESTION, "kind": "check", "topic": "osmosis", "correct": False, "evaluation": SECRET}
    written = [record(api, said, key=key, claims=claims) for key, said in (("k", taught), ("l", checked))]
    owned["episode"] = {answer.body["episodes"][0]["id"] for answer in written}
    beliefs = api("http_list_beliefs", claims=claims).body["beliefs"]
    owned["belief"] = {b["id"] for b in beliefs}
    assert all(owned.values())
    return owned


@pytest.fixture(params=["student", "teacher", "subject", "tenant"])
def elsewhere(request: pytest.FixtureRequest, api: Api) -> tuple[Elsewhere, dict[str, set[str]]]:
    """Ids of one student, and a caller of another name, role, subject or tenant who does not act for that student."""
    owned = ids_of(api)
    if request.param in {"student", "teacher"}:
        # A subject's files belong to all its students (CM-9).
        del owned["file"]
    claims: dict[str, Any] = {**STUDENT, "custom:student": "victim"}
    query: dict[str, str] = {}
    if request.param == "student":
        claims["custom:student"] = "victim2"
    if request.param == "teacher":
        claims, query = TEACHER, {"student": "victim2"}
    tenant = api.tenant
    if request.param == "tenant":
        api.tenant = f"{tenant} too"
    subject = "biology2" if request.param == "subject" else "biology"
    return Elsewhere(api, claims=claims, query=query, subject=subject), owned


def same(one: Answer, other: Answer) -> bool:
    """Whether two answers differ in nothing but ids, hashes and times of their own."""

    def plain(answer: Answer) -> Any:
        body = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+(Z|\+00:00)", "TIME", json.dumps(answer.body))
        body = re.sub(r"[0-9a-f]{64}", "HASH", _ID.sub("ID", body))
        return answer.status, {**answer.headers}, json.loads(body)

    return plain(one) == plain(other)


def paths_with_ids(api: Api) -> list[tuple[str, str]]:
    """Method and path, below a subject, of every served route that takes an id."""
    paths = api("http_get_openapi").body["paths"]
    return [
        (method.upper(), path.removeprefix("/v1/subjects/{subject}/"))
        for path, operations in paths.items()
        if path.startswith("/v1/subjects/{subject}/") and "{" in path.removeprefix("/v1/subjects/{subject}/")
        for method in operations
    ]


def test_another_s_id_is_as_good_as_none(api: Api, elsewhere: tuple[Elsewhere, dict[str, set[str]]]) -> None:
    """Wherever an id goes, another's and one that never was get the same answer at the same cost (SV-11)."""
    caller, owned = elsewhere
    meter = bootstrap.application().metered()
    tried = 0
    for method, rest in paths_with_ids(api):
        for kind, ids in owned.items():
            for foreign in sorted(ids):
                path = re.sub(r"\{\w+\}", foreign, rest)
                missing = re.sub(r"\{\w+\}", MISSING, rest)
                caller(method, missing)  # whatever is read once and kept
                with meter.measure() as for_missing:
                    nothing = caller(method, missing)
                with meter.measure() as for_foreign:
                    answer = caller(method, path)
                assert nothing.status in {404, 200}, (method, rest, nothing)
                assert same(answer, nothing), (kind, method, rest, answer, nothing)
                assert SECRET not in json.dumps(answer.body)
                counts = [
                    {name: traffic.requests for name, traffic in spent.by_operation.items()}
                    for spent in (for_foreign, for_missing)
                ]
                assert counts[0] == counts[1], (method, rest)
                tried += 1
    assert tried >= 3


def citations(given: str) -> list[dict[str, Any]]:
    """What a body can say with an id."""
    return [
        {"memory_ids": [given]},
        {"evidence": [{"file_id": given}]},
        {"evidence": [{"file_id": given, "page": 1}]},
        {"session_id": given},
        {"topic": given},
    ]


def test_another_s_id_in_a_body_brings_nothing(
    api: Api, elsewhere: tuple[Elsewhere, dict[str, set[str]]]
) -> None:
    """Citing what is another's is answered as citing nothing, and brings none of it into the block (SV-11)."""
    caller, owned = elsewhere
    foreign = [min(ids) for ids in owned.values()]
    tried = [pair for given in foreign for pair in zip(citations(given), citations(MISSING), strict=True)]
    for number, said in enumerate(tried):
        answers = [
            caller(
                "POST", "episodes", {"episodes": [{**QUESTION, **more}]}, idempotency_key=f"{number}{which}"
            )
            for which, more in zip("fm", said, strict=True)
        ]
        if all(answer.status == 200 for answer in answers):
            first, second = (answer.body["episodes"][0].pop("position") for answer in answers)
            assert second == first + 1
        assert same(*answers), (said, answers)
    for asked in (SECRET, "What did I get wrong so far?"):
        block = caller("POST", "block", {"question": asked})
        assert block.status == 200
        assert SECRET not in re.sub(re.escape(asked), "", block.body["block"])
        assert not set(block.body["memory_ids"]) & owned["episode"]


def test_another_s_cursor_and_key_open_nothing(
    api: Api, elsewhere: tuple[Elsewhere, dict[str, set[str]]]
) -> None:
    """Another's cursor is as bad as an invented one, and another's idempotency key is as free as any (SV-11)."""
    caller, _ = elsewhere
    owner_tenant = api.tenant.removesuffix(" too")
    event = api.event(
        "http_list_episodes", query={"limit": "1"}, claims={**STUDENT, "custom:student": "victim"}
    )
    event["requestContext"]["authorizer"]["jwt"]["claims"]["custom:tenant"] = owner_tenant
    cursor = api.send(event).body["cursor"]
    assert cursor
    caller._changes["query"] = {**caller._changes["query"], "cursor": cursor}
    foreign = caller("GET", "episodes")
    caller._changes["query"] = {**caller._changes["query"], "cursor": cursor[:-4] + "AAAA"}
    invented = caller("GET", "episodes")
    assert (foreign.status, foreign.body["field"]) == (422, "cursor")
    assert same(foreign, invented)
    del caller._changes["query"]["cursor"]
    # The owner used the key "k"; here it belongs to nobody yet.
    assert (
        caller("POST", "episodes", {"episodes": [QUESTION]}, idempotency_key="k").body["episodes"][0][
            "position"
        ]
        == 1
    )
    assert caller("GET", "chain").body["length"] == 1


def test_every_route_with_an_id_is_tried() -> None:
    """Each route of the folder's events that names an id in its path is among those tried with another's (SV-11)."""
    named = {
        load_event(file.stem)["rawPath"].removeprefix(f"{SUBJECT}/").partition("/")[0]
        for file in EVENTS.glob("http_*.json")
        if _ID.search(load_event(file.stem)["rawPath"])
    }
    assert named <= {"files", "beliefs", "episodes"}
