"""A pair's whole history as segments: the stored working set and the episodes since (RC-1)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Executor
from itertools import islice
from threading import Lock

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import build_segment
from anamnesis.ports import Embedder, EpisodeLog, RecordStore

#: Most episodes read behind a working set. Indexing extends the set long before; this bounds a turn if it lags.
TAIL_LIMIT = 1_000
#: Rows of working sets kept in a warm process, over all pairs: about 1 kB each.
MAX_KEPT_ROWS = 300_000


def consecutive(episodes: Sequence[Episode]) -> list[list[Episode]]:
    """`episodes`, ascending, split where positions are missing: a row that somebody removed must not end reading."""
    runs: list[list[Episode]] = []
    for episode in episodes:
        if runs and episode.position == runs[-1][-1].position + 1:
            runs[-1].append(episode)
        else:
            runs.append([episode])
    return runs


class HistoryReader:
    """Loads histories, keeping working sets by version in a warm process. Thread-safe.

    A working set of another embedder serves all the same: its vectors are not compared, its words are.

    A load takes a number of store requests that does not depend on the length of the history: the working set's
    pointer, the set itself when this process has not got that version, the tail, and the tail's vectors.
    """

    def __init__(self, log: EpisodeLog, records: RecordStore, embedder: Embedder, executor: Executor) -> None:
        self._log = log
        self._records = records
        self._embedder = embedder
        self._executor = executor
        self._kept: OrderedDict[str, Segment] = OrderedDict()
        self._lock = Lock()

    def load(self, pair: Pair) -> tuple[Segment, ...]:
        """Segments in order of position that together cover the log; empty for a pair without episodes."""
        base = self._working_set(pair)
        after = base.last_position if base is not None else 0
        vectors = self._executor.submit(self._records.vectors, pair, self._embedder.name, after=after)
        tail = list(islice(self._log.scan(pair, after=after, limit=TAIL_LIMIT, with_text=False), TAIL_LIMIT))
        if len(tail) == TAIL_LIMIT:
            # Indexing is far behind. Between the first and the latest of such a tail a part may stay out of sight.
            tail += [
                e for e in reversed(self._log.latest(pair, TAIL_LIMIT)) if e.position > tail[-1].position
            ]
        recent = [
            build_segment(
                run,
                first_position=run[0].position,
                vectors=vectors.result(),
                embedder=self._embedder.name,
                dimension=self._embedder.dimension,
            )
            for run in consecutive(tail)
        ]
        return (*(() if base is None else (base,)), *recent)

    def _working_set(self, pair: Pair) -> Segment | None:
        with self._lock:
            known = self._kept.get(pair.key)
        current = self._records.working_set(pair, known=known)
        if current is None:
            return None
        with self._lock:
            self._kept[pair.key] = current
            self._kept.move_to_end(pair.key)
            while len(self._kept) > 1 and sum(len(s.occurred) for s in self._kept.values()) > MAX_KEPT_ROWS:
                self._kept.popitem(last=False)
        return current
