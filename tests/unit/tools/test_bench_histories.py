"""Histories that evaluations run on: generated from a folder, or people's own exports."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from anamnesis.bootstrap import Draft
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.messages.teachings import read_teaching
from anamnesis_tools.bench.histories.exports import exported
from anamnesis_tools.bench.histories.generator import FEWEST, MOST, SPARSE_EVERY, generated
from anamnesis_tools.bench.histories.material import Material
from anamnesis_tools.bench.histories.values import History
from support.bench_material import FACTS, write_material


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_material(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def histories(folder: Path) -> list[History]:
    return generated(folder, count=50)


def months(history: History) -> list[tuple[int, int]]:
    local = [event.occurred_at.astimezone(ZoneInfo(history.zone)) for event in history.events]
    return [(at.year, at.month) for at in local]


def test_the_same_seed_gives_the_same_histories(folder: Path, histories: list[History]) -> None:
    """A folder and a seed determine every history, and another seed gives others (EV-3)."""
    again, other = generated(folder, count=50), generated(folder, count=50, seed=2)
    assert [one.as_record() for one in again] == [one.as_record() for one in histories]
    assert [one.as_record() for one in other] != [one.as_record() for one in histories]


def test_histories_are_many_long_and_in_several_languages(histories: list[History]) -> None:
    """There are histories in six languages over months, some long and some sparse, none of over 400 episodes (EV-3)."""
    assert Counter(one.language for one in histories).keys() == {"en", "es", "pl", "id", "hi", "ar"}
    lengths = [len(one.events) for one in histories]
    assert len({one.name for one in histories}) == len(histories) == 50
    assert max(lengths) <= MOST
    books = [one for one in histories if one.files and not one.subject.startswith("samples")]
    assert min(len(one.events) for one in books) >= FEWEST - 8
    assert max(len(one.events) for one in books) > 200
    sparse = [len(one.events) for one in books if int(one.name[-3:]) % SPARSE_EVERY == SPARSE_EVERY - 1]
    assert sparse
    assert max(sparse) < 70


def test_a_month_between_the_first_and_the_last_is_empty(histories: list[History]) -> None:
    """Work is spread over months with a whole one left out, and is over when questions are asked (EV-3, RC-5)."""
    for history in histories:
        worked = set(months(history))
        first, last = min(worked), max(worked)
        between = (last[0] - first[0]) * 12 + last[1] - first[1] + 1
        assert between >= 4
        assert len(worked) < between
        times = [event.occurred_at for event in history.events]
        assert times == sorted(times)
        assert times[-1] < history.asked_at


def test_what_is_recorded_is_the_folders_own(folder: Path, histories: list[History]) -> None:
    """Checks of a practised subject are the log's own trials with their results, in its order (EV-3)."""
    practised = next(one for one in histories if one.subject == "samples-en")
    checks = [event for event in practised.events if event.kind is Kind.CHECK]
    trials = [trial for trial in Material(folder).practice["L01"] if trial.correct is not None]
    assert [(c.text, c.correct) for c in checks] == [(t.item, t.correct) for t in trials[: len(checks)]]
    assert {check.topic for check in checks} <= set(FACTS)


def test_teachings_teach_in_every_language(histories: list[History]) -> None:
    """What a generated student teaches is worded so that it is a teaching, and its term is known (TE-1, EV-3)."""
    taught = [
        (history, number, event)
        for history in histories
        for number, event in enumerate(history.events)
        if event.kind is Kind.TAUGHT
    ]
    assert {history.language for history, _, _ in taught} >= {"en", "es", "pl", "id", "hi", "ar"}
    for history, number, event in taught:
        assert read_teaching(event.text, language=event.language) is not None
        assert history.told_about[number] in event.text


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    """A folder that lacks a part is refused by that part's name, not taken for one of fewer histories (EV-3)."""
    with pytest.raises(FileNotFoundError, match="learning_logs"):
        generated(tmp_path, count=1)
    write_material(tmp_path)
    (tmp_path / "chapters" / "biology_en.json").unlink()
    with pytest.raises(FileNotFoundError, match="en:biology"):
        generated(tmp_path, count=2)


def line(position: int, draft: Draft, **changed: object) -> str:
    record = {"subject": "biology", "student": "ana", "kind": draft.kind.value, "position": position}
    said = {
        "summary": draft.text[:20],
        "text": draft.text,
        "topic": draft.topic,
        "evaluation": None,
        "session_id": "s1",
        "language": "en",
        "outcome": None
        if draft.correct is None
        else {"correct": draft.correct, "score": float(draft.correct)},
    }
    item = {
        "type": "episode",
        "record": record | {"occurred_at": draft.occurred_at.isoformat()},
        "content": {"salt": "", "record": said},
    }
    return json.dumps(item | changed)


def test_an_export_is_a_history_again(tmp_path: Path, histories: list[History]) -> None:
    """An export's events come back with kind, time, words and result; erased ones and the night's own do not (EV-2)."""
    events = list(histories[1].events[:12])
    lines = [line(number, event) for number, event in enumerate(events, start=1)]
    lines.append(line(13, events[0], content=None))
    night = Draft(Kind.CONSOLIDATION, events[-1].occurred_at, "A day.")
    lines += [line(14, night), json.dumps({"type": "subject", "subject": "biology"})]
    path = tmp_path / "export.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    course = tmp_path / "cells.md"
    course.write_text("# Cells\n")
    (found,) = exported(path, zone="Asia/Tokyo", files=[course])
    assert (found.subject, found.language, found.zone) == ("biology", "en", "Asia/Tokyo")
    assert [(e.kind, e.occurred_at, e.text, e.correct) for e in found.events] == [
        (e.kind, e.occurred_at, e.text, e.correct) for e in events
    ]
    assert [file.name for file in found.files] == ["cells.md"]
    assert path.read_text(encoding="utf-8") == "\n".join(lines)


@pytest.mark.parametrize("broken", ["{", "[]", '{"type": "episode"}', '{"type": "episode", "content": {}}'])
def test_what_is_no_export_is_refused_without_its_text(tmp_path: Path, broken: str) -> None:
    """A line that is no item of an export is named by its number alone (EV-2)."""
    path = tmp_path / "export.jsonl"
    path.write_text(f"{broken}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"^export\.jsonl, line 1: not an item of an export$"):
        exported(path)
