"""One turn's memory block: fetch in parallel under a deadline, recall over the whole history, compose (BL-1 … BL-8)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.block import BlockMaterial, BlockWindow, Memory, compose_block
from anamnesis.domain.concepts import StudentLayer, SubjectMap
from anamnesis.domain.episodes import Episode
from anamnesis.domain.errors import AnamnesisError
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.intents import Intent, QuestionIntent, read_intent
from anamnesis.domain.languages import detect_language
from anamnesis.domain.map_view import map_lines
from anamnesis.domain.recall import Focus, Recalled, RecallQuery, question_words, recall
from anamnesis.domain.routing import NameIndex, route_by_similarity
from anamnesis.domain.time_windows import TimeWindow, find_window
from anamnesis.domain.verification import label_of
from anamnesis.domain.working_set import Segment
from anamnesis.ports import (
    BeliefStore,
    ConceptStore,
    Embedder,
    EpisodeLog,
    RecordStore,
    SemanticIndex,
    Vector,
)
from anamnesis.service.deadline import Deadline
from anamnesis.service.history import HistoryReader
from anamnesis.service.map_cache import MapCache

#: BL-3, end to end. The shares are what each phase must leave for the ones after it.
DEADLINE_SECONDS = 2.5
_RESERVE_AFTER_FETCH = 0.7
_RESERVE_AFTER_NEIGHBOURS = 0.5
_RESERVE_AFTER_ROWS = 0.15
#: Memories recalled before the budget cuts; one batch read of DynamoDB takes 100.
RECALLED = 48
#: Semantic neighbours asked of an external index.
NEIGHBOURS = 100
#: Beliefs considered for one block.
BELIEFS = 16
#: Characters of a question that are embedded and searched for words; the rest of a pasted text adds little.
QUESTION_CHARS = 4_000
#: Concepts that a question without a name in it may be routed to.
ROUTED = 4

LAYERS = frozenset(
    {
        "map",
        "beliefs",
        "self_model",
        "routing",
        "pool.recent",
        "pool.terms",
        "pool.concepts",
        "pool.semantic",
        "gate",
        "folding",
        "time_filter",
    }
)

logger = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BlockRequest:
    """What a turn asks.

    Attributes
    ----------
    now
        Aware; what happened later does not exist for this block.
    switch_off
        Names from ``LAYERS`` to leave out, for ablations (EV-5).
    """

    pair: Pair
    question: str
    zone: ZoneInfo
    budget_tokens: int
    now: datetime
    switch_off: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BlockReply:
    """The block, None when dropped, and how it came about."""

    block: str | None
    memory_ids: tuple[str, ...]
    tokens: int
    intent: Intent
    window: TimeWindow | None
    window_empty: bool
    matched: bool
    routed: tuple[str, ...]
    degraded: tuple[str, ...]
    gate_dropped: int

    @property
    def dropped(self) -> bool:
        """Whether the turn goes on without a memory block."""
        return self.block is None


class Sources:
    """What a turn fetches at once. A source that is late or fails is left out and named (BL-3)."""

    def __init__(self, executor: Executor, deadline: Deadline) -> None:
        self._executor = executor
        self._deadline = deadline
        self._started: dict[str, Future[Any]] = {}
        self.degraded: list[str] = []

    def left(self, *, reserve: float) -> float:
        """Seconds left for the turn beyond `reserve`."""
        return self._deadline.left(reserve=reserve)

    def start(self, name: str, fetch: Callable[[], Any]) -> None:
        """Begin fetching."""
        self._started[name] = self._executor.submit(fetch)

    def take(self, name: str, otherwise: T, *, reserve: float) -> T:
        """The source's result, or `otherwise` when it was not started, failed, or is late."""
        future: Future[T] | None = self._started.get(name)
        if future is None:
            return otherwise
        try:
            return future.result(timeout=self._deadline.left(reserve=reserve))
        except FutureTimeout:
            future.cancel()
            reason = "late"
        except AnamnesisError as error:
            reason = type(error).__name__
        logger.warning("source_left_out", extra={"source": name, "reason": reason})
        self.degraded.append(name)
        return otherwise


