"""What an event is recorded as: predictions, citations, kinds, the record about the record, odd but normal input."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import MAX_TEXT_CHARS, Kind
from anamnesis.domain.text.containment import contained
from anamnesis.service.antecedents import LOOK_BACK
from anamnesis.service.append_episodes import Draft
from support.port_faults import Crash, every_fault
from support.wired_memory import ANA, CHAPTER, NOW, Memory, answer, check, question


@pytest.fixture
def memory() -> Memory:
    return Memory()


# ---------------------------------------------------------------------------------------- predictions
def test_predictions_see_the_checks_before_them(memory: Memory) -> None:
    """Within one batch a later check is predicted from the earlier ones, exactly as in batches of their own (BE-5)."""
    results = [True, True, False, True]
    drafts = [check(correct=correct, at=NOW + timedelta(minutes=n)) for n, correct in enumerate(results)]
    memory.add_file()
    together = memory.say(*drafts)
    apart = Memory()
    apart.add_file()
    singly = [apart.say(draft)[0] for draft in drafts]
    predicted = [e.outcome.predicted for e in together if e.outcome]
    assert predicted == [pytest.approx(e.outcome.predicted) for e in singly if e.outcome]
    assert predicted[0] is not None
    assert predicted[0] < predicted[1] < predicted[2]
    assert predicted[3] < predicted[2]


def test_predictions_know_what_the_night_learned_of_the_student(memory: Memory) -> None:
    """A student who passes what the model expects them to miss is expected to pass from the next night on (BE-5)."""
    memory.add_file()
    weeks = [check(correct=True, at=NOW - timedelta(days=14 * n)) for n in (5, 4, 3, 2, 1)]
    [outcome] = [e.outcome for e in memory.say(*weeks)[-1:]]
    memory.run_night(ANA, (NOW - timedelta(days=14)).date())
    learned = memory.records.self_model(ANA)
    assert learned is not None
    assert learned.intercept > 0.5
    later = memory.say(check(correct=True, at=NOW))[0].outcome
    assert outcome is not None
    assert later is not None
    assert outcome.predicted is not None
    assert later.predicted is not None
    assert later.predicted > outcome.predicted + 0.1


def test_a_check_on_nothing_has_no_prediction(memory: Memory) -> None:
    """A check that names no concept is kept with its outcome and without concept or prediction (BE-3, BE-6)."""
    memory.add_file()
    for topic in ("just ask me the questions", "Quantum chromodynamics"):
        outcome = memory.say(check(topic))[0].outcome
        assert outcome is not None
        assert (outcome.correct, outcome.concept, outcome.predicted) == (True, None, None)
    assert memory.beliefs.history(ANA) == []


@pytest.mark.parametrize(
    "sent, stored",
    [
        ({"correct": True}, (True, 1.0)),
        ({"correct": False}, (False, 0.0)),
        ({"correct": None, "score": 0.5}, (True, 0.5)),
        ({"correct": None, "score": 0.49}, (False, 0.49)),
        ({"correct": True, "score": 0.5}, (True, 0.5)),
        ({"correct": False, "score": 0.49}, (False, 0.49)),
    ],
)
def test_score_and_result_give_each_other(
    memory: Memory, sent: dict[str, Any], stored: tuple[bool, float]
) -> None:
    """A result without a score and a score without a result give each other; both sent are both kept (EP-2)."""
    outcome = memory.say(check(**sent))[0].outcome
    assert outcome is not None
    assert (outcome.correct, outcome.score) == stored


# ---------------------------------------------------------------------------------------- citations
def test_citations_are_stamped(memory: Memory) -> None:
    """A citation is stamped with the fingerprint that the file has when the answer is recorded (EP-2)."""
    record = memory.add_file()
    cited = memory.say(answer(evidence=((record.id, 2), (record.id, None))))[0].evidence
    assert [(c.file_id, c.page, c.fingerprint) for c in cited] == [
        (record.id, 2, record.fingerprint),
        (record.id, None, record.fingerprint),
    ]


def test_unread_files_cannot_be_cited(memory: Memory) -> None:
    """Files that are unknown, of another subject or not uploaded yet, and pages beyond the last, are named (SV-7)."""
    read = memory.add_file()
    waiting, _ = memory.upload()
    elsewhere = memory.add_file(pair=Pair("school", "ana", "history"))
    other_tenant = memory.add_file(pair=Pair("college", "ana", "biology"))
    for cited, field in (
        (("no such file", None), "file_id"),
        ((waiting, 1), "file_id"),
        ((elsewhere.id, 1), "file_id"),
        ((other_tenant.id, 1), "file_id"),
        ((read.id, 3), "page"),
    ):
        with pytest.raises(InvalidInput) as refused:
            memory.say(question(), answer(evidence=((read.id, 1), cited)))
        assert refused.value.field == f"episodes[1].evidence[1].{field}"
    assert len(memory.told()) == 1


def test_a_file_is_citable_once_it_is_read_even_if_the_map_lags() -> None:
    """A file counts as read from the moment its record says so, whether or not a map with it is published (SV-14)."""
    crashes = 0
    for plan in every_fault(counted=frozenset({"save_map"})):
        memory = Memory(plan)
        memory.add_file(b"Cell: A cell is a unit of life.", name="a.txt")
        file_id, key = memory.upload(CHAPTER, name="b.txt")
        waiting = memory.list_files.one(ANA.scope, file_id)
        memory.concepts.update_file(waiting, expected=waiting)
        memory.publish(ANA.scope)  # the published map knows the file as waiting
        plan.armed = True
        try:
            memory.read_file(key)
        except Crash:
            crashes += 1
            plan.disarm()
            (said,) = memory.say(answer(evidence=((file_id, 1),)))
            assert [cited.file_id for cited in said.evidence] == [file_id]
    assert crashes > 0


# ---------------------------------------------------------------------------------------- kinds
@pytest.mark.parametrize(
    "kind, text, recorded",
    [
        (Kind.QUESTION, "Remember that in our class we call mitochondria the powerhouse.", Kind.TAUGHT),
        (Kind.QUESTION, "Do you remember that we call mitochondria the powerhouse?", Kind.QUESTION),
        (Kind.QUESTION, "What is osmosis?", Kind.QUESTION),
        (Kind.TAUGHT, "In our class we call mitochondria the powerhouse.", Kind.TAUGHT),
        (Kind.TAUGHT, "What is osmosis?", Kind.QUESTION),
        (Kind.ANSWER, "Remember that osmosis moves water.", Kind.ANSWER),
    ],
)
def test_only_teaching_teaches(memory: Memory, kind: Kind, text: str, recorded: Kind) -> None:
    """Between question and taught the words decide; no other kind ever becomes a teaching (TE-1, TE-3)."""
    memory.add_file()
    assert memory.say(Draft(kind, NOW, text))[0].kind is recorded
    assert bool(memory.concepts.layer(ANA).taught) == (recorded is Kind.TAUGHT)


@pytest.mark.parametrize(
    "draft, field",
    [
        (Draft(Kind.CHECK, NOW, "Explain"), "correct"),
        (Draft(Kind.QUIZ, NOW, "Explain"), "correct"),
        (question(correct=True), "correct"),
        (answer(score=0.5), "score"),
        (check("Explain", score=0.0), "score"),
        (check("Explain", correct=False, score=0.5), "score"),
        (question(""), "text"),
        (question(" \n\t"), "text"),
        (question(at=datetime(1, 1, 1, tzinfo=UTC)), "occurred_at"),
        (question(at=datetime(9999, 12, 31, tzinfo=UTC)), "occurred_at"),
    ],
)
def test_contradictions_are_named(memory: Memory, draft: Draft, field: str) -> None:
    """An event that contradicts itself is refused by the name of its field and its place in the batch (SV-7)."""
    with pytest.raises(InvalidInput) as refused:
        memory.say(question(), draft)
    assert refused.value.field == f"episodes[1].{field}"
    assert memory.told() == []


# ---------------------------------------------------------------------------------------- the record about the record
def test_the_answer_about_the_record_is_marked(memory: Memory) -> None:
    """An answer to a history question of its session is marked, in the same batch and in a later one (RC-6)."""
    asked = question("What did we cover in July?", session_id="s1")
    together = memory.say(asked, answer("In July we discussed osmosis.", session_id="s1"))
    assert [e.about_record for e in together] == [True, True]
    memory.say(asked)
    later = memory.say(answer("In July we discussed osmosis.", session_id="s1"))
    assert later[0].about_record


def test_sessions_do_not_mix(memory: Memory) -> None:
    """An answer belongs to the latest question of its own session, whatever other sessions ask (RC-6)."""
    memory.say(question("What did I get wrong so far?", session_id="s1"))
    memory.say(question("What is osmosis?", session_id="s2"))
    marked = {
        session: memory.say(answer(session_id=session))[0].about_record
        for session in ("s1", "s2", "s3", None)
    }
    assert marked == {"s1": True, "s2": False, "s3": False, None: False}
    memory.say(question("What is a cell?", session_id="s1"))
    assert not memory.say(answer(session_id="s1"))[0].about_record


def test_the_question_is_looked_for_among_the_latest(memory: Memory) -> None:
    """Other sessions' events between question and answer do not unmark the answer, up to the stated number (RC-6)."""
    memory.say(question("What did I get wrong so far?", session_id="s1"))
    for number in range(LOOK_BACK - 1):
        memory.say(question(f"What is {number}?", session_id=f"other {number}"))
    assert memory.say(answer(session_id="s1"))[0].about_record


