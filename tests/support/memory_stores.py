"""Every store port in memory: what a use case may rely on, without any technology.

Each fake passes the same contract suite as the real adapter (``tests/contracts``), conflicts included. One lock a fake
makes each call one step, as a transaction is.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import accumulate, count

import numpy as np
import numpy.typing as npt

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import Contribution, StudentLayer, SubjectMap, empty_map
from anamnesis.domain.errors import (
    HeadMoved,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    RevisionMoved,
)
from anamnesis.domain.files import FileRecord, Page
from anamnesis.domain.grounding.values import GroundingRecord
from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis.domain.log.chain import EMPTY_HEAD, Break
from anamnesis.domain.log.episodes import MAX_BATCH, AppendReceipt, Episode, Head, Kind, erased
from anamnesis.domain.log.erasures import SEALED, Erasure, ErasureRequest, ErasureStage, PairRequest
from anamnesis.domain.log.progress import Progress
from anamnesis.domain.night.records import CitationCheck, SelfModel
from anamnesis.domain.working_set import Segment

#: As the real log: beginnings of texts longer than this many bytes come back without `with_text`.
MAX_ROW_TEXT_BYTES = 4_096
BEGINNING_CHARS = 500


class MemoryEpisodeLog:
    """``EpisodeLog`` in memory."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.episodes: dict[Pair, list[Episode]] = {}
        #: What a test lets be wrong with stored rows; nothing by itself.
        self.faults: dict[Pair, list[Break]] = {}
        self.receipts: dict[tuple[Pair, str], AppendReceipt] = {}
        #: Steps in which contents were erased; ``MemoryErasureStore`` counts them.
        self.erasures: dict[Pair, int] = {}
        #: Deletion records that were begun and are not finished; kept by ``MemoryErasureStore`` too.
        self.erasing: dict[Pair, set[str]] = {}
        self._days: dict[date, dict[Pair, None]] = {}

    def head(self, pair: Pair) -> Head:
        log = self.episodes.get(pair)
        last = Head(log[-1].position, log[-1].hash) if log else EMPTY_HEAD
        return dataclasses.replace(last, erasures=self.erasures.get(pair, 0))

    def receipt(self, pair: Pair, key: str) -> AppendReceipt | None:
        return self.receipts.get((pair, key))

    def append(self, pair: Pair, episodes: Sequence[Episode], expected: Head, receipt: AppendReceipt) -> None:
        head = expected
        for episode in episodes:
            if (episode.pair, episode.position, episode.previous_hash) != (pair, head.length + 1, head.hash):
                raise ValueError("the episodes do not continue the expected head")
            head = Head(episode.position, episode.hash)
        if not 1 <= len(episodes) <= MAX_BATCH:
            raise ValueError(f"an append takes 1 to {MAX_BATCH} episodes")
        with self._lock:
            if (pair, receipt.key) in self.receipts:
                raise IdempotencyConflict("the idempotency key has a receipt already")
            if self.head(pair) != expected:
                raise HeadMoved("another writer appended first")
            self.episodes.setdefault(pair, []).extend(episodes)
            self.receipts[pair, receipt.key] = receipt
            for episode in episodes:
                self.mark_active(pair, episode.recorded_at)
                self._days.setdefault(episode.day_over, {})[pair] = None

    def mark_active(self, pair: Pair, at: datetime) -> None:
        self._days.setdefault(at.astimezone(UTC).date(), {})[pair] = None

    def read(self, pair: Pair, positions: Sequence[int], *, with_text: bool = True) -> list[Episode]:
        log = {e.position: e for e in self._snapshot(pair)}
        return [_shown(log[p], with_text=with_text) for p in positions if p in log]

    def scan(
        self, pair: Pair, *, after: int = 0, limit: int | None = None, with_text: bool = True
    ) -> Iterator[Episode]:
        wanted = [e for e in self._snapshot(pair) if e.position > after]
        yield from (_shown(e, with_text=with_text) for e in wanted[:limit])

    def tail(self, pair: Pair, *, after: int, limit: int) -> tuple[list[Episode], bool]:
        with self._lock:
            found = list(self.scan(pair, after=after, limit=limit, with_text=False))
            return found, bool(self.erasing.get(pair))

    def rows(self, pair: Pair) -> Iterator[Episode | Break]:
        yield from (*self.faults.get(pair, ()), *self._snapshot(pair))

    def hashes(self, pair: Pair, *, last: int) -> Iterator[str]:
        for expected, episode in enumerate(self._snapshot(pair)[: max(last, 0)], start=1):
            if episode.position != expected:
                return
            yield episode.hash

    def position_of(self, pair: Pair, episode_id: str) -> int | None:
        return next((e.position for e in self._snapshot(pair) if e.id == episode_id), None)

    def latest(self, pair: Pair, count: int, *, with_text: bool = False) -> list[Episode]:
        newest = self._snapshot(pair)[::-1][: max(count, 0)]
        return [_shown(e, with_text=with_text) for e in newest]

    def between(
        self,
        pair: Pair,
        *,
        start: datetime | None,
        end: datetime | None,
        kind: Kind | None,
        cursor: str | None,
        limit: int,
        max_chars: int | None = None,
        with_text: bool = True,
    ) -> tuple[list[Episode], str | None]:
        def inside(e: Episode) -> bool:
            return (start is None or start <= e.occurred_at) and (end is None or e.occurred_at < end)

        window = sorted(
            (e for e in self._snapshot(pair) if inside(e)), key=lambda e: (e.occurred_at, e.position)
        )
        after = 0
        if cursor is not None:
            marks = {f"{pair.key}|{e.position}": number for number, e in enumerate(window, start=1)}
            if cursor not in marks:
                raise InvalidInput("is not a cursor that was given out for this query", field="cursor")
            after = marks[cursor]
        found = [e for e in window[after:] if kind is None or e.kind == kind]
        page = found[:limit]
        told = accumulate(_chars(e) for e in page)
        if max_chars is not None:
            page = page[: max(1, sum(total <= max_chars for total in told))]
        following = f"{pair.key}|{page[-1].position}" if len(found) > len(page) else None
        return [_shown(e, with_text=with_text) for e in page], following

    def active_pairs(self, day: date) -> Iterator[Pair]:
        yield from list(self._days.get(day, {}))

    def _snapshot(self, pair: Pair) -> list[Episode]:
        with self._lock:
            return list(self.episodes.get(pair, []))


