"""A course file's life: offered, uploaded, read once, replaced, deleted, and every crash on the way."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.concepts import Extraction
from anamnesis.domain.errors import Forbidden, InvalidInput, ModelUnavailable, NotFound
from anamnesis.domain.files import (
    MAX_RUNS,
    NO_RUN_AFTER,
    RUN_ENDS_AFTER,
    Document,
    FileStatus,
    RefusalReason,
    Shortcoming,
)
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.reading.shortcomings import shortcoming
from anamnesis.ports import ReadingProgress
from support.port_faults import Crash, every_fault
from support.template import written
from support.wired_memory import ANA, BEN, CHAPTER, HashEmbedder, LineConceptReader, Memory, check

OTHER = b"Diffusion: Diffusion is the spreading of particles.\nOsmosis: Osmosis is the diffusion of water."
STUDENT, TEACHER = Caller("school", "ana", Role.STUDENT), Caller("school", None, Role.TEACHER)


@pytest.fixture
def memory() -> Memory:
    return Memory()


def state(memory: Memory) -> dict[str, Any]:
    """Everything that the files of the subject left behind, without revisions."""
    memory.fresh()
    subject_map = memory.maps.load(ANA.scope)
    return {
        "files": memory.concepts.files(ANA.scope),
        "contributions": [(c.file_id, c.keys, c.embedder) for c in memory.concepts.contributions(ANA.scope)],
        "map": [(c.key, c.sources, c.builds_on) for c in subject_map.concepts],
        "map files": dict(subject_map.files),
        "log": memory.told(),
        "pages": {
            record.fingerprint: memory.concepts.load_pages(ANA.scope, record.fingerprint)
            for record in memory.concepts.files(ANA.scope)
            if record.fingerprint
        },
        "verified": memory.verify(ANA).verified,
        "current map": subject_map.revision == memory.concepts.revision(ANA.scope),
    }


def keys(memory: Memory) -> set[str]:
    return {concept.key for concept in memory.maps.load(ANA.scope).concepts}


# ---------------------------------------------------------------------------------------- reading
def test_a_file_becomes_concepts(memory: Memory) -> None:
    """A file that arrives is read, merged into the map with its pages, and written into the log (CM-1, EP-1)."""
    record = memory.add_file()
    assert (record.status, record.pages, record.language) == (FileStatus.READ, 2, "en")
    assert keys(memory) == {"cytoplasm", "mitochondria", "osmosis"}
    found = {c.key: c.sources for c in memory.maps.load(ANA.scope).concepts}
    assert found["osmosis"][0].pages == (2,)
    assert memory.told() == [(Kind.FILE, "The file cells.txt arrived and was read (2 pages).")]


def test_a_duplicate_trigger_changes_nothing(memory: Memory) -> None:
    """A trigger that comes twice, at once or days later, leaves everything as it was (CM-1, SV-14)."""
    _, key = memory.upload()
    memory.read_file(key)
    before = state(memory)
    memory.clock.advance(days=3)
    memory.read_file(key)
    assert state(memory) == before
    assert memory.concept_reader.passes == 1


def test_the_same_bytes_are_read_once(memory: Memory) -> None:
    """The same bytes under another name or from another student take no second pass; all are sources (CM-1)."""
    first = memory.add_file()
    second = memory.add_file(name="copy.txt")
    third = memory.add_file(name="copy.txt", pair=BEN)
    assert memory.concept_reader.passes == 1
    assert (second.pages, second.language, second.fingerprint) == (first.pages, "en", first.fingerprint)
    osmosis = next(c for c in memory.maps.load(ANA.scope).concepts if c.key == "osmosis")
    assert {source.file_id for source in osmosis.sources} == {first.id, second.id, third.id}
    assert memory.told(BEN) == [(Kind.FILE, "The file copy.txt arrived and was read (2 pages).")]


def test_a_subject_reads_for_itself(memory: Memory) -> None:
    """What was read in one subject or tenant is not known in another (SV-11)."""
    memory.add_file()
    memory.add_file(pair=type(ANA)("school", "ana", "history"))
    memory.add_file(pair=type(ANA)("college", "ana", "biology"))
    assert memory.concept_reader.passes == 3


def test_another_embedder_reads_again(memory: Memory) -> None:
    """Bytes that were read under another embedder are read again, since vectors of two cannot be compared (CM-3)."""
    memory.add_file()
    memory.embedder = HashEmbedder("words 2")
    memory.fresh()
    memory.add_file(name="again.txt")
    assert memory.concept_reader.passes == 2


@pytest.mark.parametrize(
    "data, reason",
    [(b"%REFUSE", RefusalReason.MALFORMED), (b"x" * 2_000, RefusalReason.TOO_LARGE)],
)
def test_a_refusal_is_kept_and_said(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, data: bytes, reason: RefusalReason
) -> None:
    """A file that cannot be read ends refused with its reason, tells the log, and is not tried again (CM-1, SV-12)."""
    monkeypatch.setattr("anamnesis.service.read_file.MAX_FILE_BYTES", 1_000)
    _, key = memory.upload(data)
    for _ in range(2):
        record = memory.read_file(key)
        assert record is not None
        assert (record.status, record.reason) == (FileStatus.REFUSED, reason)
        assert record.detail
    assert keys(memory) == set()
    assert len(memory.told()) == 1
    assert "could not be read" in memory.told()[0][1]


def test_a_refused_file_replaces_nothing(memory: Memory) -> None:
    """A broken upload under a known name leaves the earlier file and its concepts in place (CM-8)."""
    good = memory.add_file()
    memory.add_file(b"%REFUSE")
    assert memory.list_files.one(ANA.scope, good.id).current
    assert "osmosis" in keys(memory)


def test_strange_objects_are_let_be(memory: Memory) -> None:
    """An object whose key is not ours is an error to keep, one whose file is gone is not read (SV-14)."""
    with pytest.raises(InvalidInput):
        memory.read_file("uploads/elsewhere")
    file_id, key = memory.upload()
    memory.delete_file(STUDENT, ANA, file_id)
    assert memory.read_file(key) is None
    assert memory.list_files.one(ANA.scope, file_id).status is FileStatus.WAITING


def test_a_vanished_upload_is_no_refusal(memory: Memory) -> None:
    """When the bytes are not there, the file stays to be read when they come (SV-14)."""
    file_id, key = memory.upload()
    memory.raw_uploads.delete(ANA.scope, file_id)
    assert memory.read_file(key) is None
    assert memory.told() == []


# ---------------------------------------------------------------------------------------- runs that fail
class Failing(LineConceptReader):
    """A concept reader that fails a number of times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left = times

    def read(
        self, document: Document, *, file_name: str, progress: ReadingProgress | None = None
    ) -> Extraction:
        if self.left > 0:
            self.left -= 1
            raise ModelUnavailable("throttled")
        return super().read(document, file_name=file_name, progress=progress)