# ---------------------------------------------------------------------------------------- odd but normal input
def test_order_is_the_order_of_appending(memory: Memory) -> None:
    """Events that happened long ago or out of order keep their times and get the next positions (EP-2)."""
    days = [0, -400, 30, -3]
    said = memory.say(*[question(f"Day {d}?", at=NOW + timedelta(days=d)) for d in days])
    assert [e.position for e in said] == [1, 2, 3, 4]
    assert [(e.occurred_at - NOW).days for e in said] == days
    assert memory.verify(ANA).verified
    found = memory.list_episodes(ANA, start=None, end=None, kind=None, cursor=None, limit=10)
    assert [e.occurred_at for e in found.episodes] == sorted(e.occurred_at for e in said)


def test_a_million_characters_are_kept_whole(memory: Memory) -> None:
    """A text of a million characters is stored to the last one, and its chain verifies (EP-2)."""
    text = ("Ёлка 浸透 \U0001f52c " * (MAX_TEXT_CHARS // 10 + 1))[:MAX_TEXT_CHARS]
    memory.say(question(text))
    stored = memory.log.read(ANA, [1])[0].content
    assert stored is not None
    assert stored.text == text
    assert len(stored.summary) <= 300
    assert memory.verify(ANA).verified


def test_an_empty_text_needs_a_topic_or_summary(memory: Memory) -> None:
    """A check whose text is empty is recorded by its topic (EP-2)."""
    memory.add_file()
    said = memory.say(check("Osmosis", text=""))[0]
    assert said.outcome is not None
    assert said.outcome.concept == "osmosis"
    assert said.content is not None
    assert "Osmosis" in said.content.summary


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60),
    kind=st.sampled_from([Kind.QUESTION, Kind.ANSWER, Kind.TAUGHT, Kind.CHECK, Kind.QUIZ]),
    topic=st.none() | st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30),
)
def test_any_text_is_recorded_as_it_is(text: str, kind: Kind, topic: str | None) -> None:
    """Whatever is written in whatever script is stored unchanged, projected without an error, and verifies (EP-4)."""
    memory = Memory()
    memory.say(question())
    tested = kind in {Kind.CHECK, Kind.QUIZ}
    draft = Draft(kind, NOW, text, topic=topic, correct=True if tested else None)
    if not any(part and contained(part) for part in (text, topic)):
        with pytest.raises(InvalidInput, match="must say something"):
            memory.say(draft)
        return
    said = memory.say(draft)
    assert said[0].content is not None
    assert said[0].content.text == text
    memory.project(ANA)
    assert memory.beliefs.projected_to(ANA).position == 2
    assert memory.verify(ANA).verified


