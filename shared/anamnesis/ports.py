"""What the use cases need from the outside, as small Protocols named by role.

Every method may raise ``StoreUnavailable`` (or ``ModelUnavailable`` for models) when the technology behind it fails;
other errors are listed. Readers see their own pair's (or scope's) writes at once unless a method says otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import Contribution, Extraction, StudentLayer, SubjectMap
from anamnesis.domain.files import Document, FileRecord, Page, UploadTicket
from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis.domain.log.chain import Break
from anamnesis.domain.log.checkpoints import Checkpoint
from anamnesis.domain.log.episodes import AppendReceipt, Episode, Head, Kind
from anamnesis.domain.log.erasures import Erasure, ErasureRequest, ErasureStage, PairRequest
from anamnesis.domain.log.progress import Progress
from anamnesis.domain.night.records import CitationCheck, SelfModel
from anamnesis.domain.working_set import Segment

Vector = npt.NDArray[np.float32]


class Clock(Protocol):
    """The time."""

    def now(self) -> datetime:
        """Aware, in UTC."""


class IdSource(Protocol):
    """Fresh identifiers and salts."""

    def new_id(self, at: datetime) -> str:
        """A ULID stamped with `at`: 26 characters, sorts by time."""

    def new_salt(self) -> str:
        """16 random bytes as hex."""


class Backoff(Protocol):
    """Waiting between tries, with jitter."""

    def pause(self, attempt: int, waited: float = 0.0) -> None:
        """Wait before try number `attempt` + 1 (`attempt` counts from 1), `waited` seconds after the first."""


class EpisodeLog(Protocol):
    """The append-only log of every pair (EP-1 … EP-7)."""

    def head(self, pair: Pair) -> Head:
        """Current head; length 0 for a pair without episodes."""

    def receipt(self, pair: Pair, key: str) -> AppendReceipt | None:
        """What an earlier append under this idempotency key wrote."""

    def append(self, pair: Pair, episodes: Sequence[Episode], expected: Head, receipt: AppendReceipt) -> None:
        """Write all episodes, move the head and keep the receipt in one transaction, or nothing at all.

        Also marks the pair active on the UTC days that the episodes were recorded on and occurred on.

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
        """Every pair that an episode was recorded for, or occurred for, on this UTC day; an index, not a scan."""


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

    def forget_receipts(self, pair: Pair, positions: Collection[int]) -> None:
        """Remove from the receipts of these positions' appends what tells about the request: its key and its hash."""

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


class BeliefStore(Protocol):
    """Belief rows and how far the log has been turned into them (BE-2)."""

    def projected_to(self, pair: Pair) -> Progress:
        """What the stored rows cover of the log; nothing at first."""

    def current(self, pair: Pair) -> list[Belief]:
        """Rows that nothing supersedes, by concept key; reads no superseded row."""

    def history(self, pair: Pair) -> list[Belief]:
        """All rows, oldest first."""

    def get(self, pair: Pair, belief_id: str) -> Belief | None:
        """One row."""

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
        """Insert rows, store the new pointer, confidence or history of changed ones, and delete rows by their ids.

        One transaction, or several when there are many rows: each then only if nobody else has saved since the one
        before, the rows of one concept together, and the last moves the projection.

        Parameters
        ----------
        projected_to
            What the rows cover; its revision does not matter, each transaction counts the stored one up.
        expected
            The ``projected_to`` that the caller read before the rows. Saving again what is stored changes nothing.
        removed
            Only for what the law wants gone (EP-8): other rows are superseded, never deleted (BE-2).

        Raises
        ------
        RevisionMoved
            If another writer has saved since.
        """


