"""Know an erased event again when it is sent anew, without keeping what was erased (EP-8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from anamnesis.domain.errors import ErasedBefore
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Head, Kind
from anamnesis.domain.log.erasures import event_digest, sealed_request
from anamnesis.ports import ErasureStore, KeyedHash
from anamnesis.service.drafts import Draft


@dataclass(frozen=True, slots=True)
class ErasedEvents:
    """Digests of erased events under a key that the stores do not hold.

    An event is the same when it happened at the same instant with the same text and topic. Two requests more for logs
    that something was erased from, none for others.
    """

    erasures: ErasureStore
    keyed_hash: KeyedHash

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
        """Refuse a batch that holds an event which was erased from this log.

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
        erased = [index for index, digest in enumerate(digests) if digest in known]
        if erased:
            others = f" (and {len(erased) - 1} more of this batch)" if len(erased) > 1 else ""
            raise ErasedBefore(
                f"this event was erased and is not recorded again{others}", field=f"episodes[{erased[0]}]"
            )
