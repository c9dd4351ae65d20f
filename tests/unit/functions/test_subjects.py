"""The route that lists a student's subjects."""

from __future__ import annotations

import json

from support.lambda_events import Api, load_event, record

EVENT = "http_list_subjects"
TURN = json.loads(load_event("http_record_episodes")["body"])["episodes"][0]


def test_subjects_are_those_with_anything_in_them(api: Api) -> None:
    """A student's subjects are listed once something is recorded in one, and nobody else's (SV-6, SV-11)."""
    assert api(EVENT).body == {"subjects": []}
    record(api, TURN)
    recorded = load_event("http_record_episodes")["pathParameters"]
    assert api(EVENT).body == {"subjects": [recorded["proxy"].split("/")[1]]}
    ben = {"cognito:groups": "[student]", "custom:student": "ben"}
    assert api(EVENT, claims=ben).body == {"subjects": []}


def test_who_may_ask_for_whose(api: Api) -> None:
    """A teacher names the student, without a name is refused, and a student may name nobody (SV-11)."""
    record(api, TURN)
    teacher = {"cognito:groups": "[teacher]", "custom:student": None}
    assert api(EVENT, claims=teacher, query={}).body["field"] == "student"
    assert len(api(EVENT, claims=teacher, query={"student": "ana"}).body["subjects"]) == 1
    student = {"cognito:groups": "[student]", "custom:student": "ben"}
    assert api(EVENT, claims=student, query={"student": "ana"}).status == 403