def _chars(episode: Episode) -> int:
    said = episode.content
    return sum(map(len, (said.summary, said.text, said.topic or "", said.evaluation or ""))) if said else 0


def _shown(episode: Episode, *, with_text: bool) -> Episode:
    content = episode.content
    if with_text or content is None or len(content.text.encode()) <= MAX_ROW_TEXT_BYTES:
        return episode
    beginning = dataclasses.replace(content, text=content.text[:BEGINNING_CHARS])
    return dataclasses.replace(episode, content=beginning)


class MemoryErasureStore:
    """``ErasureStore`` over a ``MemoryEpisodeLog``, which holds no texts outside its episodes."""

    def __init__(self, log: MemoryEpisodeLog) -> None:
        self._log = log
        self._lock = log._lock  # one transaction over both
        self._records: dict[Pair, dict[str, Erasure]] = {}
        self._gone: dict[Pair, set[str]] = {}

    def begin(self, erasure: Erasure) -> None:
        with self._lock:
            self._log.mark_active(erasure.pair, erasure.request.at)
            records = self._records.setdefault(erasure.pair, {})
            if erasure.id not in records:
                records[erasure.id] = erasure
                self._log.erasing.setdefault(erasure.pair, set()).add(erasure.id)
                self._count(erasure.pair)

    def all(self, pair: Pair) -> list[Erasure]:
        with self._lock:
            return sorted(self._records.get(pair, {}).values(), key=lambda e: (e.request.at, e.id))

    def count(self, pair: Pair) -> None:
        with self._lock:
            self._count(pair)

    def advance(self, erasure: Erasure, stage: ErasureStage, *, at: datetime) -> None:
        with self._lock:
            stored = self._records[erasure.pair][erasure.id]
            if _further(stage, stored.stage):
                moved = dataclasses.replace(stored, stage=stage, staged_at=at)
                self._records[erasure.pair][erasure.id] = moved
                self._log.erasing[erasure.pair].discard(erasure.id)

    def erase(self, pair: Pair, positions: Sequence[int], digests: Mapping[int, str]) -> None:
        with self._lock:
            log = self._log.episodes.get(pair, [])
            wanted = {e.position for e in log} & set(positions)
            if not wanted:
                return
            log[:] = [erased(e) if e.position in wanted else e for e in log]
            self._gone.setdefault(pair, set()).update(digests[p] for p in wanted if p in digests)
            self._count(pair)

    def known(self, pair: Pair, digests: Collection[str]) -> set[str]:
        return self._gone.get(pair, set()) & set(digests)

    def forget_receipts(self, pair: Pair, positions: Collection[int], seal: Callable[[str], str]) -> None:
        with self._lock:
            for (owner, key), receipt in self._log.receipts.items():
                span = range(receipt.first_position, receipt.last_position + 1)
                if owner == pair and any(position in positions for position in span):
                    is_open = receipt.request_hash and not receipt.request_hash.startswith(SEALED)
                    kept = seal(receipt.request_hash) if is_open else receipt.request_hash
                    self._log.receipts[owner, key] = dataclasses.replace(receipt, key="", request_hash=kept)

    def sweep(self, pair: Pair, positions: Collection[int], *, until: datetime) -> None:
        """Nothing: an episode's text goes with it."""

    def _count(self, pair: Pair) -> None:
        self._log.erasures[pair] = self._log.erasures.get(pair, 0) + 1