def failing(times: int) -> tuple[Memory, str, str]:
    """A memory whose reader fails so often, and a file with its key."""
    memory = Memory()
    memory.concept_reader = Failing(times)
    memory.fresh()
    return memory, *memory.upload()


def run(memory: Memory, key: str, *, times: int) -> None:
    """Runs that fail, some minutes apart."""
    for _ in range(times):
        with pytest.raises(ModelUnavailable):
            memory.read_file(key)
        memory.clock.advance(minutes=3)


def test_a_file_that_no_run_could_read_is_given_up() -> None:
    """After the last run a file is refused as unfinished, with what to do, and every run's error is raised (SV-14)."""
    memory, file_id, key = failing(MAX_RUNS)
    run(memory, key, times=MAX_RUNS - 1)
    assert memory.list_files.one(ANA.scope, file_id).status is FileStatus.READING
    run(memory, key, times=1)
    record = memory.list_files.one(ANA.scope, file_id)
    assert (record.status, record.reason) == (FileStatus.REFUSED, RefusalReason.UNFINISHED)
    assert record.detail
    assert memory.told() == []


def test_a_replay_reads_what_was_given_up() -> None:
    """A replayed letter, or another upload of the name, reads the file as if nothing had failed (SV-14)."""
    expected = Memory()
    expected.read_file(expected.upload()[1])
    memory, _, key = failing(MAX_RUNS + 1)
    run(memory, key, times=MAX_RUNS + 1)
    memory.read_file(key)
    assert state(memory) == state(expected)

    memory, old, key = failing(MAX_RUNS)
    run(memory, key, times=MAX_RUNS)
    new = memory.add_file()
    assert new.status is FileStatus.READ
    assert memory.list_files.one(ANA.scope, old).replaced_by == new.id


