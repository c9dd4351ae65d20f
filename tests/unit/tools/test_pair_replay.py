"""`anamnesis bench replay`: a history out of an export, rebuilt through the real handlers and asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from typer.testing import CliRunner

from anamnesis.domain.log.episodes import Kind
from anamnesis_tools.api_options import ApiOptions
from anamnesis_tools.bench.replays.command import Replayed, document, replayed, shown
from anamnesis_tools.bench.replays.exported_pairs import BadExport, exported_pairs, fingerprint
from anamnesis_tools.cli import app
from anamnesis_tools.erase_command import erased
from anamnesis_tools.export_command import export
from support.api_in_process import InProcessClient, Place, place_in_process
from support.schools import CELLS, check, event

SUBJECT = "cell biology"
ZONE = ZoneInfo("Europe/Madrid")

#: Most requests publish none, in Lambda as here.
pytestmark = pytest.mark.filterwarnings("ignore:No application metrics to publish")


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with place_in_process() as made:
        yield made


@pytest.fixture(scope="module")
def source(place: Place) -> InProcessClient:
    """A student with a file, months of work, an empty month, an erased episode and a night."""
    client = InProcessClient(place, tenant="source", student="ana")
    file_id = client.send_file(SUBJECT, "cells.md", CELLS.encode())
    client.record(
        SUBJECT,
        "spring",
        [
            event("question", "Why do raisins swell in water?", "2026-03-06T14:00:00+01:00", session_id="a"),
            event(
                "answer",
                "Water moves into raisins by osmosis.",
                "2026-03-06T14:01:00+01:00",
                session_id="a",
                evidence=[{"file_id": file_id, "page": 1}],
            ),
            check("osmosis", correct=False, at="2026-03-06T14:30:00+01:00"),
            check("diffusion", correct=True, at="2026-03-07T14:30:00+01:00"),
            event("question", "My secret is zebrawood.", "2026-03-08T14:00:00+01:00"),
            event("question", "Remember that in our class we call osmosis thirst.", "2026-05-04T10:00:00Z"),
        ],
    )
    block = client.block(SUBJECT, "Why do raisins swell?", now="2026-05-05T10:00:00Z")
    client.record(
        SUBJECT,
        "may",
        [
            event("question", "Why do raisins swell so much?", "2026-05-05T10:00:00Z", session_id="b"),
            event(
                "answer",
                "As in March: by osmosis.",
                "2026-05-05T10:01:00Z",
                session_id="b",
                memory_ids=block["memory_ids"],
            ),
            event("question", "What is a spore?", "2026-06-05T10:00:00Z", session_id="c"),
        ],
    )
    client.call("POST", client.subject(SUBJECT, "night"), {"date": "2026-06-05"})
    secret = next(
        e for e in client.pages(client.subject(SUBJECT, "episodes"), "episodes", {}) if "zebra" in str(e)
    )
    erased(client, client.subject(SUBJECT, f"episodes/{secret['id']}"))
    return client


@pytest.fixture(scope="module")
def exported(source: InProcessClient, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command writes of that student."""
    file = tmp_path_factory.mktemp("export") / "ana.ndjson"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ApiOptions, "client", lambda *_: source)
        export(out=file, **asdict(ApiOptions(as_json=True)))
    return file


@pytest.fixture(scope="module")
def found(
    place: Place, exported: Path, source: InProcessClient, tmp_path_factory: pytest.TempPathFactory
) -> Replayed:
    """The replay of the one pair, with the course file."""
    course = tmp_path_factory.mktemp("course") / "cells.md"
    course.write_text(CELLS, encoding="utf-8")
    pair = exported_pairs(exported)[0]
    return replayed(exported, pair, InProcessClient(place, tenant="copies"), ZONE, course=[course], keep=True)


def of_kind(found: Replayed, kind: str) -> list[Any]:
    return [answer for answer in found.answers if answer.question.kind == kind]


def test_the_source_stays_as_it_is(place: Place, source: InProcessClient, exported: Path) -> None:
    """A replay leaves the export's bytes and the source's log as they were (EV-2)."""
    before = (
        fingerprint(exported),
        source.call("GET", source.subject(SUBJECT, "chain")),
        len(place.log.episodes),
    )
    pair = exported_pairs(exported)[0]
    replayed(exported, pair, InProcessClient(place, tenant="source"), ZONE)
    after = (
        fingerprint(exported),
        source.call("GET", source.subject(SUBJECT, "chain")),
        len(place.log.episodes),
    )
    assert after[:2] == before[:2]
    assert before[1]["verified"]
    # The copy was another student's, even in the source's own tenant.
    assert after[2] == before[2] + 1