class MemoryRoster:
    """``Roster`` in memory; a request marks its pair active in the log."""

    def __init__(self, log: MemoryEpisodeLog) -> None:
        self._log = log
        self._lock = threading.RLock()
        self._asked: dict[Pair, PairRequest | None] = {}

    def note(self, pair: Pair) -> None:
        with self._lock:
            self._asked.setdefault(pair, None)

    def pairs(self, tenant: str, student: str) -> list[Pair]:
        with self._lock:
            found = [pair for pair in self._asked if (pair.tenant, pair.student) == (tenant, student)]
        return sorted(found, key=lambda pair: pair.subject)

    def request(self, pair: Pair, asked: PairRequest) -> None:
        with self._lock:
            self._log.mark_active(pair, asked.request.at)
            stored = self._asked.get(pair)
            if stored is None or stored.request.at != asked.request.at:
                self._asked[pair] = asked

    def requested(self, pair: Pair) -> PairRequest | None:
        return self._asked.get(pair)

    def advance(self, pair: Pair, request: ErasureRequest, stage: ErasureStage, *, at: datetime) -> None:
        with self._lock:
            stored = self._asked.get(pair)
            if stored is not None and stored.request.at == request.at and _further(stage, stored.stage):
                self._asked[pair] = dataclasses.replace(stored, stage=stage, staged_at=at)

    def revisit(self, pair: Pair, at: datetime) -> None:
        with self._lock:
            self._log.mark_active(pair, at)


def _further(stage: ErasureStage, than: ErasureStage) -> bool:
    order = list(ErasureStage)
    return order.index(stage) > order.index(than)


