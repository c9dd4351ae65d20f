"""Read the objects of one event, each whatever becomes of the others."""

from __future__ import annotations

from collections.abc import Iterable

from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import application
from observability import failure_logged, metrics


def read_all(object_keys: Iterable[str]) -> None:
    """Read every object, and raise the first error when all were tried.

    One that fails does not keep those behind it from being read; on the retry they are found read.
    """
    failures = []
    for object_key in object_keys:
        try:
            read_one(object_key)
        except Exception as failure:  # noqa: BLE001 raised below, when the others are read
            failures.append(failure)
    if failures:
        raise failures[0]


def read_one(object_key: str) -> None:
    """Read one object, and count what came of it."""
    with failure_logged("file_not_read"):
        file = application().read_file(object_key)
    metrics.add_metric("FilesRead", MetricUnit.Count, int(file is not None and file.reason is None))
    metrics.add_metric("FilesRefused", MetricUnit.Count, int(file is not None and file.reason is not None))
