"""Vectors of episodes, each text embedded once however many episodes say it."""

from __future__ import annotations

from collections.abc import Sequence

from anamnesis.domain.embedded_texts import episode_passage
from anamnesis.domain.log.episodes import Episode
from anamnesis.ports import Embedder, Vector


def episode_vectors(embedder: Embedder, episodes: Sequence[Episode]) -> dict[int, Vector]:
    """Embed episodes in one call; return the vectors, shape (dimension,), unit length, by position.

    The same check comes again in a class's sessions, and the same greeting: of equal passages one is embedded.
    """
    passages = [episode_passage(episode) for episode in episodes]
    distinct = list(dict.fromkeys(passages))
    if not distinct:
        return {}
    vectors = dict(zip(distinct, embedder.embed_passages(distinct), strict=True))
    return {episode.position: vectors[passage] for episode, passage in zip(episodes, passages, strict=True)}
