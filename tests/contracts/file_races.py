"""What holds whenever somebody deletes or replaces a file, or sends its bytes again, while another call is at work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, cast

import pytest

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.errors import NotFound
from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.identifiers import Pair
from anamnesis.ports import ConceptStore
from contracts.examples import fresh_scope
from support.wired_memory import CHAPTER, Memory

OTHER = b"Diffusion: Diffusion is the spreading of particles."
TEACHER = Caller("school", None, Role.TEACHER)


class Meddler:
    """Ports that run something else right before a call, told by its number among their calls of these methods."""

    def __init__(self, methods: frozenset[str] | None) -> None:
        self.methods = methods
        self.at = 0
        self.calls = 0
        self.act: Callable[[], object] | None = None

    def port(self, real: Any) -> Any:
        return _Meddled(real, self)

    def before_call(self, name: str) -> None:
        if self.act is None or (self.methods is not None and name not in self.methods):
            return
        self.calls += 1
        if self.calls == self.at:
            act, self.act = self.act, None
            act()


class _Meddled:
    def __init__(self, real: Any, meddler: Meddler) -> None:
        self._real, self._meddler = real, meddler

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._real, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            self._meddler.before_call(name)
            return method(*args, **kwargs)

        return call


class Scene:
    """One subject of its own, with everything in memory but the concept store under test."""

    def __init__(self, store: ConceptStore, methods: frozenset[str] | None = None) -> None:
        self.meddler = Meddler(methods)
        self.memory = Memory(
            replace={
                "concepts": lambda _: self.meddler.port(store),
                "uploads": self.meddler.port,
            }
        )
        scope = fresh_scope()
        self.store, self.pair = store, Pair(scope.tenant, "zoe", scope.subject)

    def upload(self, data: bytes = CHAPTER, name: str = "cells.txt") -> tuple[str, str]:
        return self.memory.upload(data, name=name, pair=self.pair)

    def delete(self, file_id: str) -> FileRecord:
        return self.memory.delete_file(TEACHER, self.pair, file_id)

    def file(self, file_id: str) -> FileRecord:
        return cast(FileRecord, self.store.get_file(self.pair.scope, file_id))

    def keys(self) -> set[str]:
        return {concept.key for concept in self.store.load_map(self.pair.scope).concepts}

    def told(self) -> list[str]:
        return [summary for _, summary in self.memory.told(self.pair)]


def interleavings(
    store: ConceptStore, methods: frozenset[str] | None
) -> Iterator[tuple[Scene, Callable[[Callable[[], object]], None]]]:
    """A fresh scene for each boundary between two calls: what it arms runs there, and last after all of them."""
    for number in count(1):
        scene = Scene(store, methods)

        def arm(act: Callable[[], object], scene: Scene = scene, number: int = number) -> None:
            scene.meddler.act, scene.meddler.at = act, number

        yield scene, arm
        if scene.meddler.act is not None:
            assert number > 1, "no call was met: nothing was interleaved"
            return


def finish(scene: Scene) -> None:
    """Let what has not met a boundary happen afterwards."""
    if scene.meddler.act is not None:
        act = scene.meddler.act
        scene.meddler.at = 0
        act()


def assert_gone(scene: Scene, file_id: str) -> None:
    """Nothing is left of a deleted file but its record and what the log says."""
    record = scene.file(file_id)
    assert record.deleted_at is not None
    assert scene.told().count(f"The file {record.name} was deleted.") == 1
    with pytest.raises(NotFound):
        scene.memory.raw_uploads.fetch(record.scope, file_id, max_bytes=10**6)
    subject_map = scene.store.load_map(record.scope)
    assert all(source.file_id != file_id for concept in subject_map.concepts for source in concept.sources)
    assert subject_map.files[file_id].deleted_at == record.deleted_at


def fingerprint_of(store: ConceptStore, pair: Pair) -> str:
    """Fingerprint of the subject's only read bytes."""
    return next(record.fingerprint for record in store.files(pair.scope) if record.fingerprint)


