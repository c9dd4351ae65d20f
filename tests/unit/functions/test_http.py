"""The HTTP functions: every route on its event, every name and every role."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import quote

import pytest

from anamnesis.domain.log.chain import canonical_hash, commitment_to
from support.lambda_events import Api, load_event, record

RECORD = "http_record_episodes"
BODY = json.loads(load_event(RECORD)["body"])
QUESTION = BODY["episodes"][0]
SUBJECT = "/v1/subjects/biology"
SERVICE = {"cognito:groups": "[service]", "custom:student": None}
TEACHER = {"cognito:groups": "[teacher]", "custom:student": None}


# ---------------------------------------------------------------------------------------- the contract's routes
def test_recording_answers_with_places_in_the_chain(api: Api) -> None:
    """A batch is answered with id, position, hash, concepts and salience, the same again for a retry (EP-7, SV-6)."""
    first = api(RECORD)
    assert first.status == 200
    assert [e["position"] for e in first.body["episodes"]] == [1, 2, 3]
    assert set(first.body["episodes"][0]) >= {"id", "position", "hash", "concepts", "salience"}
    assert [e["salience"] for e in first.body["episodes"]] == [0.35, 0.45, 0.60]
    assert api(RECORD) == first
    other = api(RECORD, body={"episodes": [QUESTION]})
    assert (other.status, other.problem, other.body["field"]) == (
        409,
        "idempotency-conflict",
        "Idempotency-Key",
    )


def test_listing_pages_through_everything(api: Api) -> None:
    """Listing goes through all episodes by cursor, oldest first, within its window and kind (SV-6)."""
    record(api, *[{**QUESTION, "text": f"Question {n}?"} for n in range(7)])
    seen, cursor = [], None
    while True:
        query = {"limit": "3", **({"cursor": cursor} if cursor else {})}
        page = api("http_list_episodes", query=query)
        assert page.status == 200
        seen += [e["text"] for e in page.body["episodes"]]
        cursor = page.body["cursor"]
        if cursor is None:
            break
    assert seen == [f"Question {n}?" for n in range(7)]
    assert api("http_list_episodes").body == {"episodes": [], "cursor": None}
    before = api("http_list_episodes", query={"to": "2026-07-03T09:00:00Z"})
    assert before.body["episodes"] == []
    assert len(api("http_list_episodes", query={"from": "2026-07-03T09:00:00Z"}).body["episodes"]) == 7
    bad = api("http_list_episodes", query={"cursor": "nonsense"})
    assert (bad.status, bad.body["field"]) == (422, "cursor")


def test_the_block_is_served(api: Api) -> None:
    """A turn gets its block with every field of the contract, and the ids of memories that are in it (BL-1, RC-9)."""
    ids = [e["id"] for e in api(RECORD).body["episodes"]]
    reply = api("http_read_block")
    assert reply.status == 200
    assert set(reply.body) >= {
        *("block", "memory_ids", "tokens", "intent", "window", "window_empty", "matched", "routed"),
        *("degraded", "dropped", "elapsed_ms"),
    }
    assert reply.body["block"].startswith("===== YOUR MEMORY")
    assert set(reply.body["memory_ids"]) <= set(ids)
    assert reply.body["memory_ids"]
    assert reply.body["degraded"] == []
    assert 0 < reply.body["tokens"] <= 1_200
    history = api("http_read_block_history")
    assert history.body["intent"] == "history"
    empty = api("http_read_block_empty_question")
    assert (empty.status, empty.body["intent"]) == (200, "none")


def test_a_service_may_ask_as_of_a_time_and_without_layers(api: Api) -> None:
    """A service sets the time and switches layers off for the student it names (SV-6)."""
    api(RECORD)
    reply = api("http_read_block_ablation")
    assert reply.status == 200
    assert "SUBJECT MAP" not in reply.body["block"]


def test_beliefs_night_and_reliability(api: Api) -> None:
    """Beliefs, the night, self-model, calibration and chain answer as the contract says (SV-6, NI-1)."""
    record(
        api, {**QUESTION, "text": "Remember that in our class we call osmosis the great leveller."}, key="t"
    )
    api(RECORD)
    beliefs = api("http_list_beliefs")
    assert [b["claim"] for b in beliefs.body["beliefs"]]
    assert set(beliefs.body["beliefs"][0]) >= {
        *("id", "concept", "claim", "confidence", "needs_confirmation", "evidence", "created_at"),
        "superseded_by",
    }
    belief = beliefs.body["beliefs"][0]["id"]
    chain = api("http_get_belief_history", path=f"{SUBJECT}/beliefs/{belief}/history")
    assert [b["id"] for b in chain.body["beliefs"]] == [belief]
    assert api("http_get_belief_history").problem == "not-found"
    assert api("http_list_beliefs_with_history").body == beliefs.body
    assert (api("http_get_self_model").status, api("http_get_calibration").status) == (404, 404)
    night = api("http_run_night")
    assert night.status == 200
    assert night.body["consolidation_id"]
    assert night.body["self_model"]["chain_verified"] is True
    assert api("http_run_night").body["consolidation_id"] == night.body["consolidation_id"]
    assert api("http_get_self_model").body == night.body["self_model"]
    assert api("http_get_calibration").body["predictions"] == 1
    verdict = api("http_verify_chain")
    assert verdict.body["verified"] is True
    assert verdict.body["length"] == 5
    assert verdict.body["checkpoints_checked"] == 1
    assert (verdict.body["breaks"], verdict.body["not_checked"]) == ([], [])


def test_an_edited_row_is_named(api: Api) -> None:
    """A row edited behind the application's back shows in verification at its position (EP-4)."""
    api(RECORD)
    key = {"pk": {"S": f"{quote(api.tenant)}#ana#biology"}, "sk": {"S": "E#000000000002"}}
    row = api.stores.dynamodb.get_item(TableName="functions-episodes", Key=key)["Item"]
    for name in (n for n, value in row.items() if "membrane" in value.get("S", "")):
        row[name]["S"] = row[name]["S"].replace("membrane", "magic")
    api.stores.dynamodb.put_item(TableName="functions-episodes", Item=row)
    verdict = api("http_verify_chain").body
    assert verdict["verified"] is False
    assert [b["position"] for b in verdict["breaks"]] == [2]


