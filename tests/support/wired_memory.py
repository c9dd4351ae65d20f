"""The whole memory on stores in memory, wired as the application wires it, with room for faults in every port."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from anamnesis.adapters.connectors.icalendar import CalendarConnector
from anamnesis.adapters.local_signing import LocalSigner, new_private_key_pem
from anamnesis.domain.concepts import ExtractedConcept, Extraction
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import Document, FileRecord, Page, RefusalReason
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.wiki.connectors import ConnectorKind
from anamnesis.ports import Embedder, ReadingProgress, SemanticIndex, Signer, WikiWriter
from anamnesis.service.admit_request import AdmitRequest
from anamnesis.service.append_episodes import AppendEpisodes, Draft
from anamnesis.service.clear_erased import ClearErased
from anamnesis.service.clear_wiki import ClearWiki
from anamnesis.service.compile_wiki import CompileWiki
from anamnesis.service.compose_report import ComposeReport
from anamnesis.service.connectors import Connectors
from anamnesis.service.delete_file import DeleteFile
from anamnesis.service.erase_memory import EraseMemory
from anamnesis.service.erased_events import ErasedEvents
from anamnesis.service.export_memory import ExportMemory
from anamnesis.service.file_events import RecordFileEvent
from anamnesis.service.file_texts import FileTexts
from anamnesis.service.find_in_wiki import FindInWiki
from anamnesis.service.follow_evidence import FollowEvidence
from anamnesis.service.gather_conversation import GatherConversation
from anamnesis.service.gather_passages import GatherPassages
from anamnesis.service.get_self_model import GetSelfModel
from anamnesis.service.ground_answer import GroundAnswer
from anamnesis.service.history import HistoryReader
from anamnesis.service.index_again import IndexAgain
from anamnesis.service.index_episodes import IndexEpisodes
from anamnesis.service.list_beliefs import ListBeliefs
from anamnesis.service.list_checkpoints import ListCheckpoints
from anamnesis.service.list_episodes import ListEpisodes
from anamnesis.service.list_files import ListFiles
from anamnesis.service.list_subjects import ListSubjects
from anamnesis.service.map_cache import MapCache
from anamnesis.service.offer_file import OfferFile
from anamnesis.service.project_log import ProjectLog
from anamnesis.service.prove_episode import ProveEpisode
from anamnesis.service.publish_map import PublishMap
from anamnesis.service.read_answer import ReadAnswer
from anamnesis.service.read_block import BlockRequest, ReadBlock
from anamnesis.service.read_file import ReadFile
from anamnesis.service.read_wiki import ReadWiki
from anamnesis.service.recall_wiki import RecallWiki
from anamnesis.service.rederive_beliefs import RederiveBeliefs
from anamnesis.service.refresh_working_set import RefreshWorkingSet
from anamnesis.service.run_night import RunNight
from anamnesis.service.serve_git import ServeGit
from anamnesis.service.shown_wikis import ShownWikis
from anamnesis.service.start_answer import AnswerRequest, StartAnswer
from anamnesis.service.start_night import StartNight
from anamnesis.service.verify_chain import VerifyChain
from anamnesis.service.view_map import ViewMap
from anamnesis.service.wiki_evidence import LoadWikiEvidence
from anamnesis.service.withheld import Withheld
from anamnesis.service.write_answer import WriteAnswer
from anamnesis.service.write_wiki_page import WriteWikiPage
from support.memory_answers import MemoryAnswerQueue, MemoryAnswerStore, ScriptedTutor
from support.memory_connectors import MemoryConnectorStore, MemoryWeb
from support.memory_platform import (
    CountingIds,
    MemoryCheckpointStore,
    MemoryKeyedHash,
    MemoryNightQueue,
    MemoryReadingParts,
    MemoryRequestCounter,
    MemoryUploadArea,
    MemoryWikiQueue,
    SteppingClock,
)
from support.memory_stores import (
    MemoryBeliefStore,
    MemoryConceptStore,
    MemoryEpisodeLog,
    MemoryErasureStore,
    MemoryRecordStore,
    MemoryRoster,
)
from support.memory_wiki import MemoryWikiRepository
from support.port_faults import FaultPlan
from support.tiny_writer import TinyWriter

T = TypeVar("T")
ANA = Pair("school", "ana", "biology")
BEN = Pair("school", "ben", "biology")
NOW = datetime(2026, 7, 3, 9, tzinfo=UTC)
CHAPTER = (
    b"Cytoplasm: Cytoplasm is the jelly-like fluid that fills a cell.\n"
    b"Mitochondria < Cytoplasm: Mitochondria release energy from glucose.\f"
    b"Osmosis: Osmosis is the movement of water through a membrane."
)


class HashEmbedder:
    """An ``Embedder`` that sums one pseudo-random vector a word: texts with words in common are similar."""

    def __init__(self, name: str = "words 1") -> None:
        self.name = name
        self.dimension = 64
        self.merge_threshold = 0.95
        self.match_threshold = 0.6
        self.floor = 0.1
        self.queries: list[str] = []
        self.passages = 0

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        self.queries.append(text)
        return self._vector(text)

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.passages += len(texts)
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> npt.NDArray[np.float32]:
        total = np.zeros(self.dimension)
        for word in [self.name, *text.lower().split()]:
            seed = int.from_bytes(hashlib.sha256(word.strip(".,?!:").encode(errors="replace")).digest()[:8])
            total += np.random.default_rng(seed).normal(size=self.dimension)
        return (total / np.linalg.norm(total)).astype(np.float32)


class PlainFileReader:
    """A ``FileReader`` of UTF-8 text with form feeds between pages; ``%REFUSE`` is refused."""

    def read(self, data: bytes, *, declared_media_type: str) -> Document:
        if data.startswith(b"%REFUSE"):
            raise FileRefused(RefusalReason.MALFORMED, "The file is damaged; export it again.")
        pages = tuple(Page(n, text) for n, text in enumerate(data.decode().split("\f"), start=1))
        return Document("text/plain", pages)


class LineConceptReader:
    """A ``ConceptReader`` of lines like ``Mitochondria < Cytoplasm: Mitochondria release energy.``; counts passes."""

    name = "lines 1"

    def __init__(self) -> None:
        self.passes = 0

    def read(
        self, document: Document, *, file_name: str, progress: ReadingProgress | None = None
    ) -> Extraction:
        self.passes += 1
        if progress and progress.kept("00") is None:
            progress.keep("00", b"{}")
        concepts = []
        for page in document.pages:
            for line in page.text.splitlines():
                head, colon, gist = line.partition(": ")
                name, _, prerequisites = head.partition(" < ")
                if colon:
                    builds_on = tuple(filter(None, prerequisites.split(" & ")))
                    concepts.append(ExtractedConcept(name, gist, gist, builds_on, (), (page.number,)))
        return Extraction("en", self.name, tuple(concepts), ())


class CountingBackoff:
    """A ``Backoff`` that does not wait, and a clock by which each pause took half a second."""

    def __init__(self) -> None:
        self.pauses = 0

    def pause(self, attempt: int, waited: float = 0.0) -> None:
        self.pauses += 1

    def monotonic(self) -> float:
        return self.pauses / 2


class AtOnce(Executor):
    """An ``Executor`` that does everything where it is asked to, so that calls come in one order."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 whoever asks for the result gets it
            done.set_exception(error)
        return done