class MemoryBeliefStore:
    """``BeliefStore`` in memory."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._rows: dict[Pair, dict[str, Belief]] = {}
        self._projected: dict[Pair, Progress] = {}

    def projected_to(self, pair: Pair) -> Progress:
        return self._projected.get(pair, Progress())

    def current(self, pair: Pair) -> list[Belief]:
        rows = [row for row in self.history(pair) if row.superseded_by is None]
        return sorted(rows, key=lambda belief: (belief.concept, belief.id))

    def history(self, pair: Pair) -> list[Belief]:
        with self._lock:
            return sorted(
                self._rows.get(pair, {}).values(), key=lambda belief: (belief.created_at, belief.id)
            )

    def get(self, pair: Pair, belief_id: str) -> Belief | None:
        return self._rows.get(pair, {}).get(belief_id)

    def save(
        self,
        pair: Pair,
        *,
        inserted: Sequence[Belief],
        changed: Sequence[Belief],
        projected_to: Progress,
        expected: Progress,
        removed: Collection[str] = (),
    ) -> None:
        with self._lock:
            rows = self._rows.setdefault(pair, {})
            stored_already = all(rows.get(b.id) == b for b in [*inserted, *changed])
            stored_already &= rows.keys().isdisjoint(removed)
            if self.projected_to(pair) == projected_to and stored_already:
                return
            if _moved(self.projected_to(pair), expected):
                raise RevisionMoved("another writer got further first")
            for belief in [*inserted, *changed]:
                stored = rows.get(belief.id)
                unknown = stored is None and belief in changed
                if unknown or (stored and (stored.claim, stored.concept) != (belief.claim, belief.concept)):
                    raise RevisionMoved("the row is unknown, or would change its claim")
            rows.update({belief.id: belief for belief in [*inserted, *changed]})
            for belief_id in removed:
                rows.pop(belief_id, None)
            self._projected[pair] = dataclasses.replace(projected_to, revision=expected.revision + 1)


def _moved(stored: Progress, expected: Progress) -> bool:
    return (stored.position, stored.erasures, stored.revision) != (
        expected.position,
        expected.erasures,
        expected.revision,
    )


class MemoryConceptStore:
    """``ConceptStore`` in memory."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._files: dict[SubjectScope, dict[str, FileRecord]] = {}
        self._contributions: dict[SubjectScope, dict[str, Contribution]] = {}
        self._read_from: dict[tuple[SubjectScope, str], str] = {}
        self._revisions: dict[SubjectScope, int] = {}
        self._maps: dict[SubjectScope, SubjectMap] = {}
        self._pages: dict[tuple[SubjectScope, str], list[Page]] = {}
        self._layers: dict[Pair, tuple[StudentLayer, Progress]] = {}

    def add_file(self, record: FileRecord) -> None:
        with self._lock:
            if self._files.setdefault(record.scope, {}).setdefault(record.id, record) != record:
                raise RevisionMoved("a file of this id is stored already")

    def get_file(self, scope: SubjectScope, file_id: str) -> FileRecord | None:
        return self._files.get(scope, {}).get(file_id)

    def files(self, scope: SubjectScope) -> list[FileRecord]:
        with self._lock:
            return sorted(
                self._files.get(scope, {}).values(), key=lambda record: (record.created_at, record.id)
            )

    def update_file(self, record: FileRecord, *, expected: FileRecord) -> int:
        with self._lock:
            stored = self.get_file(record.scope, record.id)
            if stored is None:
                raise NotFound("no such file in this subject")
            states = [(r.status, r.fingerprint, r.replaced_by, r.deleted_at) for r in (stored, expected)]
            if states[0] != states[1]:
                raise RevisionMoved("another writer changed the file first")
            self._files[record.scope][record.id] = record
            self._revisions[record.scope] = self.revision(record.scope) + 1
            return self._revisions[record.scope]

    def save_contribution(
        self, scope: SubjectScope, contribution: Contribution, record: FileRecord, *, expected: FileRecord
    ) -> int:
        with self._lock:
            revision = self.update_file(record, expected=expected)
            self._contributions.setdefault(scope, {})[contribution.file_id] = contribution
            self._read_from[scope, contribution.fingerprint] = contribution.file_id
            return revision

    def contributions(self, scope: SubjectScope) -> list[Contribution]:
        with self._lock:
            current = {record.id for record in self.files(scope) if record.current}
            return [
                c for file_id, c in sorted(self._contributions.get(scope, {}).items()) if file_id in current
            ]

    def extraction_of(self, scope: SubjectScope, fingerprint: str) -> Contribution | None:
        file_id = self._read_from.get((scope, fingerprint))
        return None if file_id is None else self._contributions[scope][file_id]

    def erase_file(self, record: FileRecord, *, expected: FileRecord) -> int:
        with self._lock:
            revision = self.update_file(record, expected=expected)
            self._contributions.get(record.scope, {}).pop(record.id, None)
            if self._read_from.get((record.scope, expected.fingerprint or "")) == record.id:
                del self._read_from[record.scope, expected.fingerprint or ""]
            return revision

    def sweep(self, pair: Pair, *, until: datetime) -> None:
        """Nothing: what is replaced here is gone."""

    def revision(self, scope: SubjectScope) -> int:
        return self._revisions.get(scope, 0)

    def published_revision(self, scope: SubjectScope) -> int | None:
        stored = self._maps.get(scope)
        return None if stored is None else stored.revision

    def save_map(self, scope: SubjectScope, subject_map: SubjectMap) -> None:
        with self._lock:
            stored = self._maps.get(scope)
            if stored is not None and stored.revision >= subject_map.revision:
                raise RevisionMoved("a map of this or a later revision is published already")
            self._maps[scope] = subject_map

    def load_map(self, scope: SubjectScope, *, known: SubjectMap | None = None) -> SubjectMap:
        stored = self._maps.get(scope)
        if stored is None:
            return known if known is not None and known.revision == 0 else empty_map()
        return known if known is not None and known.revision == stored.revision else stored

    def save_pages(self, scope: SubjectScope, fingerprint: str, pages: Sequence[Page]) -> None:
        self._pages[scope, fingerprint] = list(pages)

    def load_pages(self, scope: SubjectScope, fingerprint: str) -> list[Page]:
        return list(self._pages.get((scope, fingerprint), []))

    def delete_pages(self, scope: SubjectScope, fingerprint: str) -> None:
        self._pages.pop((scope, fingerprint), None)

    def layer(self, pair: Pair) -> StudentLayer:
        return self._layers.get(pair, (StudentLayer(), Progress()))[0]

    def save_layer(
        self, pair: Pair, layer: StudentLayer, *, projected_to: Progress, expected: Progress
    ) -> None:
        with self._lock:
            if self._layers.get(pair) == (layer, projected_to):
                return
            if _moved(self.layer_position(pair), expected):
                raise RevisionMoved("another writer changed the layer first")
            kept = dataclasses.replace(projected_to, revision=expected.revision + 1)
            self._layers[pair] = (layer, kept)

    def layer_position(self, pair: Pair) -> Progress:
        return self._layers.get(pair, (StudentLayer(), Progress()))[1]


