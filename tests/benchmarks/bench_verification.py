"""How long a log takes to verify and to prove. Not part of the tests: ``make bench``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import cache

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from anamnesis.adapters.dynamodb.episode_rows import breaks_beside, read_row, row_of
from anamnesis.adapters.dynamodb.models import EpisodeRow
from anamnesis.adapters.local_signing import LocalSigner, new_private_key_pem
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD, Break, committed, linked, verify_chain
from anamnesis.domain.log.checkpoints import check_against, checkpoint_of, leaf_of, roots_at
from anamnesis.domain.log.episodes import MAX_BATCH, Citation, Content, Episode, Head, Kind, Outcome
from anamnesis.domain.log.merkle import Tree, verify_inclusion
from anamnesis.service.prove_episode import ProveEpisode
from anamnesis.service.verify_chain import VerifyChain
from anamnesis.service.withheld import Withheld
from contracts.examples import NOW, receipt_for
from support.aws_stores import AwsStores, make_stores
from support.emulated_aws import emulated_aws

PAIR = Pair("school", "ana", "biology")
SIGNER = LocalSigner(new_private_key_pem(), name="bench")
LENGTH = 10_000
#: On the emulator, which takes 4 ms a row by itself: what is ours of it is measured without it.
STORED = 400
#: Episodes between two checkpoints: what a diligent student does in a day.
A_DAY = 20


def _unplaced(number: int) -> Episode:
    """An episode as a turn leaves it: some 300 characters, concepts, memories, at times a result or a citation."""
    kind = (Kind.QUESTION, Kind.ANSWER, Kind.CHECK)[number % 3]
    at = NOW + timedelta(minutes=number)
    text = " ".join(f"word{(number * 7 + n) % 900}" for n in range(40))
    return committed(
        Episode(
            id=f"{number:026d}",
            pair=PAIR,
            position=0,
            kind=kind,
            occurred_at=at,
            recorded_at=at,
            content=Content(text[:80], text, topic="osmosis" if kind is Kind.CHECK else None),
            salt=f"{number:032x}",
            commitment="",
            concepts=("osmosis", "cell membrane"),
            salience=0.45,
            language="en",
            session_id=f"session {number // 20}",
            outcome=Outcome(True, 1.0, "osmosis", 0.715) if kind is Kind.CHECK else None,
            evidence=(Citation("01J", 3, "ab" * 32),) if kind is Kind.ANSWER else (),
            memory_ids=tuple(f"{n:026d}" for n in range(8)) if kind is Kind.ANSWER else (),
            about_record=False,
            previous_hash="",
            hash="",
        )
    )


@cache
def _chain(length: int) -> tuple[list[Episode], Head]:
    episodes = linked([_unplaced(n) for n in range(1, length + 1)], EMPTY_HEAD)
    return episodes, Head(length, episodes[-1].hash)


@pytest.fixture(scope="module")
def aws() -> Iterator[AwsStores]:
    """A log on moto, with a checkpoint for each day."""
    with emulated_aws():
        stores = make_stores(prefix="bench")
        episodes, _ = _chain(STORED)
        head = EMPTY_HEAD
        for start in range(0, STORED, MAX_BATCH):
            batch = episodes[start : start + MAX_BATCH]
            stores.episode_log.append(PAIR, batch, head, receipt_for(batch))
            head = Head(batch[-1].position, batch[-1].hash)
        hashes = {e.position: e.hash for e in episodes}
        for length, root in roots_at(hashes, range(A_DAY, STORED + 1, A_DAY)).items():
            stores.checkpoint_store.add(PAIR, checkpoint_of(PAIR, length, root, SIGNER))
        yield stores


def test_recomputing_a_chain(benchmark: BenchmarkFixture) -> None:
    """Every hash and commitment of 10,000 episodes in memory (EP-4)."""
    episodes, head = _chain(LENGTH)
    assert benchmark(verify_chain, episodes, head, PAIR).verified


def test_verifying_stored_rows(benchmark: BenchmarkFixture, aws: AwsStores) -> None:
    """The same from DynamoDB's raw rows on: decoded, held to what they say beside their episodes, recomputed (EP-4)."""
    episodes, head = _chain(LENGTH)
    model = aws.connection.bind(EpisodeRow, "bench-episodes")
    items = [row_of(episode, model).serialize() for episode in episodes]

    def rows() -> Iterator[Episode | Break]:
        for item in items:
            row = read_row(item, PAIR, {})
            if isinstance(row, Episode):
                yield from breaks_beside(item, row)
            yield row

    assert benchmark(lambda: verify_chain(rows(), head, PAIR)).verified


def test_comparing_with_500_checkpoints(benchmark: BenchmarkFixture) -> None:
    """The roots of 10,000 episodes at 500 lengths, and 500 signatures (EP-5)."""
    episodes, head = _chain(LENGTH)
    hashes = {e.position: e.hash for e in episodes}
    roots = roots_at(hashes, range(A_DAY, LENGTH + 1, A_DAY))
    kept = [checkpoint_of(PAIR, length, root, SIGNER) for length, root in roots.items()]
    assert benchmark(check_against, kept, PAIR, hashes, head.length, SIGNER) == []


def test_proving_inclusion(benchmark: BenchmarkFixture) -> None:
    """A tree of 10,000 leaves and one proof out of it, verified (EP-5)."""
    leaves = [leaf for e in _chain(LENGTH)[0] if (leaf := leaf_of(e.hash)) is not None]

    def proved() -> bool:
        tree = Tree(leaves)
        return verify_inclusion(leaves[77], 77, LENGTH, tree.inclusion_proof(77), tree.root())

    assert benchmark(proved)


def test_verifying_a_stored_log(benchmark: BenchmarkFixture, aws: AwsStores) -> None:
    """400 episodes and 20 checkpoints out of the emulator (EP-5)."""
    verify = VerifyChain(aws.episode_log, aws.record_store, aws.erasure_store, aws.checkpoint_store, SIGNER)
    verdict = benchmark.pedantic(verify, args=(PAIR,), rounds=3)
    assert (verdict.verified, verdict.checkpoints_checked) == (True, STORED // A_DAY)


def test_proving_a_stored_episode(benchmark: BenchmarkFixture, aws: AwsStores) -> None:
    """The proof of one of 400 episodes out of the emulator (EP-5)."""
    prove = ProveEpisode(aws.episode_log, aws.checkpoint_store, SIGNER, Withheld(aws.erasure_store, SIGNER))
    proof = benchmark.pedantic(prove, args=(PAIR, _chain(STORED)[0][99].id), rounds=3)
    assert proof.episode.position == 100
