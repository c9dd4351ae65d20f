"""Every store's contract on the emulator."""

from __future__ import annotations

import secrets
import urllib.request
from urllib.parse import unquote, urlsplit

import pytest

from anamnesis.domain.records import UploadTicket
from anamnesis.ports import BeliefStore, CheckpointStore, ConceptStore, EpisodeLog, RecordStore, UploadArea
from aws_stores import AwsStores, make_stores
from contracts.belief_store import BeliefStoreContract, ContendedBeliefStoreContract
from contracts.checkpoint_store import CheckpointStoreContract
from contracts.concept_store import ConceptStoreContract, ContendedConceptStoreContract
from contracts.episode_log import ContendedEpisodeLogContract, EpisodeLogContract
from contracts.record_store import RecordStoreContract
from contracts.upload_area import Upload, UploadAreaContract


@pytest.fixture(scope="module")
def aws(emulator_url: str) -> AwsStores:
    """The memory's tables and buckets on the emulator, and adapters on them."""
    return make_stores(prefix=f"stores-{secrets.token_hex(4)}", endpoint=emulator_url)


def put_bytes(ticket: UploadTicket, data: bytes) -> str:
    """Use a ticket over HTTP; return the key that the object arrived under."""
    request = urllib.request.Request(ticket.url, data=data, method=ticket.method, headers=ticket.headers)
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
        assert answer.status == 200
    return unquote(urlsplit(ticket.url).path.split("/", 2)[2])


class TestEpisodeLog(EpisodeLogContract):
    @pytest.fixture
    def log(self, aws: AwsStores) -> EpisodeLog:
        return aws.episode_log


class TestContendedEpisodeLog(ContendedEpisodeLogContract):
    @pytest.fixture
    def log(self, aws: AwsStores) -> EpisodeLog:
        return aws.episode_log


class TestBeliefStore(BeliefStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> BeliefStore:
        return aws.belief_store


class TestContendedBeliefStore(ContendedBeliefStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> BeliefStore:
        return aws.belief_store


class TestConceptStore(ConceptStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> ConceptStore:
        return aws.concept_store


class TestContendedConceptStore(ContendedConceptStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> ConceptStore:
        return aws.concept_store


class TestRecordStore(RecordStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> RecordStore:
        return aws.record_store


class TestCheckpointStore(CheckpointStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> CheckpointStore:
        return aws.checkpoint_store


class TestUploadArea(UploadAreaContract):
    @pytest.fixture
    def area(self, aws: AwsStores) -> UploadArea:
        return aws.upload_area

    @pytest.fixture
    def upload(self) -> Upload:
        return put_bytes
