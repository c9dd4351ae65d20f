"""The rows of the four tables, as PynamoDB models without a table; ``DynamoConnection.bind`` gives them one.

Every table has the string keys ``pk`` and ``sk``. ``EpisodesTable`` also has the local secondary index ``by_time``
(``pk``, ``occurred``) that projects everything: it can be read consistently, which a global index cannot. Its price is
that a pair's rows may not exceed 10 GB, some two million episodes.
"""

from __future__ import annotations

from pynamodb.attributes import (
    BinaryAttribute,
    BooleanAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)
from pynamodb.indexes import AllProjection, LocalSecondaryIndex
from pynamodb.models import Model

from anamnesis.adapters.dynamodb.attributes import (
    ExactFloatAttribute,
    InstantAttribute,
    JsonAttribute,
    PackedJsonAttribute,
)


class Row(Model):
    """What every row has."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


class ByTime(LocalSecondaryIndex["EpisodeRow"]):  # type: ignore[no-untyped-call]  # PynamoDB leaves it untyped
    """Episodes of a pair by when they happened."""

    class Meta:
        """Name and projection of the index."""

        index_name = "by_time"
        projection = AllProjection()

    pk = UnicodeAttribute(hash_key=True)
    occurred = UnicodeAttribute(range_key=True)


class EpisodeRow(Row):
    """One episode: pk is the pair's key, sk ``E#`` and the position in 12 digits.

    `occurred` is the time and, after a ``#``, the position, so that equal times have one order. `text_object` names the
    object that holds the whole text when `text` is only its beginning, and `text_chars` is how long that is. Erasing
    removes ``episode_rows.ERASABLE``.
    """

    by_time = ByTime()

    occurred = UnicodeAttribute()
    id = UnicodeAttribute()
    kind = UnicodeAttribute()
    recorded_at = InstantAttribute()
    utc_offset_minutes = NumberAttribute()
    summary = UnicodeAttribute(null=True)
    text = UnicodeAttribute(null=True)
    topic = UnicodeAttribute(null=True)
    evaluation = UnicodeAttribute(null=True)
    salt = UnicodeAttribute(null=True)
    text_object = UnicodeAttribute(null=True)
    text_chars = NumberAttribute(null=True)
    commitment = UnicodeAttribute()
    concepts = JsonAttribute()
    salience = ExactFloatAttribute()
    language = UnicodeAttribute()
    session_id = UnicodeAttribute(null=True)
    outcome = JsonAttribute(null=True)
    evidence = JsonAttribute()
    memory_ids = JsonAttribute()
    about_record = BooleanAttribute()
    previous_hash = UnicodeAttribute()
    hash = UnicodeAttribute()


class HeadRow(Row):
    """The head of a pair's chain: sk ``HEAD``. One without a length belongs to a log that has no episode yet."""

    length = NumberAttribute(null=True)
    hash = UnicodeAttribute(null=True)
    erasures = NumberAttribute(null=True)


class ReceiptRow(Row):
    """What an append wrote: sk ``RECEIPT#`` and the SHA-256 of the idempotency key, kept as long as the log.

    Old receipts have no hashes.
    """

    key = UnicodeAttribute()
    request_hash = UnicodeAttribute()
    first_position = NumberAttribute()
    last_position = NumberAttribute()
    first_hash = UnicodeAttribute(null=True)
    last_hash = UnicodeAttribute(null=True)


class ErasureRow(Row):
    """A deletion record: pk is the pair's key, sk ``ERASURE#<id>``."""

    requested_at = InstantAttribute()
    scope = UnicodeAttribute()
    by = UnicodeAttribute()
    positions = UnicodeAttribute()
    note = UnicodeAttribute()
    length = NumberAttribute()
    stage = UnicodeAttribute()
    staged_at = InstantAttribute(null=True)


class ErasingRow(Row):
    """What is being erased from a log: sk ``E$ERASING``, right behind its episodes, so that one query reads both.

    `begun` has the ids of the deletion records that are not finished, and is missing when there are none.
    """

    begun = UnicodeSetAttribute(null=True)


class ErasedEventRow(Row):
    """That an event was erased: pk is the pair's key, sk ``GONE#<digest>``."""

    position = NumberAttribute()


class RosterRow(Row):
    """That a student has something in a subject, and what is asked to be erased of it.

    pk is ``#ROSTER#`` and the student's key, sk the pair's key.
    """

    tenant = UnicodeAttribute()
    student = UnicodeAttribute()
    subject = UnicodeAttribute()
    requested_at = InstantAttribute(null=True)
    scope = UnicodeAttribute(null=True)
    by = UnicodeAttribute(null=True)
    length = NumberAttribute(null=True)
    files = JsonAttribute(null=True)
    stage = UnicodeAttribute(null=True)
    staged_at = InstantAttribute(null=True)