@cache
def signer() -> Signer:
    """One key for all tests."""
    return LocalSigner(new_private_key_pem(), name="tests")


@dataclass
class Memory:
    """Every port in memory behind one fault plan, and the use cases over them."""

    plan: FaultPlan = field(default_factory=FaultPlan)
    embedder: Embedder = field(default_factory=HashEmbedder)
    semantic_index: SemanticIndex | None = None
    wiki_writer: WikiWriter = field(default_factory=TinyWriter)
    tutor: ScriptedTutor | None = field(default_factory=ScriptedTutor)
    #: Replaces ports by name, for stores that are late or never answer.
    replace: dict[str, Callable[[Any], Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clock = SteppingClock(NOW)
        self.ids = CountingIds()
        self.backoff = CountingBackoff()
        self.raw_log, self.raw_uploads = MemoryEpisodeLog(), MemoryUploadArea()
        self.raw_concepts, self.raw_beliefs = MemoryConceptStore(), MemoryBeliefStore()
        self.raw_records, self.raw_checkpoints = MemoryRecordStore(), MemoryCheckpointStore()
        self.log = self._port("log", self.raw_log)
        self.beliefs = self._port("beliefs", self.raw_beliefs)
        self.concepts = self._port("concepts", self.raw_concepts)
        self.records = self._port("records", self.raw_records)
        self.checkpoints = self._port("checkpoints", self.raw_checkpoints)
        self.uploads = self._port("uploads", self.raw_uploads)
        self.raw_erasures, self.raw_roster = MemoryErasureStore(self.raw_log), MemoryRoster(self.raw_log)
        self.raw_queue, self.raw_counter = MemoryNightQueue(), MemoryRequestCounter()
        self.erasures = self._port("erasures", self.raw_erasures)
        self.roster = self._port("roster", self.raw_roster)
        self.queue = self._port("queue", self.raw_queue)
        self.counter = self._port("counter", self.raw_counter)
        self.raw_wikis = MemoryWikiRepository()
        self.wikis = self._port("wikis", self.raw_wikis)
        self.raw_wiki_queue = MemoryWikiQueue()
        self.wiki_queue = self._port("wiki_queue", self.raw_wiki_queue)
        self.raw_connectors, self.raw_web = MemoryConnectorStore(), MemoryWeb()
        self.connector_store = self._port("connectors", self.raw_connectors)
        self.web = self._port("web", self.raw_web)
        self.raw_answers, self.raw_answer_queue = MemoryAnswerStore(), MemoryAnswerQueue()
        self.answers = self._port("answers", self.raw_answers)
        self.answer_queue = self._port("answer_queue", self.raw_answer_queue)
        self.signer = self._port("signer", signer())
        self.keyed_hash = self._port("keyed_hash", MemoryKeyedHash())
        self.reading_parts = self._port("reading_parts", MemoryReadingParts())
        self.concept_reader = LineConceptReader()
        self.fresh()

    def _port(self, name: str, port: T) -> T:
        replaced: T = self.replace.get(name, lambda same: same)(port)
        return self.plan.wrap(replaced)

    def fresh(self) -> None:
        """Wire the use cases anew over the same stores, as a new process does: caches are empty.

        Area by area, as ``anamnesis.bootstrap`` does; each builds on those before it.
        """
        self._wire_parts()
        self._wire_log()
        self._wire_files()
        self._wire_answers()
        self._wire_wikis()
        self._wire_upkeep()

    def _wire_parts(self) -> None:
        self._embedder = self.plan.wrap(self.embedder)
        self.maps = MapCache(self.concepts)
        self.withheld = Withheld(self.erasures, self.signer)
        self.project = ProjectLog(
            self.log, self.beliefs, self.concepts, self.maps, self.backoff, self.withheld
        )
        self.publish = PublishMap(self.concepts, self._embedder)
        self.refresh = RefreshWorkingSet(self.log, self.erasures, self.records, self._embedder, self.withheld)
        self._erased_events = ErasedEvents(self.log, self.erasures, self.keyed_hash, self.withheld)

    def _wire_log(self) -> None:
        self.append = AppendEpisodes(
            log=self.log,
            concepts=self.concepts,
            beliefs=self.beliefs,
            records=self.records,
            maps=self.maps,
            project=self.project,
            clock=self.clock,
            roster=self.roster,
            erased=self._erased_events,
            ids=self.ids,
            backoff=self.backoff,
            monotonic=self.backoff.monotonic,
        )
        self.list_episodes = ListEpisodes(self.log, self.records, self.erasures, self.withheld)
        self.list_subjects = ListSubjects(self.roster)
        self.verify = VerifyChain(self.log, self.records, self.erasures, self.checkpoints, self.signer)
        self.list_checkpoints = ListCheckpoints(self.log, self.checkpoints, self.signer)
        self.prove = ProveEpisode(self.log, self.checkpoints, self.signer, self.withheld)
        self.list_beliefs = ListBeliefs(self.beliefs, self.project)
        self.rederive = RederiveBeliefs(
            self.log, self.beliefs, self.concepts, self.maps, self.backoff, self.withheld
        )
        self.index = IndexEpisodes(self.log, self.records, self._embedder, self.semantic_index, self.refresh)
        self.index_again = IndexAgain(self.log, self.index)

    def _wire_files(self) -> None:
        event = RecordFileEvent(self.append, self.concepts)
        self.offer_file = OfferFile(self.concepts, self.roster, self.uploads, self.clock, self.ids)
        self.list_files = ListFiles(self.concepts, self.maps, self.clock)
        self.delete_file = DeleteFile(self.concepts, self.uploads, self.publish, event, self.clock)
        self.read_file = ReadFile(
            concepts=self.concepts,
            uploads=self.uploads,
            file_reader=self.plan.wrap(PlainFileReader()),
            concept_reader=self.plan.wrap(self.concept_reader),
            embedder=self._embedder,
            publish=self.publish,
            record_event=event,
            reading_parts=self.reading_parts,
            clock=self.clock,
        )
        self.view_map = ViewMap(self.concepts, self.maps, self.project)

    def _wire_answers(self) -> None:
        self.admit = AdmitRequest(
            counter=self.counter,
            clock=self.clock,
            executor=AtOnce(),
            limit=100,
            monotonic=self.backoff.monotonic,
        )
        self.ground = GroundAnswer(
            log=self.log,
            concepts=self.concepts,
            beliefs=self.beliefs,
            records=self.records,
            maps=self.maps,
            histories=self._histories(),
            texts=FileTexts(self.concepts),
            withheld=self.withheld,
            clock=self.clock,
        )
        self.write_answer = WriteAnswer(
            log=self.log,
            answers=self.answers,
            model=None if self.tutor is None else self.plan.wrap(self.tutor),
            append=self.append,
            ground=self.ground,
            clock=self.clock,
            ids=self.ids,
            monotonic=self.backoff.monotonic,
        )
        self.read_answer = ReadAnswer(self.answers, self.log, self.clock)

    def _wire_wikis(self) -> None:
        self.connectors = Connectors(
            store=self.connector_store,
            web=self.web,
            open={
                ConnectorKind.ICALENDAR: lambda name, data, at: CalendarConnector(name, data, fetched_at=at)
            },
            clock=self.clock,
        )
        self.wiki_evidence = LoadWikiEvidence(
            self.roster,
            self.log,
            self.beliefs,
            self.concepts,
            self.maps,
            self.project,
            self.withheld,
            self.connectors,
        )
        self.compile_wiki = CompileWiki(
            self.wikis, self.wiki_evidence, self.plan.wrap(self.wiki_writer), self.clock
        )
        self.shown_wikis = ShownWikis(self.wikis, self.roster, self.log, self.withheld)
        self.write_wiki_page = WriteWikiPage(self.shown_wikis, self.wiki_evidence, self.clock, self.backoff)
        self.read_wiki, self.serve_git = ReadWiki(self.shown_wikis), ServeGit(self.shown_wikis)
        self.find_in_wiki = FindInWiki(self.shown_wikis)
        self.recall_wiki = RecallWiki(
            roster=self.roster,
            log=self.log,
            histories=self._histories(),
            withheld=self.withheld,
            embedder=self._embedder,
            repository=self.shown_wikis,
            find=self.find_in_wiki,
        )
        self.follow_evidence = FollowEvidence(
            self.log,
            self.concepts,
            self.list_episodes,
            self.list_files,
            self.withheld,
            self.connectors,
            self.roster,
        )

    def _wire_upkeep(self) -> None:
        self.report = ComposeReport(
            log=self.log,
            beliefs=self.beliefs,
            records=self.records,
            erasures=self.erasures,
            histories=self._histories(),
            view_map=self.view_map,
            verify=self.verify,
            withheld=self.withheld,
            clock=self.clock,
            executor=AtOnce(),
        )
        self.export = ExportMemory(
            roster=self.roster,
            log=self.log,
            beliefs=self.beliefs,
            concepts=self.concepts,
            records=self.records,
            erasures=self.erasures,
            answers=self.answers,
            project=self.project,
            withheld=self.withheld,
            clock=self.clock,
        )
        self.erase = EraseMemory(
            log=self.log,
            erasures=self.erasures,
            events=self._erased_events,
            roster=self.roster,
            concepts=self.concepts,
            uploads=self.uploads,
            publish=self.publish,
            clear=ClearErased(
                erasures=self.erasures,
                events=self._erased_events,
                records=self.records,
                answers=self.answers,
                concepts=self.concepts,
                semantic_index=self.semantic_index,
                project=self.project,
                refresh=self.refresh,
                wiki=ClearWiki(self.wikis, self.log, self.compile_wiki, self.clock),
                clock=self.clock,
            ),
            signer=self.signer,
            clock=self.clock,
            ids=self.ids,
        )
        self.start_night = StartNight(self.log, self.queue)
        self.run_night = RunNight(
            log=self.log,
            beliefs=self.beliefs,
            concepts=self.concepts,
            records=self.records,
            maps=self.maps,
            append=self.append,
            project=self.project,
            verify=self.verify,
            refresh=self.refresh,
            erase=self.erase,
            checkpoints=self.checkpoints,
            signer=self.signer,
            clock=self.clock,
            withheld=self.withheld,
            wikis=self.wiki_queue,
        )
        self.get_self_model = GetSelfModel(self.records)

    def _histories(self) -> HistoryReader:
        """One of its own for each use case, so that none finds what another one has read."""
        return HistoryReader(self.log, self.records, self._embedder, AtOnce(), self.withheld)

    def reader(
        self, executor: Executor | None = None, monotonic: Callable[[], float] = time.monotonic
    ) -> ReadBlock:
        """The use case behind the block."""
        executor = executor or ThreadPoolExecutor(max_workers=12)
        embedder = self.plan.wrap(self.embedder)
        return ReadBlock(
            log=self.log,
            beliefs=self.beliefs,
            concepts=self.concepts,
            records=self.records,
            embedder=embedder,
            semantic_index=self.semantic_index,
            maps=self.maps,
            histories=HistoryReader(self.log, self.records, embedder, executor, self.withheld),
            executor=executor,
            monotonic=monotonic,
        )

    def answering(self) -> StartAnswer:
        """The use case behind a turn of a chat."""
        return StartAnswer(
            log=self.log,
            answers=self.answers,
            queue=self.answer_queue,
            read_block=self.reader(AtOnce(), self.backoff.monotonic),
            passages=GatherPassages(
                self.log, self.maps, FileTexts(self.concepts), self.withheld, self.backoff.monotonic
            ),
            conversation=GatherConversation(self.log, self.withheld),
            append=self.append,
            clock=self.clock,
            model=None if self.tutor is None else "scripted",
        )

    # ------------------------------------------------------------------ acts
    def upload(self, data: bytes = CHAPTER, *, name: str = "cells.txt", pair: Pair = ANA) -> tuple[str, str]:
        """Offer and upload a file; return its id and its object's key. Nothing has read it yet."""
        self.clock.advance(seconds=1)
        ticket = self.offer_file(pair, name=name, media_type="text/plain", size=max(1, len(data)))
        return ticket.file.id, self.raw_uploads.put(ticket, data)

    def add_file(self, data: bytes = CHAPTER, *, name: str = "cells.txt", pair: Pair = ANA) -> FileRecord:
        """Upload and read a file."""
        _, key = self.upload(data, name=name, pair=pair)
        record = self.read_file(key)
        assert record is not None
        return record

    def say(self, *drafts: Draft, key: str | None = None, pair: Pair = ANA) -> list[Episode]:
        """Append a batch under a fresh key."""
        return self.append(pair, key or self.ids.new_id(self.clock.now()), drafts)

    def told(self, pair: Pair = ANA) -> list[tuple[Kind, str]]:
        """What the log holds: kinds and summaries."""
        log = self.raw_log.episodes.get(pair, [])
        return [(e.kind, e.content.summary if e.content else "") for e in log]


def question(text: str = "What is osmosis?", at: datetime = NOW, **more: Any) -> Draft:
    """A question."""
    return Draft(Kind.QUESTION, at, text, **more)


def answer(text: str = "Osmosis moves water.", at: datetime = NOW, **more: Any) -> Draft:
    """An answer."""
    return Draft(Kind.ANSWER, at, text, **more)


def check(topic: str = "Osmosis", *, correct: bool = True, at: datetime = NOW, **more: Any) -> Draft:
    """A check with its result."""
    return Draft(Kind.CHECK, at, more.pop("text", f"Explain {topic}"), topic=topic, correct=correct, **more)


def turn(
    asked: str = "What is osmosis?", *, pair: Pair = ANA, now: datetime = NOW, **more: Any
) -> BlockRequest:
    """What a turn asks."""
    more = {"zone": ZoneInfo("UTC"), "budget_tokens": 1_200, **more}
    return BlockRequest(pair=pair, question=asked, now=now, **more)


def chat(
    asked: str = "What is osmosis?", *, pair: Pair = ANA, now: datetime = NOW, **more: Any
) -> AnswerRequest:
    """One turn of a chat."""
    more = {"zone": ZoneInfo("UTC"), "budget_tokens": 1_200, **more}
    return AnswerRequest(pair=pair, question=asked, now=now, **more)
