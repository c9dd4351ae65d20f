"""A turn of a chat: started, written, looked at; and what an erasure leaves of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.errors import (
    Busy,
    ErasedBefore,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    StoreUnavailable,
)
from anamnesis.domain.grounding.memories import TracedMemory, trace_memory
from anamnesis.domain.grounding.values import MAX_CLAIMS, Stance
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.tutoring.answers import (
    GIVEN_UP,
    HELD,
    KEPT,
    MAX_ANSWER_CHARS,
    AnswerFailed,
    AnswerState,
    AnswerStatus,
    Failing,
)
from anamnesis.service.deadline import Deadline
from anamnesis.service.ground_answer import TRACE_SECONDS
from anamnesis.service.start_answer import block_of_record, block_record
from anamnesis.service.write_answer import KEEP_SECONDS, Outcome
from support.memory_answers import ScriptedTutor
from support.wired_memory import ANA, BEN, NOW, Memory, chat, check, question

SAID = "Osmosis is the movement of water through a membrane."


def memory(*scripts: tuple[str | AnswerFailed | Callable[[], object], ...], **more: object) -> Memory:
    """A memory with a file and a missed check, and a model that says what it is told."""
    made = Memory(tutor=ScriptedTutor(*scripts), **more)  # type: ignore[arg-type]
    made.add_file()
    made.say(check("Osmosis", correct=False), key="check")
    return made


def started(made: Memory, asked: str = "What is osmosis?", key: str = "k", **more: object) -> str:
    answer_id = made.answering()(chat(asked, **more), key).answer_id
    assert answer_id is not None
    return answer_id


def state(made: Memory, name: str) -> AnswerState:
    return made.read_answer(ANA, name)


def kinds(made: Memory) -> list[Kind]:
    return [kind for kind, _ in made.told()]


# ---------------------------------------------------------------------------------------- the turn
def test_an_answer_is_written_recorded_and_traced() -> None:
    """The model sees the very block of the reply; its words are recorded with memories and pages, and traced (GR-2)."""
    made = memory((SAID[:10], SAID[10:]))
    begun = made.answering()(chat(session_id="s"), "k")
    assert begun.answer_id is not None
    assert begun.block.block is not None
    assert state(made, begun.answer_id).status is AnswerStatus.WAITING
    assert made.raw_answer_queue.sent == [(ANA, begun.answer_id)]
    written = made.write_answer(ANA, begun.answer_id)
    assert (written.outcome, written.reason) == (Outcome.DONE, None)
    prompt = made.tutor.asked[0] if made.tutor else None
    assert prompt is not None
    assert begun.block.block in prompt.message
    assert all(passage.text in prompt.message for passage in begun.passages)
    asked, answered = list(made.log.scan(ANA))[-2:]
    assert (asked.id, asked.memory_ids) == (begun.question.id, begun.block.memory_ids)
    assert answered.content is not None
    assert (answered.kind, answered.content.text, answered.session_id) == (Kind.ANSWER, SAID, "s")
    assert answered.memory_ids == begun.block.memory_ids != ()
    assert [(c.page, c.file_id) for c in answered.evidence] == [(2, begun.passages[0].id)]
    done = state(made, begun.answer_id)
    assert (done.status, done.text, done.use) == (AnswerStatus.DONE, SAID, ModelUse(1, 100, 20))
    assert done.recorded is not None
    assert (done.recorded.id, done.recorded.hash) == (answered.id, answered.hash)
    assert done.grounding is not None
    assert (done.grounding.stance, done.grounding.traced) == (Stance.ANSWERED, 1)
    [kept] = made.records.groundings(ANA)
    assert (kept.episode_id, kept.question) == (answered.id, asked.position)


def test_without_a_model_nothing_is_answered() -> None:
    """With no model configured the question is recorded once, block and passages are there, and no answer is (GR-3)."""
    made = memory()
    made.tutor = None
    for _ in range(2):
        begun = made.answering()(chat(), "k")
        assert begun.answer_id is None
        assert begun.block.block
        assert begun.passages
        made.clock.advance(minutes=1)
    assert kinds(made) == [Kind.FILE, Kind.CHECK, Kind.QUESTION]
    assert made.raw_answers.states == {}
    assert made.raw_answer_queue.sent == []


def test_the_same_request_begins_nothing_twice() -> None:
    """A request sent again gives the same reply, later too; another question under its key is refused (EP-7)."""
    made = memory((SAID,))
    begun = made.answering()(chat(), "k")
    assert begun.answer_id is not None
    made.clock.advance(seconds=30)
    assert made.answering()(chat(now=NOW + timedelta(seconds=30)), "k") == begun
    with pytest.raises(IdempotencyConflict):
        made.answering()(chat("Another?"), "k")
    for _, name in made.raw_answer_queue.sent:
        made.write_answer(ANA, name)
    assert made.answering()(chat(), "k") == begun
    assert kinds(made) == [Kind.FILE, Kind.CHECK, Kind.QUESTION, Kind.ANSWER]
    assert made.tutor is not None
    assert len(made.tutor.asked) == 1
    made.clock.advance(seconds=KEPT.total_seconds())
    with pytest.raises(IdempotencyConflict):
        made.answering()(chat(), "k")


def test_the_same_request_at_the_same_time_begins_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two calls that both found nothing, each with its own clock and block, get one question and one answer (EP-7)."""
    made = memory((SAID,))
    appending, others = type(made.append).__call__, []

    def overtaken(self: object, *given: object, **more: object) -> object:
        if not others:
            others.append(None)
            made.say(check("Diffusion", correct=False), key="another memory")
            others.append(made.answering()(chat(now=NOW + timedelta(milliseconds=7)), "k"))
        return appending(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(type(made.append), "__call__", overtaken)
    begun = made.answering()(chat(), "k")
    assert begun == others[1]
    assert kinds(made).count(Kind.QUESTION) == 1
    with pytest.raises(IdempotencyConflict):
        made.answering()(chat(budget_tokens=900), "k")


def test_a_turn_that_stopped_behind_its_question_goes_on_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that dies between question and answer is taken up with today's block, and again after that (EP-7)."""
    made = memory((SAID,))
    with monkeypatch.context() as patch:
        patch.setattr(
            made.raw_answers, "open_answer", lambda *_: (_ for _ in ()).throw(StoreUnavailable("down"))
        )
        with pytest.raises(StoreUnavailable):
            started(made)
    made.say(check("Diffusion", correct=False), key="another memory")
    made.clock.advance(seconds=5)
    begun = made.answering()(chat(now=NOW + timedelta(seconds=5)), "k")
    assert begun.block.memory_ids != begun.question.memory_ids
    assert made.answering()(chat(now=NOW + timedelta(seconds=9)), "k") == begun
    assert kinds(made).count(Kind.QUESTION) == 1


def test_a_block_comes_back_as_it_was() -> None:
    """Of a repeated request the block is the one that the model saw, window and all (RC-9)."""
    made = memory()
    reply = made.answering()(chat("What did we cover in July?"), "k").block
    assert reply.window is not None
    assert block_of_record(block_record(reply)) == reply


def test_a_question_that_says_nothing_is_refused_by_name() -> None:
    """Blank, invisible and impossible questions are refused under the request's own names, nothing is kept (SV-7)."""
    made = memory()
    for asked in (chat("  "), chat("\u200b\u2066"), chat(occurred_at=NOW.replace(year=1800))):
        with pytest.raises(InvalidInput) as raised:
            made.answering()(asked, "k")
        assert raised.value.field == ("occurred_at" if asked.occurred_at else "question")
    assert (kinds(made), made.raw_answers.asked) == ([Kind.FILE, Kind.CHECK], {})


def test_an_answer_is_its_owners() -> None:
    """Nobody finds, takes or writes an answer under another's name, and cannot tell it from none (SV-11)."""
    made = memory((SAID,))
    name = started(made)
    for stranger in (BEN, replace(ANA, subject="art"), replace(ANA, tenant="other")):
        with pytest.raises(NotFound) as theirs:
            made.read_answer(stranger, name)
        with pytest.raises(NotFound) as nobodys:
            made.read_answer(stranger, "0" * 32)
        assert str(theirs.value) == str(nobodys.value)
        assert made.write_answer(stranger, name).outcome is Outcome.GONE
    assert state(made, name).status is AnswerStatus.WAITING


# ---------------------------------------------------------------------------------------- writing
def test_what_is_said_can_be_seen_as_it_comes() -> None:
    """The first words are stored at once, later ones twice a second at most, and the last ones always (BL-3)."""
    made = memory()
    seen: list[str] = []

    def look() -> None:
        seen.append(state(made, name).text)

    def wait() -> None:
        made.backoff.pause(1)  # half a second by its clock

    assert KEEP_SECONDS < 0.5
    made.tutor = ScriptedTutor(("Os", look, "mo", look, wait, "sis", look, " is.", look))
    made.fresh()
    name = started(made)
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    assert seen == ["Os", "Os", "Osmosis", "Osmosis"]
    assert state(made, name).text == "Osmosis is."


@pytest.mark.parametrize("reason", [Failing.UNAVAILABLE, Failing.REFUSED, Failing.TOO_SLOW])
def test_a_model_that_fails_leaves_the_question_alone(reason: Failing) -> None:
    """Of an answer that was not given the reason and the words so far can be seen; the log has none of it (GR-3)."""
    made = memory(("Half", AnswerFailed(reason, "no")))
    name = started(made)
    written = made.write_answer(ANA, name)
    assert (written.reason, written.detail) == (reason, "no")
    failed = state(made, name)
    assert (failed.status, failed.reason, failed.text) == (AnswerStatus.FAILED, reason, "Half")
    assert kinds(made)[-1] is Kind.QUESTION
    assert made.write_answer(ANA, name).outcome is Outcome.OVER


def test_an_answer_that_failed_is_tried_again_by_the_same_request() -> None:
    """The same request after a failure has the answer written anew, the question recorded once (EP-7, GR-3)."""
    made = memory(("Half ", AnswerFailed(Failing.TOO_SLOW, "late")), (SAID,))
    name = started(made)
    assert made.write_answer(ANA, name).reason is Failing.TOO_SLOW
    assert started(made) == started(made) == name
    assert (state(made, name).status, state(made, name).text) == (AnswerStatus.WAITING, "")
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    assert made.write_answer(ANA, name).outcome is Outcome.OVER
    assert state(made, name).text == SAID
    assert started(made) == name
    assert state(made, name).status is AnswerStatus.DONE
    assert kinds(made)[-2:] == [Kind.QUESTION, Kind.ANSWER]


@pytest.mark.parametrize("said", [(), ("",), (" \n\t",), ("\u200b\u2066",)])
def test_a_model_that_says_nothing_has_failed(said: tuple[str, ...]) -> None:
    """White space and what cannot be seen are no answer (GR-3)."""
    made = memory(said)
    name = started(made)
    assert made.write_answer(ANA, name).reason is Failing.EMPTY
    assert kinds(made)[-1] is Kind.QUESTION


def test_an_endless_answer_is_cut() -> None:
    """What goes beyond the longest answer is not listened to; what fits is recorded (SV-12)."""
    made = memory(tuple(["word " * 100] * 1_000))
    name = started(made)
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    assert made.tutor is not None
    assert made.tutor.left == 1
    assert MAX_ANSWER_CHARS - 500 < len(state(made, name).text) <= MAX_ANSWER_CHARS


def test_an_answer_of_too_many_claims_is_recorded_untraced() -> None:
    """An answer with more claims than are traced is recorded all the same, without its sources (GR-1)."""
    made = memory(tuple(f"Fact {n} is so. " for n in range(MAX_CLAIMS + 1)))
    name = started(made)
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    assert (state(made, name).status, state(made, name).grounding) == (AnswerStatus.DONE, None)
    assert kinds(made)[-1] is Kind.ANSWER


@pytest.mark.parametrize("traced", [0, 2])
def test_an_answer_is_recorded_when_tracing_it_takes_too_long(
    traced: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole answer is recorded with what there was time to trace, and how many claims there was none for (GR-1)."""
    made = memory((SAID, " Cells divide by mitosis. Ribosomes make proteins. Enzymes speed reactions up."))
    name = started(made)

    def slow(*given: object) -> TracedMemory:
        made.backoff.pauses += int(TRACE_SECONDS)  # half of it
        return trace_memory(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("anamnesis.domain.grounding.answers.trace_memory", slow)
    if not traced:
        monkeypatch.setattr("anamnesis.service.write_answer.TRACE_SECONDS", 0.0)
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    found = state(made, name)
    assert (found.status, kinds(made)[-1]) == (AnswerStatus.DONE, Kind.ANSWER)
    looked = (
        None
        if found.grounding is None
        else (len(found.grounding.claims), found.grounding.claims_not_searched)
    )
    assert looked == ((traced, 4 - traced) if traced else None)
    assert made.records.groundings(ANA) == []


def test_an_answer_that_nobody_can_trace_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """When writer after writer fails over an answer's tracing, the last one records it before it tries (SV-14)."""
    made = memory((SAID,))
    name = started(made)
    monkeypatch.setattr(
        made.raw_concepts, "files", lambda *_: (_ for _ in ()).throw(StoreUnavailable("down"))
    )
    for seen in (AnswerStatus.WRITTEN, AnswerStatus.WRITTEN, AnswerStatus.DONE):
        with pytest.raises(StoreUnavailable):
            made.write_answer(ANA, name)
        assert made.raw_answers.states[ANA, name].status is seen
        made.clock.at += timedelta(minutes=3)
    assert kinds(made)[-2:] == [Kind.QUESTION, Kind.ANSWER]
    assert made.write_answer(ANA, name).outcome is Outcome.OVER


def test_halves_of_characters_join() -> None:
    """A character that comes in two pieces is whole, and a half that stays alone is replaced (SV-14)."""
    made = memory(
        (
            "It is \ud83d",
            "\ude00 \udc00 here.",
        )
    )
    name = started(made)
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    assert state(made, name).text == "It is 😀 \ufffd here."


@pytest.mark.parametrize(
    "said",
    [
        ("\n\n  Os", "mosis", " \n\n", "moves.", " \n"),
        ("It is \ud83d", "\ude00", " here.", "\ud83d", "!"),
        ("> ", "> a"),
    ],
)
def test_who_has_read_so_far_reads_on_from_there(said: tuple[str, ...]) -> None:
    """What is shown of an answer is the beginning of what is shown of it later and of what is recorded (BL-3)."""
    made, seen = memory(), [""]

    def look() -> None:
        seen.append(state(made, name).text)

    made.tutor = ScriptedTutor(
        tuple(part for piece in said for part in (lambda: made.backoff.pause(1), piece, look))
    )
    made.fresh()
    name = started(made)
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    look()
    assert len(set(seen)) > 2
    assert all(later.startswith(earlier) for earlier, later in pairwise(seen))
    assert [e.content.text for e in made.log.scan(ANA) if e.content][-1] == seen[-1]


def test_the_model_is_given_the_time_that_is_left() -> None:
    """The model is told how much time there is, and no model any more is told as such (BL-3, GR-3)."""
    made = memory((SAID,))
    name = started(made)
    made.tutor = None
    made.fresh()
    written = made.write_answer(ANA, name, deadline=Deadline.after(5, made.backoff.monotonic))
    assert written.reason is Failing.UNAVAILABLE


@pytest.mark.parametrize("seconds, most", [(2, 5), (10, 16), (60, 38)])
def test_a_long_answer_is_looked_at_ever_more_rarely(seconds: int, most: int) -> None:
    """Who waits as long as the service says looks 16 times in ten seconds, and sees the end soon (SV-12, BL-3)."""
    made = memory()
    name, begun, looks = started(made), made.clock.at, 0
    asked = state(made, name)
    while made.clock.at < begun + timedelta(seconds=seconds):
        wait = asked.look_again(made.clock.at)
        assert wait is not None
        assert timedelta(seconds=0.4) < wait <= timedelta(seconds=2.5)
        made.clock.at += wait
        looks += 1
    assert looks <= most
    made.write_answer(ANA, name)
    assert state(made, name).look_again(made.clock.at) is None


def test_claims_that_are_still_traced_are_waited_for() -> None:
    """An answer that is done while its claims are traced is looked at again; when nobody traces them, not (GR-2)."""
    made = memory((SAID,))
    name = started(made)
    made.write_answer(ANA, name)
    now, done = made.clock.at, replace(state(made, name), grounding=None)
    assert done.look_again(now) is None
    tracing = replace(done, held_until=now + HELD)
    assert tracing.look_again(now) is not None
    assert tracing.look_again(now + HELD) is None
    assert replace(tracing, status=AnswerStatus.FAILED).look_again(now) is None


# ---------------------------------------------------------------------------------------- twice
def test_a_message_that_comes_twice_writes_once() -> None:
    """While one writes, a second delivery has to come again; a model is asked and an answer recorded once (SV-14)."""
    made = memory()

    def again() -> None:
        with pytest.raises(Busy):
            made.write_answer(ANA, name)

    made.tutor = ScriptedTutor((SAID[:9], again, SAID[9:], again))
    made.fresh()
    name = started(made)
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    assert made.write_answer(ANA, name).outcome is Outcome.OVER
    assert len(made.tutor.asked) == 1
    assert kinds(made)[-2:] == [Kind.QUESTION, Kind.ANSWER]


def test_a_writer_that_was_overtaken_writes_nothing() -> None:
    """Who comes back after its time is over finds the answer in another's hands and leaves it (SV-14)."""
    made = memory()

    def overtake() -> None:
        made.clock.at += HELD
        made.backoff.pause(1)
        assert made.write_answer(ANA, name).outcome is Outcome.DONE

    made.tutor = ScriptedTutor(("Slow ", overtake, "words."), (SAID,))
    made.fresh()
    name = started(made)
    assert made.write_answer(ANA, name).outcome is Outcome.GONE
    assert state(made, name).text == SAID
    assert [kind for kind in kinds(made) if kind is Kind.ANSWER] == [Kind.ANSWER]


def test_what_was_said_to_its_end_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that dies behind the model's last word leaves a whole answer, which the next one records (SV-14)."""
    made = memory((SAID,))
    name = started(made)
    with monkeypatch.context() as patch:
        patch.setattr(made.raw_log, "append", lambda *_: (_ for _ in ()).throw(StoreUnavailable("down")))
        with pytest.raises(StoreUnavailable):
            made.write_answer(ANA, name)
    assert made.raw_answers.states[ANA, name].status is AnswerStatus.WRITTEN
    assert state(made, name).status is AnswerStatus.WRITING
    made.clock.at += HELD
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    assert made.tutor is not None
    assert len(made.tutor.asked) == 1
    assert kinds(made)[-2:] == [Kind.QUESTION, Kind.ANSWER]


def test_an_answer_that_nobody_writes_is_given_up() -> None:
    """Ten minutes after it was asked for an answer has failed for whoever looks, and stays unwritten (SV-14)."""
    made = memory((SAID,))
    name = started(made)
    made.clock.at += GIVEN_UP - timedelta(seconds=1)
    assert state(made, name).status is AnswerStatus.WAITING
    made.clock.at += timedelta(seconds=1)
    assert state(made, name).reason is Failing.INTERRUPTED
    assert made.write_answer(ANA, name).reason is Failing.INTERRUPTED
    assert made.tutor is not None
    assert made.tutor.asked == []
    assert state(made, name).status is AnswerStatus.FAILED


def test_an_answer_expires() -> None:
    """An hour later there is nothing to look at but the log (GR-2)."""
    made = memory((SAID,))
    name = started(made)
    made.write_answer(ANA, name)
    made.clock.at += KEPT
    with pytest.raises(NotFound):
        state(made, name)
    assert made.write_answer(ANA, name).outcome is Outcome.GONE


# ---------------------------------------------------------------------------------------- erasing
def _erase(made: Memory, what: str) -> None:
    if what == "episode":
        old = next(e for e in made.log.scan(ANA) if e.kind is Kind.CHECK)
        made.erase.episode(ANA, old.id, Role.STUDENT, Deadline.never())
    elif what == "subject":
        made.erase.subject(ANA, Role.STUDENT, Deadline.never())
    else:
        made.erase.student(ANA.tenant, ANA.student, Role.STUDENT, Deadline.never())


@pytest.mark.parametrize("what", ["episode", "subject", "student"])
@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_nothing_of_an_answer_survives_an_erasure(what: str, when: str) -> None:
    """Whatever is erased while an answer waits, is written or is done takes it along, and it is not recorded (EP-8)."""
    made = memory()

    def now() -> None:
        _erase(made, what)

    made.tutor = ScriptedTutor((SAID[:9], *((now,) if when == "between" else ()), SAID[9:]))
    made.fresh()
    name = started(made)
    if when == "before":
        now()
    outcome = made.write_answer(ANA, name).outcome
    assert outcome is (Outcome.DONE if when == "after" else Outcome.GONE)
    if when == "after":
        now()
    with pytest.raises(NotFound):
        state(made, name)
    assert (made.raw_answers.asked, made.raw_answers.states) == ({}, {})
    told = [e for e in made.log.scan(ANA) if e.kind is Kind.ANSWER and e.content is not None]
    assert len(told) == (1 if (when, what) == ("after", "episode") else 0)
    assert made.write_answer(ANA, name).outcome is Outcome.GONE


def test_an_erasure_that_has_begun_hides_an_answer_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the moment that an erasure begins its record's answers are shown to nobody, while they stay (EP-8)."""
    made = memory((SAID,))
    name = started(made)
    made.write_answer(ANA, name)
    with monkeypatch.context() as patch:
        patch.setattr(
            made.raw_answers, "drop_answers", lambda _: (_ for _ in ()).throw(StoreUnavailable("down"))
        )
        with pytest.raises(StoreUnavailable):
            _erase(made, "episode")
    assert made.raw_answers.states
    with pytest.raises(NotFound):
        state(made, name)


def test_an_answer_begun_beside_an_erasure_is_not_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn whose block was read before an erasure, and kept after it, begins anew, without what was erased (EP-8)."""
    made = memory((SAID,))
    opening = made.raw_answers.open_answer
    erasing = [lambda: _erase(made, "episode")]

    def late(pair: object, asked: object) -> object:
        while erasing:
            erasing.pop()()
        return opening(pair, asked)  # type: ignore[arg-type]

    monkeypatch.setattr(made.raw_answers, "open_answer", late)
    with pytest.raises(Busy):
        started(made)
    assert (made.raw_answers.asked, made.raw_answer_queue.sent) == ({}, [])
    name = started(made)
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    assert made.tutor is not None
    assert "Check on Osmosis" not in made.tutor.asked[0].message


def test_an_erased_question_is_not_asked_again() -> None:
    """A question that was erased is not recorded and not answered when its request comes again (EP-8)."""
    made = memory((SAID,))
    begun = made.answering()(chat(), "k")
    made.erase.episode(ANA, begun.question.id, Role.STUDENT, Deadline.never())
    with pytest.raises(ErasedBefore) as raised:
        made.answering()(chat(), "k")
    assert raised.value.field == "question"
    assert made.raw_answers.asked == {}


def test_a_file_that_goes_meanwhile_is_not_cited(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer whose pages went between tracing and recording is recorded without them (EP-2)."""
    made = memory((SAID,))
    name = started(made)
    appending, refused = type(made.append).__call__, [True]

    def without_file(self: object, *given: object, **more: object) -> object:
        if refused.pop() if refused else False:
            raise InvalidInput("no such file in this subject", field="episodes[0].evidence[0].file_id")
        return appending(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(type(made.append), "__call__", without_file)
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    assert [e.evidence for e in made.log.scan(ANA)][-1] == ()


def test_a_teaching_in_a_chat_teaches() -> None:
    """A message that teaches is recorded as taught from a chat too, and answered (TE-1)."""
    made = memory(("I will remember that.",))
    begun = made.answering()(chat("Remember that osmosis is on the exam."), "k")
    assert begun.question.kind is Kind.TAUGHT
    assert begun.answer_id is not None
    assert made.write_answer(ANA, begun.answer_id).outcome is Outcome.DONE


def test_other_turns_do_not_hold_an_answer_up() -> None:
    """What is recorded while an answer is written stands before it, and the answer behind (EP-7)."""
    made = memory()
    made.tutor = ScriptedTutor((SAID, lambda: made.say(question("And salt?"), key="other")))
    made.fresh()
    name = started(made)
    assert made.write_answer(ANA, name).outcome is Outcome.DONE
    assert [kind for kind, _ in made.told()][-3:] == [Kind.QUESTION, Kind.QUESTION, Kind.ANSWER]