def test_a_run_that_was_killed_is_given_up_in_time() -> None:
    """Of killed runs the last counts as failed from when no other follows, and a replay reads the file (SV-14)."""
    for runs, patience in ((1, NO_RUN_AFTER), (MAX_RUNS, RUN_ENDS_AFTER)):
        memory = Memory()
        file_id, key = memory.upload()
        for _ in range(runs):
            memory.concept_reader = Killed()
            memory.fresh()
            with pytest.raises(Crash):
                memory.read_file(key)
        memory.clock.advance(seconds=patience.total_seconds())
        assert memory.list_files.one(ANA.scope, file_id).status is FileStatus.READING
        memory.clock.advance(seconds=1)
        assert memory.list_files.one(ANA.scope, file_id).reason == RefusalReason.UNFINISHED
        assert memory.list_files.all(ANA.scope)[0].status is FileStatus.REFUSED
        memory.concept_reader = LineConceptReader()
        memory.fresh()
        memory.read_file(key)
        assert memory.list_files.one(ANA.scope, file_id).status is FileStatus.READ


class Killed(LineConceptReader):
    """A concept reader in whose pass the process dies."""

    def read(
        self, document: Document, *, file_name: str, progress: ReadingProgress | None = None
    ) -> Extraction:
        raise Crash


def test_runs_and_waits_are_those_of_the_template() -> None:
    """The runs and the time that a file is given are those that the deployed reader gets (SV-14)."""
    reader = written()["Resources"]["ReadFileFunction"]["Properties"]
    assert reader["EventInvokeConfig"]["MaximumRetryAttempts"] + 1 == MAX_RUNS
    assert timedelta(seconds=reader["Timeout"]) < RUN_ENDS_AFTER
    assert timedelta(seconds=reader["EventInvokeConfig"]["MaximumEventAgeInSeconds"]) < NO_RUN_AFTER


# ---------------------------------------------------------------------------------------- what a read file lacks
def test_a_file_without_concepts_says_so(memory: Memory) -> None:
    """A file that was read and gave no concept says so by a stable code, as does another of its bytes (CM-1)."""
    for name in ("empty.txt", "copy.txt"):
        record = memory.add_file(b"Nothing is explained here.", name=name)
        assert (record.status, record.reason) == (FileStatus.READ, Shortcoming.NO_CONCEPTS)
        assert "No concept" in (record.detail or "")
    assert memory.add_file(name="good.txt").reason is None


def test_pages_that_are_pictures_are_named() -> None:
    """A file whose other pages were read says which ones are pictures (CM-1)."""
    code, detail = shortcoming(3, (2, 3, 4, 9))
    assert code is Shortcoming.PICTURE_PAGES
    assert "pages 2–4, 9" in (detail or "")
    assert "page 7." in (shortcoming(3, (7,))[1] or "")
    many = shortcoming(3, tuple(range(1, 2_000, 2)))[1] or ""
    assert "and 995 more" in many
    both, detail = shortcoming(0, (7,))
    assert both is Shortcoming.NO_CONCEPTS
    assert "page 7" in (detail or "")
    assert shortcoming(1, ()) == (None, None)
    assert not set(Shortcoming) & set(RefusalReason)


# ---------------------------------------------------------------------------------------- replacing
def test_the_same_name_replaces(memory: Memory) -> None:
    """A new upload of the same name renews what the old one said, and the log says so (CM-8, EP-1)."""
    old = memory.add_file()
    new = memory.add_file(OTHER)
    assert memory.list_files.one(ANA.scope, old.id).replaced_by == new.id
    assert keys(memory) == {"osmosis", "diffusion"}
    assert [summary for _, summary in memory.told()][-2:] == [
        "The file cells.txt was replaced by a newer one of the same name.",
        "The file cells.txt arrived and was read (1 page).",
    ]


def test_unicode_spellings_are_one_name(memory: Memory) -> None:
    """A name in composed and in decomposed letters is one name (CM-8)."""
    old = memory.add_file(name="Ósmosis.txt")
    new = memory.add_file(OTHER, name="O\u0301smosis.txt")
    assert memory.list_files.one(ANA.scope, old.id).replaced_by == new.id


def test_names_belong_to_their_uploader(memory: Memory) -> None:
    """Another student's file of the same name replaces nothing of mine (CM-8, SV-11)."""
    mine = memory.add_file()
    memory.add_file(OTHER, pair=BEN)
    assert memory.list_files.one(ANA.scope, mine.id).current


def test_a_place_that_was_never_filled_is_no_loss(memory: Memory) -> None:
    """A place offered and never used gives way to the next upload of that name without telling of a file (EP-1)."""
    memory.upload()
    memory.add_file()
    assert memory.told() == [(Kind.FILE, "The file cells.txt arrived and was read (2 pages).")]


