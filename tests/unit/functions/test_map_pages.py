"""Maps that are larger than one reply can be."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from anamnesis.domain.concepts import (
    MAX_BUILDS_ON,
    MAX_DEFINITION_CHARS,
    MAX_GIST_CHARS,
    Concept,
    Source,
    StudentLayer,
    TaughtNote,
)
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.progress import Progress
from support.lambda_events import Api
from support.map_values import DIMENSION, subject_map

MAP = "http_get_map"
#: Largest reply of a function: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
LAMBDA_BYTES = 6 * 1024 * 1024


def concepts(names: Sequence[str], text: str = "") -> list[Concept]:
    keys = sorted({canonical_key(name): name for name in names}.items())
    return [
        Concept(
            key=key,
            name=name,
            aliases=(),
            gist=text[:MAX_GIST_CHARS],
            definition=text[:MAX_DEFINITION_CHARS],
            builds_on=tuple(key for key, _ in keys[max(0, row - MAX_BUILDS_ON) : row]) if text else (),
            assumed=(),
            sources=(Source("01J00000000000000000000000", tuple(range(1, 9))),),
            centrality=1 / len(keys),
        )
        for row, (key, name) in enumerate(keys)
    ]


def publish(api: Api, made: Sequence[Concept], revision: int = 1) -> None:
    vectors = np.zeros((len(made), DIMENSION), dtype=np.float32)
    built = replace(
        subject_map(),
        revision=revision,
        concepts=tuple(made),
        layers=(tuple(each.key for each in made),),
        vectors=vectors,
    )
    api.stores.concept_store.save_map(Pair(api.tenant, "ana", "biology").scope, built)


def pages(api: Api, **query: str) -> list[dict[str, Any]]:
    """Every page of the map, by following the cursors."""
    found: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while not found or cursor:
        answer = api(MAP, query={**query, **cursor})
        assert answer.status == 200
        found.append(answer.body)
        cursor = {"cursor": answer.body["cursor"]} if answer.body["cursor"] else {}
    return found


def teach(api: Api, **own: str) -> None:
    pair = Pair(api.tenant, "ana", "biology")
    layer = StudentLayer(
        taught={key: (TaughtNote(f"about {name}", "e", 1),) for key, name in own.items()}, own_concepts=own
    )
    api.stores.concept_store.save_layer(pair, layer, projected_to=Progress(), expected=Progress())


@pytest.mark.parametrize("limit", [1, 2, 5, 6, 7, 100])
def test_pages_are_the_whole_map(api: Api, limit: int) -> None:
    """The pages of a map hold each concept once, those that the student taught last, as the whole map does (CM-9)."""
    publish(api, concepts(["Cell", "Osmosis", "Ósmosis inversa", "細胞", "खाद्य"]))
    teach(api, aura="Aura")
    whole = api(MAP).body
    assert [each["key"] for each in whole["concepts"]][-1] == "aura"
    assert whole["cursor"] is None
    parts = pages(api, limit=str(limit))
    assert [each for part in parts for each in part["concepts"]] == whole["concepts"]
    assert all(len(part["concepts"]) == limit for part in parts[:-1])
    assert {part["readiness"] for part in parts} == {whole["readiness"]}


def test_a_page_goes_on_where_the_last_one_ended_although_that_concept_went(api: Api) -> None:
    """When files change between two pages no concept that stays is left out or shown twice (CM-8)."""
    made = concepts(["A1", "B2", "C3", "D4"])
    publish(api, made)
    first = api(MAP, query={"limit": "2"}).body
    publish(api, [made[0], *concepts(["A9"]), *made[2:]], revision=2)
    rest = api(MAP, query={"cursor": first["cursor"]}).body
    assert [each["key"] for each in rest["concepts"]] == ["c3", "d4"]
    assert (first["revision"], rest["revision"]) == (1, 2)


@pytest.mark.parametrize(
    "cursor", ["", "x", "W10", "é", "null", base64.b64encode(b"[1,2]").decode(), "[" * 900]
)
def test_a_cursor_of_somebody_else_is_refused(api: Api, cursor: str) -> None:
    """What is no cursor of a map is refused by its name (SV-7)."""
    answer = api(MAP, query={"cursor": cursor})
    assert (answer.status, answer.body["field"]) == (422, "cursor")


@pytest.mark.parametrize("text", ["कोशिका झिल्ली ", 'a "quoted" \\word\\ ', "🧬", "cell wall "])
def test_a_map_of_the_longest_texts_comes_in_replies_that_lambda_can_give(api: Api, text: str) -> None:
    """A thousand concepts of the longest texts in any script come in replies under Lambda's limit (SV-12)."""
    made = concepts([f"{text} {number}" for number in range(1_000)], text * MAX_DEFINITION_CHARS)
    publish(api, made)
    got: list[str] = []
    cursor = None
    while not got or cursor:
        answer = api.raw(api.event(MAP, query={"cursor": cursor} if cursor else {}))
        assert len(json.dumps(answer)) < LAMBDA_BYTES
        body = json.loads(answer["body"])
        got += [each["key"] for each in body["concepts"]]
        cursor = body["cursor"]
    assert got == [each.key for each in made]


@pytest.mark.parametrize("event", [MAP, "http_get_teaching_order"])
def test_who_takes_gzip_gets_it(api: Api, event: str) -> None:
    """The map is sent compressed to those who can take it, and says the same (SV-12)."""
    publish(api, concepts([f"Concept {number}" for number in range(300)], "text " * 40))
    plain = api.raw(api.event(event))
    zipped = api.raw(api.event(event, headers={"accept-encoding": "br, gzip"}))
    assert zipped["headers"]["Content-Encoding"] == "gzip"
    assert zipped["isBase64Encoded"]
    assert json.loads(gzip.decompress(base64.b64decode(zipped["body"]))) == json.loads(plain["body"])
    assert len(zipped["body"]) < len(plain["body"]) / 4


def test_what_was_taught_under_another_name_is_shown(api: Api) -> None:
    """A note taught under a name that is now an alias stands with its concept (CM-8, TE-1)."""
    publish(api, [replace(concepts(["Mitochondria"])[0], aliases=("Powerhouse",))])
    teach(api, powerhouse="Powerhouse")
    shown = api(MAP).body["concepts"]
    assert [(each["key"], each["taught"], each["readiness"]) for each in shown] == [
        ("mitochondria", ["about Powerhouse"], 1.0)
    ]


def test_a_note_that_a_later_one_contradicts_is_marked(api: Api) -> None:
    """Of two teachings that contradict each other the map shows both and marks the earlier one (CM-6, TE-1)."""
    for number, text in enumerate(
        [
            "Remember that in our class we call mitochondria the powerhouse of the cell.",
            "From now on call mitochondria the battery.",
        ]
    ):
        sent = {"kind": "question", "occurred_at": f"2026-07-0{number + 1}T09:00:00Z", "text": text}
        body, headers = {"episodes": [sent]}, {"idempotency-key": f"taught {number}"}
        assert api("http_record_episodes", body=body, headers=headers).status == 200
    [shown] = [c for c in api(MAP).body["concepts"] if c["taught"]]
    assert len(shown["taught"]) == 2
    assert shown["taught_superseded"] == shown["taught"][:1]
