"""Episodes of histories that are measured: told by what an evaluation is about, plain in everything else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from anamnesis.domain.concepts import StudentLayer, empty_map
from anamnesis.domain.embedded_texts import EpisodeTexts
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Content, Episode, Kind, salience_of
from anamnesis.domain.wiki.evidence import SubjectEvidence, WikiEvidence
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import build_segment, quantise
from anamnesis.ports import Embedder

#: Longest summary of what was said.
SUMMARY_CHARS = 300


def said_episode(
    pair: Pair, position: int, kind: Kind, at: datetime, content: str | Content, language: str, **more: Any
) -> Episode:
    """An episode that is linked to no chain.

    Parameters
    ----------
    at
        When it happened and was recorded.
    content
        A text alone is summed up by its beginning.
    more
        Attributes of ``Episode`` that matter besides.
    """
    if isinstance(content, str):
        content = Content(summary=content[:SUMMARY_CHARS], text=content)
    plain: dict[str, Any] = {
        "id": f"{position:026d}",
        "salt": None,
        "commitment": "",
        "concepts": (),
        "session_id": None,
        "outcome": None,
        "evidence": (),
        "memory_ids": (),
        "about_record": False,
        "previous_hash": "",
        "hash": "",
    }
    if "salience" not in more:
        outcome = more.get("outcome")
        plain["salience"] = salience_of(kind, correct=outcome.correct if outcome else None)
    return Episode(
        pair=pair,
        position=position,
        kind=kind,
        occurred_at=at,
        recorded_at=at,
        content=content,
        language=language,
        **(plain | more),
    )


def wiki_of(episodes: Sequence[Episode]) -> Tree:
    """The wiki of one pair's history without files, as the deterministic writer makes it."""
    pair = episodes[0].pair
    subject = SubjectEvidence(pair, tuple(episodes), (), empty_map(), StudentLayer(), {})
    return DeterministicWriter().write(WikiEvidence(pair.student_scope, (subject,)), {})


def segment_of(episodes: Sequence[Episode], embedder: Embedder) -> Segment:
    """A whole history as one segment of a working set; the first episode stands at position 1."""
    texts = EpisodeTexts.of(episodes)
    vectors = texts.vectors(embedder.embed_passages(texts.distinct))
    return build_segment(
        episodes,
        first_position=1,
        vectors={position: quantise(vector) for position, vector in vectors.items()},
        embedder=embedder.name,
        dimension=embedder.dimension,
    )
