"""Embedding on Bedrock, over real HTTP against a fake of InvokeModel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import numpy as np
import pytest
from botocore.config import Config

from anamnesis.adapters.bedrock.embedder import MODELS, BedrockEmbedder
from anamnesis.domain.errors import ModelUnavailable
from support.bedrock_embeddings import EmbeddingFake, embedding_fake

TITAN, COHERE = "amazon.titan-embed-text-v2:0", "cohere.embed-multilingual-v3"


@pytest.fixture
def fake() -> Iterator[EmbeddingFake]:
    with embedding_fake() as running:
        yield running


def client(fake: EmbeddingFake) -> Any:
    return boto3.client(
        "bedrock-runtime",
        region_name="eu-central-1",
        endpoint_url=fake.url,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(read_timeout=0.3, connect_timeout=0.3, retries={"total_max_attempts": 1}),
    )


@pytest.mark.parametrize("model_id", [TITAN, COHERE, f"eu.{COHERE}"])
def test_vectors_are_unit_length_and_in_order(fake: EmbeddingFake, model_id: str) -> None:
    """Every text gets the unit vector of its own text, in order, of the model's dimension (SV-4)."""
    embedder = BedrockEmbedder(client(fake), model_id)
    texts = [f"passage {i}" for i in range(5)]
    vectors = embedder.embed_passages(texts)
    assert vectors.shape == (5, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    alone = np.vstack([embedder.embed_passages([text]) for text in texts])
    assert np.array_equal(vectors, alone)
    assert len({vector.tobytes() for vector in vectors}) == 5


def test_cohere_is_told_queries_from_passages(fake: EmbeddingFake) -> None:
    """Cohere is told whether a text is a query or a document, and gets at most 96 texts a call (SV-4)."""
    embedder = BedrockEmbedder(client(fake), COHERE)
    embedder.embed_query("why?")
    embedder.embed_passages(["x"] * 100)
    assert [body["input_type"] for _, body in fake.requests] == [
        "search_query",
        "search_document",
        "search_document",
    ]
    assert [len(body["texts"]) for _, body in fake.requests] == [1, 96, 4]


def test_a_query_is_one_call(fake: EmbeddingFake) -> None:
    """A question costs one model call, and Titan is asked for the dimension that is promised (BL-2)."""
    embedder = BedrockEmbedder(client(fake), TITAN)
    embedder.embed_query("why?")
    assert fake.requests == [
        (TITAN, {"inputText": "why?", "dimensions": embedder.dimension, "normalize": True})
    ]


@pytest.mark.parametrize("model_id", [TITAN, COHERE])
def test_long_blank_and_broken_text_is_sent_in_a_form_the_model_takes(
    fake: EmbeddingFake, model_id: str
) -> None:
    """A million characters, blank text and lone surrogates reach the model within its limits (SV-12)."""
    embedder = BedrockEmbedder(client(fake), model_id)
    embedder.embed_passages(["start " + "x" * 1_000_000 + " end", " \n", "a\ud800b"])
    sent = [text for _, body in fake.requests for text in body.get("texts", [body.get("inputText")])]
    assert len(sent) == 3
    assert sent[0].startswith("start ")
    assert sent[0].endswith(" end")
    assert max(map(len, sent)) <= MODELS[model_id].max_chars
    assert all(text.strip() for text in sent)


def test_no_passages_is_no_call(fake: EmbeddingFake) -> None:
    """Embedding nothing gives an empty matrix of the right width without a call (SV-4)."""
    assert BedrockEmbedder(client(fake), TITAN).embed_passages([]).shape == (0, 1024)
    assert fake.requests == []


@pytest.mark.parametrize("model_id", [TITAN, COHERE])
@pytest.mark.parametrize(
    "fault",
    ["throttle", "denied", "slow", "cut", "no-json", "no-vector", "short-vector", "zeros", "nan", "words"],
)
def test_every_fault_is_one_error_without_student_text(
    fake: EmbeddingFake, model_id: str, fault: str
) -> None:
    """Throttling, refusal, silence and every malformed answer are ModelUnavailable, which quotes no text (SV-14)."""
    fake.fault = fault
    with pytest.raises(ModelUnavailable) as raised:
        BedrockEmbedder(client(fake), model_id).embed_query("my secret question")
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_nobody_listening_is_the_same_error(fake: EmbeddingFake) -> None:
    """An endpoint that cannot be reached is ModelUnavailable (SV-14)."""
    fake.url = "http://127.0.0.1:9"
    with pytest.raises(ModelUnavailable):
        BedrockEmbedder(client(fake), TITAN).embed_query("x")


def test_an_unknown_model_is_refused() -> None:
    """A model whose dimension and thresholds are not known is refused when it is configured (CM-3)."""
    with pytest.raises(ValueError, match=r"amazon\.nova"):
        BedrockEmbedder(None, "amazon.nova")


def test_names_tell_models_and_dimensions_apart() -> None:
    """The name of stored vectors carries model and dimension, whatever region they came from (CM-3)."""
    assert len({BedrockEmbedder(None, name).name for name in MODELS}) == len(MODELS)
    assert BedrockEmbedder(None, COHERE).name == BedrockEmbedder(None, f"us.{COHERE}").name