class ConceptStore(Protocol):
    """Files, what each one says, the merged map of a subject, and each student's own layer."""

    def add_file(self, record: FileRecord) -> None:
        """Store a new file record."""

    def get_file(self, scope: SubjectScope, file_id: str) -> FileRecord | None:
        """One record, deleted and replaced ones included."""

    def files(self, scope: SubjectScope) -> list[FileRecord]:
        """Every record of the subject, oldest first."""

    def update_file(self, record: FileRecord, *, expected: FileRecord) -> int:
        """Store a record's new state and return the subject's new revision.

        `expected` is the record that the caller read and decided upon.

        Raises
        ------
        NotFound
            If the file was never added.
        RevisionMoved
            If the stored status, fingerprint, successor or time of deletion is no longer that of `expected`.
        """

    def save_contribution(
        self, scope: SubjectScope, contribution: Contribution, record: FileRecord, *, expected: FileRecord
    ) -> int:
        """Store what a file says and its record (status read) together; return the subject's new revision.

        Raises
        ------
        NotFound, RevisionMoved
            As for ``update_file``; nothing is stored then.
        """

    def contributions(self, scope: SubjectScope) -> list[Contribution]:
        """Contributions of the files that are current (not replaced, not deleted), by file id."""

    def extraction_of(self, scope: SubjectScope, fingerprint: str) -> Contribution | None:
        """What was read from these bytes before in this subject, whatever became of that file."""

    def revision(self, scope: SubjectScope) -> int:
        """Grows by one with each change of a file's state or contribution; 0 at first."""

    def save_map(self, scope: SubjectScope, subject_map: SubjectMap) -> None:
        """Publish a merged map.

        Raises
        ------
        RevisionMoved
            If a map of the same or a later revision is published already.
        """

    def load_map(self, scope: SubjectScope, *, known: SubjectMap | None = None) -> SubjectMap:
        """The published map; `known` itself when it is still the published revision; an empty map at revision 0."""

    def save_pages(self, scope: SubjectScope, fingerprint: str, pages: Sequence[Page]) -> None:
        """Keep a file's page texts."""

    def load_pages(self, scope: SubjectScope, fingerprint: str) -> list[Page]:
        """Page texts kept before; empty when there are none."""

    def delete_pages(self, scope: SubjectScope, fingerprint: str) -> None:
        """Remove page texts; nothing happens when there are none."""

    def erase_file(self, record: FileRecord, *, expected: FileRecord) -> int:
        """Store what stays of an erased file and remove what was read from it; return the subject's new revision.

        Raises
        ------
        NotFound, RevisionMoved
            As for ``update_file``; nothing is removed then.
        """

    def sweep(self, pair: Pair, *, until: datetime) -> None:
        """Remove what was written before `until` for the pair's layer or its subject and that nothing refers to."""

    def layer(self, pair: Pair) -> StudentLayer:
        """The student's own layer."""

    def save_layer(
        self, pair: Pair, layer: StudentLayer, *, projected_to: Progress, expected: Progress
    ) -> None:
        """Store the layer and what it covers of the log, and count its revision up.

        `expected` is the ``layer_position`` that the caller read before the layer. Saving again what is stored changes
        nothing.

        Raises
        ------
        RevisionMoved
            If another writer has saved since.
        """

    def layer_position(self, pair: Pair) -> Progress:
        """What the stored layer covers of the log; nothing at first."""


class RecordStore(Protocol):
    """What is known about a pair's episodes afterwards."""

    def save_vectors(self, pair: Pair, vectors: Mapping[int, npt.NDArray[np.int8]], embedder: str) -> None:
        """Keep the quantised vectors (int8, shape (d,)) of episodes by position; the same position again replaces."""

    def vectors(
        self, pair: Pair, embedder: str, *, after: int = 0, up_to: int | None = None
    ) -> dict[int, npt.NDArray[np.int8]]:
        """Vectors by position, from ``after + 1`` to `up_to` inclusive (None: to the end), that this embedder made."""

    def delete_vectors(self, pair: Pair, positions: Collection[int]) -> None:
        """Remove the vectors of episodes, whichever embedder made them."""

    def save_working_set(self, pair: Pair, segment: Segment) -> bool:
        """Publish a working set and return whether it is the published one now.

        One that has seen fewer erasures than the published one is ignored, and of equal ones that which covers fewer
        positions.
        """

    def sweep_working_sets(self, pair: Pair) -> None:
        """Remove every stored working set but the published one."""

    def working_set(self, pair: Pair, *, known: Segment | None = None) -> Segment | None:
        """The published working set; `known` itself when that is still it; None when there is none."""

    def save_citation_checks(self, pair: Pair, checks: Sequence[CitationCheck]) -> None:
        """Keep results of verification, the latest per episode."""

    def citation_checks(self, pair: Pair) -> list[CitationCheck]:
        """The latest result per episode, by position."""

    def delete_citation_checks(self, pair: Pair, positions: Collection[int]) -> None:
        """Remove the results of episodes."""

    def save_self_model(self, pair: Pair, self_model: SelfModel) -> None:
        """Keep the self-model composed by a night; one of an earlier night than the stored one is ignored."""

    def self_model(self, pair: Pair) -> SelfModel | None:
        """The latest self-model."""

    def delete_self_model(self, pair: Pair) -> None:
        """Remove the self-model; the next night composes another."""


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