def test_map_and_teaching_order_of_an_empty_subject(api: Api) -> None:
    """A subject without files has an empty map and teaching order, not an error (CM-7)."""
    assert api("http_get_map").body["concepts"] == []
    assert api("http_get_teaching_order").body == {"layers": []}
    assert api("http_list_beliefs").body == {"beliefs": []}
    assert api("http_list_files").body == {"files": []}
    assert api("http_verify_chain").body["verified"] is True


# ---------------------------------------------------------------------------------------- names
@pytest.mark.parametrize(
    "subject",
    [
        *(
            "cell biology",
            "生物学 & परासरण – ١",
            "100%",
            "%41",
            "a%2Fb",
            "a+b",
            "C++",
            "a,b",
            "Größe ½",
            "🔬 lab",
            "ก็",
        ),
        *("#1", "what?", 'a"b', "a\\b", "`x`", "a;b=c", "{x}", "<x>", "it's", "ё", "../x".replace("/", "")),
    ],
)
@pytest.mark.parametrize("decoded", [True, False], ids=["decoded path", "raw path"])
def test_every_name_is_its_own_subject(api: Api, subject: str, decoded: bool) -> None:
    """A subject's name arrives unchanged whatever is in it, and names exactly one log (SV-11)."""
    escaped = quote(subject, safe="")
    # As an HTTP API does it: every escape undone but that of the percent sign.
    path = subject.replace("%", "%25") if decoded else escaped
    said = api(RECORD, path=f"/v1/subjects/{path}/episodes")
    assert said.status == 200, said
    rows = api.stores.dynamodb.query(
        TableName="functions-episodes",
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": f"{quote(api.tenant, safe='')}#ana#{escaped}"}},
    )["Items"]
    assert len([row for row in rows if row["sk"]["S"].startswith("E#")]) == 3
    block = api("http_read_block", path=f"/v1/subjects/{path}/block")
    assert (block.status, bool(block.body["memory_ids"])) == (200, True)


