"""Embedders on Bedrock: Amazon Titan Text Embeddings V2 and Cohere Embed Multilingual v3, by ``InvokeModel`` (SV-4).

The thresholds below are NOT measured: that takes the labelled pairs of ``tests/data/embedder_calibration.json`` and an
account with access to the models. They are set so that an error stays harmless. ``merge_threshold`` is high for models
whose cosines spread over most of 0–1, so concepts stay apart that might be one, which a second file in the same words
does not suffer from (equal keys merge without it). ``match_threshold`` is high too, so a question that names nothing
falls back on words. Whoever turns one of these models on measures first, and writes the figures here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from botocore.exceptions import BotoCoreError, ClientError

from anamnesis.adapters.aws_errors import error_code
from anamnesis.domain.errors import ModelUnavailable

Vector = npt.NDArray[np.float32]

_GAP: Final = " … "
#: What stands for a blank text, which both models refuse.
_BLANK: Final = "."


@dataclass(frozen=True, slots=True)
class _Model:
    """How to talk to one model.

    Attributes
    ----------
    max_chars
        Longest text sent; of a longer one the beginning and the end.
    batch
        Most texts in one call.
    body, vectors
        Request of texts and whether they are a query; vectors of a response.
    """

    dimension: int
    merge_threshold: float
    match_threshold: float
    floor: float
    max_chars: int
    batch: int
    body: Callable[[Sequence[str], bool], Mapping[str, Any]]
    vectors: Callable[[Any], Any]


def _titan_body(texts: Sequence[str], _is_query: bool) -> Mapping[str, Any]:
    return {"inputText": texts[0], "dimensions": 1024, "normalize": True}


def _cohere_body(texts: Sequence[str], is_query: bool) -> Mapping[str, Any]:
    return {
        "texts": list(texts),
        "input_type": "search_query" if is_query else "search_document",
        "truncate": "END",
    }


#: By the model id without a region's prefix. Sizes are those of Bedrock's reference: Titan takes 8,192 tokens (8,000
#: characters are fewer in every script), Cohere 96 texts of 2,048 characters.
MODELS: Final[Mapping[str, _Model]] = {
    "amazon.titan-embed-text-v2:0": _Model(
        dimension=1024,
        merge_threshold=0.86,
        match_threshold=0.45,
        floor=0.10,
        max_chars=8_000,
        batch=1,
        body=_titan_body,
        vectors=lambda answer: [answer["embedding"]],
    ),
    "cohere.embed-multilingual-v3": _Model(
        dimension=1024,
        merge_threshold=0.86,
        match_threshold=0.60,
        floor=0.30,
        max_chars=2_048,
        batch=96,
        body=_cohere_body,
        vectors=lambda answer: answer["embeddings"],
    ),
}


class BedrockEmbedder:
    """``ports.Embedder`` over a model of ``MODELS``.

    Parameters
    ----------
    client
        A boto3 client of ``bedrock-runtime``; its time-outs and retries are the caller's choice.
    model_id
        A key of ``MODELS``, with or without a region's prefix ("eu.cohere.embed-multilingual-v3").

    Raises
    ------
    ValueError
        If the model is not one of them.
    """

    def __init__(self, client: Any, model_id: str) -> None:
        known = next((name for name in MODELS if model_id == name or model_id.endswith(f".{name}")), None)
        if known is None:
            raise ValueError(f"no such embedding model: {model_id}; known are {', '.join(sorted(MODELS))}")
        self._client = client
        self._model_id = model_id
        self._model = MODELS[known]
        self._name = f"bedrock-{known}-{self._model.dimension}"

    @property
    def name(self) -> str:
        """Model name and dimension, part of every stored vector's identity."""
        return self._name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._model.dimension

    @property
    def merge_threshold(self) -> float:
        """Cosine from which two concepts may be the same (CM-3); not measured, see the module."""
        return self._model.merge_threshold

    @property
    def match_threshold(self) -> float:
        """Cosine of a question with a passage about the same thing; not measured, see the module."""
        return self._model.match_threshold

    @property
    def floor(self) -> float:
        """Typical cosine of a question with an unrelated passage; not measured, see the module."""
        return self._model.floor

    def embed_query(self, text: str) -> Vector:
        """Shape (dimension,), float32, unit length. One model call.

        Raises
        ------
        ModelUnavailable
            If the model does not answer in time, refuses, or answers with anything but a vector of its dimension.
        """
        vector: Vector = self._embed([text], is_query=True)[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), float32, unit length. One call a text on Titan, one for 96 on Cohere.

        Raises
        ------
        ModelUnavailable
            As for a query.
        """
        batch = self._model.batch
        found = [
            self._embed(texts[start : start + batch], is_query=False) for start in range(0, len(texts), batch)
        ]
        return np.vstack([np.zeros((0, self.dimension), dtype=np.float32), *found])

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> npt.NDArray[np.float32]:
        sent = [_fit(text, self._model.max_chars) for text in texts]
        try:
            response = self._client.invoke_model(
                modelId=self._model_id,
                contentType="application/json",
                accept="application/json",
                body=json.dumps(self._model.body(sent, is_query)).encode(),
            )
            answer = json.loads(response["body"].read())
            vectors = np.array(self._model.vectors(answer), dtype=np.float64)
        except (BotoCoreError, ClientError) as error:
            # Not chained: an SDK's message may quote what a student wrote.
            raise ModelUnavailable(f"{self._name}: {error_code(error)}") from None
        except (ValueError, KeyError, TypeError, IndexError):
            raise ModelUnavailable(f"{self._name} answered outside its schema") from None
        return self._unit(vectors, len(sent))

    def _unit(self, vectors: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.float32]:
        if vectors.shape != (count, self.dimension):
            raise ModelUnavailable(f"{self._name} answered with vectors of another number or dimension")
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(norms)) or np.any(norms == 0):
            raise ModelUnavailable(f"{self._name} answered with a vector that is not a direction")
        unit: npt.NDArray[np.float32] = (vectors / norms).astype(np.float32)
        return unit


def _fit(text: str, max_chars: int) -> str:
    """Return `text` as a model takes it: not blank, no lone surrogate, its beginning and end when it is too long."""
    if len(text) > max_chars:
        half = (max_chars - len(_GAP)) // 2
        text = text[:half] + _GAP + text[-half:]
    return text.encode("utf-8", "replace").decode("utf-8") if text.strip() else _BLANK