class UploadArea(Protocol):
    """Where callers put file bytes."""

    def ticket(self, record: FileRecord, *, expires_at: datetime) -> UploadTicket:
        """Permission to upload exactly ``record.declared_bytes`` bytes for this file."""

    def locate(self, object_key: str) -> tuple[SubjectScope, str]:
        """Scope and file id of an object that arrived.

        Raises
        ------
        InvalidInput
            If the key is not one that ``ticket`` made.
        """

    def fetch(self, scope: SubjectScope, file_id: str, *, max_bytes: int) -> bytes:
        """The uploaded bytes.

        Raises
        ------
        NotFound
            If nothing was uploaded.
        TooLarge
            If there are more than `max_bytes`; they are not downloaded.
        """

    def delete(self, scope: SubjectScope, file_id: str) -> None:
        """Remove the bytes; nothing happens when there are none."""


class FileReader(Protocol):
    """Turns bytes into pages of text."""

    def read(self, data: bytes, *, declared_media_type: str) -> Document:
        """Decide the type by content and read it.

        Raises
        ------
        FileRefused
            With a stable reason.
        """


class ConceptReader(Protocol):
    """Finds the concepts that a document explains (CM-1); what it returns has passed the validator (CM-2)."""

    @property
    def name(self) -> str:
        """Name and version, kept with what it read."""

    def read(self, document: Document, *, file_name: str) -> Extraction:
        """At most ``MAX_CONCEPTS_PER_FILE`` concepts."""


class Embedder(Protocol):
    """Maps text to unit vectors; every threshold belongs to one embedder."""

    @property
    def name(self) -> str:
        """Model name, part of every stored vector's identity."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def merge_threshold(self) -> float:
        """Cosine from which two concepts may be the same (CM-3), calibrated on labelled pairs for this model."""

    @property
    def match_threshold(self) -> float:
        """Cosine of a question with a passage from which they are about the same thing, calibrated for this model."""

    @property
    def floor(self) -> float:
        """Typical cosine of a question with an unrelated passage: what counts as no similarity at all."""

    def embed_query(self, text: str) -> Vector:
        """Shape (dimension,), float32, unit length. One model call."""

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), float32, unit length."""


class SemanticIndex(Protocol):
    """Semantic neighbours over a pair's whole history from an external index, when one is configured."""

    def add(self, pair: Pair, vectors: Mapping[int, Vector]) -> None:
        """Index episodes by position; the same position again replaces."""

    def remove(self, pair: Pair, positions: Collection[int]) -> None:
        """Take episodes out; nothing happens for those that are not there."""

    def neighbours(
        self, pair: Pair, query: Vector, count: int, *, timeout_seconds: float
    ) -> list[tuple[int, float]]:
        """Positions and cosines of the nearest episodes of this pair, nearest first."""


class RequestCounter(Protocol):
    """How many requests each tenant sent in a window of time, over all processes (SV-12)."""

    def add(self, tenant: str, window: datetime, count: int) -> int:
        """Add to a tenant's count of the window that begins then (0 at first) and return the new count.

        No addition is lost, however many processes add at once. Counts of past windows may go.
        """


class NightQueue(Protocol):
    """Fans the night out over pairs."""

    def send(self, pairs: Iterable[Pair], night: date) -> int:
        """Queue one message per pair; return how many."""