@pytest.mark.parametrize(
    "path, status, field",
    [
        ("/v1/subjects/ /chain", 422, "subject"),
        ("/v1/subjects/x\u202e/chain", 422, "subject"),
        ("/v1/subjects/x\x00/chain", 422, "subject"),
        (f"/v1/subjects/{'x' * 129}/chain", 422, "subject"),
        ("/v1/subjects/%FF/chain", 422, "subject"),
        ("/v1/subjects/a/b/chain", 404, None),
        ("/v1/subjects//chain", 404, None),
    ],
)
def test_what_cannot_name_a_subject(api: Api, path: str, status: int, field: str | None) -> None:
    """A subject's name that breaks the rules is refused by its field, a path that is no route as such (SV-7)."""
    answer = api("http_verify_chain", path=path)
    assert (answer.status, answer.body.get("field")) == (status, field)
    assert answer.problem == ("invalid-input" if field else "no-such-route")


@pytest.mark.parametrize("student", ["Zoë O'Brien", "Pérez, Ana", "a+b@example.org", "100%", "学生"])
def test_a_named_student_is_taken_whole(api: Api, student: str) -> None:
    """A student named by a teacher is exactly the one named, commas and signs included (SV-11)."""
    said = api("http_record_episodes_as_teacher", query={"student": student})
    assert said.status == 200
    mine = api("http_list_episodes", query={}, claims={"custom:student": student})
    assert len(mine.body["episodes"]) == 3
    assert (
        api(
            "http_list_episodes", query={}, claims={"custom:student": student.split(",", maxsplit=1)[0] + "?"}
        ).body["episodes"]
        == []
    )


@pytest.mark.parametrize("keys", [("a,1", "a,2"), ("turn 1", "turn 2"), ("x", "X")])
def test_idempotency_keys_are_taken_whole(api: Api, keys: tuple[str, str]) -> None:
    """Two keys that differ anywhere are two keys, so that no batch is taken for a retry of another (EP-7)."""
    for key in keys:
        assert record(api, QUESTION, key=key).status == 200
    assert len(api("http_list_episodes", query={}).body["episodes"]) == 2


# ---------------------------------------------------------------------------------------- who may do what
@pytest.mark.parametrize(
    "claims",
    [
        {"custom:tenant": None},
        {"cognito:groups": None},
        {"cognito:groups": "[]"},
        {"cognito:groups": "[admins]"},
        {"cognito:groups": "[students]"},
        {"custom:tenant": ""},
    ],
)
def test_a_token_must_say_who(api: Api, claims: dict[str, Any]) -> None:
    """A token without tenant or known role is refused on every route (SV-11)."""
    for name in ("http_verify_chain", "http_read_block", RECORD):
        answer = api(name, claims=claims)
        assert (answer.status, answer.problem) == (403, "forbidden")


def test_no_token_no_answer(api: Api) -> None:
    """An event that carries no verified claims at all is refused (SV-11)."""
    event = api.event("http_verify_chain")
    del event["requestContext"]["authorizer"]
    assert api.send(event).status == 403


def test_students_act_for_themselves(api: Api) -> None:
    """A student's token that names a student, even its own, is refused; the body names nobody (SV-11)."""
    for name in ("http_verify_chain", "http_read_block", RECORD, "http_list_files", "http_get_map"):
        for student in ("ben", "ana", ""):
            answer = api(name, query={"student": student})
            assert (answer.status, answer.body["field"]) == (403, "student"), name
    answer = api(RECORD, body={**BODY, "student": "ben"})
    assert (answer.status, answer.body["field"]) == (422, "student")


@pytest.mark.parametrize("claims", [TEACHER, SERVICE])
def test_teachers_and_services_name_the_student(api: Api, claims: dict[str, Any]) -> None:
    """A teacher's or service's token acts for the student it names, and must name one (SV-11)."""
    api(RECORD)
    named = api("http_verify_chain", claims=claims, query={"student": "ana"})
    assert named.body["length"] == 3
    unnamed = api("http_verify_chain", claims=claims)
    assert (unnamed.status, unnamed.body["field"]) == (422, "student")


def test_nothing_crosses_tenants(api: Api) -> None:
    """The same student and subject of another tenant hold nothing of this one (SV-11)."""
    api(RECORD)
    for claims in ({}, {**SERVICE}):
        event = api.event("http_verify_chain", claims=claims, query={"student": "ana"} if claims else {})
        event["requestContext"]["authorizer"]["jwt"]["claims"]["custom:tenant"] = "elsewhere"
        assert api.send(event).body["length"] == 0


