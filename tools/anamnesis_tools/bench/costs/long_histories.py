"""Histories of any length in their stored forms, as an append and a night leave them, for measuring turns over them.

Rows, heads and receipts are written by the store's own append, and the working set by its own format. What a use case
would take besides is left out: no episode of the covered past is embedded by itself (of each of some sixty texts the
vector is made once, and each episode's is that one, moved towards what it says besides), and vectors have rows of their
own only behind the working set, where a turn reads them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from anamnesis.bootstrap import Application
from anamnesis.domain.beliefs import Belief, ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.concepts import Contribution, ExtractedConcept, Extraction, TaughtNote
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.subject_map import build_map
from anamnesis.domain.concepts.values import StudentLayer
from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis.domain.log.chain import EMPTY_HEAD, committed, linked
from anamnesis.domain.log.episodes import (
    MAX_BATCH,
    AppendReceipt,
    Citation,
    Content,
    Episode,
    Head,
    Kind,
    Outcome,
)
from anamnesis.domain.log.progress import Progress
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import build_segment, concatenate, quantise
from anamnesis_tools.bench.costs.books import LANGUAGES
from anamnesis_tools.bench.said_episodes import said_episode
from anamnesis_tools.demo import story

SEED = 20260921
#: Concepts of the subject's map.
CONCEPTS = 300
#: Concepts in a file.
CONCEPTS_A_FILE = 60
FILES = CONCEPTS // CONCEPTS_A_FILE
#: Beliefs of a student at most, and one for so many episodes.
MOST_BELIEFS, EPISODES_A_BELIEF = 100, 25
#: Notes that a student taught.
TAUGHT = 5
#: Rows of a working set that are made at once.
ROWS_AT_ONCE = 5_000
#: How far an episode's vector is moved from its lesson's towards that of the word it says besides.
MOVED = 0.35
LAST_DAY = datetime(2026, 9, 21, 8, tzinfo=UTC)
DAYS = 240
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Said:
    """One text of a lesson and its vector, unit length."""

    kind: Kind
    text: str
    topic: str
    language: str
    vector: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a history is not like in any other.

    Attributes
    ----------
    today
        How many of the latest happened on ``LAST_DAY``, a minute apart.
    of_a_day
        Of how many of the others, the night's own included, a day consists; 0 when they are spread evenly, and no night
        has written anything.
    cited
        Whether answers cite a page of the map's files.
    """

    today: int = 0
    of_a_day: int = 0
    cited: bool = False


