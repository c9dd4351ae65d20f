"""Vectors of meaning, and the neighbours that they find."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from anamnesis.domain.identifiers import Pair

Vector = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Maps text to unit vectors; every threshold belongs to one embedder."""

    @property
    def name(self) -> str:
        """Model name, part of every stored vector's identity."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def merge_threshold(self) -> float:
        """Cosine from which two concepts may be the same (CM-3), calibrated on labelled pairs for this model."""

    @property
    def match_threshold(self) -> float:
        """Cosine of a question with a passage from which they are about the same thing, calibrated for this model."""

    @property
    def floor(self) -> float:
        """Typical cosine of a question with an unrelated passage: what counts as no similarity at all."""

    def embed_query(self, text: str) -> Vector:
        """Shape (dimension,), float32, unit length. One model call."""

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), float32, unit length."""


class SemanticIndex(Protocol):
    """Semantic neighbours over a pair's whole history from an external index, when one is configured."""

    def add(self, pair: Pair, vectors: Mapping[int, Vector]) -> None:
        """Index episodes by position; the same position again replaces."""

    def remove(self, pair: Pair, positions: Collection[int]) -> None:
        """Take episodes out; nothing happens for those that are not there."""

    def neighbours(
        self, pair: Pair, query: Vector, count: int, *, timeout_seconds: float
    ) -> list[tuple[int, float]]:
        """Positions and cosines of the nearest episodes of this pair, nearest first."""
