"""The measurement in LongMemEval's format, on questions of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from anamnesis_tools.bench.command import app
from anamnesis_tools.bench.recall.longmemeval import measure
from anamnesis_tools.bench.recall.longmemeval_format import read
from support.wired_memory import HashEmbedder


def item(**changed: Any) -> dict[str, Any]:
    """A question whose answer stands in one turn of the second of three sessions, which are not in order."""
    return {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Which violin teacher did I choose?",
        "answer": "Mrs Okafor",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/22 (Mon) 09:00", "2023/05/01 (Mon) 10:00"],
        "haystack_session_ids": ["s-a", "s-b", "s-c"],
        "answer_session_ids": ["s-b"],
        "haystack_sessions": [
            [{"role": "user", "content": "My tomatoes grow."}, {"role": "assistant", "content": "Lovely!"}],
            [
                {"role": "user", "content": "I chose a violin teacher: Mrs Okafor.", "has_answer": True},
                {"role": "assistant", "content": "A good choice of teacher.", "has_answer": False},
            ],
            [{"role": "user", "content": "Rain again."}, {"role": "assistant", "content": "Take a coat."}],
        ],
    } | changed


def written(folder: Path, *items: Any) -> Path:
    path = folder / "longmemeval.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    return path


def test_evidence_is_found_by_session_and_by_turn(tmp_path: Path) -> None:
    """Recall finds the turn and the session that hold the answer within the budget, beside baselines (EV-4)."""
    found = measure(written(tmp_path, item()), HashEmbedder())
    assert {"recency", "bm25", "dense", "handset", "fitted"} <= set(found)
    for name in ("bm25", "fitted"):
        everything = found[name]["all"]
        assert everything.questions == 1
        assert everything.sessions[800] == everything.turns[800] == 1.0
        assert everything.all_sessions_at[5] == 1.0
    assert found["fitted"]["single-session-user"] == found["fitted"]["all"]


def test_a_budget_is_kept(tmp_path: Path) -> None:
    """What does not fit into the tokens is not found, however good its rank would be (EV-4)."""
    said = "violin teacher " * 40
    filler = [{"role": "user", "content": f"{said}{number}"} for number in range(200)]
    noisy = item(
        haystack_dates=["2023/05/01 (Mon) 10:00", "2023/05/29 (Mon) 10:00"],
        haystack_session_ids=["s-b", "s-z"],
        haystack_sessions=[[{"role": "user", "content": "It was Mrs Okafor.", "has_answer": True}], filler],
    )
    found = measure(written(tmp_path, noisy), HashEmbedder(), names=["recency"])["recency"]["all"]
    assert found.turns == {400: 0.0, 800: 0.0, 1500: 0.0}


def test_sessions_come_in_the_order_of_their_dates(tmp_path: Path) -> None:
    """A history is in order of time whatever order the file has, and is asked at the question's date (EV-4)."""
    (asked,) = read(written(tmp_path, item()), HashEmbedder())
    assert asked.sessions == (2, 2, 0, 0, 1, 1)
    assert asked.segment.occurred.tolist() == sorted(asked.segment.occurred.tolist())
    assert asked.query.now.isoformat() == "2023-05-30T23:40:00+00:00"
    assert asked.evidence == frozenset({4})
    assert asked.evidence_sessions == frozenset({1})


@pytest.mark.parametrize(
    "changed",
    [
        {"question_id": "q1_abs"},
        {"answer_session_ids": [], "haystack_sessions": [[], [], [{"role": "user", "content": "Rain."}]]},
    ],
)
def test_questions_without_evidence_are_left_out(tmp_path: Path, changed: dict[str, Any]) -> None:
    """Where there is nothing to find nothing is measured (EV-4)."""
    assert list(read(written(tmp_path, item(**changed)), HashEmbedder())) == []


def test_marks_of_turns_alone_are_enough(tmp_path: Path) -> None:
    """Without ids of answer sessions, the sessions of marked turns count (EV-4)."""
    told = item()
    del told["answer_session_ids"]
    (asked,) = read(written(tmp_path, told), HashEmbedder())
    assert asked.evidence_sessions == frozenset({1})


def test_only_so_many_questions_are_read(tmp_path: Path) -> None:
    """A limit counts questions with evidence (EV-4)."""
    path = written(tmp_path, item(question_id="x_abs"), item(), item(question_id="q2"))
    assert [asked.id for asked in read(path, HashEmbedder(), limit=1)] == ["q1"]


@pytest.mark.parametrize(
    "changed", [{"haystack_dates": ["yesterday"] * 3}, {"haystack_sessions": [[]]}, {"question_date": None}]
)
def test_another_format_is_refused_without_its_text(tmp_path: Path, changed: dict[str, Any]) -> None:
    """A question in another form is named by its place, and none of its text is told (EV-4)."""
    path = written(tmp_path, item(**changed))
    with pytest.raises(ValueError, match=r"^longmemeval\.json: item 0 is not in LongMemEval's format$"):
        list(read(path, HashEmbedder()))
    refused = CliRunner().invoke(app, ["longmemeval", str(path)])
    assert refused.exit_code == 2
