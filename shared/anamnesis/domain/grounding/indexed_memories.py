"""What is remembered, read once for all claims of an answer: its words, its figures, and what was taught in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest
from zoneinfo import ZoneInfo

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.grounding.statements import Statement, read_statement
from anamnesis.domain.grounding.vocabulary import Words
from anamnesis.domain.log.episodes import Content, Episode, Kind
from anamnesis.domain.text.sentences import sentences

#: Beginning of an episode's text that is compared, in characters, and of it the sentences of a taught note.
_READ_CHARS = 20_000
#: Kinds whose words may support a claim about the subject: what the student taught, and what a check or quiz said. An
#: earlier answer is no source for the next one, or the tutor would end up citing itself.
_SOURCES = frozenset({Kind.TAUGHT, Kind.CHECK, Kind.QUIZ})
#: Sentences of them that are compared with one claim in full: those that share most of its words and numbers. Ours:
#: twice as many as of files, since all words weigh the same here.
LINES_A_CLAIM = 20


@dataclass(frozen=True, slots=True)
class Remembered:
    """What a claim may be traced to beside the files.

    Attributes
    ----------
    zone
        The student's, None when it is not known.
    now
        When the answer was given, by which "last week" counts.
    """

    episodes: tuple[Episode, ...]
    beliefs: tuple[Belief, ...]
    now: datetime
    zone: ZoneInfo | None


class IndexedMemories:
    """What is remembered, for the claims of one answer.

    With every memory read anew for each claim, an answer of hundreds of claims took most of a minute beside forty of
    them.
    """

    def __init__(self, remembered: Remembered) -> None:
        self.remembered = remembered
        self._words: dict[str, Words] = {}
        self._figures: dict[str, frozenset[float]] = {}
        self._beliefs: dict[str, list[tuple[Belief, list[frozenset[str]]]]] = {}
        self._taught: dict[str, _Taught] = {}

    def words(self, episode: Episode) -> Words:
        """What an episode names: its topic, summary, text, concepts and evaluation."""
        if episode.id not in self._words:
            content = episode.content
            said = (*_told(content), *episode.concepts, content.evaluation) if content else ()
            text = "\n".join(filter(None, said))[:_READ_CHARS]
            self._words[episode.id] = Words(read_statement(text, episode.language).units)
        return self._words[episode.id]

    def figures(self, episode: Episode) -> frozenset[float]:
        """Every value of a number in an episode's topic, summary, text and evaluation."""
        if episode.id not in self._figures:
            content = episode.content
            said = (*_told(content), content.evaluation) if content else ()
            numbers = read_statement("\n".join(filter(None, said)), episode.language).numbers
            self._figures[episode.id] = frozenset(value for number in numbers for value in number.values)
        return self._figures[episode.id]

    def beliefs(self, language: str) -> list[tuple[Belief, list[frozenset[str]]]]:
        """What is believed, with the words of each concept's name as of a language."""
        if language not in self._beliefs:
            self._beliefs[language] = [
                (belief, [forms for forms, _ in read_statement(belief.concept_name, language).units])
                for belief in self.remembered.beliefs
            ]
        return self._beliefs[language]

    def lines_for(self, claim: Statement) -> list[tuple[Episode, Statement]]:
        """Sentences about the subject that share most with a claim, the most first, read as of its language."""
        if claim.language not in self._taught:
            self._taught[claim.language] = _Taught(self.remembered.episodes, claim.language)
        return self._taught[claim.language].nearest(claim)


def _told(content: Content) -> tuple[str | None, ...]:
    return content.topic, content.summary, content.text[:_READ_CHARS]


class _Taught:
    """What was said of the subject, read as of one language."""

    def __init__(self, episodes: Iterable[Episode], language: str) -> None:
        self._lines = [
            (episode, read_statement(sentence.text, language))
            for episode in episodes
            if episode.kind in _SOURCES and episode.content is not None
            for sentence in sentences(_said(episode.kind, episode.content)[:_READ_CHARS])
        ]
        read = [line for _, line in self._lines]
        self._words = Words((forms, number) for number, line in enumerate(read) for forms, _ in line.units)
        self._values: dict[float, set[int]] = {}
        for number, line in enumerate(read):
            for value in {value for figure in line.numbers for value in figure.values}:
                self._values.setdefault(value, set()).add(number)

    def nearest(self, claim: Statement) -> list[tuple[Episode, Statement]]:
        if not claim.units and not claim.numbers:
            # What is said in function words, or in single characters, alone can be quoted all the same.
            return self._lines
        shared: Counter[int] = Counter()
        for forms, _ in claim.units:
            shared.update(self._words.holding(forms))
        for value in {value for number in claim.numbers for value in number.values}:
            shared.update(self._values.get(value, ()))
        best = nsmallest(LINES_A_CLAIM, shared, key=lambda number: (-shared[number], number))
        return [self._lines[number] for number in best]


def _said(kind: Kind, content: Content) -> str:
    return content.text if kind is Kind.TAUGHT else content.evaluation or ""
