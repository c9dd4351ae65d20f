"""Values for the contract suites: every field filled, many scripts, exact numbers that are easy to lose."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count

import numpy as np
import numpy.typing as npt

from anamnesis.domain.beliefs import Belief, ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.concepts import Contribution, ExtractedConcept, Extraction, Rejection
from anamnesis.domain.files import FileRecord
from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis.domain.log.chain import committed, linked
from anamnesis.domain.log.episodes import AppendReceipt, Citation, Content, Episode, Head, Kind, Outcome

NOW = datetime(2026, 7, 3, 9, 30, 15, 123456, tzinfo=UTC)
TEXTS = (
    "What is osmosis?",
    "¿Qué es la ósmosis?",
    "ماذا أخطأت حتى الآن؟",
    "浸透とは何ですか。",
    "परासरण क्या है?",
    "",
    'tab\tquote" back\\slash \u0000 nul \u202e bidi 👩‍🔬',
    "Ё" * 2_049,  # one byte more than a row keeps
)
_numbers = count(1)


def fresh_pair() -> Pair:
    """A pair that no other test uses, with characters that keys must escape."""
    return Pair("école #1", f"Zoë/{next(_numbers)}".replace("/", "%2F"), "生物学 & co")


def fresh_scope() -> SubjectScope:
    """A subject that no other test uses."""
    return SubjectScope("école #1", f"subject {next(_numbers)}")


def identifier(number: int | None = None) -> str:
    """26 characters that sort by number."""
    return f"{next(_numbers) if number is None else number:026d}"


def episode(
    pair: Pair, text: str, *, number: int = 0, kind: Kind = Kind.QUESTION, days_ago: float = 0
) -> Episode:
    """An unplaced episode with every field filled."""
    content = Content(summary=text[:300], text=text, topic="ósmosis" if number % 2 else None, evaluation=None)
    salt = hashlib.sha256(f"{pair.key}{number}{text}".encode()).hexdigest()[:32]
    tested = kind in {Kind.CHECK, Kind.QUIZ}
    unsealed = Episode(
        id=identifier(),
        pair=pair,
        position=0,
        kind=kind,
        occurred_at=NOW - timedelta(days=days_ago),
        recorded_at=NOW + timedelta(microseconds=number),
        content=content,
        salt=salt,
        commitment="",
        concepts=("osmosis", "細胞"),
        salience=0.35,
        language="es",
        session_id=None if number % 2 else "session",
        outcome=Outcome(correct=True, score=1.0, concept="osmosis", predicted=1e-200) if tested else None,
        evidence=(Citation("file", 3, "ab" * 32), Citation("other", None, "cd" * 32)),
        memory_ids=("m1", "m2"),
        about_record=bool(number % 2),
        previous_hash="",
        hash="",
    )
    return committed(unsealed)


def chain_of(pair: Pair, head: Head, texts: Sequence[str], **more: float) -> list[Episode]:
    """Placed episodes with these texts, an hour apart."""
    return linked(
        [
            episode(pair, text, number=n, days_ago=more.get("days_ago", 0) - n / 24)
            for n, text in enumerate(texts)
        ],
        head,
    )


def receipt_for(episodes: Sequence[Episode], key: str | None = None) -> AppendReceipt:
    """A receipt under a fresh key."""
    first, last = episodes[0], episodes[-1]
    return AppendReceipt(
        key or f"key {identifier()}", "ef" * 32, first.position, last.position, first.hash, last.hash
    )


def head_of(episodes: Sequence[Episode]) -> Head:
    """The head after these."""
    return Head(episodes[-1].position, episodes[-1].hash)


def belief(
    pair: Pair, concept: str, *, claim: Claim = Claim.UNDERSTANDS, number: int | None = None
) -> Belief:
    """A current belief with a history."""
    change = ConfidenceChange(NOW, 1 / 3, ChangeReason.CHECK, "e1")
    return Belief(
        id=identifier(number),
        pair=pair,
        concept=concept,
        concept_name=concept.title(),
        claim=claim,
        confidence=1 / 3,
        needs_confirmation=False,
        evidence=("e1",),
        created_at=NOW,
        history=(change,),
    )


def file_record(scope: SubjectScope, *, minutes: int = 0) -> FileRecord:
    """A file that waits for its bytes."""
    return FileRecord(
        id=identifier(),
        scope=scope,
        name="Kapitel 1 – Zelle.pdf",
        media_type="application/pdf",
        declared_bytes=5,
        uploaded_by="Zoë",
        created_at=NOW + timedelta(minutes=minutes),
    )


def unit_vectors(rows: int, dimension: int = 8, *, seed: int = 7) -> npt.NDArray[np.float32]:
    """Random unit vectors."""
    vectors = np.random.default_rng(seed).normal(size=(rows, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def contribution(
    record: FileRecord, *, concepts: int = 2, fingerprint: str = "fp", dimension: int = 8
) -> Contribution:
    """What reading a file gave."""
    found = tuple(
        ExtractedConcept(
            f"Begriff {n}", "gist ñ", "definition 定義", ("Begriff 0",) if n else (), ("x",), (1, n + 1)
        )
        for n in range(concepts)
    )
    return Contribution(
        file_id=record.id,
        fingerprint=fingerprint,
        extraction=Extraction("de", "rules 1", found, (Rejection("Chapter 1", "section-heading"),)),
        keys=tuple(f"begriff {n}" for n in range(concepts)),
        vectors=unit_vectors(concepts, dimension),
        embedder="model",
    )
