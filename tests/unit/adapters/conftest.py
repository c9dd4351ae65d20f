"""Stores on moto, once per module: pairs and subjects are fresh for each test instead."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from moto import mock_aws

from support.aws_stores import REGION, AwsStores, make_stores
from support.aws_transactions import light_transactions

#: Tables of one name would meet where the functions' emulation, which lives longer, is still there.
_numbers = count(1)


@pytest.fixture(scope="module")
def aws() -> Iterator[AwsStores]:
    """The memory's tables and buckets on moto, and adapters on them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
            patch.setenv(name, "testing")
        patch.setenv("AWS_DEFAULT_REGION", REGION)
        for name in ("AWS_ENDPOINT_URL", "AWS_PROFILE"):
            patch.delenv(name, raising=False)
        with mock_aws(), light_transactions():
            yield make_stores(prefix=f"moto{next(_numbers)}")