@pytest.mark.parametrize(
    "text",
    [
        "Never remember that osmosis is magic",
        'You said "remember that osmosis is magic"',
        "If I say: remember that osmosis is magic, what happens",
        "Do you remember that we did osmosis?",
    ],
)
def test_a_teaching_taken_back_is_a_question(memory: Memory, text: str) -> None:
    """A negated, quoted or supposed teaching does not teach, even when its caller filed it as taught (TE-3)."""
    assert memory.say(Draft(Kind.TAUGHT, NOW, text))[0].kind is Kind.QUESTION
    memory.project(ANA)
    assert dict(memory.concepts.layer(ANA).taught) == {}


@pytest.mark.parametrize(
    "text",
    [
        "In our class we call the mitochondria of every single cell the powerhouse of the whole body",
        "En nuestra clase decimos que la mitocondria es la central eléctrica de toda la célula",
        "我们班把线粒体叫做细胞的发电站因为它给细胞提供能量",
    ],
)
def test_a_plain_statement_filed_as_taught_teaches_under_a_short_name(memory: Memory, text: str) -> None:
    """A statement that its caller calls a teaching is one, and the concept it makes has a short name (TE-2)."""
    assert memory.say(Draft(Kind.TAUGHT, NOW, text))[0].kind is Kind.TAUGHT
    memory.project(ANA)
    (name,) = memory.concepts.layer(ANA).own_concepts.values()
    assert len(name) < len(text) / 1.5
    assert len(name.split()) <= 5


def test_an_answer_without_a_session_belongs_to_the_last_question(memory: Memory) -> None:
    """The narration of a record question is marked although its caller left the session out (RC-6)."""
    memory.say(question("What did we do in July?", session_id="s1"))
    assert memory.say(answer(session_id=None))[0].about_record
