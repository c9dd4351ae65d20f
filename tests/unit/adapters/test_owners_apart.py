"""Owners whose names could be taken for one another, for keys of the stores, or for paths: each has their own rows."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis.domain.log.chain import EMPTY_HEAD
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.log.progress import Progress
from contracts.examples import NOW, belief, chain_of, file_record, receipt_for
from contracts.record_store import segment
from support.aws_stores import AwsStores

_numbers = count(1)

#: Tenant, student and subject; in each group they differ by what a careless key would lose.
GROUPS = {
    "separators": [
        *(("a", "b#c", "d"), ("a#b", "c", "d"), ("a", "b", "c#d"), ("a", "b%23c", "d"), ("a%23b", "c", "d")),
        ("a", "b", "c%2523d"),
    ],
    "numbers": [
        ("a", "student1", "d"),
        ("a", "student10", "d"),
        ("a", "student1", "d1"),
        ("a", "student", "1#d"),
    ],
    "scripts": [
        *(("a", "ana", "d"), ("а", "ana", "d"), ("a", "аna", "d"), ("ａ", "ana", "d"), ("A", "ana", "d")),
        *(("a", "Zoë", "d"), ("a", "Zoe\u0308", "d"), ("a", "ANA", "d"), ("a", "ana", "D")),
    ],
    "paths": [
        ("...", "...", "..."),
        ("....", "...", "..."),
        ("a", "...", "d"),
        ("a", "%2e%2e", "d"),
        ("a", "b\\..\\c", "d"),
    ],
    "rows": [
        *(("E#000000000001", "HEAD", "d"), ("E", "000000000001", "HEAD"), ("HEAD", "E", "000000000001")),
        *(("RECEIPT", "V", "CITE"), ("FILE", "MAP", "LAYER"), ("texts", "pages", "maps")),
    ],
}


@pytest.fixture(params=GROUPS)
def owners(request: pytest.FixtureRequest) -> list[Pair]:
    """The pairs of a group, with a mark of the test's own in the last name."""
    mark = next(_numbers)
    return [Pair(tenant, student, f"{subject} {mark}") for tenant, student, subject in GROUPS[request.param]]


def log_of(pair: Pair, number: int) -> list[Episode]:
    """A short log whose texts, one of them too long for its row, tell whose it is."""
    return chain_of(pair, EMPTY_HEAD, [f"short {number}", f"long {number} " * 1_000])


def test_what_one_owner_stores_no_other_reads(aws: AwsStores, owners: list[Pair]) -> None:
    """Log, receipt, long texts, vectors, working set and beliefs are each owner's own, however named (SV-11)."""
    logs = {pair: log_of(pair, number) for number, pair in enumerate(owners)}
    beliefs = {pair: belief(pair, f"osmosis {number}") for number, pair in enumerate(owners)}
    for number, pair in enumerate(owners):
        assert aws.episode_log.head(pair).length == 0
        assert aws.episode_log.receipt(pair, "k") is None
        aws.episode_log.append(pair, logs[pair], EMPTY_HEAD, receipt_for(logs[pair], "k"))
        aws.record_store.save_vectors(pair, {1: np.full(4, number, np.int8)}, "words")
        aws.record_store.save_working_set(pair, segment(number + 1))
        aws.belief_store.save(
            pair, inserted=[beliefs[pair]], changed=[], projected_to=Progress(1), expected=Progress()
        )
    for number, pair in enumerate(owners):
        assert list(aws.episode_log.scan(pair)) == logs[pair]
        receipt = aws.episode_log.receipt(pair, "k")
        assert receipt is not None
        assert receipt.first_hash == logs[pair][0].hash
        assert {p: v[0] for p, v in aws.record_store.vectors(pair, "words").items()} == {1: number}
        kept = aws.record_store.working_set(pair)
        assert kept is not None
        assert len(kept.ids) == number + 1
        assert aws.belief_store.history(pair) == [beliefs[pair]]
        for other in set(owners) - {pair}:
            assert aws.belief_store.get(other, beliefs[pair].id) is None


def test_what_one_subject_stores_no_other_reads(aws: AwsStores, owners: list[Pair]) -> None:
    """Files and page texts are each subject's own, and an upload's key leads back to its own subject (SV-11)."""
    scopes = list(dict.fromkeys(SubjectScope(p.tenant, f"{p.student} {p.subject}") for p in owners))
    records = {scope: file_record(scope) for scope in scopes}
    for scope in scopes:
        aws.concept_store.add_file(records[scope])
    for scope in scopes:
        assert [record.id for record in aws.concept_store.files(scope)] == [records[scope].id]
        ticket = aws.upload_area.ticket(records[scope], expires_at=aws.clock.now())
        assert ticket.file.scope == scope
        for other in set(scopes) - {scope}:
            assert aws.concept_store.get_file(other, records[scope].id) is None


@pytest.mark.parametrize("tenant", ["DAY", "#DAY", "REQUESTS", "ROSTER"])
def test_no_tenant_owns_the_house_s_rows(aws: AwsStores, tenant: str) -> None:
    """A tenant called like the stores' own keys changes neither the night's list nor anybody's throttle (SV-11)."""
    ana = Pair("school", "ana", f"biology {next(_numbers)}")
    log = chain_of(ana, EMPTY_HEAD, ["Hello"])
    aws.episode_log.append(ana, log, EMPTY_HEAD, receipt_for(log))
    for shard in range(16):
        strange = Pair(tenant, NOW.date().isoformat(), str(shard))
        aws.record_store.save_vectors(strange, {1: np.ones(4, np.int8)}, "words")
        assert list(aws.record_store.vectors(strange, "words")) == [1]
    assert ana in list(aws.episode_log.active_pairs(NOW.date()))
    assert aws.request_counter.add(tenant, NOW, 3) == 3
    assert list(aws.record_store.vectors(Pair(tenant, tenant, "x"), "words")) == []
