"""Know an erased event again when it is sent anew, without keeping what was erased (EP-8)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from anamnesis.domain.errors import ErasedBefore
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Head, Kind
from anamnesis.domain.log.erasures import event_digest, sealed_request
from anamnesis.ports import EpisodeLog, ErasureStore, KeyedHash
from anamnesis.service.drafts import Draft
from anamnesis.service.withheld import Withheld

#: Smallest step between two times of a log.
INSTANT = timedelta(microseconds=1)
#: Characters that a page of episodes of one instant or day tells at most, unless one alone tells more. Ours.
PAGE_CHARS = 2_000_000
#: Episodes whose whole texts are read at once: texts of a million characters each still fit the memory. Ours.
CHUNK = 45


@dataclass(frozen=True, slots=True)
class ErasedEvents:
    """Digests of erased events under a key that the stores do not hold.

    An event is the same when it happened at the same instant with the same text and topic. Three requests more for logs
    that something was erased from, none for others; while an erasure is under way one more for each time.
    """

    log: EpisodeLog
    erasures: ErasureStore
    keyed_hash: KeyedHash
    withheld: Withheld

    def digests(self, pair: Pair, episodes: Sequence[Episode]) -> dict[int, str]:
        """Digest by position, of those that still have their contents; what a night wrote is no event."""
        told = [
            (e, e.content) for e in episodes if e.content is not None and e.kind is not Kind.CONSOLIDATION
        ]
        if not told:
            return {}
        secret = self.keyed_hash.secret_for(pair)
        return {
            e.position: event_digest(secret, occurred_at=e.occurred_at, text=said.text, topic=said.topic)
            for e, said in told
        }

    def sealer(self, pair: Pair) -> Callable[[str], str]:
        """What makes of the hash of a request what is kept of it once a part of the request was erased."""
        return partial(sealed_request, self.keyed_hash.secret_for(pair))

    def refuse(self, pair: Pair, head: Head, drafts: Sequence[Draft]) -> None:
        """Refuse a batch that holds an event which was erased from this log, or is to be and is not reached yet.

        Raises
        ------
        ErasedBefore
            Naming the first such event; nothing of the batch is to be written.
        """
        # A night's summary is no event that somebody sends: of what remains it may read as before.
        if not head.erasures or all(draft.kind is Kind.CONSOLIDATION for draft in drafts):
            return
        secret = self.keyed_hash.secret_for(pair)
        digests = [
            event_digest(secret, occurred_at=draft.occurred_at, text=draft.text, topic=draft.topic)
            for draft in drafts
        ]
        known = self.erasures.known(pair, digests)
        if withheld := self.withheld.positions(pair, head):
            known |= self._digests_at(pair, withheld, {draft.occurred_at for draft in drafts})
        erased = [index for index, digest in enumerate(digests) if digest in known]
        if erased:
            others = f" (and {len(erased) - 1} more of this batch)" if len(erased) > 1 else ""
            raise ErasedBefore(
                f"this event was erased and is not recorded again{others}", field=f"episodes[{erased[0]}]"
            )

    def pages(
        self, pair: Pair, start: datetime, end: datetime, kind: Kind | None = None
    ) -> Iterator[list[Episode]]:
        """The episodes with ``start <= occurred_at < end`` with their whole texts, some at a time."""
        cursor: str | None = None
        while True:
            page, cursor = self.log.between(
                pair, start=start, end=end, kind=kind, cursor=cursor, limit=CHUNK, max_chars=PAGE_CHARS
            )
            yield page
            if cursor is None:
                return

    def _digests_at(self, pair: Pair, positions: Collection[int], times: Collection[datetime]) -> set[str]:
        """Digests of what stands at some of these positions and happened at one of these times."""
        return {
            digest
            for at in times
            for page in self.pages(pair, at, at + INSTANT)
            for position, digest in self.digests(pair, page).items()
            if position in positions
        }
