"""Whatever happens to a subject's files, in whatever order: the map is that of the files that stand."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.concepts import Contribution, SubjectMap
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.subject_map import build_map
from anamnesis.domain.embedded_texts import concept_passage
from anamnesis.domain.files import UploadTicket
from support.port_faults import Crash, FaultPlan, When
from support.wired_memory import ANA, BEN, HashEmbedder, LineConceptReader, Memory, PlainFileReader

TEACHER = Caller("school", None, Role.TEACHER)
PEOPLE = {"ana": ANA, "ben": BEN}
#: What files hold: shared concepts, prerequisites on each other, one that is refused, one without any concept.
TEXTS = (
    b"Cytoplasm: Cytoplasm fills a cell.\nMitochondria < Cytoplasm: Mitochondria release energy.",
    b"Cytoplasm < Mitochondria: Cytoplasm holds what a cell needs.\fOsmosis: Water moves.",
    b"Osmosis < Cytoplasm: Osmosis moves water through a membrane.",
    b"Diffusion: Particles spread.\nOsmosis < Diffusion: Osmosis is diffusion of water.",
    b"nothing to learn here",
    b"%REFUSE",
)


@dataclass
class Known:
    """A file as it should be.

    Attributes
    ----------
    sent
        The bytes at its place now; None before any came and after they were removed.
    read
        The bytes that stood there when it was first read.
    """

    ticket: UploadTicket
    person: str
    name: str
    sent: bytes | None = None
    read: bytes | None = None
    deleted: bool = False

    @property
    def id(self) -> str:
        return self.ticket.file.id

    @property
    def counts(self) -> bool:
        """Whether it was read, so that it takes the place of earlier ones of its name."""
        return self.read is not None and not self.read.startswith(b"%REFUSE")


@cache
def read(text: bytes) -> Contribution:
    """What a text says, by the same readers, without any of the service."""
    embedder = HashEmbedder()
    document = PlainFileReader().read(text, declared_media_type="text/plain")
    extraction = LineConceptReader().read(document, file_name="")
    passages = [concept_passage(concept) for concept in extraction.concepts]
    return Contribution(
        file_id="",
        fingerprint=hashlib.sha256(text).hexdigest(),
        extraction=extraction,
        keys=tuple(canonical_key(concept.name) for concept in extraction.concepts),
        vectors=embedder.embed_passages(passages)
        if passages
        else np.zeros((0, embedder.dimension), np.float32),
        embedder=embedder.name,
    )


def map_of(texts: dict[str, bytes]) -> SubjectMap:
    """The map of files by id."""
    embedder = HashEmbedder()
    return build_map(
        [replace(read(text), file_id=file_id) for file_id, text in texts.items()],
        files={},
        revision=0,
        embedder=embedder.name,
        merge_threshold=embedder.merge_threshold,
        dimension=embedder.dimension,
    )


class FileHistory(RuleBasedStateMachine):
    """Two students and a teacher on one subject's files, with events that come late, twice, in any order, or die."""

    files: Bundle[Known] = Bundle("files")
    events: Bundle[Known] = Bundle("events")

    def __init__(self) -> None:
        super().__init__()
        self.memory = Memory()
        self.known: list[Known] = []
        self.unfinished: list[Known] = []
        self.waiting: list[Known] = []

    @rule(
        target=files,
        person=st.sampled_from(sorted(PEOPLE)),
        name=st.sampled_from(["one.txt", "two.txt"]),
        seconds=st.sampled_from([0, 1]),
    )
    def offer(self, person: str, name: str, seconds: int) -> Known:
        """Somebody asks for a place; two of one moment are in the order in which they were offered."""
        self.memory.clock.advance(seconds=seconds)
        ticket = self.memory.offer_file(PEOPLE[person], name=name, media_type="text/plain", size=9)
        file = Known(ticket, person, name)
        self.known.append(file)
        return file

    @rule(target=events, file=files, text=st.sampled_from(TEXTS))
    def put(self, file: Known, text: bytes) -> Known:
        """Bytes come to the place, for the first time or again; an event is under way."""
        self.memory.raw_uploads.put(file.ticket, text)
        file.sent = text
        return file

    @rule(target=events, file=consumes(events), copies=st.integers(0, 2))
    def event(self, file: Known, copies: int) -> object:
        """An event arrives; it may come again later."""
        self._arrives(file)
        self.memory.read_file(self._key(file))
        return multiple(*[file] * copies)

    @rule(file=consumes(events), call=st.integers(1, 12), when=st.sampled_from([When.BEFORE, When.AFTER]))
    def event_that_dies(self, file: Known, call: int, when: When) -> None:
        """The reader ends before or after one of its writes; the event comes again at some time."""
        with suppress(Crash):
            self._armed(FaultPlan(call, when), file)
        self.memory.fresh()
        self.unfinished.append(file)
        stored = self.memory.raw_concepts.get_file(ANA.scope, file.id)
        if stored is not None and stored.fingerprint is not None:
            self._arrives(file)

    @rule(file=consumes(events), call=st.integers(1, 12), other=files)
    def event_while_a_file_is_deleted(self, file: Known, call: int, other: Known) -> None:
        """Right before one of the reader's writes a teacher deletes that file or another one."""
        before = file.read

        def meanwhile() -> None:
            stored = self.memory.raw_concepts.get_file(ANA.scope, file.id)
            if stored is not None and stored.fingerprint is not None:
                self._arrives(file)
            self.delete(other)

        plan = FaultPlan(call, meanwhile=meanwhile)
        self._armed(plan, file)
        if not plan.failed or file is not other or before is not None:
            self._arrives(file)

    @rule(file=consumes(events), call=st.integers(1, 12), other=consumes(events))
    def two_events_at_once(self, file: Known, call: int, other: Known) -> None:
        """Right before one of the reader's writes another reader reads that file or another one, to the end."""
        self._armed(FaultPlan(call, meanwhile=lambda: self.memory.read_file(self._key(other))), file)
        # The other one runs afterwards too, as events come at least once.
        self.memory.read_file(self._key(other))
        self._arrives(file)
        self._arrives(other)

    @rule(file=consumes(events))
    def event_is_late(self, file: Known) -> None:
        """An event waits until everything else is over."""
        self.waiting.append(file)

    @rule(file=files)
    def delete(self, file: Known) -> None:
        """A teacher deletes a file, for the first time or again."""
        self.memory.delete_file(TEACHER, ANA, file.id)
        file.deleted, file.sent = True, None

    @rule()
    def start_anew(self) -> None:
        """The process ends; caches are empty."""
        self.memory.fresh()

    @invariant()
    def the_map_is_that_of_the_files_that_stand(self) -> None:
        """Checked after every step, as soon as no reader has died half-way."""
        if not self.unfinished:
            self._check()

    def teardown(self) -> None:
        """Whatever died comes again, as it does from S3 or its dead letters."""
        for file in self.unfinished + self.waiting:
            self._arrives(file)
            self.memory.read_file(self._key(file))
        self._check()

    def _key(self, file: Known) -> str:
        return file.ticket.url.removeprefix("memory://")

    def _arrives(self, file: Known) -> None:
        if file.deleted:
            file.sent = None
        elif file.read is None:
            file.read = file.sent

    def _standing(self) -> list[Known]:
        latest = {(f.person, f.name): f.id for f in sorted(self.known, key=lambda f: f.id) if f.counts}
        return [
            file
            for file in self.known
            if file.counts and not file.deleted and not self._replaced(file, latest)
        ]

    @staticmethod
    def _replaced(file: Known, latest: dict[tuple[str, str], str]) -> bool:
        return latest[file.person, file.name] > file.id

    def _armed(self, plan: FaultPlan, file: Known) -> None:
        """Let the reader read a file by a plan, over the same stores."""
        whole = self.memory.plan
        for name in ("call", "when", "meanwhile"):
            setattr(whole, name, getattr(plan, name))
        whole.calls, whole.failed, whole.armed = [], [], True
        try:
            self.memory.read_file(self._key(file))
        finally:
            whole.disarm()
            plan.failed += whole.failed

    def _check(self) -> None:
        store, scope = self.memory.raw_concepts, ANA.scope
        standing = {file.id: file.read or b"" for file in self._standing()}
        assert {record.id for record in store.files(scope) if record.current and record.pages} == set(
            standing
        )
        built, expected = store.load_map(scope), map_of(standing)
        assert built.concepts == expected.concepts
        assert (built.layers, built.cycles) == (expected.layers, expected.cycles)
        assert built.vectors.tobytes() == expected.vectors.tobytes() or not standing
        for file in self.known:
            # Other bytes at the same place leave none to read again when a reader died before it kept the texts.
            if file.id in standing and file.sent == file.read:
                assert store.load_pages(scope, hashlib.sha256(file.read or b"").hexdigest())


