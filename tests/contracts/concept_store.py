"""What every ``ConceptStore`` promises."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from anamnesis.domain.concepts import (
    MAX_BUILDS_ON,
    MAX_CONCEPTS_PER_FILE,
    MAX_DEFINITION_CHARS,
    Concept,
    Contribution,
    ExtractedConcept,
    Source,
    StudentLayer,
    SubjectMap,
    TaughtNote,
)
from anamnesis.domain.errors import NotFound, RevisionMoved
from anamnesis.domain.files import FileStatus, Page
from anamnesis.domain.identifiers import SubjectScope
from anamnesis.domain.log.progress import Progress
from anamnesis.ports import ConceptStore
from contracts.examples import (
    NOW,
    contribution,
    file_record,
    fresh_pair,
    fresh_scope,
    unit_vectors,
)


def subject_map(scope: SubjectScope, revision: int, *, concepts: int = 3) -> SubjectMap:
    """A map with every field filled."""
    file = replace(
        file_record(scope), status=FileStatus.READ, deleted_at=NOW, replaced_by="x", fingerprint="fp"
    )
    found = tuple(
        Concept(
            f"k{n}",
            f"Näme {n}",
            ("alias", "別名"),
            "gist",
            "def",
            ("k0",),
            ("y",),
            (Source(file.id, (1, 2)),),
            1 / 3,
        )
        for n in range(concepts)
    )
    layers = (("k0",), tuple(f"k{n}" for n in range(1, concepts)))
    vectors = unit_vectors(concepts, 384)
    return SubjectMap(revision, found, (("k1", "k2"),), layers, vectors, "model", {file.id: file})


def same_contribution(a: Contribution, b: Contribution) -> bool:
    """Whether two are equal, vectors bit by bit."""
    scalars = [(c.file_id, c.fingerprint, c.extraction, c.keys, c.embedder) for c in (a, b)]
    return (
        scalars[0] == scalars[1]
        and np.array_equal(a.vectors, b.vectors)
        and a.vectors.dtype == b.vectors.dtype
    )


class ConceptStoreContract:
    """Subclasses give the fixture ``store``."""

    @pytest.fixture
    def scope(self) -> SubjectScope:
        return fresh_scope()

    def test_starts_empty(self, store: ConceptStore, scope: SubjectScope) -> None:
        """A subject without files has an empty map at revision 0 (CM-9)."""
        assert (store.files(scope), store.contributions(scope), store.revision(scope)) == ([], [], 0)
        assert store.get_file(scope, "x") is store.extraction_of(scope, "x") is None
        empty = store.load_map(scope)
        assert (empty.revision, empty.concepts, dict(empty.files)) == (0, (), {})
        assert store.load_map(scope, known=empty) is empty
        assert store.load_pages(scope, "fp") == []

    def test_keeps_files(self, store: ConceptStore, scope: SubjectScope) -> None:
        """Records come back equal, oldest first, and stay when replaced or deleted (CM-8)."""
        late, early = file_record(scope, minutes=5), file_record(scope)
        store.add_file(late)
        store.add_file(early)
        store.add_file(early)
        assert store.files(scope) == [early, late]
        gone = replace(
            early, status=FileStatus.READ, deleted_at=NOW + timedelta(days=1), fingerprint="f", pages=7
        )
        late_begun = replace(late, status=FileStatus.READING, runs=2, begun_at=NOW)
        assert store.update_file(gone, expected=early) == store.revision(scope) == 1
        assert store.get_file(scope, early.id) == gone
        assert store.files(scope) == [gone, late]
        store.update_file(late_begun, expected=late)
        assert store.get_file(scope, late.id) == late_begun
        with pytest.raises(RevisionMoved):
            store.add_file(early)

    def test_refuses_unknown_files(self, store: ConceptStore, scope: SubjectScope) -> None:
        """A file that was never added cannot be updated or read, and the revision does not move (CM-1)."""
        unknown = file_record(scope)
        with pytest.raises(NotFound):
            store.update_file(unknown, expected=unknown)
        with pytest.raises(NotFound):
            store.save_contribution(scope, contribution(unknown), unknown, expected=unknown)
        assert (store.revision(scope), store.files(scope), store.contributions(scope)) == (0, [], [])

    def test_a_file_is_not_overwritten_blindly(self, store: ConceptStore, scope: SubjectScope) -> None:
        """A change decided upon an outrun state of a file is refused whole, whichever part of it moved (CM-8)."""
        record = file_record(scope)
        store.add_file(record)
        moves: tuple[dict[str, Any], ...] = (
            {"status": FileStatus.READING},
            {"fingerprint": "fp"},
            {"replaced_by": "x"},
            {"deleted_at": NOW},
            {"deleted_at": NOW + timedelta(microseconds=1)},
        )
        for number, move in enumerate(moves, start=1):
            moved = replace(record, **move)
            assert store.update_file(moved, expected=record) == number
            read = replace(record, status=FileStatus.READ, fingerprint="fp")
            with pytest.raises(RevisionMoved):
                store.update_file(read, expected=record)
            with pytest.raises(RevisionMoved):
                store.save_contribution(scope, contribution(record), read, expected=record)
            assert (store.get_file(scope, record.id), store.revision(scope)) == (moved, number)
            assert store.extraction_of(scope, "fp") is None
            record = moved

    def test_keeps_what_files_say(self, store: ConceptStore, scope: SubjectScope) -> None:
        """What a file says comes back exactly, with its record, and counts the revision up once (CM-1)."""
        records = [file_record(scope) for _ in range(2)]
        said = [contribution(record, fingerprint=f"fp{n}") for n, record in enumerate(records)]
        for number, record in enumerate(records):
            store.add_file(record)
            read = replace(record, status=FileStatus.READ, fingerprint=f"fp{number}")
            assert store.save_contribution(scope, said[number], read, expected=record) == number + 1
            assert store.get_file(scope, record.id) == read
        found = store.contributions(scope)
        assert [c.file_id for c in found] == [record.id for record in records]
        assert all(same_contribution(a, b) for a, b in zip(found, said, strict=True))

    def test_only_current_files_contribute(self, store: ConceptStore, scope: SubjectScope) -> None:
        """What a replaced or deleted file said leaves the map's input, but is known again by its bytes (CM-8)."""
        record = file_record(scope)
        store.add_file(record)
        said = contribution(record)
        store.save_contribution(scope, said, record, expected=record)
        store.update_file(replace(record, deleted_at=NOW), expected=record)
        assert store.contributions(scope) == []
        again = store.extraction_of(scope, "fp")
        assert again is not None
        assert same_contribution(again, said)
        assert store.extraction_of(scope, "other") is None
        assert store.extraction_of(fresh_scope(), "fp") is None

    def test_keeps_the_largest_contribution(self, store: ConceptStore, scope: SubjectScope) -> None:
        """The most that a file may say, with long vectors and in any script, is stored whole (CM-1)."""
        record = file_record(scope)
        store.add_file(record)
        rng = np.random.default_rng(5)
        words = ["".join(map(chr, rng.integers(0x4E00, 0x9FFF, MAX_DEFINITION_CHARS))) for _ in range(60)]
        big = contribution(record, concepts=MAX_CONCEPTS_PER_FILE, dimension=1_024)
        concepts = tuple(
            ExtractedConcept(word[:80], word[:240], word, (words[0][:80],) * MAX_BUILDS_ON, (), (1,))
            for word in words
        )
        big = replace(big, extraction=replace(big.extraction, concepts=concepts))
        store.save_contribution(scope, big, record, expected=record)
        assert same_contribution(store.contributions(scope)[0], big)

    def test_publishes_maps(self, store: ConceptStore, scope: SubjectScope) -> None:
        """A published map comes back as it was, vectors of unit length and all but equal (CM-9)."""
        written = subject_map(scope, 4)
        store.save_map(scope, written)
        read = store.load_map(scope)
        for name in ("revision", "concepts", "cycles", "layers", "embedder"):
            assert getattr(read, name) == getattr(written, name)
        assert dict(read.files) == dict(written.files)
        assert read.vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(read.vectors, axis=1), 1, atol=1e-6)
        assert np.abs(read.vectors @ read.vectors.T - written.vectors @ written.vectors.T).max() < 1e-3

    def test_a_known_map_is_not_loaded_again(self, store: ConceptStore, scope: SubjectScope) -> None:
        """Who holds the published map gets it back, and who holds an older one gets the new one (RC-1)."""
        store.save_map(scope, subject_map(scope, 1))
        first = store.load_map(scope)
        assert store.load_map(scope, known=first) is first
        store.save_map(scope, subject_map(scope, 2, concepts=4))
        second = store.load_map(scope, known=first)
        assert (second.revision, len(second.concepts)) == (2, 4)

    def test_tells_the_published_revision(self, store: ConceptStore, scope: SubjectScope) -> None:
        """Whether the published map covers a change is known without loading it (CM-8)."""
        assert store.published_revision(scope) is None
        for revision in (0, 3):
            store.save_map(scope, subject_map(scope, revision))
            assert store.published_revision(scope) == revision

    def test_a_map_never_goes_back(self, store: ConceptStore, scope: SubjectScope) -> None:
        """A map merged from older files than the published one is refused (CM-8)."""
        store.save_map(scope, subject_map(scope, 3))
        for revision in (3, 2):
            with pytest.raises(RevisionMoved):
                store.save_map(scope, subject_map(scope, revision, concepts=5))
        assert len(store.load_map(scope).concepts) == 3

    def test_keeps_an_empty_map(self, store: ConceptStore, scope: SubjectScope) -> None:
        """A subject whose last file went has an empty map of a later revision (CM-8)."""
        empty = SubjectMap(9, (), (), (), np.zeros((0, 384), np.float32), "model", {})
        store.save_map(scope, empty)
        assert store.load_map(scope).revision == 9
        assert store.load_map(scope).vectors.shape == (0, 384)

    def test_keeps_pages(self, store: ConceptStore, scope: SubjectScope) -> None:
        """Page texts come back as they were, in any script, and replace what was kept before (CM-1)."""
        pages = [Page(1, "Ósmosis\n浸透 ماذا \u0000"), Page(2, ""), Page(3, "x" * 1_000_000)]
        store.save_pages(scope, "fp", [Page(1, "old")])
        store.save_pages(scope, "fp", pages)
        assert store.load_pages(scope, "fp") == pages
        assert store.load_pages(fresh_scope(), "fp") == []
        for _ in range(2):
            store.delete_pages(scope, "fp")
            assert store.load_pages(scope, "fp") == []

    def test_keeps_a_students_layer(self, store: ConceptStore) -> None:
        """A student's layer comes back as it was and belongs to that student alone (CM-9)."""
        pair = fresh_pair()
        assert (store.layer(pair), store.layer_position(pair)) == (StudentLayer(), Progress())
        notes = (TaughtNote("in our class: 発電所", "e1", 3), TaughtNote("", "e2", 4))
        layer = StudentLayer({"mitochondria": notes}, {"own": "Own idea"}, frozenset({"b", "a"}))
        covered = Progress(4, 2, tied_anew=True)
        store.save_layer(pair, layer, projected_to=covered, expected=Progress())
        assert (store.layer(pair), store.layer_position(pair)) == (layer, covered)
        assert store.layer(fresh_pair()) == StudentLayer()

    def test_a_layer_is_not_overwritten_blindly(self, store: ConceptStore) -> None:
        """A layer made from an older one than is stored is refused; the same again is not an error (NI-2, EP-8)."""
        pair = fresh_pair()
        layer = StudentLayer(confirmed=frozenset({"a"}))
        for _ in range(2):
            store.save_layer(pair, layer, projected_to=Progress(5, 1), expected=Progress())
        read = store.layer_position(pair)
        assert read.revision == 1
        other = StudentLayer(confirmed=frozenset({"b"}))
        for to, expected in (
            (Progress(5, 1), Progress()),
            (Progress(6, 1), Progress(5, 0, revision=1)),
            (Progress(6, 1), Progress(4, 1, revision=1)),
            (Progress(6, 1), Progress(5, 1, revision=2)),
        ):
            with pytest.raises(RevisionMoved):
                store.save_layer(pair, other, projected_to=to, expected=expected)
        store.save_layer(pair, other, projected_to=Progress(5, 1), expected=read)
        assert (store.layer(pair), store.layer_position(pair).revision) == (other, 2)
        with pytest.raises(RevisionMoved):
            store.save_layer(pair, layer, projected_to=Progress(6, 1), expected=read)

    def test_keeps_a_large_layer(self, store: ConceptStore) -> None:
        """A layer larger than a row is kept whole, and so is the next one after it (TE-1)."""
        pair = fresh_pair()
        rng = np.random.default_rng(3)
        for position in (1, 2):
            text = "".join(map(chr, rng.integers(0x4E00, 0x9FFF, 300_000)))
            layer = StudentLayer({"k": (TaughtNote(text, "e", position),)})
            store.save_layer(
                pair, layer, projected_to=Progress(position), expected=store.layer_position(pair)
            )
            assert store.layer(pair) == layer


class ContendedConceptStoreContract:
    """What holds when many files change at once; subclasses give the fixture ``store``."""

    def test_every_change_counts(self, store: ConceptStore) -> None:
        """Files read at the same time each count the revision up once, and each learns one that covers it (CM-1)."""
        scope = fresh_scope()
        records = [file_record(scope) for _ in range(6)]
        for record in records:
            store.add_file(record)
        gate = threading.Barrier(len(records))

        def read(number: int) -> int:
            gate.wait()
            said = contribution(records[number], fingerprint=f"fp{number}")
            return store.save_contribution(scope, said, records[number], expected=records[number])

        with ThreadPoolExecutor(len(records)) as threads:
            revisions = list(threads.map(read, range(len(records))))
        assert store.revision(scope) == max(revisions) == len(records)
        assert len(store.contributions(scope)) == len(records)
