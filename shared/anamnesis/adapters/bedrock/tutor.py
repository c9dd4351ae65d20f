"""A tutor's model on Bedrock: ``ConverseStream``, its events read without trust."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import count
from typing import Any, Final

import urllib3
from botocore.eventstream import ParserError
from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

from anamnesis.adapters.aws_errors import error_code
from anamnesis.adapters.backoff import JitteredBackoff
from anamnesis.adapters.bedrock.calls import PASSING, use_of
from anamnesis.adapters.tutor_tries import Passing, Spoken, spoken_with_tries, too_slow
from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.tutoring.answers import MAX_ANSWER_CHARS, AnswerFailed, Failing
from anamnesis.domain.tutoring.prompt import TutorPrompt
from anamnesis.ports import Backoff

#: Longest silence of the stream in seconds; the client is given this as its time-out.
SILENCE_SECONDS: Final = 30.0
#: Most tokens of an answer: four characters each in English.
MAX_TOKENS: Final = MAX_ANSWER_CHARS // 4
#: Tries while nothing was said yet: a student waits.
TRIES: Final = 4
#: Why a model stopped that will not answer.
_REFUSALS: Final = frozenset({"content_filtered", "guardrail_intervened"})
#: The last three are what the SDK's parsers make of events of another shape.
_FAILURES: Final = (
    BotoCoreError,
    ClientError,
    ResponseParserError,
    ParserError,
    urllib3.exceptions.HTTPError,
    AttributeError,
    TypeError,
    ValueError,
)


class BedrockTutor:
    """The port ``TutorModel``; safe to use from many threads.

    Parameters
    ----------
    client
        A boto3 client of ``bedrock-runtime`` without retries of its own, whose time-out is ``SILENCE_SECONDS``.
    model_id
        Model or inference profile that supports ``ConverseStream``.
    backoff
        Waits between tries.
    on_use
        Told what every answered call took.
    """

    def __init__(
        self,
        client: Any,
        model_id: str,
        *,
        backoff: Backoff | None = None,
        on_use: Callable[[ModelUse], None] = lambda _use: None,
    ) -> None:
        self._client = client
        self._model_id = model_id
        self._backoff = backoff or JitteredBackoff(base_seconds=0.5, cap_seconds=5.0)
        self._on_use = on_use

    def spoken(self, prompt: TutorPrompt, *, seconds_left: Callable[[], float]) -> Spoken:
        """What the model says, piece by piece, and what that took of it once it says so.

        Raises
        ------
        AnswerFailed
            If it cannot be had, refuses, breaks off or takes longer than there is time.
        """
        yield from spoken_with_tries(
            lambda: self._tried(prompt, seconds_left),
            attempts=count(1),
            most=TRIES,
            seconds_left=seconds_left,
            backoff=self._backoff,
            whose="Bedrock",
        )

    def _tried(self, prompt: TutorPrompt, seconds_left: Callable[[], float]) -> Spoken:
        try:
            yield from self._once(prompt, seconds_left)
        except _FAILURES as error:
            code = error_code(error)
            # When the time is over that is what is told, whatever came of it.
            if seconds_left() > 0 and isinstance(error, ClientError) and not _passes(code):
                raise AnswerFailed(Failing.REFUSED, f"Bedrock: {code}") from None
            raise Passing(code) from None

    def _once(self, prompt: TutorPrompt, seconds_left: Callable[[], float]) -> Spoken:
        if seconds_left() <= 0:
            raise too_slow()
        response = self._client.converse_stream(
            modelId=self._model_id,
            system=[{"text": prompt.system}],
            messages=[{"role": "user", "content": [{"text": prompt.message}]}],
            inferenceConfig={"maxTokens": MAX_TOKENS},
        )
        stopped = False
        with closing(response["stream"]) as events:
            for event in events:
                if seconds_left() <= 0:
                    raise too_slow()
                text = _at(event, "contentBlockDelta", "delta", "text")
                if isinstance(text, str) and text:
                    yield text
                reason = _at(event, "messageStop", "stopReason")
                if reason in _REFUSALS:
                    raise AnswerFailed(Failing.REFUSED, f"Bedrock: {reason}")
                stopped = stopped or reason is not None
                if (usage := _at(event, "metadata", "usage")) is not None:
                    use = use_of(usage)
                    self._on_use(use)
                    yield use
        if not stopped:
            raise AnswerFailed(Failing.UNAVAILABLE, "Bedrock: the stream broke off")


def _passes(code: str) -> bool:
    # Errors inside a stream are named as its events are, in small letters first.
    code = code[:1].upper() + code[1:]
    return code in PASSING or code == "ModelStreamErrorException"


def _at(value: Any, *names: str) -> Any:
    """What lies under these names; None where something else does."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