class HistoryWriter:
    """Writes histories of one subject through an application's stores."""

    def __init__(self, application: Application, scope: SubjectScope) -> None:
        self._application = application
        self._scope = scope

    @cached_property
    def _lessons(self) -> list[Said]:
        embedder = self._application.embedder
        told: list[tuple[Kind, str, str, str]] = []
        for lesson in json.loads((story.HERE / "lessons.json").read_text(encoding="utf-8")):
            question, answer = lesson["turns"][0]
            again = lesson["turns"][1][0]
            texts = ((Kind.QUESTION, question), (Kind.ANSWER, answer), (Kind.CHECK, lesson["check"][0]))
            told += [(kind, text, lesson["topic"], lesson["language"]) for kind, text in texts]
            told.append((Kind.QUESTION, again, lesson["topic"], lesson["language"]))
        vectors = embedder.embed_passages([text for _, text, _, _ in told])
        return [Said(*what, vector) for what, vector in zip(told, vectors, strict=True)]

    def write_map(self) -> None:
        """Publish a map of ``CONCEPTS`` concepts: the lessons' topics, and made-up terms."""
        embedder, chance = self._application.embedder, np.random.default_rng(SEED)
        topics = list(dict.fromkeys(said.topic for said in self._lessons))
        names = [*topics, *terms()[: CONCEPTS - len(topics)]]
        vectors = chance.normal(size=(CONCEPTS, embedder.dimension)).astype(np.float32)
        vectors[: len(topics)] = embedder.embed_passages(topics)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        files, contributions = {}, []
        for number, rows in enumerate(_batches(range(CONCEPTS), CONCEPTS_A_FILE)):
            file_id, fingerprint = f"file-{number}", f"{number:064x}"
            files[file_id] = FileRecord(
                file_id, self._scope, f"chapter {number}.md", "text/markdown", 9_000, "bench", LAST_DAY,
                FileStatus.READ, fingerprint=fingerprint, pages=30, language="en",
            )  # fmt: skip
            concepts = tuple(
                ExtractedConcept(
                    name=names[row],
                    gist=f"What is called {names[row]} keeps its place among the others of this chapter.",
                    definition=f"{names[row]} is one of the things that this chapter explains.",
                    builds_on=tuple(names[before] for before in range(max(rows[0], row - 2), row)),
                    assumed=(),
                    pages=(1 + row % 30,),
                )
                for row in rows
            )
            keys = tuple(canonical_key(concept.name) for concept in concepts)
            contributions.append(
                Contribution(
                    file_id, fingerprint, Extraction("en", "bench", concepts, ()), keys, vectors[list(rows)],
                    embedder.name,
                )
            )  # fmt: skip
        self._ports.concepts.save_map(
            self._scope,
            build_map(
                contributions,
                files=files,
                revision=1,
                embedder=embedder.name,
                merge_threshold=2.0,
                dimension=embedder.dimension,
            ),
        )

    def write(
        self, pair: Pair, length: int, *, behind: int, seed: int = 0, shape: Shape | None = None
    ) -> Iterator[int]:
        """Write a history of `length` episodes over eight months; yield how many there are after each batch.

        Parameters
        ----------
        behind
            How many of the latest the working set does not cover.
        seed
            Another one makes another history.
        shape
            What of it is not like in any other; by default nothing.
        """
        ports, embedder = self._ports, self._application.embedder
        head, rows, vectors = EMPTY_HEAD, list[Episode](), dict[int, npt.NDArray[np.int8]]()
        segment: Segment | None = None
        covered = length - behind
        for some in _batches(self._episodes(pair, length, seed, shape or Shape()), MAX_BATCH):
            episodes = linked([committed(episode) for episode, _ in some], head)
            last = episodes[-1]
            receipt = AppendReceipt(f"bench-{last.position}", "", episodes[0].position, last.position)
            ports.log.append(pair, episodes, head, receipt)
            head = Head(last.position, last.hash)
            rows += episodes
            made = quantise(np.stack([vector for _, vector in some]))
            vectors |= {e.position: vector for e, vector in zip(episodes, made, strict=True)}
            if len(rows) >= ROWS_AT_ONCE or last.position == length:
                inside = [episode for episode in rows if episode.position <= covered]
                if inside:
                    built = build_segment(
                        inside,
                        first_position=inside[0].position,
                        vectors=vectors,
                        embedder=embedder.name,
                        dimension=embedder.dimension,
                    )
                    segment = built if segment is None else concatenate(segment, built)
                tail = {p: vector for p, vector in vectors.items() if p > covered}
                ports.records.save_vectors(pair, tail, embedder.name)
                rows, vectors = [], {}
            yield last.position
        if segment is not None:
            ports.records.save_working_set(pair, segment)
        self._write_projections(pair, length)

    def _episodes(
        self, pair: Pair, length: int, seed: int, shape: Shape
    ) -> Iterator[tuple[Episode, npt.NDArray[np.float32]]]:
        chance = np.random.default_rng([SEED, seed, length])
        words, lessons = terms(), self._lessons
        frequency = 1 / np.arange(1, len(words) + 1)
        chosen = chance.choice(len(words), size=length, p=frequency / frequency.sum()).tolist()
        told = chance.integers(len(lessons), size=length).tolist()
        passed = (chance.random(length) < 0.6).tolist()
        before = length - shape.today
        step, first = timedelta(days=DAYS) / max(before, 1), LAST_DAY - timedelta(days=DAYS)
        for number in range(length):
            said, word = lessons[told[number]], words[chosen[number]]
            check = said.kind is Kind.CHECK
            text = f"{said.text} Think of the {word} in part {number} too."
            moved = said.vector + MOVED * _direction(chosen[number], len(said.vector))
            topic, outcome = canonical_key(said.topic), None
            if check:
                outcome = Outcome(passed[number], float(passed[number]), topic, 0.5)
            at, kind = first + number * step, said.kind
            if number >= before:
                at = LAST_DAY + timedelta(minutes=number - before)
            elif shape.of_a_day:
                place = number % shape.of_a_day
                at = first + (number - place) * step + timedelta(minutes=place)
                if place == shape.of_a_day - 1 or number == before - 1:
                    kind, check, outcome = Kind.CONSOLIDATION, False, None
            evidence: tuple[Citation, ...] = ()
            if shape.cited and kind is Kind.ANSWER:
                file = number % FILES
                evidence = (Citation(f"file-{file}", 1 + number % 30, f"{file:064x}"),)
            yield (
                said_episode(
                    pair,
                    0,
                    kind,
                    at,
                    Content(text[:200], text, topic=said.topic if check else None),
                    said.language,
                    id=f"{seed:013d}{number:013d}",
                    salt=f"{number:032x}",
                    concepts=(topic, canonical_key(word)),
                    session_id=f"s{number // 12}",
                    outcome=outcome,
                    evidence=evidence,
                ),
                moved,
            )

    def _write_projections(self, pair: Pair, length: int) -> None:
        """A belief about every so many episodes, and a few notes that the student taught."""
        beliefs = [
            Belief(
                id=f"belief-{number:04d}",
                pair=pair,
                concept=canonical_key(name),
                concept_name=name,
                claim=(Claim.UNDERSTANDS, Claim.STRUGGLES_WITH)[number % 2],
                confidence=0.5 + number % 40 / 100,
                needs_confirmation=number % 9 == 0,
                evidence=(f"{0:013d}{number:013d}",),
                created_at=LAST_DAY,
                history=(ConfidenceChange(LAST_DAY, 0.5, ChangeReason.CHECK, f"{0:013d}{number:013d}"),),
            )
            for number, name in enumerate(terms()[: min(MOST_BELIEFS, length // EPISODES_A_BELIEF)])
        ]
        progress = Progress(length)
        self._ports.beliefs.save(
            pair, inserted=beliefs, changed=(), projected_to=progress, expected=Progress()
        )
        taught = {
            canonical_key(name): (TaughtNote(f"we call the {name} our number {n}", f"{0:026d}", n + 1),)
            for n, name in enumerate(terms()[:TAUGHT])
        }
        layer = StudentLayer(taught=taught, own_concepts={canonical_key(n): n for n in terms()[:TAUGHT]})
        self._ports.concepts.save_layer(pair, layer, projected_to=progress, expected=Progress())

    @property
    def _ports(self) -> Any:
        """The stores behind the block: the use case holds them, and they write as well as read."""
        return self._application.read_block


def _batches(values: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    iterator = iter(values)
    while some := tuple(islice(iterator, size)):
        yield some


@cache
def terms() -> Sequence[str]:
    """Made-up terms in two words, by how often they are said."""
    return LANGUAGES["en"].terms()


@cache
def _direction(number: int, dimension: int) -> npt.NDArray[np.float32]:
    vector = np.random.default_rng([SEED, number]).normal(size=dimension).astype(np.float32)
    unit: npt.NDArray[np.float32] = vector / np.linalg.norm(vector)
    return unit
