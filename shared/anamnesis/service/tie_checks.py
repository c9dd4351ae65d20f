"""The concept that a check tests, by the names of today's map and student's layer (BE-3)."""

from __future__ import annotations

from anamnesis.domain.beliefs.revision import tie_to_concept
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.log.episodes import Content
from anamnesis.domain.messages.contrasts import contrasted
from anamnesis.domain.messages.teachings import reads_like_utterance


def concept_tested(content: Content, language: str, names: NameIndex) -> str | None:
    """Canonical key of the one concept that a check or quiz is about, or None.

    Recording a check and deriving beliefs anew both ask here, so that the same words always tie alike.

    Parameters
    ----------
    content
        With its whole text, which stands for a topic that is missing.
    language
        BCP 47 language of the episode.
    """
    return tie_to_concept(
        content.topic if content.topic is not None else content.text,
        content.evaluation,
        exact=names.exact,
        named_in=lambda text: names.named_in(text, language),
        reads_like_utterance=lambda topic: reads_like_utterance(topic, language=language),
        contrasted=lambda topic: contrasted(topic, language=language),
    )
