"""A model's reasoning between marks, and what it said."""

from __future__ import annotations

import time

import pytest

from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.log.summaries import derived_summary
from anamnesis.domain.text.reasoning import spoken


@pytest.mark.parametrize(
    "text",
    [
        "<think>\nThey are slow.\n</think>\nWater moves.",
        "<think>They are slow.</think>Water moves.",
        "<THINKING>They are slow.</THINKING>\n\nWater moves.",
        "They are slow.\nVery.\n</think>\n\nWater moves.",
        "<think>a <think>\n<think>nested</think> slow</think>\nWater moves.",
        "<think>slow</think>\n<reflection>slower</reflection>\nWater moves.",
        "[THINK]slow[/THINK]Water moves.",
        "◁think▷慢◁/think▷Water moves.",
        "<|begin_of_thought|>slow<|end_of_thought|>\nWater moves.",
    ],
)
def test_reasoning_is_not_what_was_said(text: str) -> None:
    """Whatever marks a model puts around its reasoning, what it said is what comes after (SV-13)."""
    assert spoken(text).strip() == "Water moves."


def test_an_answer_about_the_marks_stays() -> None:
    """A text that speaks of the marks, and one in which an opening mark is left alone, keep every word (SV-13)."""
    for text in (
        "Models write <think> before they answer and </think> after it, as you can see.",
        "Two marks:\n<think>\nopens the reasoning.",
        "كيف تعمل <b>الخلية</b>؟",
        "",
    ):
        assert spoken(text) == text


def test_an_answer_that_never_came_says_nothing() -> None:
    """Reasoning that ran out of tokens leaves nothing that was said (SV-13)."""
    assert spoken("<think>They are slow and I") == ""


def test_a_student_may_write_what_they_like() -> None:
    """Only an answer's summary leaves marked text out: what a student writes is theirs (SV-13)."""
    text = "<think>about cells</think> is how I start my notes."
    question = derived_summary(Kind.QUESTION, text, topic=None, correct=None, score=None)
    answer = derived_summary(Kind.ANSWER, text, topic=None, correct=None, score=None)
    assert question == text
    assert answer == "is how I start my notes."


def test_a_million_marks_take_no_time() -> None:
    """Marks without end are looked through once (SV-12)."""
    times = []
    for count in (20_000, 80_000):
        began = time.process_time()
        spoken("x\n" + "<think>\n" * count)
        times.append(time.process_time() - began)
    assert times[1] < 12 * max(times[0], 0.005)