@pytest.mark.parametrize("claims", [{}, TEACHER])
@pytest.mark.parametrize(
    "name, body, field",
    [
        ("http_read_block", {"now": "2026-07-01T00:00:00Z"}, "now"),
        ("http_read_block", {"switch_off": ["gate"]}, "switch_off"),
        ("http_run_night", {"date": "2026-07-03"}, "night"),
    ],
)
def test_what_only_services_may(
    api: Api, claims: dict[str, Any], name: str, body: dict[str, Any], field: str
) -> None:
    """Setting the time, switching layers off and running nights are for services alone (SV-11)."""
    who = claims or {"cognito:groups": "[student]", "custom:student": "ana"}
    answer = api(name, claims=who, body=body, query={"student": "ana"} if claims else {})
    assert (answer.status, answer.problem, answer.body["field"]) == (403, "forbidden", field)


@pytest.mark.parametrize(
    "groups", ["[student service]", "[service student]", ["student", "service"], "service"]
)
def test_groups_arrive_in_several_shapes(api: Api, groups: Any) -> None:
    """The groups claim is read as text in brackets, alone, and as a list; the strongest role counts (SV-11)."""
    assert api("http_run_night", claims={"cognito:groups": groups}).status == 200


@pytest.mark.parametrize(
    "other",
    [
        "art,service",
        "[service]",
        "service]",
        "[service",
        "service,",
        "services",
        "SERVICE",
        "s\u0435rvice",
        "\tservice",
    ],
)
@pytest.mark.parametrize("beside", ["student", "teacher"])
def test_a_group_s_name_that_holds_a_role_s_is_no_role(api: Api, beside: str, other: str) -> None:
    """A group whose name merely holds, spells differently or looks like `service` gives nobody its rights (SV-11)."""
    for groups in (f"[{beside} {other}]", f"[{other} {beside}]", [beside, other]):
        answer = api("http_run_night", claims={"cognito:groups": groups}, query={})
        assert (answer.status, answer.body["field"]) == (403, "night"), groups
    for groups in (f"[{other}]", [other]):
        assert api("http_verify_chain", claims={"cognito:groups": groups}).status == 403


def test_an_episode_is_erased_over_http(api: Api) -> None:
    """An erased episode is listed without what it said, marked, and refused when sent anew (EP-8)."""
    sent = {"kind": "question", "occurred_at": "2026-07-03T09:00:00Z", "text": "My quokka is ill"}
    body = {"episodes": [sent, {**sent, "text": "What is osmosis?"}]}
    recorded = api("http_record_episodes", body=body).body["episodes"]
    path = f"/v1/subjects/biology/episodes/{recorded[0]['id']}"
    erased = api("http_delete_episode", path=path)
    assert (erased.status, erased.body) == (200, {"episodes": 1, "files": 0, "complete": True})
    assert api("http_delete_episode", path=path).body == erased.body
    [gone, kept] = api("http_list_episodes", query={}).body["episodes"]
    assert (gone["text"], gone["summary"], gone["concepts"], gone["outcome"]) == (None, None, [], None)
    assert [(a["kind"], a["result"]) for a in gone["annotations"]] == [("erasure", "erased")]
    assert (kept["text"], kept["annotations"]) == ("What is osmosis?", [])
    again = api("http_record_episodes", body={"episodes": [sent]}, headers={"idempotency-key": "another"})
    assert (again.status, again.problem, again.body["field"]) == (409, "erased", "episodes[0]")
    chain = api("http_verify_chain").body
    assert (chain["verified"], chain["erased"]) == (True, [1])
    assert api("http_delete_episode").status == 404


def test_a_subject_and_a_student_are_erased_over_http(api: Api) -> None:
    """A subject goes alone, a student with all subjects; whoever has nothing gets the same answer (EP-8)."""
    body = {
        "episodes": [{"kind": "question", "occurred_at": "2026-07-03T09:00:00Z", "text": "My quokka is ill"}]
    }
    for subject in ("biology", "physics"):
        api("http_record_episodes", body=body, path=f"/v1/subjects/{subject}/episodes")
    assert api("http_delete_subject").body == {"episodes": 1, "files": 0, "complete": True}
    [left] = api("http_list_episodes", path="/v1/subjects/physics/episodes", query={}).body["episodes"]
    assert left["text"] == "My quokka is ill"
    assert api("http_delete_student").body == {"episodes": 2, "files": 0, "complete": True}
    nobody = {"custom:student": "nobody"}
    assert api("http_delete_student", claims=nobody).body == {"episodes": 0, "files": 0, "complete": True}
    teacher = {"custom:student": None, "cognito:groups": "[teacher]"}
    refused = api("http_delete_student", claims=teacher)
    assert (refused.status, refused.body["field"]) == (422, "student")


