"""Sentences that a student said, with when and where: what facts are found in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.messages.teachings import read_teaching
from anamnesis.domain.text.folding import FoldedText, folded
from anamnesis.domain.text.sentences import Shape, sentences
from anamnesis.domain.wiki.addresses import Address

#: How much of a message is looked at, in characters: what a student says of themselves does not hide in a chapter.
READ_CHARACTERS = 4_000
#: Longest sentence that is looked at, in characters.
MAX_SENTENCE_CHARS = 400
#: How a question ends; in Chinese, Japanese and Korean often without a mark.
_ASKS = re.compile(r"(?:[?？؟]|[吗嗎呢]|か|까)[\"'”’»)\]\s。.]*$")
_OF_THE_STUDENT = frozenset({Kind.QUESTION, Kind.TAUGHT})


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of a student.

    Attributes
    ----------
    text
        As it stands, on one line; of a teaching, what was taught.
    asks
        Whether it ends as a question.
    session
        What tells one session from another: the citation's address without its part.
    """

    text: str
    fold: FoldedText
    asks: bool
    at: datetime
    subject: str
    language: str
    address: Address
    session: Address
    position: int


def said_by_student(
    subject: str, episodes: Iterable[Episode], address_of: Callable[[Episode], Address]
) -> Iterator[Said]:
    """Yield the student's sentences of `episodes`, in the order in which they were said.

    Questions about the record are left out, and so are quotations and code, which are somebody else's words.
    """
    for episode in sorted(episodes, key=lambda e: (e.occurred_at, e.position)):
        if episode.kind not in _OF_THE_STUDENT or episode.content is None or episode.about_record:
            continue
        address = address_of(episode)
        for text in _told(episode.content.text[:READ_CHARACTERS], episode.kind, episode.language):
            yield Said(
                text=text,
                fold=folded(text),
                asks=_ASKS.search(text) is not None,
                at=episode.occurred_at,
                subject=subject,
                language=episode.language,
                address=address,
                session=Address(address.scheme, address.where, address.what),
                position=episode.position,
            )


@lru_cache(maxsize=8_192)
def _told(text: str, kind: Kind, language: str) -> tuple[str, ...]:
    if kind is Kind.TAUGHT and (teaching := read_teaching(text, language=language)) is not None:
        return (teaching.statement,)
    return tuple(
        sentence.text
        for sentence in sentences(text)
        if sentence.shape in {Shape.PROSE, Shape.ITEM}
        and len(sentence.text) <= MAX_SENTENCE_CHARS
        and not text[max(0, sentence.start - 2) : sentence.start].lstrip().startswith(">")
    )