class FileRacesContract:
    """Subclasses give the fixture ``store``, and the methods before whose calls things happen (None: all)."""

    methods: frozenset[str] | None = None

    @pytest.mark.parametrize("data", [CHAPTER, b"%REFUSE"], ids=["read", "refused"])
    def test_deleting_wins_over_reading(self, store: ConceptStore, data: bytes) -> None:
        """A file deleted between any two steps of its reading stays deleted, and its bytes and texts go (CM-8)."""
        texts = Scene(store)
        texts.memory.read_file(texts.upload()[1])
        fingerprint = fingerprint_of(store, texts.pair)
        for scene, arm in interleavings(store, self.methods):
            file_id, key = scene.upload(data)
            arm(lambda scene=scene, file_id=file_id: scene.delete(file_id))
            scene.memory.read_file(key)
            finish(scene)
            assert_gone(scene, file_id)
            assert scene.keys() == set()
            assert store.load_pages(scene.pair.scope, fingerprint) == []

    def test_reading_cannot_undo_a_deletion_under_way(self, store: ConceptStore) -> None:
        """A file whose bytes arrive between any two steps of its deletion stays deleted (CM-8)."""
        for scene, arm in interleavings(store, self.methods):
            file_id, key = scene.upload()
            arm(lambda scene=scene, key=key: scene.memory.read_file(key))
            scene.delete(file_id)
            finish(scene)
            assert_gone(scene, file_id)
            assert scene.keys() == set()

    def test_replacing_wins_over_reading(self, store: ConceptStore) -> None:
        """A file replaced between any two steps of its reading stays replaced and out of the map (CM-8)."""
        for scene, arm in interleavings(store, self.methods):
            old, old_key = scene.upload()
            new, new_key = scene.upload(OTHER)
            arm(lambda scene=scene, key=new_key: scene.memory.read_file(key))
            scene.memory.read_file(old_key)
            finish(scene)
            assert (scene.file(old).replaced_by, scene.file(new).replaced_by) == (new, None)
            assert (scene.file(old).status, scene.file(new).status) == (FileStatus.READ, FileStatus.READ)
            assert scene.keys() == {"diffusion"}

    def test_deleting_wins_over_replacing(self, store: ConceptStore) -> None:
        """A file deleted between any two steps of reading its successor stays deleted (CM-8)."""
        for scene, arm in interleavings(store, self.methods):
            old, old_key = scene.upload()
            scene.memory.read_file(old_key)
            new, new_key = scene.upload(OTHER)
            arm(lambda scene=scene, old=old: scene.delete(old))
            scene.memory.read_file(new_key)
            finish(scene)
            assert_gone(scene, old)
            assert scene.file(new).current
            assert scene.keys() == {"diffusion"}

    def test_two_triggers_at_once_are_one(self, store: ConceptStore) -> None:
        """A second trigger between any two steps of the first leaves the file read and told of once (CM-1, SV-14)."""
        for scene, arm in interleavings(store, self.methods):
            file_id, key = scene.upload()
            arm(lambda scene=scene, key=key: scene.memory.read_file(key))
            scene.memory.read_file(key)
            finish(scene)
            assert scene.file(file_id).status is FileStatus.READ
            assert scene.told() == ["The file cells.txt arrived and was read (2 pages)."]
            assert scene.keys() == {"cytoplasm", "mitochondria", "osmosis"}

    @pytest.mark.parametrize("outer", ["read", "delete"])
    def test_a_twin_keeps_its_texts(self, store: ConceptStore, outer: str) -> None:
        """Reading bytes while another file of the same bytes is deleted leaves the page texts in place (CM-8)."""
        for scene, arm in interleavings(store, self.methods):
            gone, gone_key = scene.upload()
            scene.memory.read_file(gone_key)
            twin, twin_key = scene.upload(name="twin.txt")

            def read(scene: Scene = scene, key: str = twin_key) -> object:
                return scene.memory.read_file(key)

            def delete(scene: Scene = scene, gone: str = gone) -> object:
                return scene.delete(gone)

            first, second = (read, delete) if outer == "read" else (delete, read)
            arm(second)
            first()
            finish(scene)
            assert_gone(scene, gone)
            assert (scene.file(twin).status, scene.file(twin).pages) == (FileStatus.READ, 2)
            assert len(store.load_pages(scene.pair.scope, fingerprint_of(store, scene.pair))) == 2
            assert scene.keys() == {"cytoplasm", "mitochondria", "osmosis"}
