"""What is embedded of a concept and of an episode."""

from __future__ import annotations

from anamnesis.domain.concepts import ExtractedConcept
from anamnesis.domain.log.episodes import Episode

#: Characters of an episode that are embedded; common embedding models read about 512 tokens.
EMBEDDED_CHARS = 2_000


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
