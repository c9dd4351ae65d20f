"""The log of every pair, its erasures, and what vouches for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import Break
from anamnesis.domain.log.checkpoints import Checkpoint
from anamnesis.domain.log.episodes import AppendReceipt, Episode, Head, Kind
from anamnesis.domain.log.erasures import Erasure, ErasureRequest, ErasureStage, PairRequest


class EpisodeLog(Protocol):
    """The append-only log of every pair (EP-1 … EP-7)."""

    def head(self, pair: Pair) -> Head:
        """Current head; length 0 for a pair without episodes."""

    def receipt(self, pair: Pair, key: str) -> AppendReceipt | None:
        """What an earlier append under this idempotency key wrote."""

    def append(self, pair: Pair, episodes: Sequence[Episode], expected: Head, receipt: AppendReceipt) -> None:
        """Write all episodes, move the head and keep the receipt in one transaction, or nothing at all.

        Also marks the pair active on the UTC days that the episodes were recorded on, and on those on which the
        student's days that they occurred on were over (``Episode.day_over``).

        Raises
        ------
        HeadMoved
            If the head is no longer `expected`, or something was erased since.
        IdempotencyConflict
            If a receipt under the same key exists already (whatever its hash: the caller re-reads it).
        """

    def read(self, pair: Pair, positions: Sequence[int], *, with_text: bool = True) -> list[Episode]:
        """The episodes at these positions, in the order asked, missing ones left out.

        Without `with_text`, long texts kept outside the row come back as their beginning only.
        """

    def scan(
        self, pair: Pair, *, after: int = 0, limit: int | None = None, with_text: bool = True
    ) -> Iterator[Episode]:
        """Episodes from position ``after + 1`` on, in order, page by page."""

    def tail(self, pair: Pair, *, after: int, limit: int) -> tuple[list[Episode], bool]:
        """The first `limit` episodes behind `after`, long texts cut, and whether something is being erased.

        The latter is whether a deletion record of this log was begun and is not finished. One request, while the
        episodes fit it and there are fewer of them than `limit`.
        """

    def rows(self, pair: Pair) -> Iterator[Episode | Break]:
        """Everything stored as the pair's episodes, in the store's order, for verification.

        Each row comes as its episode, or as a break when it is none (``malformed_row``). A break before an episode of
        its position says what is wrong with how that one is stored. No other method returns an episode that this one
        leaves out.
        """

    def position_of(self, pair: Pair, episode_id: str) -> int | None:
        """Where the episode of this id stands; looks through the log, for rare uses."""

    def hashes(self, pair: Pair, *, last: int) -> Iterator[str]:
        """The recorded hashes from position 1 to `last`, as they are; ends before a position without one.

        Reads nothing else of the episodes.
        """

    def latest(self, pair: Pair, count: int, *, with_text: bool = False) -> list[Episode]:
        """The last `count` episodes by position, newest first; one request."""

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
        """A page of episodes with ``start <= occurred_at < end``, oldest first, and the cursor of the next page.

        A page ends early before what its episodes tell has more than `max_chars` characters, with one at least.

        Raises
        ------
        InvalidInput
            If the cursor is not one that this method gave out for this pair (field ``cursor``).
        """

    def active_pairs(self, day: date) -> Iterator[Pair]:
        """Every pair that ``append`` marked active on this UTC day; an index, not a scan."""


class ErasureStore(Protocol):
    """Deletion records, and the removal of contents from the log itself (EP-8)."""

    def begin(self, erasure: Erasure) -> None:
        """Keep a signed deletion record and count the log's erasures up, in one transaction.

        Marks the pair active on the day of the request, so that the night comes by. The same id again changes nothing.
        """

    def all(self, pair: Pair) -> list[Erasure]:
        """Every deletion record, oldest first; one that another hand made unreadable comes with an empty note."""

    def count(self, pair: Pair) -> None:
        """Count the log's erasures up: whatever was prepared before is refused, or looked at once more."""

    def advance(self, erasure: Erasure, stage: ErasureStage, *, at: datetime) -> None:
        """Note how far an erasure has come, and when; it never goes back."""

    def erase(self, pair: Pair, positions: Sequence[int], digests: Mapping[int, str]) -> None:
        """Remove the contents of the episodes at these positions, long texts included, and keep their digests.

        Each episode's contents go in the transaction that keeps its digest and counts the log's erasures up. Positions
        without a row change nothing; a row that is no episode any more has no digest and goes all the same.
        """

    def known(self, pair: Pair, digests: Collection[str]) -> set[str]:
        """Those of `digests` that belong to erased episodes of this pair."""

    def forget_receipts(self, pair: Pair, positions: Collection[int], seal: Callable[[str], str]) -> None:
        """Remove from the receipts of these positions' appends what tells about the request: its key and its hash.

        In the hash's place stands what `seal` makes of it (``erasures.sealed_request``), so that the same request is
        still known; a hash that is sealed already stays.
        """

    def sweep(self, pair: Pair, positions: Collection[int], *, until: datetime) -> None:
        """Remove long texts that belong to no episode: of these positions, and all written before `until`."""


class Roster(Protocol):
    """The subjects that a student has anything in, and what is asked to be erased of it."""

    def note(self, pair: Pair) -> None:
        """Put a pair on the roster; nothing changes when it is there."""

    def pairs(self, tenant: str, student: str) -> list[Pair]:
        """Every pair noted for a student, by subject."""

    def request(self, pair: Pair, asked: PairRequest) -> None:
        """Keep that a pair is to be erased, and mark it active on that day, so that the night comes by.

        The same request again changes nothing, however far it has come; another one takes an earlier one's place.
        """

    def requested(self, pair: Pair) -> PairRequest | None:
        """The latest request to erase a pair."""

    def advance(self, pair: Pair, request: ErasureRequest, stage: ErasureStage, *, at: datetime) -> None:
        """Note how far a request has come, and when; it never goes back, and another one made meanwhile stays."""

    def revisit(self, pair: Pair, at: datetime) -> None:
        """Mark a pair active on the UTC day of `at`, so that the night comes by though nothing was recorded."""


class KeyedHash(Protocol):
    """A secret that only the key's holder can make."""

    def secret_for(self, pair: Pair) -> bytes:
        """32 bytes that follow from the pair and the key, the same every time."""


class CheckpointStore(Protocol):
    """Signed roots, kept where the application can add but not overwrite or delete (EP-5)."""

    def add(self, pair: Pair, checkpoint: Checkpoint) -> None:
        """Store one; storing the same length and root again changes nothing."""

    def all(self, pair: Pair) -> list[Checkpoint]:
        """Every checkpoint of the pair, shortest log first, every stored version included."""

    def after(self, pair: Pair, length: int, *, limit: int) -> list[Checkpoint]:
        """The next checkpoints of logs longer than `length`, shortest first.

        There are `limit` of them, fewer only at the end, and more only so that those of one length stay together.
        """

    def newest(self, pair: Pair) -> Iterator[Checkpoint]:
        """Every checkpoint of the pair, longest log first, each fetched when it is asked for."""


class Signer(Protocol):
    """Signs checkpoints and checks signatures."""

    @property
    def name(self) -> str:
        """Key name in signed notes."""

    @property
    def public_key_der(self) -> bytes:
        """SubjectPublicKeyInfo, DER."""

    def sign(self, message: bytes) -> bytes:
        """ECDSA P-256 signature over SHA-256 of `message`, DER."""

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature is this key's over `message`."""
