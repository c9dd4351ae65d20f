"""The benchmark of wikis in git, on moto and small."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from anamnesis.adapters.git.repository import MAX_PACKS
from anamnesis_tools.bench.wiki.git_repository import measured_on, shown
from support.aws_stores import make_stores
from support.emulated_aws import emulated_aws

HISTORY = MAX_PACKS + 3


def test_what_a_wiki_costs_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Each act is told with its requests, bounded whatever the history, and what is stored beside a baseline (EV-7)."""
    with emulated_aws():
        stores = make_stores(prefix="bench")
        tables = {
            f"{name.title()}TableName": f"bench-{name}"
            for name in ("episodes", "beliefs", "concepts", "records")
        }
        buckets = {
            f"{name.title()}BucketName": f"bench-{name}" for name in ("files", "content", "checkpoints")
        }
        stack: Any = SimpleNamespace(
            outputs={**tables, **buckets, "SigningKeyId": "", "ErasureKeyId": ""},
            endpoint_url=None,
            client=lambda _: stores.s3,
        )
        costs, kept = measured_on(stack, 10, 10, HISTORY)
    shown(costs, kept, as_json=False)
    assert "git clone" in capsys.readouterr().out
    shown(costs, kept, as_json=True)
    told = json.loads(capsys.readouterr().out)
    by_act = {cost["act"]: cost for cost in told["costs"]}
    assert by_act["a page, warm"]["requests"] == 2
    assert by_act["a page, cold"]["requests"] <= MAX_PACKS + 2
    assert by_act[f"commit, {HISTORY} more nights"]["count"] == HISTORY
    assert (
        by_act["git fetch of the last night, warm"]["result_bytes"]
        < by_act["git clone, warm"]["result_bytes"]
    )
    assert told["kept"][-1]["packs"] <= MAX_PACKS
    assert told["kept"][-1]["revisions"] == HISTORY + 4
    assert 0 < told["kept"][-1]["stored_bytes"] < told["kept"][-1]["whole_versions_bytes"] * 2
