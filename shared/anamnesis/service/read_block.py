"""One turn's memory block: fetch in parallel under a deadline, recall over the whole history, compose (BL-1 … BL-8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.block import Memory, compose_block
from anamnesis.domain.block.as_of import beliefs_as_of, changed_since, layer_as_of
from anamnesis.domain.concepts import StudentLayer
from anamnesis.domain.concepts.routing import route_by_similarity, taught_about
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.messages.intents import Intent, RecordFocus
from anamnesis.domain.recall import (
    FITTED,
    Layer,
    Recalled,
    RecallQuery,
    Weights,
    question_words,
    recall,
)
from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.time_windows import TimeWindow
from anamnesis.ports import (
    BeliefStore,
    ConceptStore,
    Embedder,
    EpisodeLog,
    RecordStore,
    SemanticIndex,
    Vector,
)
from anamnesis.service.block_material import Fetched, block_material, memory_of
from anamnesis.service.deadline import Deadline
from anamnesis.service.history import History, HistoryReader
from anamnesis.service.map_cache import MapCache
from anamnesis.service.name_indexes import NameIndexes
from anamnesis.service.sources import Sources
from anamnesis.service.understanding import Asked, understand
from anamnesis.service.watch import Watch, unwatched
from anamnesis.service.withheld import NOTHING, without

#: BL-3, end to end. The shares are what each phase must leave for the ones after it.
DEADLINE_SECONDS = 2.5
_RESERVE_AFTER_FETCH = 0.5
#: What the newest episodes' words take, where their vectors are late.
_RESERVE_FOR_INDEXING = 0.2
_RESERVE_AFTER_NEIGHBOURS = 0.4
_RESERVE_AFTER_ROWS = 0.1
#: Memories recalled before the budget cuts; one batch read of DynamoDB takes 100.
RECALLED = 48
#: Semantic neighbours asked of an external index.
NEIGHBOURS = 100
#: Characters of a question that are embedded and searched for words; the rest of a pasted text adds little.
QUESTION_CHARS = 4_000
#: Concepts that a question without a name in it may be routed to.
ROUTED = 4

#: What can be switched off to measure what it is worth: the layers of recall, and those around it.
LAYERS = frozenset({"map", "beliefs", "self_model", "routing", *(layer.value for layer in Layer)})


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
    """The block, None when dropped, and how it came about.

    Attributes
    ----------
    positions
        Of the memories, as `memory_ids` has them.
    """

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
    positions: tuple[int, ...] = ()

    @property
    def dropped(self) -> bool:
        """Whether the turn goes on without a memory block."""
        return self.block is None


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
    names: NameIndexes = field(default_factory=NameIndexes)
    weights: Weights = FITTED
    watch: Watch = unwatched

    def __call__(self, request: BlockRequest, *, deadline: Deadline | None = None) -> BlockReply:
        """Compose the block, or drop it when the history does not arrive in time.

        Parameters
        ----------
        deadline
            From the caller's clock; by default ``DEADLINE_SECONDS`` from now.
        """
        deadline = deadline or Deadline.after(DEADLINE_SECONDS, self.monotonic)
        sources = Sources(self.executor, deadline, self.watch)
        with self.watch("understanding"):
            asked = understand(
                request.question[:QUESTION_CHARS],
                now=request.now,
                zone=request.zone,
                with_times=Layer.TIME_FILTER not in request.switch_off,
            )
        fetched = self._fetch(request, asked, sources)
        if fetched.segments is None:
            # Without the log nothing honest can be said about the past, not even that there is none.
            return _dropped(asked, sources)
        if fetched.withheld:
            fetched = self._without_withheld(request.pair, fetched, sources)
        fetched = self._as_of(request, fetched, sources)
        with self.watch("routing"):
            routed = self._route(request, asked, fetched)
            known_as = self._known_as(request.pair, routed, fetched)
        semantic = self._neighbours(request.pair, fetched.vector, sources)
        recalled = self._recall(request, asked, fetched, known_as, semantic)
        if asked.window and asked.intent.intent is Intent.ORDINARY and not recalled.matched:
            # A time only narrows such a question: what it is about may well lie outside of it.
            asked = replace(asked, window=None)
            recalled = self._recall(request, asked, fetched, known_as, semantic)
        memories = self._memories(request.pair, recalled, fetched, sources)
        if memories is None:
            return _dropped(asked, sources)
        with self.watch("composing"):
            shown = replace(fetched, subject_map=None) if "map" in request.switch_off else fetched
            material = block_material(
                asked, shown, known_as, recalled, memories, now=request.now, zone=request.zone
            )
            block = compose_block(material, budget_tokens=request.budget_tokens)
        if deadline.left() <= 0:
            return _dropped(asked, sources)
        positions = {memory.id: memory.position for memory in memories}
        return BlockReply(
            block=block.text,
            memory_ids=block.memory_ids,
            tokens=block.tokens,
            intent=asked.intent.intent,
            window=asked.window,
            window_empty=recalled.window_empty,
            matched=material.matched,
            routed=routed,
            degraded=tuple(sources.degraded),
            gate_dropped=recalled.gate_dropped,
            positions=tuple(positions[memory_id] for memory_id in block.memory_ids),
        )

    def _fetch(self, request: BlockRequest, asked: Asked, sources: Sources) -> Fetched:
        """Everything that does not need the vector, and the vector, at once."""
        pair, off = request.pair, request.switch_off
        window = None if asked.window is None else (asked.window.start, asked.window.end)
        reserve = _RESERVE_AFTER_FETCH

        def load() -> History:
            return self.histories.load(
                pair, window=window, patience=lambda: sources.left(reserve=reserve + _RESERVE_FOR_INDEXING)
            )

        history = sources.start("history", load)
        subject_map = sources.start("map", lambda: self.maps.load(pair.scope))
        layer = sources.start("layer", lambda: self.concepts.layer(pair))
        beliefs = None if "beliefs" in off else sources.start("beliefs", lambda: self.beliefs.current(pair))
        known_limits = (
            None
            if "self_model" in off
            else sources.start("self_model", lambda: self.records.self_model(pair))
        )
        vector = (
            sources.start("embedder", lambda: self.embedder.embed_query(asked.about)) if asked.about else None
        )
        arrived = history.take(reserve=reserve)
        if arrived is not None:
            missing = (("vectors", arrived.lacks_vectors), ("unindexed", arrived.hidden > 0))
            sources.degraded += [name for name, left_out in missing if left_out]
        return Fetched(
            segments=None if arrived is None else arrived.segments,
            withheld=NOTHING if arrived is None else arrived.withheld,
            subject_map=subject_map.take(reserve=reserve),
            layer=layer.take(reserve=reserve) or StudentLayer(),
            beliefs=(beliefs.take(reserve=reserve) if beliefs else None) or [],
            self_model=known_limits.take(reserve=reserve) if known_limits else None,
            vector=vector.take(reserve=reserve) if vector else None,
        )

    def _without_withheld(self, pair: Pair, fetched: Fetched, sources: Sources) -> Fetched:
        """`fetched`, its beliefs and layer only if they were made after the erasure that is under way had begun."""

        def anew() -> tuple[list[Belief], StudentLayer] | None:
            erasures = self.log.head(pair).erasures
            made = (self.beliefs.projected_to(pair), self.concepts.layer_position(pair))
            if any(progress.erasures < erasures for progress in made):
                return None
            return self.beliefs.current(pair), self.concepts.layer(pair)

        found = sources.start("projections", anew).take(reserve=_RESERVE_AFTER_FETCH)
        if found is None:
            sources.degraded += [name for name in ("layer", "beliefs") if name not in sources.degraded]
            return replace(fetched, beliefs=[], layer=StudentLayer())
        beliefs, layer = found
        return replace(fetched, beliefs=beliefs if fetched.beliefs else [], layer=layer)

    def _as_of(self, request: BlockRequest, fetched: Fetched, sources: Sources) -> Fetched:
        """`fetched` without what happened after the time that the request is asked at."""
        beliefs, model = fetched.beliefs, fetched.self_model
        if any(changed_since(belief, request.now) for belief in beliefs):
            # Asked as of the past: a row that was current then may be superseded by now.
            rows = sources.start("beliefs", lambda: self.beliefs.history(request.pair))
            beliefs = beliefs_as_of(rows.take(reserve=_RESERVE_AFTER_FETCH) or [], request.now)
        return replace(
            fetched,
            beliefs=beliefs,
            layer=layer_as_of(fetched.layer, fetched.segments or (), request.now),
            self_model=model if model and model.composed_on <= request.now.astimezone(UTC).date() else None,
        )

    def _route(self, request: BlockRequest, asked: Asked, fetched: Fetched) -> tuple[str, ...]:
        """Concepts that the question is about: by name, else by similarity to the same one vector (BL-2)."""
        subject_map = fetched.subject_map
        if subject_map is None or not asked.about or "routing" in request.switch_off:
            return ()
        names = self.names.of(request.pair, subject_map, fetched.layer)
        routed = (*names.index.named_in(asked.about), *taught_about(asked.about, fetched.layer))
        if fetched.vector is not None and subject_map.embedder == self.embedder.name:
            # Beside a name too: "why does a cell burst in water" names the cell and is about osmosis.
            routed += route_by_similarity(
                fetched.vector, subject_map, threshold=self.embedder.match_threshold, count=ROUTED
            )
        return tuple(dict.fromkeys(routed))

    def _known_as(self, pair: Pair, routed: tuple[str, ...], fetched: Fetched) -> tuple[str, ...]:
        """`routed` under every key: episodes and beliefs keep the one of their day, merging may give another since."""
        if not routed or fetched.subject_map is None:
            return routed
        return self.names.of(pair, fetched.subject_map, fetched.layer).all_keys(routed)

    def _recall(
        self,
        request: BlockRequest,
        asked: Asked,
        fetched: Fetched,
        routed: tuple[str, ...],
        semantic: Sequence[tuple[int, float]] | None,
    ) -> Recalled:
        window = asked.window
        with self.watch("recall"):
            return recall(
                fetched.segments or (),
                RecallQuery(
                    words=question_words(asked.about, detect_language(asked.about)),
                    now=request.now,
                    vector=fetched.vector,
                    concepts=routed,
                    window=None if window is None else (window.start.timestamp(), window.end.timestamp()),
                    focus=asked.intent.focus or RecordFocus.ANY,
                    asks_something=bool(asked.about),
                    embedder=self.embedder.name,
                ),
                limit=RECALLED,
                embedder_floor=self.embedder.floor,
                match_threshold=self.embedder.match_threshold,
                weights=self.weights,
                semantic=semantic,
                switch_off=request.switch_off,
            )

    def _neighbours(
        self, pair: Pair, vector: Vector | None, sources: Sources
    ) -> list[tuple[int, float]] | None:
        """Neighbours from the external index; None where none is configured or it is late."""
        if self.semantic_index is None or vector is None:
            return None
        index, left = self.semantic_index, sources.left(reserve=_RESERVE_AFTER_NEIGHBOURS)
        found = sources.start(
            "semantic_index", lambda: index.neighbours(pair, vector, NEIGHBOURS, timeout_seconds=left)
        )
        return found.take(reserve=_RESERVE_AFTER_NEIGHBOURS)

    def _memories(
        self, pair: Pair, recalled: Recalled, fetched: Fetched, sources: Sources
    ) -> tuple[Memory, ...] | None:
        """The recalled episodes' words, best first; None when they did not come in time."""
        if not recalled.memories:
            return ()
        positions = [found.position for found in recalled.memories]
        rows = sources.start("episodes", lambda: self.log.read(pair, positions, with_text=False)).take(
            reserve=_RESERVE_AFTER_ROWS
        )
        if rows is None:
            return None
        by_position = {row.position: row for row in without(rows, fetched.withheld)}
        remembered = (
            memory_of(by_position.get(found.position), found, fetched.subject_map)
            for found in recalled.memories
        )
        return tuple(memory for memory in remembered if memory is not None)


def _dropped(asked: Asked, sources: Sources) -> BlockReply:
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
