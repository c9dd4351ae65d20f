"""What a report says of a history, over the whole memory in memory."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.beliefs import Claim
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.report import Report
from anamnesis.domain.report.layout import document_of
from anamnesis.domain.report.markdown import markdown_of
from anamnesis.domain.report.values import CheckedWhen
from anamnesis.domain.report.wording import LANGUAGES, wording
from anamnesis.service import compose_report
from anamnesis.service.append_episodes import Draft
from anamnesis.service.deadline import Deadline
from support.wired_memory import ANA, BEN, NOW, Memory, answer, check, question

UTC_ZONE = ZoneInfo("UTC")


@pytest.fixture
def memory() -> Memory:
    """A memory whose subject has one file with three concepts."""
    made = Memory()
    made.add_file()
    return made


def reported(memory: Memory, *, zone: ZoneInfo = UTC_ZONE, seconds: float = 60.0) -> Report:
    return memory.report(ANA, zone=zone, deadline=Deadline.after(seconds, time.monotonic))


def told(report: Report, language: str = "en") -> str:
    """The report in Markdown, dates' no-break spaces as spaces."""
    return markdown_of(document_of(report, wording(language))).replace("\u00a0", " ")


def on(day: int) -> dict[str, object]:
    return {"at": NOW + timedelta(days=day)}


def test_a_change_of_mind_is_told_with_its_checks(memory: Memory) -> None:
    """Every stage of a belief is told with its date and the check that brought it about, in words (BE-2)."""
    memory.say(check("Osmosis", correct=False, **on(0)), check("Osmosis", correct=False, **on(1)))
    memory.say(check("Osmosis", correct=True, **on(2)), check("Osmosis", correct=True, **on(3)))
    memory.say(check("Cytoplasm", correct=False, **on(4)))
    report = reported(memory)
    by_name = {standing.name: standing for standing in report.beliefs.standings.shown}
    osmosis = by_name["Osmosis"]
    assert [stage.claim for stage in osmosis.stages.shown] == [Claim.STRUGGLES_WITH, Claim.UNDERSTANDS]
    causes = [stage.because for stage in osmosis.stages.shown]
    assert [(c.topic, c.correct) for c in causes if c] == [("Osmosis", False), ("Osmosis", True)]
    assert [(e.topic, e.correct) for e in osmosis.stages.shown[-1].evidence.shown] == [("Osmosis", True)] * 2
    assert [standing.name for standing in report.misconceptions.shown] == ["Cytoplasm"]
    assert report.beliefs.changes_of_mind == 1
    text = told(report)
    assert "- 5 Jul 2026: **understands** (" in text
    assert "because of a check on Osmosis **right** · 2 checks behind it" in text


