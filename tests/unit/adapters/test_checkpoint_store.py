"""The checkpoint store in memory and on moto."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from anamnesis.adapters.local_signing import LocalSigner, new_private_key_pem
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import checkpoint_of, filing_name
from anamnesis.ports import CheckpointStore
from contracts.checkpoint_store import CheckpointStoreContract
from support.aws_stores import AwsStores
from support.memory_platform import MemoryCheckpointStore


class TestMemory(CheckpointStoreContract):
    @pytest.fixture
    def store(self) -> CheckpointStore:
        return MemoryCheckpointStore()


class TestAws(CheckpointStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> CheckpointStore:
        return aws.checkpoint_store


def test_what_nobody_can_erase_names_nobody(aws: AwsStores) -> None:
    """Neither the key nor the object nor the metadata of a checkpoint holds tenant, student or subject (EP-8)."""
    pair = Pair("north school", "zoë", "physics")
    signer = LocalSigner(new_private_key_pem(), name="checkpoints")
    aws.checkpoint_store.add(pair, checkpoint_of(pair, 1, "ab" * 32, signer))
    bucket = f"{aws.prefix}-checkpoints"
    [key] = [
        listed["Key"]
        for listed in aws.s3.list_objects_v2(Bucket=bucket)["Contents"]
        if listed["Key"].startswith(filing_name(pair))
    ]
    kept = aws.s3.get_object(Bucket=bucket, Key=key)
    tags = aws.s3.get_object_tagging(Bucket=bucket, Key=key)["TagSet"]
    everything = f"{key} {kept['Metadata']} {tags} {kept['Body'].read().decode()}"
    assert "ab" * 32 in everything
    for name in (pair.tenant, pair.student, pair.subject, pair.key):
        assert not any(spelled in everything for spelled in (name, quote(name, safe=""), name.encode().hex()))