def test_the_later_offered_file_stays(memory: Memory) -> None:
    """Of two uploads of one name the later offered one stays, in whichever order they are read (CM-8, SV-14)."""
    first, first_key = memory.upload()
    second, second_key = memory.upload(OTHER)
    memory.read_file(second_key)
    memory.read_file(first_key)
    assert memory.list_files.one(ANA.scope, first).replaced_by == second
    assert memory.list_files.one(ANA.scope, second).current
    assert keys(memory) == {"osmosis", "diffusion"}


# ---------------------------------------------------------------------------------------- crashes
@pytest.mark.parametrize("before", [None, CHAPTER, OTHER], ids=["new", "same bytes", "replaces"])
@pytest.mark.parametrize("data", [CHAPTER, b"%REFUSE"], ids=["read", "refused"])
def test_every_crash_while_reading_is_healed(before: bytes | None, data: bytes) -> None:
    """Whichever write reading dies at, the repeated trigger ends in the state of a run without crash (CM-1, SV-14)."""

    def scene(memory: Memory) -> str:
        if before is not None:
            memory.add_file(before)
        return memory.upload(data)[1]

    expected = Memory()
    expected.read_file(scene(expected))
    for plan in every_fault():
        memory = Memory(plan)
        key = scene(memory)
        plan.armed = True
        try:
            memory.read_file(key)
        except Crash:
            memory.fresh()
        plan.armed = False
        memory.clock.advance(minutes=1)
        memory.read_file(key)
        assert state(memory) == state(expected), plan.failed


def test_every_crash_while_deleting_is_healed() -> None:
    """Whichever write deleting dies at, deleting again ends in the state of a run without crash (CM-8, SV-14)."""
    expected = Memory()
    expected.delete_file(STUDENT, ANA, expected.add_file().id)
    for plan in every_fault():
        memory = Memory(plan)
        record = memory.add_file()
        plan.armed = True
        try:
            memory.delete_file(STUDENT, ANA, record.id)
        except Crash:
            memory.fresh()
        plan.armed = False
        memory.delete_file(STUDENT, ANA, record.id)
        assert state(memory) == state(expected), plan.failed