@dataclass(frozen=True, slots=True)
class ReadBlock:
    """The use case; call it with a request."""

    log: EpisodeLog
    beliefs: BeliefStore
    concepts: ConceptStore
    records: RecordStore
    embedder: Embedder
    semantic_index: SemanticIndex | None
    maps: MapCache
    histories: HistoryReader
    executor: Executor
    monotonic: Callable[[], float]

    def __call__(self, request: BlockRequest, *, deadline: Deadline | None = None) -> BlockReply:
        """Compose the block, or drop it when the history does not arrive in time.

        Parameters
        ----------
        deadline
            From the caller's clock; by default ``DEADLINE_SECONDS`` from now.
        """
        deadline = deadline or Deadline.after(DEADLINE_SECONDS, self.monotonic)
        sources = Sources(self.executor, deadline)
        asked = understand(request)
        self._start(request, asked, sources)
        segments: tuple[Segment, ...] | None = sources.take("history", None, reserve=_RESERVE_AFTER_FETCH)
        subject_map: SubjectMap | None = sources.take("map", None, reserve=_RESERVE_AFTER_FETCH)
        layer = sources.take("layer", StudentLayer(), reserve=_RESERVE_AFTER_FETCH)
        beliefs: list[Belief] = sources.take("beliefs", [], reserve=_RESERVE_AFTER_FETCH)
        self_model = sources.take("self_model", None, reserve=_RESERVE_AFTER_FETCH)
        vector: Vector | None = sources.take("embedder", None, reserve=_RESERVE_AFTER_FETCH)
        if segments is None:
            # Without the log nothing honest can be said about the past, not even that there is none.
            return self._dropped(asked, sources)
        routed = self._route(request, asked, subject_map, layer, vector)
        recalled = self._recall(request, asked, segments, routed, vector, sources)
        memories = self._memories(request.pair, recalled, subject_map, sources)
        if memories is None:
            return self._dropped(asked, sources)
        shown_map = None if "map" in request.switch_off or subject_map is None else subject_map
        block = compose_block(
            BlockMaterial(
                intent=asked.intent.intent,
                memories=memories,
                beliefs=tuple(ranked_beliefs(beliefs, routed, asked.intent.intent)[:BELIEFS]),
                map_lines=() if shown_map is None else tuple(map_lines(shown_map, layer, focus=routed)),
                window=None
                if asked.window is None
                else BlockWindow(
                    asked.window.start, asked.window.end, asked.window.phrase, recalled.window_empty
                ),
                matched=recalled.matched,
                has_record=any(len(segment.occurred) for segment in segments),
                checks_tied_to_nothing=self_model.checks_tied_to_nothing if self_model else 0,
                limits=self_model.statements if self_model else (),
                zone=request.zone,
                now=request.now,
            ),
            budget_tokens=request.budget_tokens,
        )
        if deadline.left() <= 0:
            return self._dropped(asked, sources)
        return BlockReply(
            block=block.text,
            memory_ids=block.memory_ids,
            tokens=block.tokens,
            intent=asked.intent.intent,
            window=asked.window,
            window_empty=recalled.window_empty,
            matched=recalled.matched,
            routed=routed,
            degraded=tuple(sources.degraded),
            gate_dropped=recalled.gate_dropped,
        )

    def _start(self, request: BlockRequest, asked: Asked, sources: Sources) -> None:
        pair, off = request.pair, request.switch_off
        sources.start("history", lambda: self.histories.load(pair))
        sources.start("map", lambda: self.maps.load(pair.scope))
        sources.start("layer", lambda: self.concepts.layer(pair))
        if asked.about:
            sources.start("embedder", lambda: self.embedder.embed_query(asked.about))
        if "beliefs" not in off:
            sources.start("beliefs", lambda: self.beliefs.current(pair))
        if "self_model" not in off:
            sources.start("self_model", lambda: self.records.self_model(pair))

    def _route(
        self,
        request: BlockRequest,
        asked: Asked,
        subject_map: SubjectMap | None,
        layer: StudentLayer,
        vector: Vector | None,
    ) -> tuple[str, ...]:
        """Concepts that the question is about: by name, else by similarity to the same one vector (BL-2)."""
        if subject_map is None or not asked.about or "routing" in request.switch_off:
            return ()
        named = NameIndex(subject_map, layer).named_in(asked.about)
        if named or vector is None or subject_map.embedder != self.embedder.name:
            return named
        return route_by_similarity(vector, subject_map, threshold=self.embedder.match_threshold, count=ROUTED)

    def _recall(
        self,
        request: BlockRequest,
        asked: Asked,
        segments: tuple[Segment, ...],
        routed: tuple[str, ...],
        vector: Vector | None,
        sources: Sources,
    ) -> Recalled:
        neighbours = None
        if self.semantic_index is not None and vector is not None:
            index, left = self.semantic_index, sources.left(reserve=_RESERVE_AFTER_NEIGHBOURS)
            sources.start(
                "semantic_index",
                lambda: index.neighbours(request.pair, vector, NEIGHBOURS, timeout_seconds=left),
            )
            neighbours = sources.take("semantic_index", None, reserve=_RESERVE_AFTER_NEIGHBOURS)
        window = None
        if asked.window is not None:
            window = (asked.window.start.timestamp(), asked.window.end.timestamp())
        return recall(
            segments,
            RecallQuery(
                words=question_words(asked.about, detect_language(asked.about)),
                now=request.now,
                vector=vector,
                concepts=routed,
                window=window,
                focus=Focus(asked.intent.focus.value) if asked.intent.focus else Focus.ANY,
                asks_something=bool(asked.about),
                embedder=self.embedder.name,
            ),
            limit=RECALLED,
            embedder_floor=self.embedder.floor,
            match_threshold=self.embedder.match_threshold,
            semantic=neighbours,
            switch_off=request.switch_off,
        )

    def _memories(
        self, pair: Pair, recalled: Recalled, subject_map: SubjectMap | None, sources: Sources
    ) -> tuple[Memory, ...] | None:
        """The recalled episodes' words, best first; None when they did not come in time."""
        if not recalled.memories:
            return ()
        positions = [found.position for found in recalled.memories]
        sources.start("episodes", lambda: self.log.read(pair, positions, with_text=False))
        rows: list[Episode] | None = sources.take("episodes", None, reserve=_RESERVE_AFTER_ROWS)
        if rows is None:
            return None
        by_position = {row.position: row for row in rows}
        # Without the map nothing is known about files; no label is better than a wrong one.
        files = subject_map.files if subject_map is not None else None
        memories = []
        for found in recalled.memories:
            row = by_position.get(found.position)
            if row is None or row.content is None:
                continue
            cited = row.evidence if files is not None else ()
            labels = {c.file_id: label for c in cited if (label := label_of(c, files or {}))}
            memories.append(
                Memory(
                    id=row.id,
                    position=row.position,
                    occurred_at=row.occurred_at,
                    kind=row.kind,
                    summary=row.content.summary,
                    language=row.language,
                    outcome=row.outcome,
                    repeats=found.repeats,
                    changed_files=tuple(
                        (files[file_id].name if files and file_id in files else "a file", label)
                        for file_id, label in labels.items()
                    ),
                )
            )
        return tuple(memories)

    def _dropped(self, asked: Asked, sources: Sources) -> BlockReply:
        return BlockReply(
            block=None,
            memory_ids=(),
            tokens=0,
            intent=asked.intent.intent,
            window=asked.window,
            window_empty=False,
            matched=False,
            routed=(),
            degraded=tuple(sources.degraded),
            gate_dropped=0,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, understood without any store: its time window, its intent, and what it is about."""

    window: TimeWindow | None
    intent: QuestionIntent
    about: str


def understand(request: BlockRequest) -> Asked:
    """Read the time window, the intent and the topic out of a question."""
    question = request.question[:QUESTION_CHARS].strip()
    window = None
    if "time_filter" not in request.switch_off:
        window = find_window(question, now=request.now, zone=request.zone)
    intent = read_intent(question, window_phrase=window.phrase if window else None)
    if intent.intent is Intent.NONE:
        about = ""
    elif intent.intent is Intent.HISTORY:
        about = intent.topic
    else:
        about = question.replace(window.phrase, " ").strip() if window else question
    return Asked(window, intent, about)


def ranked_beliefs(beliefs: list[Belief], routed: tuple[str, ...], intent: Intent) -> list[Belief]:
    """Beliefs in the order in which a block needs them.

    Those on what the question is about come first, in a question about the record all others behind them, else only
    the ones that speak most clearly; within each group what the student struggles with comes first.
    """

    def order(belief: Belief) -> tuple[bool, bool, float, str]:
        struggling = belief.claim.value.startswith("struggles")
        return (belief.concept not in routed, not struggling, -belief.confidence, belief.concept)

    ranked = sorted(beliefs, key=order)
    if intent is Intent.HISTORY or not routed:
        return ranked
    about = [belief for belief in ranked if belief.concept in routed]
    return about + [belief for belief in ranked if belief.concept not in routed][: BELIEFS // 2]