def test_a_copy_holds_what_was_recorded(found: Replayed) -> None:
    """All events come again, in the copy's own log; what was erased and what the memory wrote do not (EV-2, EP-8)."""
    told = document(found)
    assert told["source"]["breaks"] == []
    assert told["copy"]["recorded"] == 8
    assert told["copy"]["left_out_erased"] >= 1
    assert told["copy"]["left_out_own"] >= 1
    assert told["copy"]["verified"]
    assert "zebrawood" not in json.dumps(told)


def test_own_questions_are_asked_as_of_their_time(found: Replayed) -> None:
    """Each question of the student's is asked as of the moment before, and finds what was there then (EV-2)."""
    own = of_kind(found, "own")
    assert [answer.question.text for answer in own][:1] == ["Why do raisins swell in water?"]
    assert own[0].memories == ()
    again = next(answer for answer in own if answer.question.text == "Why do raisins swell so much?")
    given = set(again.question.given)
    assert given
    assert given <= set(again.memories) | {None}
    ids = {event.id: event.at for event in found.pair.events}
    assert all(
        ids[one] <= answer.question.now for answer in own for one in answer.memories if one is not None
    )


def test_the_record_is_asked_for_and_judged_by_ids(found: Replayed) -> None:
    """What was missed, active months and an empty one come back as the events tell, by the source's ids (EV-2)."""
    events = {event.id: event for event in found.pair.events}
    wrong = of_kind(found, "wrong")[0]
    assert [events[one].correct for one in wrong.memories if one is not None] == [False]
    months = of_kind(found, "month") + of_kind(found, "empty month")
    assert [answer.question.text for answer in months] == [
        "What did we cover in May?",
        "What did we cover in March?",
        "What did we cover in April?",
    ]
    assert [answer.wrong for answer in found.answers if answer.wrong] == []
    assert months[-1].reply["window_empty"]


def test_citations_come_again_with_their_files(place: Place, found: Replayed) -> None:
    """A citation whose file's bytes are at hand is one of the copy's file; others are left out (EV-2)."""
    copies = [log for pair, log in place.log.episodes.items() if pair.tenant == "copies"]
    cited = [episode for log in copies for episode in log if episode.evidence and episode.kind is Kind.ANSWER]
    assert len(cited) == 1
    assert cited[0].evidence[0].fingerprint == found.pair.events[1].cited[0][0]


def test_people_and_programs_are_told_the_same(found: Replayed, capsys: pytest.CaptureFixture[str]) -> None:
    """A replay is one JSON document for programs, and a table with the same counts for people (EV-2, SV-8)."""
    shown([found], as_json=True)
    told = json.loads(capsys.readouterr().out)[0]
    assert told == json.loads(json.dumps(document(found)))
    assert told["summary"]["own"]["right"] == told["summary"]["own"]["asked"] == len(of_kind(found, "own"))
    shown([found], as_json=False)
    table = capsys.readouterr().out
    assert "8 events recorded anew" in table
    assert all(kind.split()[0] in table for kind in told["summary"])


def test_an_erased_copy_leaves_nothing(place: Place, exported: Path) -> None:
    """A copy is erased when all is asked, unless it is to be kept (EV-2, EP-8)."""
    pair = exported_pairs(exported)[0]
    replayed(exported, pair, InProcessClient(place, tenant="gone"), ZONE)
    left = [episode for pair, log in place.log.episodes.items() if pair.tenant == "gone" for episode in log]
    assert left
    assert all(episode.content is None for episode in left)


def test_a_changed_export_is_told(exported: Path, tmp_path: Path) -> None:
    """A line that was changed, or one that is missing, shows as a break at its place (EV-2, EP-4)."""
    lines = exported.read_text(encoding="utf-8").splitlines()
    changed, cut = tmp_path / "changed.ndjson", tmp_path / "cut.ndjson"
    changed.write_text("\n".join(lines).replace("raisins swell in water", "prunes swell in water"), "utf-8")
    cut.write_text("\n".join(lines[:2] + lines[3:]), "utf-8")
    assert exported_pairs(exported)[0].breaks == []
    assert len(exported_pairs(changed)[0].breaks) == 1
    assert exported_pairs(cut)[0].breaks == [4]


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"type": "episode"}', "null", '{"type": "episode", "record": 1}']
)
def test_what_is_no_export_is_refused(tmp_path: Path, line: str) -> None:
    """A file that is no export is refused by its line, and nothing of what it says is told (EV-2, SV-7)."""
    file = tmp_path / "odd.ndjson"
    file.write_text(f"\n{line}", encoding="utf-8")
    with pytest.raises(BadExport, match="line 2"):
        exported_pairs(file)


def test_the_command_says_what_is_wrong(exported: Path) -> None:
    """A time zone that is none is refused before anything is sent (EV-2, SV-8)."""
    wrong = CliRunner().invoke(app, ["bench", "replay", str(exported), "--time-zone", "Mars/Olympus"])
    assert wrong.exit_code == 2
    assert "no such time zone" in wrong.output
