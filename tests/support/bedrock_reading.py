"""What tests of the Bedrock concept reader are built from: documents, answers of models, progress that is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import boto3
from botocore.config import Config

from anamnesis.adapters.bedrock.concept_reader import BedrockConceptReader
from anamnesis.domain.files import Document, Page
from anamnesis.ports import ReadingProgress
from support.bedrock_converse import BedrockFake
from support.wired_memory import CountingBackoff

MODEL = "anthropic.some-model-v1:0"


def reader(fake: BedrockFake, **options: Any) -> BedrockConceptReader:
    """The reader on a client that talks to the fake and does not wait between tries."""
    config = Config(retries={"mode": "standard", "total_max_attempts": 1}, read_timeout=2, connect_timeout=1)
    client = boto3.client(
        "bedrock-runtime",
        region_name="eu-west-1",
        endpoint_url=fake.url,
        config=config,
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )
    return BedrockConceptReader(client, MODEL, **{"backoff": CountingBackoff()} | options)


def document(*pages: str) -> Document:
    """A PDF of these pages."""
    return Document(
        "application/pdf", tuple(Page(number, text) for number, text in enumerate(pages, start=1))
    )


def item(name: str, **changes: Any) -> dict[str, Any]:
    """A concept as a well-behaved model records it."""
    sound = {"name": name, "gist": f"{name} in a sentence.", "definition": "", "builds_on": [], "assumed": []}
    return {**sound, "pages": [1], **changes}


LESSON = document("Diffusion is the movement of particles.", "Osmosis is the diffusion of water.")


@dataclass
class KeptProgress:
    """A ``ReadingProgress`` in memory; its time ends when `ends` says so."""

    left: Callable[[], float] = lambda: math.inf
    parts: dict[str, bytes] = field(default_factory=dict)

    @property
    def progress(self) -> ReadingProgress:
        return ReadingProgress(self.left, self.parts.get, self.parts.__setitem__)
