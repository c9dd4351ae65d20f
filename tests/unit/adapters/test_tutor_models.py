"""Every model that answers students: in memory, on Bedrock's stream, behind an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import pytest
from botocore.config import Config

from anamnesis.adapters.bedrock.tutor import BedrockTutor
from anamnesis.adapters.openai_tutor import OpenAiTutor
from anamnesis.domain.tutoring.answers import AnswerFailed, Failing
from anamnesis.ports import TutorModel
from contracts.tutor_model import Making, TutorModelContract
from support.bedrock_converse import bedrock_fake
from support.bedrock_stream import ended, said, stream
from support.fake_tutor import fake_tutor
from support.memory_answers import ScriptedTutor
from support.wired_memory import CountingBackoff


@contextmanager
def in_memory(*pieces: str, breaks_off: bool = False) -> Iterator[TutorModel]:
    end = (AnswerFailed(Failing.UNAVAILABLE, "broke off"),) if breaks_off else ()
    yield ScriptedTutor(*[(*pieces, *end)] * 2)


@contextmanager
def on_bedrock(*pieces: str, breaks_off: bool = False) -> Iterator[TutorModel]:
    with bedrock_fake(stream(*said(*pieces), *(() if breaks_off else ended()))) as fake:
        client: Any = boto3.client(
            "bedrock-runtime",
            region_name="eu-west-1",
            endpoint_url=fake.url,
            aws_access_key_id="testing",
            aws_secret_access_key="testing",
            config=Config(retries={"total_max_attempts": 1, "mode": "standard"}),
        )
        yield BedrockTutor(client, "a model", backoff=CountingBackoff())


@contextmanager
def behind_an_endpoint(*pieces: str, breaks_off: bool = False) -> Iterator[TutorModel]:
    with fake_tutor() as fake:
        for _ in range(2):
            (fake.will_break_off if breaks_off else fake.will_say)(*pieces)
        yield OpenAiTutor(fake.url, fake.model, backoff=CountingBackoff())


class TestMemory(TutorModelContract):
    @pytest.fixture
    def making(self) -> Making:
        return in_memory


class TestBedrock(TutorModelContract):
    @pytest.fixture
    def making(self) -> Making:
        return on_bedrock


class TestOpenAi(TutorModelContract):
    @pytest.fixture
    def making(self) -> Making:
        return behind_an_endpoint
