"""Vectors of episodes, each text embedded once however many episodes say it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anamnesis.domain.embedded_texts import EpisodeTexts
from anamnesis.domain.log.episodes import Episode
from anamnesis.ports import Embedder, Vector


def episode_vectors(
    embedder: Embedder, episodes: Sequence[Episode], before: Iterable[Episode] = ()
) -> dict[int, Vector]:
    """Embed episodes in one call; return the vectors, shape (dimension,), unit length, by position.

    Parameters
    ----------
    before
        Episodes that stand right before one of `episodes` and are not among them.
    """
    texts = EpisodeTexts.of(episodes, before)
    if not texts.distinct:
        return {}
    return texts.vectors(embedder.embed_passages(list(texts.distinct)))


def with_those_before(positions: Iterable[int]) -> list[int]:
    """`positions` and the ones right before each, ascending: what has to be read to embed the episodes there."""
    wanted = set(positions)
    return sorted(wanted | {position - 1 for position in wanted if position > 1})


def with_those_behind(positions: Iterable[int]) -> set[int]:
    """`positions` and the ones right behind each: whose vectors tell of the episodes there."""
    told = set(positions)
    return told | {position + 1 for position in told}
