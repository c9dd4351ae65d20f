"""What is embedded of a concept and of an episode.

What a student or a tutor says often means little without what was said right before: "Yes, but why is it green?". An
episode's vector is therefore a mixture of two: of its own passage, and of that passage behind what came before it in
the same exchange. Whoever erases an episode has to make the vector of the one after it anew (EP-8).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from anamnesis.domain.concepts import ExtractedConcept
from anamnesis.domain.log.episodes import EXCHANGE_SECONDS, Episode

#: Characters of an episode that are embedded; common embedding models read about 512 tokens.
EMBEDDED_CHARS: Final = 2_000
#: Last characters of what came before that are embedded with an episode, and characters from which on an episode's own
#: passage stands for itself. Ours: they bound what an episode takes to three times its own passage.
BEFORE_CHARS, STANDS_ALONE_CHARS = 300, 600
#: Share of the vector of both together in an episode's vector. Ours: `anamnesis bench turns` and `named-speakers` find
#: more in ten languages with 0.2 to 0.4 than with 0 or 1, and match fewer unrelated questions; so does
#: `bench locomo`. A mixture with the vector of what came before, which would cost nothing, finds half of that.
TOGETHER_SHARE: Final = np.float32(0.3)


def concept_passage(concept: ExtractedConcept) -> str:
    """Name and gist."""
    return f"{concept.name}: {concept.gist}"


def episode_passage(episode: Episode) -> str:
    """Topic, summary and the beginning of the text, leaving out what another part says already; empty once erased."""
    if episode.content is None:
        return ""
    kept: list[str] = []
    for part in (episode.content.topic, episode.content.summary, episode.content.text[:EMBEDDED_CHARS]):
        if part and not any(part in other for other in kept):
            kept = [other for other in kept if other not in part]
            kept.append(part)
    return "\n".join(kept)[:EMBEDDED_CHARS]


def passage_together(before: Episode | None, episode: Episode) -> str | None:
    """An episode's passage behind the end of what came before it; None where it stands for itself.

    Parameters
    ----------
    before
        The episode at the position before, None where there is none.
    """
    if before is None or before.content is None:
        return None
    apart = abs((episode.occurred_at - before.occurred_at).total_seconds())
    own = episode_passage(episode)
    if apart > EXCHANGE_SECONDS or len(own) >= STANDS_ALONE_CHARS:
        return None
    return f"{episode_passage(before)[-BEFORE_CHARS:]}\n{own}"


@dataclass(frozen=True, slots=True)
class EpisodeTexts:
    """The texts whose vectors make the vectors of some episodes.

    Attributes
    ----------
    distinct
        Each text once: the same check comes again in a class's sessions, and the same greeting.
    parts
        By position: the places in `distinct` of an episode's own passage, and of both together where there is one.
    """

    distinct: tuple[str, ...]
    parts: tuple[tuple[int, int, int | None], ...]

    @classmethod
    def of(cls, episodes: Sequence[Episode], before: Iterable[Episode] = ()) -> EpisodeTexts:
        """The texts of `episodes`, with what came before each as far as it is among them or in `before`."""
        by_position = {episode.position: episode for episode in (*before, *episodes)}
        places: dict[str, int] = {}
        parts = []
        for episode in episodes:
            own = places.setdefault(episode_passage(episode), len(places))
            both = passage_together(by_position.get(episode.position - 1), episode)
            together = None if both is None else places.setdefault(both, len(places))
            parts.append((episode.position, own, together))
        return cls(tuple(places), tuple(parts))

    def vectors(self, embedded: npt.NDArray[np.float32]) -> dict[int, npt.NDArray[np.float32]]:
        """Mix the texts' vectors; return the episodes' vectors, shape (d,), unit length, by position.

        Parameters
        ----------
        embedded
            Shape (len(distinct), d), unit length: the vector of each text.
        """
        mixed: dict[int, npt.NDArray[np.float32]] = {}
        for position, own, together in self.parts:
            vector: npt.NDArray[np.float32] = embedded[own]
            if together is not None:
                both = (1 - TOGETHER_SHARE) * vector + TOGETHER_SHARE * embedded[together]
                length = np.linalg.norm(both)
                vector = both / length if length else vector
            mixed[position] = vector
        return mixed