class ActivityRow(Row):
    """A pair active on a day: pk ``#DAY#2026-07-03#<shard>``, sk the pair's key; gone after `expires_at` (seconds)."""

    tenant = UnicodeAttribute()
    student = UnicodeAttribute()
    subject = UnicodeAttribute()
    expires_at = NumberAttribute()


class RequestCountRow(Row):
    """Requests of a tenant: pk ``#REQUESTS#<tenant>``, sk the start of their minute; gone after `expires_at`."""

    requests = NumberAttribute()
    expires_at = NumberAttribute()


class BeliefRow(Row):
    """One belief under ``B#<id>``, and while nothing supersedes it a copy under ``C#<id>``."""

    concept = UnicodeAttribute()
    concept_name = UnicodeAttribute()
    claim = UnicodeAttribute()
    confidence = ExactFloatAttribute()
    needs_confirmation = BooleanAttribute()
    created_at = InstantAttribute()
    trail = PackedJsonAttribute()
    superseded_by = UnicodeAttribute(null=True)


class ProjectionRow(Row):
    """How far the log has been turned into beliefs: sk ``PROJECTION``. Old rows have only a position."""

    position = NumberAttribute()
    erasures = NumberAttribute(null=True)
    revision = NumberAttribute(null=True)
    tied_anew = BooleanAttribute(null=True)


class FileRow(Row):
    """A course file: pk is the subject's key, sk ``FILE#<id>``."""

    id = UnicodeAttribute()
    name = UnicodeAttribute()
    media_type = UnicodeAttribute()
    declared_bytes = NumberAttribute()
    uploaded_by = UnicodeAttribute()
    created_at = InstantAttribute()
    status = UnicodeAttribute()
    reason = UnicodeAttribute(null=True)
    detail = UnicodeAttribute(null=True)
    fingerprint = UnicodeAttribute(null=True)
    pages = NumberAttribute()
    language = UnicodeAttribute(null=True)
    replaced_by = UnicodeAttribute(null=True)
    deleted_at = InstantAttribute(null=True)
    runs = NumberAttribute(null=True)
    begun_at = InstantAttribute(null=True)


class BlobRow(Row):
    """A serialised value, in the row while it is small and else in the object that `object_key` names.

    ``CONTRIB#<file id>`` holds what a file says; ``LAYER`` under a pair's key the student's layer, with how far the log
    has been turned into it.
    """

    data = BinaryAttribute(legacy_encoding=False, null=True)
    object_key = UnicodeAttribute(null=True)
    position = NumberAttribute(null=True)
    erasures = NumberAttribute(null=True)
    revision = NumberAttribute(null=True)
    tied_anew = BooleanAttribute(null=True)


class FingerprintRow(Row):
    """The file that was read from these bytes: sk ``FINGERPRINT#<sha256>``."""

    file_id = UnicodeAttribute()


class RevisionRow(Row):
    """The subject's revision: sk ``REVISION``."""

    revision = NumberAttribute()


class PointerRow(Row):
    """Where the published version of something is: ``MAP`` of a subject, ``WORKINGSET`` of a pair.

    `position` is the map's revision, or the last position that a working set covers.
    """

    position = NumberAttribute()
    object_key = UnicodeAttribute()


class VectorRow(Row):
    """An episode's quantised vector: pk is the pair's key, sk ``V#`` and the position in 12 digits; int8."""

    vector = BinaryAttribute(legacy_encoding=False)
    embedder = UnicodeAttribute()


class CitationCheckRow(Row):
    """The latest look-up of an episode's citations: sk ``CITE#`` and the position in 12 digits."""

    episode_id = UnicodeAttribute()
    result = UnicodeAttribute()
    changed = JsonAttribute()
    checked_on = UnicodeAttribute()


class GroundingRow(Row):
    """What was found of an answer's claims: sk ``GROUND#`` and the position in 12 digits."""

    episode_id = UnicodeAttribute()
    stance = UnicodeAttribute()
    found = JsonAttribute()
    grounded_at = UnicodeAttribute()


class SelfModelRow(Row):
    """The latest self-model of a pair: sk ``SELF``."""

    composed_on = UnicodeAttribute()
    self_model = JsonAttribute()


class AnswerRow(Row):
    """How far an answer has come: pk is the pair's key, sk ``ANSWER#<id>``; DynamoDB removes it some time later."""

    status = UnicodeAttribute()
    model = UnicodeAttribute()
    question_id = UnicodeAttribute()
    erasures = NumberAttribute()
    text = UnicodeAttribute()
    writer = UnicodeAttribute(null=True)
    held_until = InstantAttribute(null=True)
    reason = UnicodeAttribute(null=True)
    recorded = JsonAttribute(null=True)
    grounding = PackedJsonAttribute(null=True)
    use = JsonAttribute(null=True)
    expires_at = NumberAttribute()


class AskedRow(Row):
    """What an answer answers, written once: sk ``ANSWER#<id>#ASKED``."""

    asked = PackedJsonAttribute()
    expires_at = NumberAttribute()
