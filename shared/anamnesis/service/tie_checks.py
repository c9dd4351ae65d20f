"""The concept that a check tests, by the names of today's map and student's layer (BE-3)."""

from __future__ import annotations

from anamnesis.domain.beliefs.revision import tie_to_concept
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.log.episodes import Content
from anamnesis.domain.messages.contrasts import contrasted
from anamnesis.domain.messages.teachings import reads_like_utterance


def concept_tested(content: Content, language: str, names: NameIndex) -> str | None:
    """Canonical key of the one concept that a check or quiz is about, or None.

    Recording a check and deriving beliefs anew both ask here, so that the same words always tie alike. Whoever teaches
    what "ask me the questions" stands for has made it a name; that makes it no idea that one understands.

    Parameters
    ----------
    content
        With its whole text, which stands for a topic that is missing.
    language
        BCP 47 language of the episode.
    """

    def is_idea(key: str) -> bool:
        name = names.taught_only.get(key)
        return name is None or not reads_like_utterance(name, language=language)

    def exact(topic: str) -> str | None:
        key = names.exact(topic)
        return key if key is not None and is_idea(key) else None

    return tie_to_concept(
        content.topic if content.topic is not None else content.text,
        content.evaluation,
        exact=exact,
        named_in=lambda text: tuple(filter(is_idea, names.named_in(text, language))),
        reads_like_utterance=lambda topic: reads_like_utterance(topic, language=language),
        contrasted=lambda topic: contrasted(topic, language=language),
    )
