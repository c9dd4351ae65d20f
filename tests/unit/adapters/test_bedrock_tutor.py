"""A tutor on Bedrock: the real SDK against streams on loopback."""

from __future__ import annotations

from typing import Any

import boto3
import pytest
from botocore.config import Config

from anamnesis.adapters.bedrock.tutor import TRIES, BedrockTutor
from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.tutoring.answers import AnswerFailed, Failing
from anamnesis.domain.tutoring.prompt import TutorPrompt
from support.bedrock_converse import BedrockFake, Raw, bedrock_fake
from support.bedrock_stream import ended, event, failure, said, stream
from support.wired_memory import CountingBackoff

PROMPT = TutorPrompt("Answer.", "QUESTION: why?")
THROTTLED = (429, "ThrottlingException", "slow down")


def tutor(fake: BedrockFake, used: list[ModelUse] | None = None) -> BedrockTutor:
    """The adapter, asking the fake."""
    client: Any = boto3.client(
        "bedrock-runtime",
        region_name="eu-west-1",
        endpoint_url=fake.url,
        aws_access_key_id="testing",
        aws_secret_access_key="testing",
        config=Config(read_timeout=5, retries={"total_max_attempts": 1, "mode": "standard"}),
    )
    taken = [] if used is None else used
    return BedrockTutor(client, "a model", backoff=CountingBackoff(), on_use=taken.append)


def spoken(fake: BedrockFake, left: float = 60.0) -> tuple[list[Any], Failing | None]:
    """What is said piece by piece until it ends or fails."""
    pieces: list[Any] = []
    try:
        for piece in tutor(fake).spoken(PROMPT, seconds_left=lambda: left):
            pieces.append(piece)  # noqa: PERF402 - what came before a failure counts
    except AnswerFailed as error:
        return pieces, error.reason
    return pieces, None


def test_what_is_streamed_is_heard_as_it_comes() -> None:
    """Pieces come in order, in any script, and then what they took; the prompt goes as system and message (GR-3)."""
    used: list[ModelUse] = []
    with bedrock_fake(stream(*said("Os", "mose 😀", "التناضح"), *ended())) as fake:
        found = list(tutor(fake, used).spoken(PROMPT, seconds_left=lambda: 60.0))
    assert found == ["Os", "mose 😀", "التناضح", ModelUse(1, 100, 20)]
    assert used == [ModelUse(1, 100, 20)]
    [request] = fake.requests
    assert request["system"] == [{"text": "Answer."}]
    assert request["messages"] == [{"role": "user", "content": [{"text": "QUESTION: why?"}]}]
    assert fake.models == ["a model"]


def test_failures_that_pass_are_waited_for() -> None:
    """A throttle, an overload and a stream that fails before its first word are tried again, some times (SV-14)."""
    good = stream(*said("Yes."), *ended())
    for failed in (THROTTLED, Raw(None), stream(failure("modelStreamErrorException"))):
        with bedrock_fake(failed, good) as fake:
            assert spoken(fake) == (["Yes.", ModelUse(1, 100, 20)], None)
            assert len(fake.requests) == 2
    with bedrock_fake(THROTTLED) as fake:
        assert spoken(fake) == ([], Failing.UNAVAILABLE)
        assert len(fake.requests) == TRIES


@pytest.mark.parametrize(
    "answer, pieces, reason",
    [
        ((400, "ValidationException", "QUESTION: why?"), [], Failing.REFUSED),
        ((403, "AccessDeniedException", "no"), [], Failing.REFUSED),
        (stream(*said("Half")), ["Half"], Failing.UNAVAILABLE),
        (stream(*said("Half"), failure("throttlingException")), ["Half"], Failing.UNAVAILABLE),
        (stream(*said("Half"), *ended("guardrail_intervened")), ["Half"], Failing.REFUSED),
        (stream(*said("Half"), b"\x00" * 40), ["Half"], Failing.UNAVAILABLE),
        (stream(*said("Half"), event("contentBlockDelta", {"delta": 5})), ["Half"], Failing.UNAVAILABLE),
    ],
    ids=["refused", "no right", "broken off", "throttled", "guarded", "damaged", "other shapes"],
)
def test_what_goes_wrong_has_a_stable_word(answer: Any, pieces: list[str], reason: Failing) -> None:
    """What is refused, breaks off or is no stream ends by a word, and for good once something was said (SV-14)."""
    with bedrock_fake(answer) as fake:
        assert spoken(fake) == (pieces, reason)
        assert len(fake.requests) == 1


def test_nothing_is_begun_without_time() -> None:
    """With no time left the model is not asked, and that is what is told (BL-3)."""
    with bedrock_fake(stream(*said("Late."), *ended())) as fake:
        assert spoken(fake, left=0.0) == ([], Failing.TOO_SLOW)
        assert fake.requests == []
