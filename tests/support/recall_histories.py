"""Histories for the tests of recall: episodes in a line each, and the segments they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Content, Episode, Kind, Outcome, salience_of
from anamnesis.domain.recall import Recalled, RecallQuery, question_words, recall
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import build_segment, quantise

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DIMENSION = 16
FLOOR, MATCH = 0.2, 0.6
Vectors = Mapping[int, npt.NDArray[np.int8]]


def episode(
    position: int,
    text: str,
    *,
    kind: str = "question",
    at: datetime | None = None,
    days_ago: float = 1.0,
    concepts: Sequence[str] = (),
    language: str = "en",
    correct: bool | None = None,
    about_record: bool = False,
    topic: str | None = None,
    summary: str | None = None,
    erased: bool = False,
) -> Episode:
    happened = at or NOW - timedelta(days=days_ago)
    return Episode(
        id=f"E{position:025d}",
        pair=Pair("school", "ana", "biology"),
        position=position,
        kind=Kind(kind),
        occurred_at=happened,
        recorded_at=happened,
        content=None if erased else Content(text[:300] if summary is None else summary, text, topic),
        salt=None,
        commitment="",
        concepts=tuple(concepts),
        salience=salience_of(Kind(kind), correct=correct),
        language=language,
        session_id=None,
        outcome=None if correct is None else Outcome(correct, float(correct), None, None),
        evidence=(),
        memory_ids=(),
        about_record=about_record,
        previous_hash="",
        hash="",
    )


def segment(episodes: Sequence[Episode], vectors: Vectors | None = None, first_position: int = 1) -> Segment:
    return build_segment(
        episodes, first_position=first_position, vectors=vectors or {}, embedder="test", dimension=DIMENSION
    )


def direction(*parts: float) -> npt.NDArray[np.float32]:
    """A unit vector with these first components."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[: len(parts)] = parts
    return vector / np.linalg.norm(vector)


def stored(**vectors: npt.NDArray[np.float32]) -> dict[int, npt.NDArray[np.int8]]:
    """Quantised vectors by position, written ``p3=direction(…)``."""
    return {int(name[1:]): quantise(vector) for name, vector in vectors.items()}


def asking(text: str, *, language: str = "en", **fields: Any) -> RecallQuery:
    return RecallQuery(words=question_words(text, language), **{"now": NOW, **fields})


def recalled(segments: Sequence[Segment], query: RecallQuery, *, limit: int = 20, **options: Any) -> Recalled:
    scale = {"embedder_floor": FLOOR, "match_threshold": MATCH}
    return recall(segments, query, limit=limit, **{**scale, **options})


def positions(found: Recalled) -> list[int]:
    return [memory.position for memory in found.memories]
