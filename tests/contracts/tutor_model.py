"""What every ``TutorModel`` promises."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.tutoring.answers import AnswerFailed, Failing
from anamnesis.domain.tutoring.prompt import TutorPrompt
from anamnesis.ports import TutorModel

PROMPT = TutorPrompt("Answer.", "QUESTION: why?")
#: Makes a model that says these pieces and, unless it is to break off behind them, ends.
Making = Callable[..., AbstractContextManager[TutorModel]]


class TutorModelContract:
    """Pieces in order, then what they took; or a reason."""

    def test_pieces_come_in_order_and_then_what_they_took(self, making: Making) -> None:
        """What a model says comes as it says it, and what it took at the end, answer after answer (GR-3, SV-15)."""
        with making("Os", "mose 😀", " التناضح") as model:
            for _ in range(2):
                *said, took = model.spoken(PROMPT, seconds_left=lambda: 60.0)
                assert said == ["Os", "mose 😀", " التناضح"]
                assert isinstance(took, ModelUse)
                assert (took.requests, took.output_tokens > 0) == (1, True)

    def test_a_model_that_breaks_off_says_why(self, making: Making) -> None:
        """What was said before a failure is there, and the failure has a stable reason (SV-14)."""
        said: list[object] = []
        with making("Half", breaks_off=True) as model, pytest.raises(AnswerFailed) as raised:
            said.extend(model.spoken(PROMPT, seconds_left=lambda: 60.0))
        assert (said, raised.value.reason) == (["Half"], Failing.UNAVAILABLE)

    def test_without_time_nothing_is_asked(self, making: Making) -> None:
        """A model that has no time left says so at once (BL-3)."""
        with making("Late") as model, pytest.raises(AnswerFailed) as raised:
            next(model.spoken(PROMPT, seconds_left=lambda: 0.0))
        assert raised.value.reason is Failing.TOO_SLOW

    def test_a_model_can_be_left_in_the_midst(self, making: Making) -> None:
        """Who has heard enough leaves, and the next answer is whole (SV-14)."""
        with making("One ", "two ", "three") as model:
            pieces = model.spoken(PROMPT, seconds_left=lambda: 60.0)
            assert next(pieces) == "One "
            pieces.close()
            assert [*model.spoken(PROMPT, seconds_left=lambda: 60.0)][:3] == ["One ", "two ", "three"]
