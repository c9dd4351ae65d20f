"""What a recall answers at once: sentences as they stand, each with its evidence, nothing made up (WU-3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Final

from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.text.sentences import sentences
from anamnesis.domain.text.terms import index_terms, terms
from anamnesis.domain.wiki.addresses import episode_address
from anamnesis.domain.wiki.finding.places import Place
from anamnesis.domain.wiki.page_format import escaped

#: Longest quotation of an episode, in characters. Ours: two lines.
MAX_QUOTED_CHARS: Final = 240
#: How much of an episode is looked through for its most telling sentence, in characters.
_LOOKED_THROUGH: Final = 8_000
_WHO: Final = {
    Kind.QUESTION: "the student asked",
    Kind.ANSWER: "the tutor answered",
    Kind.TAUGHT: "the student taught",
    Kind.CHECK: "check",
    Kind.QUIZ: "quiz",
    Kind.FILE: "file",
    Kind.CONSOLIDATION: "day",
}
NO_RECORD: Final = "There is no record of this."


@dataclass(frozen=True, slots=True)
class Recollected:
    """An episode that was recalled, where it stands, and how many equal ones it stands for."""

    episode: Episode
    place: Place | None
    repeats: int


def synthesis(description: str, recalled: Sequence[Recollected], pages: Sequence[tuple[str, str]]) -> str:
    """The answer in Markdown: what happened, oldest first, each sentence with its citation, and pages to go on to.

    Parameters
    ----------
    recalled
        In the order in which they are to be told; none says that there is no record.
    pages
        Path and title of the pages of knowledge that were found, best first.
    """
    lines = [f"- [[{path.removesuffix('.md')}|{escaped(title, at_start=False)}]]" for path, title in pages]
    parts = ["Pages:\n" + "\n".join(lines)] if lines else []
    wanted = set(terms(description, detect_language(description)))
    told, references = [], []
    for number, found in enumerate(recalled, start=1):
        episode = found.episode
        day = episode.occurred_at.astimezone(UTC).date().isoformat()
        times = f" (and {found.repeats} more times like it)" if found.repeats else ""
        quoted = escaped(_most_telling(episode, wanted), most=MAX_QUOTED_CHARS, at_start=False)
        told.append(f"- {day}, {_WHO[episode.kind]}: “{quoted}”{times} [cite:{number}]")
        references.append(_reference(number, found))
    if not told:
        return "\n\n".join([NO_RECORD, *parts])
    return "\n\n".join(["\n".join(told), *parts, "\n".join(references)])


def _reference(number: int, found: Recollected) -> str:
    place = found.place
    if place is None:
        return f"{number}. `{episode_address(found.episode.pair.subject, found.episode.id)}`"
    return f"{number}. `{place.turn}` in {place.path}, line {place.line}"


def _most_telling(episode: Episode, wanted: set[str]) -> str:
    """The sentence that shares the most words with what is looked for, the first of equal ones."""
    if episode.content is None:
        return ""
    text = episode.content.text[:_LOOKED_THROUGH]
    best, most = (
        episode.content.summary,
        len(wanted & set(index_terms(episode.content.summary, episode.language))),
    )
    for sentence in sentences(text):
        shared = len(wanted & set(index_terms(sentence.text, episode.language)))
        if shared > most:
            best, most = sentence.text, shared
    return best or text
