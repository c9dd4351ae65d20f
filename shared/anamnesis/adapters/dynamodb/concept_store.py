"""Files, what each says, the merged map and each student's layer on DynamoDB and S3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime

from pynamodb.exceptions import TransactWriteError
from pynamodb.transactions import TransactWrite

from anamnesis.adapters import concept_format
from anamnesis.adapters.dynamodb import file_rows
from anamnesis.adapters.dynamodb.blobs import Blobs
from anamnesis.adapters.dynamodb.connection import (
    DynamoConnection,
    dynamodb_errors,
    get_row,
    put_if,
    raw_items,
    tries,
)
from anamnesis.adapters.dynamodb.errors import CONDITION_FAILED, CONFLICT, cancellation_codes, unavailable
from anamnesis.adapters.dynamodb.models import BlobRow, FileRow, FingerprintRow, PointerRow, RevisionRow
from anamnesis.adapters.dynamodb.progress import attributes_of, progress_of, still
from anamnesis.adapters.dynamodb.published import Published
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.domain.concepts import Contribution, StudentLayer, SubjectMap, empty_map
from anamnesis.domain.errors import Busy, NotFound, RevisionMoved, StoreUnavailable
from anamnesis.domain.files import FileRecord, Page
from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis.domain.log.progress import Progress

CONTRIBUTION = "CONTRIB#"
FINGERPRINT = "FINGERPRINT#"
REVISION = "REVISION"
LAYER = "LAYER"


class DynamoConceptStore:
    """The port ``ConceptStore`` on one table and the content bucket; safe to use from many threads.

    Parameters
    ----------
    connection, table
        Where the rows are.
    content
        Holds maps, page texts, and contributions and layers that outgrow a row.
    """

    def __init__(self, connection: DynamoConnection, *, table: str, content: ContentObjects) -> None:
        self._connection = connection
        self._files = connection.bind(FileRow, table)
        self._blobs = connection.bind(BlobRow, table)
        self._fingerprints = connection.bind(FingerprintRow, table)
        self._revisions = connection.bind(RevisionRow, table)
        self._maps = Published(connection.bind(PointerRow, table), content, sort_key="MAP", prefix="maps")
        self._content = content
        self._large = Blobs(content)

    def add_file(self, record: FileRecord) -> None:
        """Store a new file record; the same record again changes nothing.

        Raises
        ------
        RevisionMoved
            If another record has this id.
        """
        new = put_if(file_rows.row_of(record, self._files), FileRow.pk.does_not_exist())
        if not new and self.get_file(record.scope, record.id) != record:
            raise RevisionMoved("a file of this id is stored already")

    def get_file(self, scope: SubjectScope, file_id: str) -> FileRecord | None:
        """Return one record, deleted and replaced ones included."""
        row = get_row(self._files, scope.key, file_rows.PREFIX + file_id)
        return file_rows.record_of(row, scope) if row else None

    def files(self, scope: SubjectScope) -> list[FileRecord]:
        """Return every record of the subject, oldest first."""
        with dynamodb_errors():
            rows = self._files.query(scope.key, FileRow.sk.startswith(file_rows.PREFIX), consistent_read=True)
            records = [file_rows.record_of(row, scope) for row in rows]
        return sorted(records, key=lambda record: (record.created_at, record.id))

    def update_file(self, record: FileRecord, *, expected: FileRecord) -> int:
        """Store a record's new state and return the subject's revision, which covers it.

        Raises
        ------
        NotFound
            If the file was never added.
        RevisionMoved
            If the stored status, fingerprint, successor or time of deletion is no longer that of `expected`.
        Busy
            If other files of the subject changed at the same time, again and again.
        """
        return self._change(record, expected)

    def save_contribution(
        self, scope: SubjectScope, contribution: Contribution, record: FileRecord, *, expected: FileRecord
    ) -> int:
        """Store what a file says and its record together; return the subject's revision, which covers both.

        Raises
        ------
        NotFound, RevisionMoved, Busy
            As for ``update_file``.
        """
        value = concept_format.contribution_to_bytes(contribution)
        placed = self._large.place(value, prefix=f"contributions/{scope.key}/{contribution.file_id}")
        blob = self._blobs(
            scope.key, CONTRIBUTION + contribution.file_id, data=placed.data, object_key=placed.object_key
        )
        read_from = self._fingerprints(
            scope.key, FINGERPRINT + contribution.fingerprint, file_id=contribution.file_id
        )

        def with_contribution(transaction: TransactWrite) -> None:
            transaction.save(blob)
            transaction.save(read_from)

        return self._change(record, expected, with_contribution)

    def contributions(self, scope: SubjectScope) -> list[Contribution]:
        """Return the contributions of the files that are neither replaced nor deleted, by file id."""
        current = [record.id for record in self.files(scope) if record.current]
        items = self._connection.get_many(
            self._blobs, [(scope.key, CONTRIBUTION + file_id) for file_id in current]
        )
        found = [self._contribution(self._blobs.from_raw_data(item)) for item in items]
        return sorted(found, key=lambda contribution: contribution.file_id)

    def extraction_of(self, scope: SubjectScope, fingerprint: str) -> Contribution | None:
        """Return what was read from these bytes before in this subject, whatever became of that file."""
        known = get_row(self._fingerprints, scope.key, FINGERPRINT + fingerprint)
        row = get_row(self._blobs, scope.key, CONTRIBUTION + known.file_id) if known else None
        return self._contribution(row) if row else None

    def revision(self, scope: SubjectScope) -> int:
        """Return a number that grows by one with each change of a file's state or contribution; 0 at first."""
        row = get_row(self._revisions, scope.key, REVISION)
        return int(row.revision) if row else 0

    def published_revision(self, scope: SubjectScope) -> int | None:
        """Return the revision of the published map by one small read; None before the first."""
        pointer = self._maps.pointer(scope.key)
        return None if pointer is None else int(pointer.position)

    def save_map(self, scope: SubjectScope, subject_map: SubjectMap) -> None:
        """Publish a merged map.

        Raises
        ------
        RevisionMoved
            If a map of the same or a later revision is published already.
        """
        data = concept_format.map_to_bytes(subject_map)
        if not self._maps.publish(scope.key, data, position=subject_map.revision, unless_equal=True):
            raise RevisionMoved("a map of this or a later revision is published already")

    def load_map(self, scope: SubjectScope, *, known: SubjectMap | None = None) -> SubjectMap:
        """Return the published map; `known` itself, for one small read, when it is still the published revision.

        Raises
        ------
        StoreUnavailable
            If the published object is missing or damaged.
        """
        pointer = self._maps.pointer(scope.key)
        if pointer is None:
            return known if known is not None and known.revision == 0 else empty_map()
        if known is not None and known.revision == pointer.position:
            return known
        loaded = self._maps.load(scope.key, pointer)
        if loaded is None:
            raise StoreUnavailable("s3: the published map is missing")
        try:
            return concept_format.map_from_bytes(loaded[1], scope)
        except (ValueError, KeyError, TypeError):
            raise StoreUnavailable("s3: the published map is damaged") from None

    def save_pages(self, scope: SubjectScope, fingerprint: str, pages: Sequence[Page]) -> None:
        """Keep a file's page texts."""
        self._content.put(_pages_key(scope, fingerprint), concept_format.pages_to_bytes(pages))

    def load_pages(self, scope: SubjectScope, fingerprint: str) -> list[Page]:
        """Return page texts kept before; empty when there are none."""
        data = self._content.get(_pages_key(scope, fingerprint))
        return concept_format.pages_from_bytes(data) if data is not None else []

    def delete_pages(self, scope: SubjectScope, fingerprint: str) -> None:
        """Remove page texts; nothing happens when there are none."""
        self._content.delete(_pages_key(scope, fingerprint))

    def erase_file(self, record: FileRecord, *, expected: FileRecord) -> int:
        """Store what stays of an erased file and remove what was read from it; return the subject's new revision.

        Raises
        ------
        NotFound, RevisionMoved, Busy
            As for ``update_file``; nothing is removed then.
        """
        scope = record.scope
        blob = get_row(self._blobs, scope.key, CONTRIBUTION + record.id)
        fingerprint = FINGERPRINT + (expected.fingerprint or "")
        read_from = get_row(self._fingerprints, scope.key, fingerprint)

        def without_contribution(transaction: TransactWrite) -> None:
            transaction.delete(self._blobs(scope.key, CONTRIBUTION + record.id))
            if read_from is not None and read_from.file_id == record.id:
                transaction.delete(read_from, condition=FingerprintRow.file_id == record.id)

        revision = self._change(record, expected, without_contribution)
        if blob is not None and blob.object_key is not None:
            self._content.delete(blob.object_key)
        return revision

    def sweep(self, pair: Pair, *, until: datetime) -> None:
        """Remove what was written before `until` for the pair's layer or its subject and that nothing refers to.

        What an erased file had said, and maps from before the published one, go whenever they were written.
        """
        scope, readings = pair.scope.key, f"contributions/{pair.scope.key}/"
        stored = {
            key
            for prefix in (f"layers/{pair.key}/", readings)
            for key in self._content.keys(prefix, until=until)
        }
        if stored:
            layer = get_row(self._blobs, pair.key, LAYER)
            referring = self._blobs.query(scope, BlobRow.sk.startswith(CONTRIBUTION), consistent_read=True)
            used = {item.get("object_key", {}).get("S") for item in raw_items(referring)}
            self._content.delete_many(stored - used - {layer.object_key if layer else None})
        if left := list(self._content.keys(readings)):
            erased = {record.id for record in self.files(pair.scope) if record.erased}
            self._content.delete_many(key for key in left if key.split("/")[2] in erased)
        self._maps.sweep(scope, until=until)

    def layer(self, pair: Pair) -> StudentLayer:
        """Return the student's own layer."""
        row = get_row(self._blobs, pair.key, LAYER)
        return concept_format.layer_from_bytes(self._large.load(row)) if row else StudentLayer()

    def save_layer(
        self, pair: Pair, layer: StudentLayer, *, projected_to: Progress, expected: Progress
    ) -> None:
        """Store the layer and what it covers of the log; saving again what is stored already changes nothing.

        Raises
        ------
        RevisionMoved
            If the stored revision is no longer that of `expected`.
        """
        value = concept_format.layer_to_bytes(layer)
        placed = self._large.place(value, prefix=f"layers/{pair.key}")
        before = get_row(self._blobs, pair.key, LAYER) if placed.object_key is not None else None
        kept = attributes_of(projected_to, revision=expected.revision + 1)
        row = self._blobs(pair.key, LAYER, data=placed.data, object_key=placed.object_key, **kept)
        if put_if(row, still(BlobRow, expected)):
            if before is not None and before.object_key not in {None, placed.object_key}:
                with suppress(StoreUnavailable):  # what stays behind is litter, and the layer is stored
                    self._content.delete(before.object_key)
            return
        stored = get_row(self._blobs, pair.key, LAYER)
        if stored is None or progress_of(stored) != projected_to or self._large.load(stored) != value:
            raise RevisionMoved("another writer changed the layer first")

    def layer_position(self, pair: Pair) -> Progress:
        """Return what the stored layer covers of the log; nothing at first."""
        row = get_row(self._blobs, pair.key, LAYER)
        return progress_of(row) if row else Progress()

    def _contribution(self, row: BlobRow) -> Contribution:
        return concept_format.contribution_from_bytes(self._large.load(row))

    def _change(
        self, record: FileRecord, expected: FileRecord, more: Callable[[TransactWrite], None] | None = None
    ) -> int:
        """Store a record and count the subject's revision up in one transaction, whatever else `more` adds to it.

        The revision is read after the write: it may be a later one than this write made, never an earlier one.
        """
        for _ in tries():
            try:
                with self._connection.transaction() as transaction:
                    row = file_rows.row_of(record, self._files)
                    transaction.save(row, condition=file_rows.state_of(expected))
                    if more:
                        more(transaction)
                    counter = self._revisions(record.scope.key, REVISION)
                    transaction.update(counter, actions=[RevisionRow.revision.add(1)])
            except TransactWriteError as error:
                codes = cancellation_codes(error)
                if CONDITION_FAILED in codes:
                    if self.get_file(record.scope, record.id) is None:
                        raise NotFound("no such file in this subject") from None
                    raise RevisionMoved("another writer changed the file first") from None
                if CONFLICT not in codes:
                    raise unavailable(error) from None
            else:
                return self.revision(record.scope)
        raise Busy("other files of the subject keep changing")


def _pages_key(scope: SubjectScope, fingerprint: str) -> str:
    return f"pages/{scope.key}/{fingerprint}"