class Interrupted(LineConceptReader):
    """A concept reader during whose pass something happens."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Any = None

    def read(
        self, document: Document, *, file_name: str, progress: ReadingProgress | None = None
    ) -> Extraction:
        if self.meanwhile is not None:
            act, self.meanwhile = self.meanwhile, None
            act()
        return super().read(document, file_name=file_name, progress=progress)


def test_deleted_while_it_is_read_stays_deleted(memory: Memory) -> None:
    """A file that is deleted while its concepts are being read stays deleted and adds nothing to the map (CM-8)."""
    memory.concept_reader = Interrupted()
    memory.fresh()
    file_id, key = memory.upload()
    memory.concept_reader.meanwhile = lambda: memory.delete_file(STUDENT, ANA, file_id)
    memory.read_file(key)
    memory.read_file(key)
    assert memory.list_files.one(ANA.scope, file_id).deleted_at is not None
    assert keys(memory) == set()


def test_replaced_while_it_is_read_stays_replaced(memory: Memory) -> None:
    """A file that is replaced while its concepts are being read stays replaced (CM-8)."""
    memory.concept_reader = Interrupted()
    memory.fresh()
    old, old_key = memory.upload()
    new, new_key = memory.upload(OTHER)
    memory.concept_reader.meanwhile = lambda: memory.read_file(new_key)
    memory.read_file(old_key)
    assert memory.list_files.one(ANA.scope, old).replaced_by == new
    assert keys(memory) == {"osmosis", "diffusion"}


# ---------------------------------------------------------------------------------------- offering, listing, deleting
def test_a_place_is_for_exactly_the_announced_bytes(memory: Memory) -> None:
    """An offered file waits, and its permission states size, type and an end within the hour (SV-6)."""
    ticket = memory.offer_file(ANA, name="cells.txt", media_type="text/plain", size=7)
    assert ticket.file.status is FileStatus.WAITING
    assert ticket.file.uploaded_by == "ana"
    assert memory.clock.now() < ticket.expires_at <= memory.clock.now() + timedelta(hours=1)
    assert memory.list_files.all(ANA.scope) == [ticket.file]
    with pytest.raises(NotFound):
        memory.list_files.one(BEN.scope.__class__("school", "history"), ticket.file.id)


@pytest.mark.parametrize("name", [" ", "\u200b", "..", "a\u202etxt.exe"])
def test_a_place_needs_a_name_that_shows(memory: Memory, name: str) -> None:
    """A file whose name shows nothing or hides something is refused by that field, and gets no place (SV-12)."""
    with pytest.raises(InvalidInput) as refused:
        memory.offer_file(ANA, name=name, media_type="text/plain", size=7)
    assert refused.value.field == "name"
    assert memory.list_files.all(ANA.scope) == []


def test_late_bytes_of_a_deleted_file_go(memory: Memory) -> None:
    """Bytes sent after the deletion, while the permission lasts, or for a file nobody knows, are removed (CM-8)."""
    ticket = memory.offer_file(ANA, name="cells.txt", media_type="text/plain", size=len(CHAPTER))
    memory.read_file(memory.raw_uploads.put(ticket, CHAPTER))
    memory.delete_file(STUDENT, ANA, ticket.file.id)
    unknown = memory.raw_uploads.ticket(replace(ticket.file, id="unknown"), expires_at=ticket.expires_at)
    told = memory.told()
    for late in (ticket, unknown):
        assert memory.read_file(memory.raw_uploads.put(late, CHAPTER)) is None
        with pytest.raises(NotFound):
            memory.raw_uploads.fetch(ANA.scope, late.file.id, max_bytes=10**6)
    assert memory.told() == told


def test_page_texts_live_as_long_as_a_file_of_their_bytes(memory: Memory) -> None:
    """Page texts go with the last current file of their bytes, and come back, unread again, with the next (CM-8)."""
    first, second = memory.add_file(), memory.add_file(name="copy.txt")
    fingerprint = first.fingerprint or ""
    memory.delete_file(STUDENT, ANA, first.id)
    assert len(memory.concepts.load_pages(ANA.scope, fingerprint)) == 2
    memory.delete_file(STUDENT, ANA, second.id)
    assert memory.concepts.load_pages(ANA.scope, fingerprint) == []
    assert memory.add_file(name="again.txt").pages == 2
    assert len(memory.concepts.load_pages(ANA.scope, fingerprint)) == 2
    assert memory.concept_reader.passes == 1


def test_deleting_leaves_the_rest(memory: Memory) -> None:
    """Deleting takes what only that file explained and leaves what others explain, the log and what it cited (CM-8)."""
    gone, kept = memory.add_file(), memory.add_file(OTHER, name="other.txt")
    memory.say(check())
    memory.delete_file(STUDENT, ANA, gone.id)
    memory.delete_file(STUDENT, ANA, gone.id)
    assert keys(memory) == {"osmosis", "diffusion"}
    subject_map = memory.maps.load(ANA.scope)
    assert {s.file_id for c in subject_map.concepts for s in c.sources} == {kept.id}
    assert subject_map.files[gone.id].deleted_at is not None
    assert [summary for _, summary in memory.told()].count("The file cells.txt was deleted.") == 1
    assert [b.concept for b in memory.beliefs.current(ANA)] == ["osmosis"]


def test_only_the_uploader_or_a_teacher_deletes(memory: Memory) -> None:
    """A student deletes their own files, never another's; a teacher may (SV-11)."""
    record = memory.add_file()
    with pytest.raises(Forbidden):
        memory.delete_file(Caller("school", "ben", Role.STUDENT), BEN, record.id)
    assert memory.list_files.one(ANA.scope, record.id).current
    memory.delete_file(TEACHER, ANA, record.id)
    assert not memory.list_files.one(ANA.scope, record.id).current
    with pytest.raises(NotFound):
        memory.delete_file(STUDENT, ANA, "nothing")


# ---------------------------------------------------------------------------------------- publishing
def test_two_publishers_leave_the_later_map(memory: Memory) -> None:
    """When a later revision is published in between, an earlier publisher leaves it in place (CM-3)."""
    memory.add_file()

    class Slow:
        """The concept store, with another file read right before the map is saved."""

        def __init__(self) -> None:
            self.done = False

        def __getattr__(self, name: str) -> Any:
            return getattr(memory.raw_concepts, name)

        def save_map(self, *args: Any) -> None:
            if not self.done:
                self.done = True
                memory.add_file(OTHER, name="other.txt")
            memory.raw_concepts.save_map(*args)

    slow = Memory(replace={"concepts": lambda _: Slow()})
    record = memory.concepts.files(ANA.scope)[0]
    memory.concepts.update_file(record, expected=record)
    slow.publish(ANA.scope)
    assert keys(memory) == {"cytoplasm", "mitochondria", "osmosis", "diffusion"}
    assert memory.maps.load(ANA.scope).revision == memory.concepts.revision(ANA.scope)


def test_publishing_again_changes_nothing(memory: Memory) -> None:
    """Publishing twice gives the same map (CM-3)."""
    memory.add_file()
    before = state(memory)
    memory.publish(ANA.scope)
    assert state(memory) == before