def test_any_history_of_files_leaves_the_map_of_those_that_stand() -> None:
    """Uploads, events late or twice, deaths and deletions in any order leave the map of what stands (CM-8, SV-14)."""
    run_state_machine_as_test(
        FileHistory, settings=settings(max_examples=60, stateful_step_count=30, deadline=None)
    )


def test_what_a_file_replaced_stays_replaced_whenever_it_is_deleted() -> None:
    """A file deleted at any moment after its successor's reading began to count leaves no earlier one behind (CM-8)."""
    for call in range(1, 12):
        memory = Memory()
        old = memory.add_file(TEXTS[0])
        new, key = memory.upload(TEXTS[2])
        memory.plan.call, memory.plan.armed = call, True
        with suppress(Crash):
            memory.read_file(key)
        memory.plan.disarm()
        stored = memory.raw_concepts.get_file(ANA.scope, new)
        counted = stored is not None and stored.fingerprint is not None
        memory.delete_file(TEACHER, ANA, new)
        memory.read_file(key)
        kept = memory.raw_concepts.load_map(ANA.scope)
        assert [each.key for each in kept.concepts] == ([] if counted else ["cytoplasm", "mitochondria"]), (
            call
        )
        after = memory.raw_concepts.get_file(ANA.scope, old.id)
        assert after is not None
        assert after.replaced_by == (new if counted else None)
