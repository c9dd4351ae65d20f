"""Trace the claims of an answer to the files and to the memories that were recalled for it (GR-1 … GR-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from zoneinfo import ZoneInfo

from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.errors import InvalidInput, NotFound
from anamnesis.domain.grounding.answers import claims_of, ground
from anamnesis.domain.grounding.claims import AnswerParts, telling_forms
from anamnesis.domain.grounding.indexed_files import FileText
from anamnesis.domain.grounding.indexed_memories import Remembered
from anamnesis.domain.grounding.library import Library
from anamnesis.domain.grounding.values import Grounding, GroundingRecord, Stance, stored_sources
from anamnesis.domain.grounding.vocabulary import Vocabulary, vocabulary_of
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.text.terms import index_terms
from anamnesis.ports import BeliefStore, Clock, ConceptStore, EpisodeLog, RecordStore
from anamnesis.recently_used import RecentlyUsed
from anamnesis.service.deadline import Deadline
from anamnesis.service.file_texts import FileTexts, with_texts
from anamnesis.service.history import HistoryReader
from anamnesis.service.map_cache import MapCache
from anamnesis.service.withheld import Withheld

#: Characters of page texts that one request looks through, and files. Ours: what is not in a warm process takes about a
#: second a million characters to fetch and index.
MAX_SEARCHED_CHARS, MAX_SEARCHED_FILES = 6_000_000, 40
#: How long an answer's claims are looked for, in seconds; then the rest is only counted. Ours: 400 claims in a course
#: of millions of characters take about as long, and the functions that trace have more left (29 s; 90 s, of which a
#: model takes 60).
TRACE_SECONDS = 15.0
#: Memory ids that may be looked for in the whole log, for those that neither the working set nor what follows has.
MAX_LOOKED_UP = 8
#: How many episodes before an answer its question may stand.
QUESTION_WITHIN = 12
#: Vocabularies kept in a warm process.
MAX_KEPT_VOCABULARIES = 16


@dataclass(frozen=True, slots=True)
class GroundedAnswer:
    """What was found.

    Attributes
    ----------
    stored
        Whether it is kept beside an answer's episode.
    """

    grounding: Grounding
    stored: bool


@dataclass(frozen=True, slots=True)
class UnansweredQuestion:
    """A question that the files (and the memory) could not answer, or only in part."""

    question: Episode
    answer: Episode
    grounding: GroundingRecord


class _Vocabularies:
    """The subjects' own words, kept by the map's revision."""

    def __init__(self) -> None:
        self._kept: RecentlyUsed[tuple[str, int], tuple[Vocabulary, dict[str, frozenset[str]]]] = (
            RecentlyUsed(MAX_KEPT_VOCABULARIES)
        )

    def of(self, scope_key: str, subject_map: SubjectMap) -> tuple[Vocabulary, dict[str, frozenset[str]]]:
        """The vocabulary of a map, and the index terms of what it says of each file."""
        key = (scope_key, subject_map.revision)
        if (found := self._kept.get(key)) is not None:
            return found
        concepts = subject_map.concepts
        made = (
            vocabulary_of(name for c in concepts for name in (c.name, *c.aliases)),
            _said_of_files(subject_map),
        )
        self._kept.keep(key, made)
        return made


def _said_of_files(subject_map: SubjectMap) -> dict[str, frozenset[str]]:
    said: dict[str, set[str]] = {}
    for concept in subject_map.concepts:
        words = {*index_terms(" ".join((concept.name, *concept.aliases, concept.gist)), None)}
        for source in concept.sources:
            said.setdefault(source.file_id, set()).update(words)
    return {file_id: frozenset(words) for file_id, words in said.items()}


@dataclass(frozen=True, slots=True)
class GroundAnswer:
    """The use case; call it with an answer. No model is called."""

    log: EpisodeLog
    concepts: ConceptStore
    beliefs: BeliefStore
    records: RecordStore
    maps: MapCache
    histories: HistoryReader
    texts: FileTexts
    withheld: Withheld
    clock: Clock
    vocabularies: _Vocabularies = field(default_factory=_Vocabularies)

    def __call__(
        self,
        pair: Pair,
        answer: str,
        *,
        memory_ids: Sequence[str] = (),
        episode_id: str | None = None,
        zone: ZoneInfo | None = None,
        deadline: Deadline | None = None,
    ) -> GroundedAnswer:
        """Trace the claims of `answer`, and keep what was found beside its episode when it is named.

        Parameters
        ----------
        memory_ids
            Memories that were in the block; ids that this student's log has not (any more) count for nothing.
        episode_id
            The answer's own episode; the memories stored with it count as well.
        zone
            The student's; None when it is not known.
        deadline
            When to stop: what was not looked for by then is counted, and nothing is kept of an answer with such claims.

        Raises
        ------
        NotFound
            If there is no such episode, or it was erased (field ``episode_id``).
        InvalidInput
            If it is no answer (field ``episode_id``), says something else than `answer`, or has too many claims (field
            ``answer``).
        """
        deadline = deadline or Deadline.never()
        parts = claims_of(answer)
        positions = self._positions(pair, [*memory_ids, *([episode_id] if episode_id else [])])
        told = self._answer(pair, positions, episode_id, answer) if episode_id else None
        if told is not None:
            positions |= self._positions(pair, [i for i in told.memory_ids if i not in positions])
        wanted = sorted({at for key, at in positions.items() if key != episode_id})
        remembered = Remembered(
            episodes=tuple(e for e in self._read(pair, wanted) if e.content is not None),
            beliefs=tuple(self.beliefs.current(pair)) if parts.claims else (),
            now=told.occurred_at if told is not None else self.clock.now(),
            zone=zone,
        )
        vocabulary, said_of = self.vocabularies.of(pair.scope.key, self.maps.load(pair.scope))
        texts, left_out = self._texts(pair, parts, said_of, told, deadline)
        found = ground(
            parts,
            Library(texts, vocabulary),
            remembered,
            vocabulary,
            has_time=lambda: deadline.left() > 0,
        )
        found = replace(found, files_not_searched=left_out)
        return GroundedAnswer(found, stored=told is not None and self.keep(pair, told, found))

    def keep(self, pair: Pair, told: Episode, found: Grounding) -> bool:
        """Keep what was found of an answer beside its episode, if all of its claims were looked for."""
        if found.claims_not_searched:
            return False
        self.records.save_grounding(pair, self._record(pair, told, found))
        return True

    def unanswered(self, pair: Pair) -> list[UnansweredQuestion]:
        """Questions whose stored answers could not answer them, or only in part, oldest first; erased ones left out."""
        lacking = [
            found
            for found in self.records.groundings(pair)
            if found.stance is not Stance.ANSWERED and found.question is not None
        ]
        wanted = sorted({at for found in lacking for at in (found.position, found.question or 0)})
        told = {e.position: e for e in self._read(pair, wanted) if e.content is not None}
        return [
            UnansweredQuestion(told[found.question], told[found.position], found)
            for found in lacking
            if found.question in told and found.position in told
        ]

    # ------------------------------------------------------------------ the record
    def _read(self, pair: Pair, positions: Sequence[int]) -> list[Episode]:
        """Episodes, of which those that are being erased say nothing any more."""
        return (
            self.withheld.left_out(pair, self.log.read(pair, positions), self.log.head(pair))
            if positions
            else []
        )

    def _positions(self, pair: Pair, ids: Collection[str]) -> dict[str, int]:
        """Where the episodes of these ids stand in this pair's log; others are left out."""
        wanted = set(ids)
        if not wanted:
            return {}
        found: dict[str, int] = {}
        for segment in self.histories.load(pair).segments:
            for row, name in enumerate(segment.ids.tolist()):
                if (known := name.decode("ascii", "replace")) in wanted:
                    found[known] = segment.first_position + row
        for missing in [name for name in ids if name not in found][:MAX_LOOKED_UP]:
            at = self.log.position_of(pair, missing)
            if at is not None:
                found[missing] = at
        return found

    def _answer(self, pair: Pair, positions: dict[str, int], episode_id: str, answer: str) -> Episode:
        at = positions.get(episode_id)
        found = self._read(pair, [at]) if at is not None else []
        if not found or found[0].content is None:
            raise NotFound("no such episode", field="episode_id")
        [episode] = found
        if episode.kind is not Kind.ANSWER:
            raise InvalidInput("is not an answer", field="episode_id")
        if (episode.content.text if episode.content else "").split() != answer.split():
            raise InvalidInput("is not what the episode says", field="answer")
        return episode

    def _record(self, pair: Pair, told: Episode, found: Grounding) -> GroundingRecord:
        return GroundingRecord(
            episode_id=told.id,
            position=told.position,
            question=self._question(pair, told),
            stance=found.stance,
            claims=len(found.claims),
            traced=found.traced,
            says_missing=found.says_missing,
            sources=stored_sources(found.claims),
            grounded_at=self.clock.now(),
        )

    def _question(self, pair: Pair, told: Episode) -> int | None:
        """Where the question stands that an answer follows: the last one before it in its session."""
        before = range(max(1, told.position - QUESTION_WITHIN), told.position)
        for episode in reversed(self.log.read(pair, before, with_text=False)):
            if episode.kind is Kind.QUESTION and episode.session_id == told.session_id:
                return episode.position
        return None

    # ------------------------------------------------------------------ the files
    def _texts(
        self,
        pair: Pair,
        parts: AnswerParts,
        said_of: dict[str, frozenset[str]],
        told: Episode | None,
        deadline: Deadline,
    ) -> tuple[list[FileText], int]:
        """The files to look through, the most promising first, and how many there was no room for."""
        if not parts.claims:
            return [], 0
        standing = with_texts(self.concepts.files(pair.scope))
        cited = {c.file_id for c in told.evidence} if told is not None else set()
        forms = telling_forms(parts.claims)
        shared = Counter({r.id: len(forms & said_of.get(r.id, frozenset())) for r in standing})
        order = sorted(
            standing, key=lambda r: (r.id not in cited, -shared[r.id], not self.texts.kept(r), r.id)
        )
        texts: list[FileText] = []
        chars = 0
        begun = deadline.left()
        for record in order[:MAX_SEARCHED_FILES]:
            # The second half of the time is for looking.
            if chars >= MAX_SEARCHED_CHARS or deadline.left() * 2 <= begun < inf:
                break
            text = self.texts.load(record)
            chars += text.chars
            texts.append(
                replace(text, file_id=record.id, name=record.name) if text.file_id != record.id else text
            )
        return texts, len(order) - len(texts)
