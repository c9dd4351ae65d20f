"""A pair's whole history as segments: the stored working set and the episodes since (RC-1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt

from anamnesis.domain.errors import AnamnesisError
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import MAX_INDEXED_CHARS, blanked, build_segment
from anamnesis.ports import Embedder, EpisodeLog, RecordStore
from anamnesis.recently_used import RecentlyUsed
from anamnesis.service.watch import Watch, unwatched
from anamnesis.service.withheld import NOTHING, Withheld, telling_nothing_of, without

Vectors = dict[int, npt.NDArray[np.int8]]

#: Most episodes read behind a working set, and of those beyond them the latest ones. Indexing extends the set before
#: there are so many; these bound a turn if it lags.
TAIL_LIMIT, LATEST_LIMIT = 250, 150
#: Most bytes in UTF-8 of those episodes' texts, which bound the CPU that a turn spends on them to about 60 ms in
#: English and 140 ms in Chinese: indexing takes 0.36 µs a byte in English, 0.47 in Arabic, 0.89 in Chinese.
TAIL_BYTES = 160_000
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


def within_bytes(episodes: Sequence[Episode]) -> list[Episode]:
    """`episodes`, without as many in the middle as it takes for their texts to have ``TAIL_BYTES`` bytes.

    The latest keep half of that, and the first what the latest leave: what was said last matters most to a turn, and
    what follows the working set at once is seen together with it.
    """
    sizes = [_indexed_bytes(episode) for episode in episodes]
    if sum(sizes) <= TAIL_BYTES:
        return list(episodes)
    start, left = len(sizes), TAIL_BYTES
    while start > 0 and left - sizes[start - 1] >= TAIL_BYTES // 2:
        start -= 1
        left -= sizes[start]
    stop = 0
    while stop < start and left >= sizes[stop]:
        left -= sizes[stop]
        stop += 1
    return [*episodes[:stop], *episodes[start:]]


def _indexed_bytes(episode: Episode) -> int:
    if episode.content is None:
        return 0
    text = episode.content.text[:MAX_INDEXED_CHARS] + episode.content.summary
    return len(text.encode(errors="replace"))


def _in_time(vectors: Future[Vectors], patience: Callable[[], float] | None) -> tuple[Vectors, bool]:
    """The vectors, or none and True when they failed or are late: words find episodes without them."""
    try:
        return vectors.result(timeout=None if patience is None else patience()), False
    except (FutureTimeout, AnamnesisError):
        vectors.cancel()
        return {}, True


@dataclass(frozen=True, slots=True)
class History:
    """A pair's whole log.

    Attributes
    ----------
    segments
        In order of position, together covering the log; empty for a pair without episodes.
    withheld
        Positions of what is being erased: the segments say nothing of it, other stores still may.
    hidden
        How many episodes the segments leave out, because indexing is far behind and a turn reads no more.
    lacks_vectors
        Whether vectors of the newest episodes did not come: these are found by their words only.
    """

    segments: tuple[Segment, ...]
    withheld: Collection[int] = NOTHING
    hidden: int = 0
    lacks_vectors: bool = False


class HistoryReader:
    """Loads histories, keeping working sets by version in a warm process. Thread-safe.

    A working set of another embedder serves all the same: its vectors are not compared, its words are.

    A load takes a number of store requests that does not depend on the length of the history: the working set's
    pointer, the set itself when this process has not got that version, the tail, and the tail's vectors. The request
    for the tail tells whether an erasure is under way; only then there is one more.
    """

    def __init__(
        self,
        log: EpisodeLog,
        records: RecordStore,
        embedder: Embedder,
        executor: Executor,
        withheld: Withheld,
        watch: Watch = unwatched,
    ) -> None:
        self._log = log
        self._watch = watch
        self._withheld = withheld
        self._records = records
        self._embedder = embedder
        self._executor = executor
        self._kept: RecentlyUsed[str, Segment] = RecentlyUsed(MAX_KEPT_ROWS, lambda s: len(s.occurred))

    def load(
        self,
        pair: Pair,
        *,
        window: tuple[datetime, datetime] | None = None,
        patience: Callable[[], float] | None = None,
    ) -> History:
        """The log as segments, without what is withheld.

        Parameters
        ----------
        window
            The time that is asked for: where indexing is far behind, its episodes are read besides, up to
            ``LATEST_LIMIT``, so that nobody is told of an empty July that is only not indexed.
        patience
            Seconds that the vectors of the newest episodes may still take; by default as long as they take.
        """
        with self._watch("working set"):
            base = self._working_set(pair)
        after = base.last_position if base is not None else 0
        first = self._executor.submit(self._vectors, pair, after, after + TAIL_LIMIT)
        with self._watch("newest episodes"):
            tail, erasing = self._log.tail(pair, after=after, limit=TAIL_LIMIT)
        with self._watch("their vectors, waited for"):
            vectors, lacks_vectors = _in_time(first, patience)
        passed_by = 0
        if len(tail) == TAIL_LIMIT:
            # Indexing is far behind. Between the first and the latest of such a tail a part may stay out of sight.
            latest = reversed(self._log.latest(pair, LATEST_LIMIT))
            beyond = [e for e in latest if e.position > tail[-1].position]
            if beyond:
                passed_by = beyond[0].position - tail[-1].position - 1
                second = self._executor.submit(
                    self._vectors, pair, beyond[0].position - 1, beyond[-1].position
                )
                more, late = _in_time(second, patience)
                vectors, lacks_vectors = vectors | more, lacks_vectors or late
            tail += beyond
        seen = within_bytes(tail)
        hidden = passed_by + len(tail) - len(seen)
        if hidden and window is not None:
            seen = self._with_window(pair, seen, after, window)
        withheld = self._withheld.positions(pair) if erasing else NOTHING
        if withheld:
            seen, vectors = without(seen, withheld), telling_nothing_of(withheld, vectors)
            base = None if base is None else blanked(base, withheld, erasures=base.erasures)
        with self._watch("newest episodes, indexed"):
            recent = [
                build_segment(
                    run,
                    first_position=run[0].position,
                    vectors=vectors,
                    embedder=self._embedder.name,
                    dimension=self._embedder.dimension,
                )
                for run in consecutive(seen)
            ]
        return History((*(() if base is None else (base,)), *recent), withheld, hidden, lacks_vectors)

    def _with_window(
        self, pair: Pair, seen: Sequence[Episode], after: int, window: tuple[datetime, datetime]
    ) -> list[Episode]:
        """`seen` and what else of the window lies behind the set, ascending; one request more."""
        start, end = window
        inside, _ = self._log.between(
            pair, start=start, end=end, kind=None, cursor=None, limit=LATEST_LIMIT, with_text=False
        )
        known = {episode.position for episode in seen}
        found = [e for e in inside if e.position > after and e.position not in known]
        return sorted([*seen, *within_bytes(found)], key=lambda episode: episode.position)

    def _vectors(self, pair: Pair, after: int, up_to: int) -> Vectors:
        return self._records.vectors(pair, self._embedder.name, after=after, up_to=up_to)

    def _working_set(self, pair: Pair) -> Segment | None:
        current = self._records.working_set(pair, known=self._kept.get(pair.key))
        if current is None:
            self._kept.forget(pair.key)
        else:
            self._kept.keep(pair.key, current)
        return current
