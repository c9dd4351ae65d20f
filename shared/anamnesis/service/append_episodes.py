"""Record a batch of events: all of it or nothing, once per idempotency key (EP-1 … EP-7, BE-5, RC-6, TE-3).

Writers of one pair take turns: each transaction moves the pair's head, and one that finds it moved is made again behind
the new one. What a try repeats is only what a moved head can change: it reads the head and the episodes that came in
between, predicts, links and writes. So a pair takes about one append per time that reading a head and a transaction
take together, however many write, and pairs do not wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from anamnesis.domain.concepts import StudentLayer
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.errors import AnamnesisError, Busy, HeadMoved, IdempotencyConflict, StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import canonical_hash
from anamnesis.domain.log.episodes import MAX_BATCH, AppendReceipt, Episode, Head
from anamnesis.domain.log.erasures import SEALED
from anamnesis.domain.log.progress import Progress
from anamnesis.ports import (
    Backoff,
    BeliefStore,
    Clock,
    ConceptStore,
    EpisodeLog,
    IdSource,
    RecordStore,
    Roster,
)
from anamnesis.service.antecedents import Antecedents, ReadAntecedents
from anamnesis.service.drafts import Draft, check_draft
from anamnesis.service.erased_events import ErasedEvents
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_log import ProjectLog
from anamnesis.service.scribe import Scribe, name, place

__all__ = ["MAX_OUTAGES", "RETRY_SECONDS", "AppendEpisodes", "Draft"]

#: For how long a call tries again against other writers. API Gateway gives a reply 30 seconds and the function 29: the
#: rest is for a last try against a slow store and for the projection. Ours.
RETRY_SECONDS = 18.0
#: Tries in a row that a store may fail, each with the SDK's own retries inside: as many bridge a second or two, and one
#: that refuses for good is not asked for as long as a contended head. Ours.
MAX_OUTAGES = 8


@dataclass(frozen=True, slots=True)
class AppendEpisodes:
    """The use case; call it with a pair, an idempotency key and drafts.

    Parameters
    ----------
    monotonic
        A clock in seconds, for the time that a call tries again.
    """

    log: EpisodeLog
    concepts: ConceptStore
    beliefs: BeliefStore
    records: RecordStore
    maps: MapCache
    project: ProjectLog
    clock: Clock
    roster: Roster
    erased: ErasedEvents
    ids: IdSource
    backoff: Backoff
    monotonic: Callable[[], float]

    def __call__(
        self,
        pair: Pair,
        key: str,
        drafts: Sequence[Draft],
        *,
        recheck: Callable[[Head], None] | None = None,
    ) -> list[Episode]:
        """Append `drafts` in order and project what follows from them.

        Parameters
        ----------
        recheck
            Called with the head that each try is to follow, before that try writes anything. It raises to give up, for
            drafts made from a state of the log that the head may have left behind.

        Returns
        -------
        list of Episode
            As stored; on a retry under the same key, as stored the first time, less what was erased since.

        Raises
        ------
        InvalidInput
            If a draft contradicts itself or cites a file or page that is not there; nothing is written.
        IdempotencyConflict
            If the key was used for a different batch.
        ErasedBefore
            If an event of the batch was erased from this log; nothing is written.
        Busy
            If other writers kept winning for ``RETRY_SECONDS``; nothing is written.
        StoreUnavailable
            If a store failed ``MAX_OUTAGES`` times in a row: the same call again finds out whether it was written.
        """
        for index, draft in enumerate(drafts):
            check_draft(draft, f"episodes[{index}]")
        batch = _Batch(self, pair, key, drafts, recheck)
        since, outages, look = self.monotonic(), 0, True
        for attempt in count(1):
            failure: AnamnesisError = Busy(
                "too many writers at once on this log; send the same request again"
            )
            try:
                receipt = self.log.receipt(pair, key) if look else None
                return batch.append() if receipt is None else self._earlier(pair, receipt, batch)
            except HeadMoved:
                # Nothing was written, and a receipt under this key would have been named first.
                outages, look = 0, False
            except _KeyUsed:
                outages, look = 0, True
            except StoreUnavailable as error:
                # The write may have happened: only the receipt can tell, so look again before giving up.
                failure, outages, look = error, outages + 1, True
            waited = self.monotonic() - since
            if waited >= RETRY_SECONDS or outages >= MAX_OUTAGES:
                raise failure
            self.backoff.pause(attempt, waited)
        raise AssertionError("counting does not end")

    def _earlier(self, pair: Pair, receipt: AppendReceipt, batch: _Batch) -> list[Episode]:
        # Of a batch of which a part was erased the receipt has the hash sealed.
        kept = receipt.request_hash
        sent = self.erased.sealer(pair)(batch.request_hash) if kept.startswith(SEALED) else batch.request_hash
        if kept != sent:
            raise IdempotencyConflict("this key was used for a different batch", field="Idempotency-Key")
        positions = range(receipt.first_position, receipt.last_position + 1)
        # An edited receipt may claim any span; no batch was ever longer than this.
        episodes = self.log.read(pair, positions, with_text=False) if len(positions) <= MAX_BATCH else []
        times = [episode.occurred_at for episode in episodes]
        if not receipt.vouches_for(episodes) or times != [draft.occurred_at for draft in batch.drafts]:
            raise IdempotencyConflict(
                "what was recorded under this key is not there any more as it was recorded",
                field="Idempotency-Key",
            )
        self.project.quietly(pair, up_to=Progress(receipt.last_position))
        return self.erased.withheld.left_out(pair, episodes, self.log.head(pair))


class _KeyUsed(Exception):
    """Another call under the same key has written since this one looked."""


class _Batch:
    """One call's episodes on their way into the log; what an earlier try made and a moved head leaves true is kept."""

    def __init__(
        self,
        use: AppendEpisodes,
        pair: Pair,
        key: str,
        drafts: Sequence[Draft],
        recheck: Callable[[Head], None] | None,
    ) -> None:
        self.drafts = drafts
        self.request_hash = canonical_hash([draft.as_record() for draft in drafts])
        self._use = use
        self._pair = pair
        self._key = key
        self._recheck = recheck
        self._read = ReadAntecedents(use.log, use.beliefs, use.concepts, use.records, use.project)
        self._scribe: Scribe | None = None
        self._begun: list[Episode] = []
        self._named: list[Episode] = []
        self._layer: StudentLayer | None = None
        self._antecedents: Antecedents | None = None

    def append(self) -> list[Episode]:
        """Write the episodes behind the head as it is now.

        Raises
        ------
        HeadMoved
            If another writer was first; nothing is written.
        _KeyUsed
            If there is a receipt under the key by now.
        """
        begun = self._begin()
        antecedents = self._antecedents = self._antecedents or self._read.begin(self._pair, self.drafts)
        self._name(begun, antecedents.layer)
        head = self._use.log.head(self._pair)
        if self._recheck is not None:
            self._recheck(head)
        self._use.erased.refuse(self._pair, head, self.drafts)
        if head.length == 0:
            # Before the first episode: what a student has must be found when it is to be erased.
            self._use.roster.note(self._pair)
        antecedents = self._antecedents = self._read.at(head, self._pair, self.drafts, antecedents)
        episodes = place(self._name(begun, antecedents.layer), antecedents, head)
        first, last = episodes[0], episodes[-1]
        receipt = AppendReceipt(
            self._key, self.request_hash, first.position, last.position, first.hash, last.hash
        )
        try:
            self._use.log.append(self._pair, episodes, head, receipt)
        except IdempotencyConflict:
            raise _KeyUsed from None
        self._use.project.quietly(self._pair, up_to=Progress(last.position, head.erasures))
        return episodes

    def _begin(self) -> list[Episode]:
        if self._scribe is None:
            self._scribe = Scribe(
                pair=self._pair,
                subject_map=self._use.maps.load(self._pair.scope),
                concepts=self._use.concepts,
                ids=self._use.ids,
                recorded_at=self._use.clock.now(),
            )
        for index in range(len(self._begun), len(self.drafts)):
            self._begun.append(self._scribe.begin(self.drafts[index], f"episodes[{index}]"))
        return self._begun

    def _name(self, begun: list[Episode], layer: StudentLayer) -> list[Episode]:
        if self._scribe is not None and layer is not self._layer:
            self._named = name(begun, NameIndex(self._scribe.subject_map, layer))
            self._layer = layer
        return self._named