FADED = {
    "en": ("may understand", "understands"),
    "es": ("quizá entienda", "entiende"),
    "id": ("mungkin memahami", "memahami"),
    "hi": ("शायद समझता/समझती है", "समझता/समझती है"),
    "ar": ("ربما يفهم", "يفهم"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_faded_is_told_no_more_surely_than_it_is_held(memory: Memory, language: str) -> None:
    """A belief that faded below even odds "may" be so in every language, and its stored claim stays (BE-1, BE-2)."""
    memory.say(check("Osmosis", correct=True, **on(0)))
    before = told(reported(memory), language)
    memory.run_night(ANA, (NOW + timedelta(days=200)).date())
    report = reported(memory)
    [standing] = report.beliefs.standings.shown
    assert (standing.claim, standing.confidence < 0.5) == (Claim.UNDERSTANDS, True)
    may, surely = FADED[language]
    assert f"**{may}**" in told(report, language) or f"| {may} |" in told(report, language)
    assert may not in before
    assert surely in before


def test_a_summary_that_somebody_wrote_is_told_as_it_is(memory: Memory) -> None:
    """A check with a summary of its own is told by that, one without by its topic in the report's language (BE-2)."""
    memory.say(check("Osmosis", correct=False, summary="Drew the arrow the wrong way"))
    memory.say(check("Cytoplasm", correct=False))
    text = told(reported(memory), "es")
    assert "Drew the arrow the wrong way **mal**" in text
    assert "una prueba sobre Cytoplasm **mal**" in text
    assert "Check on" not in text


@pytest.mark.parametrize(
    "tied, untied, words",
    [
        (0, 2, "2 checks recorded, none could be tied to a concept of the map yet."),
        (0, 1, "1 check recorded, none could be tied to a concept of the map yet."),
        (2, 1, "1 of 3 recorded checks could not be tied to a concept of the map."),
        (2, 0, "Every recorded check is tied to a concept."),
        (0, 0, "No checks have been recorded yet."),
    ],
)
def test_checks_tied_to_nothing_are_counted_and_said(
    memory: Memory, tied: int, untied: int, words: str
) -> None:
    """Checks behind no belief are counted, listed and told as such, never as no checks (BE-6)."""
    memory.say(question())
    for number in range(tied):
        memory.say(check("Osmosis", **on(number)))
    for number in range(untied):
        memory.say(check("Zebra stripes", **on(number)))
    report = reported(memory)
    assert (report.checks.recorded, report.checks.tied_to_nothing) == (tied + untied, untied)
    assert [e.topic for e in report.checks.examples.shown] == ["Zebra stripes"] * untied
    assert words in told(report)


def test_an_empty_history_says_so(memory: Memory) -> None:
    """A history without an episode gives a report that says so in every language, and claims nothing (BL-6)."""
    report = memory.report(BEN, zone=UTC_ZONE, deadline=Deadline.after(60, time.monotonic))
    assert (report.episodes, report.first_at, report.calibration) == (0, None, None)
    for language in LANGUAGES:
        document = document_of(report, wording(language))
        assert document.tiles == ()
        assert [s.anchor for s in document.sections] == ["nothing", "chain", "limits"]
    assert "there is nothing to report" in told(report)


def test_a_changed_citation_names_the_file(memory: Memory) -> None:
    """Holding, changed and unverifiable citations are counted and a changed file is named with its fate (VE-1)."""
    first = memory.add_file(b"Meiosis: Meiosis halves chromosomes.", name="meiosis.txt")
    second = memory.add_file(b"Mitosis: Mitosis copies a cell.", name="mitosis.txt")
    memory.say(answer(evidence=((first.id, 1),)), answer(evidence=((second.id, 1),), at=NOW))
    memory.say(question())
    memory.add_file(b"Meiosis: Meiosis is told anew.", name="meiosis.txt")
    memory.run_night(ANA, NOW.date())
    found = reported(memory).citations
    assert (found.holding, found.changed, found.unchecked) == (1, 1, 0)
    assert found.unverifiable
    [file] = found.files.shown
    assert (file.name, file.deleted, file.replaced_by, file.answers) == (
        "meiosis.txt",
        False,
        "meiosis.txt",
        1,
    )
    memory.delete_file(Caller("school", "ana", Role.STUDENT), ANA, second.id)
    memory.run_night(ANA, NOW.date() + timedelta(days=1))
    fates = {f.name: f.deleted for f in reported(memory).citations.files.shown}
    assert fates == {"meiosis.txt": False, "mitosis.txt": True}


def test_what_the_files_could_not_answer_is_listed(memory: Memory) -> None:
    """Before any answer is traced the report says so; then it lists the questions without an answer (GR-3)."""
    said = "The treaty was signed by Talleyrand in Vienna."
    episodes = memory.say(question("Who signed the treaty?"), answer(said))
    assert "No answer has been traced to the files yet" in told(reported(memory))
    memory.ground(ANA, said, episode_id=episodes[1].id)
    report = reported(memory)
    assert report.traced.traced == 1
    assert [(u.question, u.stance) for u in report.traced.unanswered.shown] == [
        ("Who signed the treaty?", "could_not")
    ]
    assert "Who signed the treaty? **not answered**" in told(report)


def test_calibration_needs_five_predictions(memory: Memory) -> None:
    """The report says "calibrated" from five predicted checks on, and before that to take a ranking (NI-3)."""
    for number in range(4):
        memory.say(check("Osmosis", **on(number)))
    memory.run_night(ANA, NOW.date())
    assert "Not calibrated: 4 predicted checks so far, 5 are needed." in told(reported(memory))
    memory.say(check("Osmosis", **on(5)))
    memory.run_night(ANA, NOW.date() + timedelta(days=1))
    assert "Calibrated on 5 predicted checks" in told(reported(memory))


def test_a_short_log_is_verified_for_the_report(memory: Memory) -> None:
    """A short log is verified on the spot and an edited episode is named by position and kind (EP-4)."""
    memory.say(question(), answer(), check())
    memory.run_night(ANA, NOW.date())
    whole = reported(memory).chain
    assert (whole.verified, whole.when, whole.checkpoints) == (True, CheckedWhen.NOW, 1)
    log = memory.raw_log.episodes[ANA]
    log[1] = replace(log[1], occurred_at=log[1].occurred_at + timedelta(seconds=1))
    broken = reported(memory)
    assert broken.chain.verified is False
    assert broken.chain.breaks is not None
    assert broken.chain.breaks.shown[0].position == 2
    assert "- position 2: " in told(broken)


def test_a_long_log_is_told_as_the_night_found_it(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log too long for a request is not verified again: the report says which night did, and what is open (EP-5)."""
    monkeypatch.setattr(compose_report, "MAX_VERIFIED", 1)
    memory.say(question(), answer())
    assert "The log has not been verified yet." in told(reported(memory))
    memory.run_night(ANA, NOW.date())
    chain = reported(memory).chain
    assert (chain.verified, chain.when, chain.night) == (True, CheckedWhen.NIGHT, NOW.date())
    assert (chain.breaks, chain.checkpoints) == (None, None)
    text = told(reported(memory))
    assert "The log verified on the night of 3 Jul 2026." in text
    assert "what was recorded or changed since that night" in text


def test_an_erased_episode_is_told_as_erased(memory: Memory) -> None:
    """A report quotes nothing that was erased, and counts erasures in the state of the chain (EP-8)."""
    [first] = memory.say(check("Secret word osmosis", correct=False, summary="Said the secret word"))
    memory.say(question())
    memory.erase.episode(ANA, first.id, Role.STUDENT, Deadline.never())
    report = reported(memory)
    assert "secret" not in told(report).lower()
    assert (report.chain.erased >= 1, report.chain.erasures) == (True, 1)
    assert report.checks.recorded == 0


def test_days_are_those_of_the_zone(memory: Memory) -> None:
    """Weeks and months begin where the reader is: a check at midnight UTC lies in another month in Madrid (NI-1)."""
    at = NOW.replace(month=6, day=30, hour=23)
    memory.say(check("Osmosis", at=at))
    assert reported(memory).activity.months.shown[0].first.month == 6
    madrid = reported(memory, zone=ZoneInfo("Europe/Madrid")).activity
    assert madrid.months.shown[0].first.month == 7
    assert madrid.months.shown[0].concepts.shown == ("Osmosis",)


def test_what_nights_wrote_is_no_work(memory: Memory) -> None:
    """Consolidations and file events count neither as work nor as episodes of the student (NI-1)."""
    memory.say(question(), answer())
    before = reported(memory)
    memory.run_night(ANA, NOW.date())
    after = reported(memory)
    assert any(kind is Kind.CONSOLIDATION for kind, _ in memory.told())
    assert (
        (after.activity.days, after.activity.turns) == (before.activity.days, before.activity.turns) == (1, 1)
    )


def test_years_of_work_are_cut_with_a_count(memory: Memory) -> None:
    """Of years of work the latest weeks and months are told and the rest is counted (SV-12)."""
    drafts = [Draft(Kind.QUESTION, NOW - timedelta(days=31 * n), f"Question {n}?") for n in range(40)]
    memory.say(*drafts)
    activity = reported(memory).activity
    assert (len(activity.months.shown), activity.months.left_out) == (24, 16)
    assert len(activity.weeks.shown) == 53
    first = NOW.date() - timedelta(days=31 * 39)
    earliest = first - timedelta(days=first.weekday())
    shown = activity.weeks.shown
    assert earliest + timedelta(weeks=activity.weeks.left_out) == shown[0].monday
    assert [b.monday - a.monday for a, b in pairwise(shown)] == [timedelta(weeks=1)] * 52
    assert activity.months.shown[-1].first == NOW.date().replace(day=1)


def test_checks_that_say_the_same_are_one_line(memory: Memory) -> None:
    """Checks tied to nothing that say the same and ended the same are told once, and how often (BE-6)."""
    memory.say(*(check("Nothing here", correct=n == 3, **on(n)) for n in range(5)))
    memory.say(check("Another thing", correct=False, **on(6)))
    lines = [line for line in told(reported(memory)).splitlines() if "Nothing here" in line]
    assert len(lines) == 2
    assert lines[0].startswith("- 7 Jul 2026")
    assert lines[0].endswith("**wrong** × 4")
    assert lines[1].endswith("**right**")
