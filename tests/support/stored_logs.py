"""A log as it is stored, with everything that belongs to it, for another hand to change."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from anamnesis.adapters.local_signing import LocalSigner, new_private_key_pem
from anamnesis.domain.access import Role
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD, linked
from anamnesis.domain.log.checkpoints import checkpoint_of, filing_name, roots_at
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.log.erasures import (
    Erasure,
    ErasureRequest,
    ErasureScope,
    ErasureStage,
    sign_erasure,
)
from anamnesis.domain.night.records import CitationCheck, Verification
from anamnesis.service.verify_chain import ChainVerdict, VerifyChain
from contracts.examples import episode, receipt_for
from support.aws_stores import AwsStores

Item = dict[str, Any]
#: Kind and text of each episode, from position 1 on. Two texts are too long for a row.
EPISODES = (
    (Kind.QUESTION, "What is osmosis?"),
    (Kind.ANSWER, "Water moves through a membrane."),
    (Kind.QUESTION, "Why?"),
    (Kind.CHECK, "long " * 2_000),
    (Kind.TAUGHT, "¿Qué? 浸透"),
    (Kind.ANSWER, "What is asked to be forgotten"),
    (Kind.QUIZ, "Which way does water move?"),
    (Kind.QUESTION, "longer " * 2_000),
    (Kind.ANSWER, "Towards the salt."),
)
LENGTH = len(EPISODES)
#: Position whose contents are erased, under a deletion record.
ERASED = 6
#: Position with an annotation: a citation check.
ANNOTATED = 2
#: Lengths that checkpoints were signed at.
SIGNED = (4, 7)
SIGNER = LocalSigner(new_private_key_pem(), name="checkpoints")
STRANGER = LocalSigner(new_private_key_pem(), name="checkpoints")
AT = datetime(2026, 7, 4, 9, tzinfo=UTC)


def at(position: int) -> str:
    """Sort key of an episode."""
    return f"E#{position:012d}"


def erasure_of(pair: Pair, position: int, signer: LocalSigner = SIGNER) -> Erasure:
    """A signed deletion record of one position."""
    request = ErasureRequest(ErasureScope.EPISODE, Role.STUDENT, AT)
    return sign_erasure(Erasure("01K0000000000000000000000A", pair, request, ((position, position),)), signer)


class Once:
    """A store that answers what it was asked before."""

    def __init__(self, **answers: Any) -> None:
        for name, answer in answers.items():
            setattr(self, name, lambda _pair, kept=answer: list(kept))


@dataclass
class StoredLog:
    """A pair's log on emulated services, and the raw rows and objects behind it."""

    aws: AwsStores
    pair: Pair
    written: list[Episode]
    #: How often it was verified.
    verdicts: int = 0
    #: Answers of stores that nobody changes meanwhile, to read them once.
    unchanged: dict[str, Any] = field(default_factory=dict)

    def verdict(self) -> ChainVerdict:
        """What the service finds."""
        stores: dict[str, Any] = {
            "records": self.aws.record_store,
            "erasures": self.aws.erasure_store,
            "checkpoints": self.aws.checkpoint_store,
        }
        self.verdicts += 1
        verify = VerifyChain(self.aws.episode_log, **{**stores, **self.unchanged}, signer=SIGNER)
        return verify(self.pair)

    @contextmanager
    def only_rows_change(self) -> Iterator[None]:
        """Read annotations, deletion records and checkpoints once until the block ends."""
        pair, aws = self.pair, self.aws
        self.unchanged = {
            "records": Once(citation_checks=aws.record_store.citation_checks(pair)),
            "erasures": Once(all=aws.erasure_store.all(pair)),
            "checkpoints": Once(all=aws.checkpoint_store.all(pair)),
        }
        try:
            yield
        finally:
            self.unchanged = {}

    def found(self) -> list[tuple[int, str]]:
        """Breaks by position and kind; a log with any must not be called verified."""
        verdict = self.verdict()
        assert verdict.verified is not bool(verdict.breaks)
        return [(b.position, b.kind) for b in verdict.breaks]

    # ------------------------------------------------------------------ rows
    @property
    def table(self) -> str:
        return f"{self.aws.prefix}-episodes"

    def rows(self) -> dict[str, Item]:
        """Every row of the pair by sort key: episodes, head, receipts, deletion records, digests."""
        query = {
            "TableName": self.table,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": self.pair.key}},
        }
        return {row["sk"]["S"]: row for row in self.aws.dynamodb.query(**query)["Items"]}

    def write(self, before: Mapping[str, Item], after: Mapping[str, Item]) -> None:
        """Turn one set of rows into another."""
        for sk in before.keys() - after.keys():
            key = {"pk": {"S": self.pair.key}, "sk": {"S": sk}}
            self.aws.dynamodb.delete_item(TableName=self.table, Key=key)
        for sk, row in after.items():
            if before.get(sk) != row:
                self.aws.dynamodb.put_item(TableName=self.table, Item={**row, "sk": {"S": sk}})

    @contextmanager
    def changed(self, changes: Mapping[str, Item | None], rows: Mapping[str, Item]) -> Iterator[None]:
        """The stored `rows` with others in the place of some (None: removed), until the block ends."""
        after = {sk: row for sk, row in {**rows, **changes}.items() if row is not None}
        after = copy.deepcopy(after)
        self.write(rows, after)
        try:
            yield
        finally:
            self.write(after, rows)

    # ------------------------------------------------------------------ objects
    def objects(self, bucket: str) -> list[str]:
        """Keys of this log's objects: long texts in `content`, notes in `checkpoints`."""
        prefix = f"texts/{self.pair.key}/" if bucket == "content" else f"{filing_name(self.pair)}/"
        listed = self.aws.s3.list_objects_v2(Bucket=f"{self.aws.prefix}-{bucket}", Prefix=prefix)
        return [found["Key"] for found in listed.get("Contents", [])]

    def put_note(self, key: str, body: bytes, metadata: Mapping[str, str]) -> str:
        """Put a version of a checkpoint's object and return its id."""
        answer = self.aws.s3.put_object(
            Bucket=f"{self.aws.prefix}-checkpoints", Key=key, Body=body, Metadata=dict(metadata)
        )
        version: str = answer["VersionId"]
        return version

    def delete_note(self, key: str, version: str) -> None:
        """Remove a version for good, which Object Lock forbids on AWS."""
        self.aws.s3.delete_object(Bucket=f"{self.aws.prefix}-checkpoints", Key=key, VersionId=version)


def store_log(aws: AwsStores, pair: Pair, *, signed: tuple[int, ...] = SIGNED) -> StoredLog:
    """Append the episodes, sign checkpoints, annotate one, erase one."""
    unplaced = [episode(pair, text, number=n, kind=kind) for n, (kind, text) in enumerate(EPISODES, start=1)]
    written = linked(unplaced, EMPTY_HEAD)
    aws.episode_log.append(pair, written, EMPTY_HEAD, receipt_for(written))
    hashes = {e.position: e.hash for e in written}
    for length, root in roots_at(hashes, signed).items():
        aws.checkpoint_store.add(pair, checkpoint_of(pair, length, root, SIGNER))
    annotated = written[ANNOTATED - 1]
    check = CitationCheck(annotated.id, ANNOTATED, Verification.HOLDS, (), date(2026, 7, 3))
    aws.record_store.save_citation_checks(pair, [check])
    erasure = erasure_of(pair, ERASED)
    aws.erasure_store.begin(erasure)
    aws.erasure_store.erase(pair, [ERASED], {ERASED: "ab" * 32})
    aws.erasure_store.advance(erasure, ErasureStage.ERASED, at=erasure.request.at)
    return StoredLog(aws, pair, written)