def test_long_texts_come_in_parts(api: Api) -> None:
    """A page ends before it outgrows a reply, and a text that no reply has room for is read part by part (SV-12)."""
    text = "".join(chr(0x1F600 + n % 64) for n in range(1_000_000))
    sent = {"kind": "answer", "occurred_at": "2026-07-03T09:00:00Z", "text": text}
    short = {**sent, "text": "short"}
    body = json.dumps({"episodes": [short, sent, short]}, ensure_ascii=False)
    recorded = api("http_record_episodes", body=body).body["episodes"]
    cursor, pages = {}, []
    while True:
        page = api("http_list_episodes", query=cursor).body
        pages.append([(e["position"], len(e["text"]), e["text_chars"]) for e in page["episodes"]])
        if page["cursor"] is None:
            break
        cursor = {"cursor": page["cursor"]}
    assert pages == [[(1, 5, 5)], [(2, 400_000, 1_000_000)], [(3, 5, 5)]]
    path, read = f"/v1/subjects/biology/episodes/{recorded[1]['id']}", ""
    while len(read) < len(text):
        raw = api.raw(api.event("http_get_episode", path=path, query={"text_from": str(len(read))}))
        assert len(json.dumps(raw)) < 6 * 2**20  # as the runtime sends it
        read += json.loads(raw["body"])["text"]
    assert read == text
    assert api("http_get_episode").status == 404


def exported(api: Api, **more: Any) -> list[dict[str, Any]]:
    """Every item of an export, page by page."""
    items, query = [], dict(more)
    while True:
        page = api("http_export", query=query).body
        items += page["items"]
        if page["cursor"] is None:
            return items
        query["cursor"] = page["cursor"]


def test_everything_is_exported_and_can_be_checked(api: Api) -> None:
    """An export holds every episode of every subject whole, with hashes that anybody can recompute (SV-6, EP-4)."""
    at = "2026-07-03T09:00:00Z"
    for subject in ("biology", "物理", "a#b"):
        told = [
            {"kind": "question", "occurred_at": at, "text": f"{subject} {n} " + "浸" * 99_990}
            for n in range(9)
        ]
        told.append({"kind": "taught", "occurred_at": at, "text": "Remember that we call it the gate"})
        path = f"/v1/subjects/{quote(subject, safe='')}/episodes"
        assert api("http_record_episodes", path=path, body={"episodes": told}).status == 200
    items = exported(api)
    subjects = [item["subject"] for item in items if item["type"] == "subject"]
    assert subjects == sorted(["biology", "物理", "a#b"])
    for item in items:
        if item["type"] == "subject":
            assert (item["length"], len(item["taught"]), item["erasures"]) == (10, 1, [])
            continue
        commitment = commitment_to(item["content"]["record"], item["content"]["salt"])
        assert (commitment, canonical_hash(item["record"])) == (item["record"]["commitment"], item["hash"])
        assert len(item["content"]["record"]["text"]) == item["text_chars"]
    positions = [item["record"]["position"] for item in items if item["type"] == "episode"]
    assert positions == [*range(1, 11)] * 3


@pytest.mark.parametrize("cursor", ["", "x", "W10", "WyJhIiwxLjVd", "WyJhIiwtMV0", "WzEsMV0", "a" * 1_600])
def test_a_cursor_of_another_make_is_refused(api: Api, cursor: str) -> None:
    """What is no cursor of an export is named as such (SV-7)."""
    refused = api("http_export", query={"cursor": cursor})
    assert (refused.status, refused.body["field"]) == (422, "cursor")


def test_nothing_is_exported_of_nobody(api: Api) -> None:
    """A student without a memory gets an empty export, and a cursor leads to nobody else's (SV-11)."""
    record(api, {"kind": "question", "occurred_at": "2026-07-03T09:00:00Z", "text": "Mine"})
    assert len(exported(api)) == 2
    nobody = {"custom:student": "nobody"}
    cursor = base64.urlsafe_b64encode(b'["biology", 0]').decode().rstrip("=")
    for query in ({}, {"cursor": cursor}):
        assert api("http_export", query=query, claims=nobody).body == {"items": [], "cursor": None}
