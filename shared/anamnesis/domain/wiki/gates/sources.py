"""What stands behind a claim: words, days, numbers and beliefs of the evidence that it cites."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Final

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import Concept
from anamnesis.domain.grounding.statements import Statement, read_statement
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.text.languages import UNDETERMINED, detect_language
from anamnesis.domain.text.sentences import sentences
from anamnesis.domain.wiki.addresses import Address, Scheme
from anamnesis.domain.wiki.gates.letters import plain, words
from anamnesis.domain.wiki.gates.naming import ConceptNames
from anamnesis.domain.wiki.gates.standing import Standing

#: Beginning of a text that is compared sentence by sentence, in characters, and sentences of it at most. Ours; that a
#: quotation stands in it is looked for in all of it.
MAX_COMPARED_CHARS: Final = 20_000
MAX_COMPARED_LINES: Final = 200


@dataclass(frozen=True, slots=True)
class Source:
    """One thing that is cited.

    Attributes
    ----------
    texts
        What it says.
    names
        What it is about: topics, concepts, files.
    language
        Of its texts, BCP 47.
    days
        UTC days that it is of.
    episode
        Whose words these are; None for files and records.
    """

    texts: tuple[str, ...]
    names: tuple[str, ...]
    language: str
    days: frozenset[date]
    episode: Episode | None = None


class Witness:
    """A source made ready for comparison, once for all claims that cite it."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def plain(self) -> str:
        """All of it, as quotations are looked for in it; two texts never join."""
        return "\n".join(map(plain, (*self.source.texts, *self.source.names)))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words, of the beginning of each text."""
        told = (text[:MAX_COMPARED_CHARS] for text in (*self.source.texts, *self.source.names))
        return frozenset(word for text in told for word in words(text))

    @cached_property
    def language(self) -> str:
        """Of its texts; guessed where nobody said it."""
        if self.source.language != UNDETERMINED:
            return self.source.language
        return detect_language(" ".join(self.source.texts)[:MAX_COMPARED_CHARS])

    @cached_property
    def lines(self) -> tuple[Statement, ...]:
        """Its sentences."""
        found = [
            read_statement(sentence.text, self.language)
            for text in self.source.texts
            for sentence in sentences(text[:MAX_COMPARED_CHARS])
        ]
        return tuple(found[:MAX_COMPARED_LINES])


@dataclass(slots=True)
class Sources:
    """Finds what addresses lead to, and keeps it for the next claim."""

    standing: Standing
    _kept: dict[Address, tuple[Witness, ...]] = field(default_factory=dict)
    _by_episode: dict[str, list[Belief]] = field(default_factory=dict)
    _of_episode: dict[tuple[str, str], Witness] = field(default_factory=dict)
    _days: dict[str, frozenset[date]] = field(default_factory=dict)
    _maps: dict[str, Mapping[str, Concept]] = field(default_factory=dict)
    _named: dict[str, ConceptNames] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for subject in self.standing.evidence.subjects:
            for row in subject.beliefs:
                for episode_id in row.evidence:
                    self._by_episode.setdefault(episode_id, []).append(row)

    def at(self, addresses: Iterable[Address]) -> list[Witness]:
        """What stands at some addresses."""
        found: list[Witness] = []
        for address in addresses:
            if address not in self._kept:
                self._kept[address] = tuple(self._made(address))
            found.extend(self._kept[address])
        return found

    def beliefs(self, addresses: Iterable[Address]) -> list[Belief]:
        """Rows that cited episodes are evidence of."""
        return [
            row
            for address in addresses
            for episode in self.standing.episodes_at(address)
            for row in self._by_episode.get(episode.id, ())
        ]

    def days_of(self, subject: str) -> Collection[date]:
        """Every day on which something of a subject happened."""
        if subject not in self._days:
            found = self.standing.subjects.get(subject)
            told = found.episodes if found is not None else ()
            self._days[subject] = frozenset(_day(episode.occurred_at) for episode in told)
        return self._days[subject]

    def _made(self, address: Address) -> Iterator[Witness]:
        if address.scheme is Scheme.FILE:
            yield Witness(self._file(address))
        elif address.scheme is Scheme.CONNECTOR:
            record = self.standing.records.get((address.where, address.what))
            if record is not None:
                days = {_day(at) for at in (record.starts_at, record.fetched_at) if at is not None}
                yield Witness(
                    Source((record.title, record.text), (record.title,), UNDETERMINED, frozenset(days))
                )
        else:
            for episode in self.standing.episodes_at(address):
                key = (address.where, episode.id)
                if key not in self._of_episode:
                    self._of_episode[key] = Witness(self._episode(episode))
                yield self._of_episode[key]

    def _episode(self, episode: Episode) -> Source:
        content = episode.content
        said = () if content is None else (content.text, content.summary, content.evaluation)
        rows = self._by_episode.get(episode.id, ())
        cited = [self.standing.files.get((episode.pair.subject, c.file_id)) for c in episode.evidence]
        names = [
            content.topic if content else None,
            *self._names_of_concepts(episode, rows),
            *(file.name for file in cited if file is not None),
        ]
        days = {_day(episode.occurred_at), _day(episode.recorded_at)}
        days.update(_day(at) for row in rows for at in (row.created_at, *(step.at for step in row.history)))
        return Source(
            tuple(text for text in said if text),
            tuple(name for name in names if name),
            episode.language,
            frozenset(days),
            episode,
        )

    def _names_of_concepts(self, episode: Episode, rows: Sequence[Belief]) -> Iterator[str]:
        """What the concepts that an episode touches are called, or were, by whatever key it was recorded."""
        names = self.names(episode.pair.subject)
        tied = () if episode.outcome is None else (episode.outcome.concept,)
        for key in dict.fromkeys((*episode.concepts, *tied, *(row.concept for row in rows))):
            if key:
                yield from (key, *names.of_key(key))

    def names(self, subject: str) -> ConceptNames:
        """What the concepts of a subject are called."""
        if subject not in self._named:
            found = self.standing.subjects.get(subject)
            self._named[subject] = ConceptNames.of(found) if found is not None else ConceptNames({}, {})
        return self._named[subject]

    def _concepts(self, subject: str) -> Mapping[str, Concept]:
        if subject not in self._maps:
            found = self.standing.subjects.get(subject)
            self._maps[subject] = {} if found is None else {c.key: c for c in found.subject_map.concepts}
        return self._maps[subject]

    def _file(self, address: Address) -> Source:
        """What the map holds of a page of a file: the texts of pages themselves are no part of a compile's evidence."""
        file = self.standing.files.get((address.where, address.what))
        explained = [
            concept
            for concept in self._concepts(address.where).values()
            for source in concept.sources
            if source.file_id == address.what and (address.part is None or address.part in source.pages)
        ]
        names = {
            name for concept in explained for name in _names_of(concept, self._concepts(address.where).get)
        }
        texts = tuple(text for concept in explained for text in (concept.gist, concept.definition) if text)
        days = frozenset() if file is None else frozenset({_day(file.created_at)})
        title = () if file is None else (file.name,)
        return Source(
            texts, (*title, *sorted(names)), (file.language if file else None) or UNDETERMINED, days
        )


def _names_of(concept: Concept, known: Callable[[str], Concept | None]) -> Iterator[str]:
    yield from (concept.name, *concept.aliases, *concept.assumed)
    for key in concept.builds_on:
        other = known(key)
        yield other.name if other is not None else key


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()
