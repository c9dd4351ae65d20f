"""The route that derives beliefs by today's rules: its event, its roles and its answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.lambda_events import Api, load_event, record

EVENT = "http_rederive_beliefs"
CHECK = {
    **json.loads(load_event("http_record_episodes")["body"])["episodes"][2],
    "topic": "Lunar tides",
    "text": "Explain lunar tides.",
    "evaluation": None,
}
TEACHING = {
    "kind": "taught",
    "occurred_at": CHECK["occurred_at"],
    "text": "Remember that Lunar tides are pulled by the moon.",
}
NOTHING_TO_DO = {"retired": 0, "made": 0, "unchanged": 0}


def test_what_is_named_later_is_believed_when_asked(api: Api) -> None:
    """A check recorded before its topic had a name is believed after a re-derivation, and not twice (BE-4, SV-6)."""
    record(api, CHECK)
    assert api(EVENT).body == NOTHING_TO_DO
    record(api, TEACHING, key="taught")
    first = api(EVENT)
    assert (first.status, first.body) == (200, {"retired": 0, "made": 1, "unchanged": 0})
    beliefs = api("http_list_beliefs").body
    assert [b["concept"] for b in beliefs["beliefs"]] == ["lunar tide"]
    assert api(EVENT).body == {"retired": 0, "made": 0, "unchanged": 1}
    assert api("http_list_beliefs").body == beliefs


@pytest.mark.parametrize("role", ["teacher", "service"])
def test_others_name_the_student(api: Api, role: str) -> None:
    """A teacher and a service name the student whose beliefs are derived; without one they are refused (SV-11)."""
    claims: dict[str, Any] = {"cognito:groups": f"[{role}]", "custom:student": None}
    record(api, CHECK)
    record(api, TEACHING, key="taught")
    missing = api(EVENT, claims=claims, query={})
    assert (missing.status, missing.body["field"]) == (422, "student")
    assert api(EVENT, claims=claims, query={"student": "ben"}).body == NOTHING_TO_DO
    assert api("http_list_beliefs").body == {"beliefs": []}
    assert api(EVENT, claims=claims, query={"student": "ana"}).body["made"] == 1


def test_a_student_derives_nobody_else_s(api: Api) -> None:
    """A student may derive their own beliefs and is refused when naming anybody (SV-11)."""
    student = {"cognito:groups": "[student]", "custom:student": "ana"}
    assert api(EVENT, claims=student, query={}).status == 200
    for named in ("ben", "ana"):
        refused = api(EVENT, claims=student, query={"student": named})
        assert (refused.status, refused.body["field"]) == (403, "student")
