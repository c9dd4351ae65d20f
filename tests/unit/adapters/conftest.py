"""Stores on moto, once per module: pairs and subjects are fresh for each test instead."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from support.aws_stores import AwsStores, make_stores
from support.emulated_aws import emulated_aws

#: Tables of one name would meet where the functions' emulation, which lives longer, is still there.
_numbers = count(1)


@pytest.fixture(scope="module")
def aws() -> Iterator[AwsStores]:
    """The memory's tables and buckets on moto, and adapters on them."""
    with emulated_aws():
        yield make_stores(prefix=f"moto{next(_numbers)}")
