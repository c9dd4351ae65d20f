"""Every store's contract on the emulator."""

from __future__ import annotations

import secrets
import urllib.error
import urllib.request
from dataclasses import replace
from datetime import timedelta
from urllib.parse import unquote, urlsplit

import pytest

from anamnesis.domain.errors import NotFound
from anamnesis.domain.files import UploadTicket
from anamnesis.domain.log.chain import EMPTY_HEAD, linked
from anamnesis.domain.log.episodes import Kind
from anamnesis.ports import (
    BeliefStore,
    CheckpointStore,
    ConceptStore,
    EpisodeLog,
    ErasureStore,
    RecordStore,
    RequestCounter,
    Roster,
    UploadArea,
)
from contracts.belief_store import BeliefStoreContract, ContendedBeliefStoreContract
from contracts.checkpoint_store import CheckpointStoreContract
from contracts.concept_store import ConceptStoreContract, ContendedConceptStoreContract
from contracts.episode_log import ContendedEpisodeLogContract, EpisodeLogContract
from contracts.erasure_store import ContendedErasureStoreContract, RosterContract
from contracts.examples import chain_of, episode, file_record, fresh_pair, fresh_scope, head_of, receipt_for
from contracts.record_store import ContendedRecordStoreContract, RecordStoreContract, segment
from contracts.request_counter import RequestCounterContract
from contracts.upload_area import Upload, UploadAreaContract
from support.aws_stores import AwsStores, make_stores


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


class TestErasureStore(ContendedErasureStoreContract):
    @pytest.fixture
    def log(self, aws: AwsStores) -> EpisodeLog:
        return aws.episode_log

    @pytest.fixture
    def store(self, aws: AwsStores) -> ErasureStore:
        return aws.erasure_store


class TestRoster(RosterContract):
    @pytest.fixture
    def log(self, aws: AwsStores) -> EpisodeLog:
        return aws.episode_log

    @pytest.fixture
    def roster(self, aws: AwsStores) -> Roster:
        return aws.roster


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


class TestContendedRecordStore(ContendedRecordStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> RecordStore:
        return aws.record_store


class TestRequestCounter(RequestCounterContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> RequestCounter:
        return aws.request_counter


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


def test_the_ticket_admits_only_what_was_declared(aws: AwsStores) -> None:
    """Bytes of another number or type than declared, or sent too late, are refused and leave nothing (SV-12)."""
    record = file_record(fresh_scope())
    area = aws.upload_area
    ticket = area.ticket(record, expires_at=aws.clock.now() + timedelta(minutes=15))
    for headers, data in (
        ({**ticket.headers, "Content-Length": "6"}, b"123456"),
        ({**ticket.headers, "Content-Length": "4"}, b"1234"),
        ({**ticket.headers, "Content-Type": "text/html"}, b"12345"),
    ):
        with pytest.raises(urllib.error.HTTPError) as refused:
            put_bytes(replace(ticket, headers=headers), data)
        assert refused.value.code == 403
    with pytest.raises(NotFound):
        area.fetch(record.scope, record.id, max_bytes=9)


def test_a_rare_kind_is_found_page_by_page(aws: AwsStores, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking for a rare kind reads a bounded amount a call, and each cursor stands further on (SV-12)."""
    monkeypatch.setattr("anamnesis.adapters.dynamodb.episode_log.MAX_PAGES_BETWEEN", 1)
    pair = fresh_pair()
    head = EMPTY_HEAD
    for batch in range(14):
        kinds = [Kind.CHECK if batch in {0, 13} and n == 0 else Kind.ANSWER for n in range(50)]
        drafts = [
            episode(pair, "x" * 4_000, number=n, kind=kind, days_ago=20 - batch - n / 100)
            for n, kind in enumerate(kinds)
        ]
        placed = linked(drafts, head)
        aws.episode_log.append(pair, placed, head, receipt_for(placed))
        head = head_of(placed)
    found: list[int] = []
    pages = 0
    cursor: str | None = None
    while pages == 0 or cursor is not None:
        page, cursor = aws.episode_log.between(
            pair, start=None, end=None, kind=Kind.CHECK, cursor=cursor, limit=10
        )
        found += [e.position for e in page]
        pages += 1
        assert pages < 10
    assert found == [1, 651]
    assert pages >= 3


def test_a_turn_costs_the_same_however_long_the_history(aws: AwsStores) -> None:
    """What a turn reads costs the same requests and bytes after 150 and after 1,500 episodes (RC-1)."""
    pair = fresh_pair()
    head = EMPTY_HEAD
    spent = []
    for length in (150, 1_500):
        while head.length < length:
            batch = chain_of(pair, head, [f"text {n} of a batch" for n in range(50)])
            aws.episode_log.append(pair, batch, head, receipt_for(batch))
            head = head_of(batch)
        aws.record_store.save_working_set(pair, segment(length - 20))
        known = aws.record_store.working_set(pair)
        with aws.meter.measure() as measured:
            assert aws.record_store.working_set(pair, known=known) is known
            assert len(list(aws.episode_log.scan(pair, after=length - 20, with_text=False))) == 20
            assert (
                len(aws.episode_log.read(pair, range(length // 2, length // 2 + 40), with_text=False)) == 40
            )
            aws.belief_store.current(pair)
            aws.concept_store.layer(pair)
        spent.append(measured.total)
    assert spent[0].requests == spent[1].requests == 5
    assert abs(spent[0].received_bytes - spent[1].received_bytes) < 0.05 * spent[0].received_bytes
