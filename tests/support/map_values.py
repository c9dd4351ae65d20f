"""Small subject maps and contributions for tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from anamnesis.domain.concepts import Contribution, ExtractedConcept, Extraction, SubjectMap
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.subject_map import build_map
from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.identifiers import SubjectScope

DIMENSION = 16
EMBEDDER = "test-embedder"
MERGE_THRESHOLD = 0.9
FIRST_DAY = datetime(2026, 3, 1, tzinfo=UTC)


def direction(seed: int, *, towards: int | None = None, cosine: float = 1.0) -> np.ndarray:
    """A unit vector: axis `seed`, or one at a given cosine to axis `towards`."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    if towards is None:
        vector[seed] = 1
    else:
        vector[towards], vector[seed] = cosine, np.sqrt(1 - cosine**2)
    return vector


def concept(
    name: str,
    *,
    gist: str | None = None,
    definition: str = "",
    builds_on: Sequence[str] = (),
    assumed: Sequence[str] = (),
    pages: Sequence[int] = (1,),
) -> ExtractedConcept:
    """One concept as a reader returns it."""
    return ExtractedConcept(
        name=name,
        gist=f"About {name}." if gist is None else gist,
        definition=definition,
        builds_on=tuple(builds_on),
        assumed=tuple(assumed),
        pages=tuple(pages),
    )


def contribution(
    file_id: str,
    *concepts: ExtractedConcept,
    language: str = "en",
    vectors: Sequence[np.ndarray] | None = None,
    embedder: str = EMBEDDER,
) -> Contribution:
    """What one file says; without `vectors` every concept of it points its own way, zero cosine to all others."""
    rows = vectors if vectors is not None else [np.zeros(DIMENSION, dtype=np.float32) for _ in concepts]
    return Contribution(
        file_id=file_id,
        fingerprint=f"fingerprint of {file_id}",
        extraction=Extraction(language, "test", tuple(concepts), ()),
        keys=tuple(canonical_key(each.name) for each in concepts),
        vectors=np.array(rows, dtype=np.float32).reshape(len(concepts), DIMENSION),
        embedder=embedder,
    )


def record(
    file_id: str, *, day: int = 0, deleted: bool = False, replaced_by: str | None = None
) -> FileRecord:
    """A file's record."""
    return FileRecord(
        id=file_id,
        scope=SubjectScope("t", "biology"),
        name=f"{file_id}.md",
        media_type="text/markdown",
        declared_bytes=1,
        uploaded_by="ana",
        created_at=FIRST_DAY + timedelta(days=day),
        status=FileStatus.READ,
        replaced_by=replaced_by,
        deleted_at=FIRST_DAY + timedelta(days=9) if deleted else None,
    )


def subject_map(*contributions: Contribution, files: dict[str, FileRecord] | None = None) -> SubjectMap:
    """The map that these contributions make."""
    return build_map(
        contributions,
        files=files or {},
        revision=1,
        embedder=EMBEDDER,
        merge_threshold=MERGE_THRESHOLD,
        dimension=DIMENSION,
    )
