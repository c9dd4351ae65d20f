"""Grounding of an answer over HTTP."""

from __future__ import annotations

import pytest

from support.lambda_events import Api, record

SAID = "I have no record of that."


def recorded_answer(api: Api) -> str:
    """A question and an answer that could not answer it; the answer's id."""
    at = "2026-07-01T09:00:00Z"
    turn = record(
        api,
        {"kind": "question", "occurred_at": at, "text": "Who was Hooke?"},
        {"kind": "answer", "occurred_at": at, "text": SAID},
    )
    assert turn.status == 200
    return str(turn.body["episodes"][1]["id"])


def test_an_answer_is_grounded_and_annotated(api: Api) -> None:
    """The reply has the contract's fields, and the stance is an annotation of the answer and in the export (GR-3)."""
    episode = recorded_answer(api)
    for _ in range(2):
        reply = api("http_ground_answer", body={"answer": SAID, "memory_ids": [], "episode_id": episode})
        assert reply.status == 200
        assert {"claims", "grounded_share", "mostly_ungrounded", "stance"} <= set(reply.body)
        assert (reply.body["stance"], reply.body["stored"]) == ("could_not", True)
    [annotation] = api("http_get_episode", path=f"/v1/subjects/biology/episodes/{episode}").body[
        "annotations"
    ]
    assert (annotation["kind"], annotation["result"]) == ("grounding", "could_not")
    [kept] = [item for item in api("http_export").body["items"] if item["type"] == "subject"]
    assert [found["episode_id"] for found in kept["groundings"]] == [episode]


@pytest.mark.parametrize(
    "changes, status, field",
    [
        ({"answer": 7}, 422, "answer"),
        ({"answer": "x", "memory_ids": [""]}, 422, "memory_ids[0]"),
        ({"answer": "x", "time_zone": "Mars/Base"}, 422, "time_zone"),
        ({"answer": "x", "episode_id": "01K00000000000000000000000"}, 404, "episode_id"),
        ({"answer": "x", "wrong": 1}, 422, "wrong"),
        ({}, 422, "answer"),
    ],
)
def test_bad_input_is_refused_by_name(api: Api, changes: dict[str, object], status: int, field: str) -> None:
    """What breaks a rule is refused by the name of its field, and nothing is written (SV-7)."""
    reply = api("http_ground_answer", body=changes)
    assert (reply.status, reply.body["field"]) == (status, field)