class MemoryRecordStore:
    """``RecordStore`` in memory."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._vectors: dict[Pair, dict[int, tuple[npt.NDArray[np.int8], str]]] = {}
        self._working_sets: dict[Pair, Segment] = {}
        self._checks: dict[Pair, dict[int, CitationCheck]] = {}
        self._groundings: dict[Pair, dict[int, GroundingRecord]] = {}
        self._self_models: dict[Pair, SelfModel] = {}
        self._versions = count(1)

    def save_vectors(self, pair: Pair, vectors: Mapping[int, npt.NDArray[np.int8]], embedder: str) -> None:
        with self._lock:
            self._vectors.setdefault(pair, {}).update({p: (v.copy(), embedder) for p, v in vectors.items()})

    def vectors(
        self, pair: Pair, embedder: str, *, after: int = 0, up_to: int | None = None
    ) -> dict[int, npt.NDArray[np.int8]]:
        with self._lock:
            stored = sorted(self._vectors.get(pair, {}).items())
        return {
            position: vector
            for position, (vector, made_by) in stored
            if made_by == embedder and position > after and (up_to is None or position <= up_to)
        }

    def delete_vectors(self, pair: Pair, positions: Collection[int]) -> None:
        with self._lock:
            for position in positions:
                self._vectors.get(pair, {}).pop(position, None)

    def save_working_set(self, pair: Pair, segment: Segment) -> bool:
        with self._lock:
            stored = self._working_sets.get(pair)
            rank = (segment.erasures, segment.last_position)
            if stored is not None and (stored.erasures, stored.last_position) > rank:
                return False
            self._working_sets[pair] = dataclasses.replace(segment, version=f"v{next(self._versions)}")
            return True

    def sweep_working_sets(self, pair: Pair) -> None:
        """Nothing: what is replaced here is gone."""

    def working_set(self, pair: Pair, *, known: Segment | None = None) -> Segment | None:
        stored = self._working_sets.get(pair)
        return known if stored and known is not None and known.version == stored.version else stored

    def save_citation_checks(self, pair: Pair, checks: Sequence[CitationCheck]) -> None:
        with self._lock:
            kept = self._checks.setdefault(pair, {})
            for check in checks:
                if check.position not in kept or kept[check.position].checked_on <= check.checked_on:
                    kept[check.position] = check

    def citation_checks(self, pair: Pair) -> list[CitationCheck]:
        with self._lock:
            return [check for _, check in sorted(self._checks.get(pair, {}).items())]

    def delete_citation_checks(self, pair: Pair, positions: Collection[int]) -> None:
        with self._lock:
            for position in positions:
                self._checks.get(pair, {}).pop(position, None)

    def save_grounding(self, pair: Pair, record: GroundingRecord) -> None:
        with self._lock:
            kept = self._groundings.setdefault(pair, {})
            stored = kept.get(record.position)
            if stored is None or replace(record, grounded_at=stored.grounded_at) != stored:
                kept[record.position] = record

    def groundings(self, pair: Pair) -> list[GroundingRecord]:
        with self._lock:
            return [record for _, record in sorted(self._groundings.get(pair, {}).items())]

    def delete_groundings(self, pair: Pair, positions: Collection[int]) -> None:
        with self._lock:
            for position in positions:
                self._groundings.get(pair, {}).pop(position, None)

    def save_self_model(self, pair: Pair, self_model: SelfModel) -> None:
        with self._lock:
            stored = self._self_models.get(pair)
            if stored is None or stored.composed_on <= self_model.composed_on:
                self._self_models[pair] = self_model

    def self_model(self, pair: Pair) -> SelfModel | None:
        return self._self_models.get(pair)

    def delete_self_model(self, pair: Pair) -> None:
        self._self_models.pop(pair, None)
