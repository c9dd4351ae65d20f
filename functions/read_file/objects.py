"""Read the objects of one event, each whatever becomes of the others."""

from __future__ import annotations

from collections.abc import Iterable

from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import Deadline, application
from anamnesis.domain.files import FileStatus
from model_use import model_use_counted
from observability import failure_logged, metrics


def read_all(object_keys: Iterable[str], deadline: Deadline) -> None:
    """Read every object, and raise the first error when all were tried.

    One that fails does not keep those behind it from being read; on the retry they are found read.
    """
    failures = []
    for object_key in object_keys:
        try:
            read_one(object_key, deadline)
        except Exception as failure:  # noqa: BLE001 raised below, when the others are read
            failures.append(failure)
    if failures:
        raise failures[0]


def read_one(object_key: str, deadline: Deadline) -> None:
    """Read one object, and count what came of it and what it took of a model."""
    with failure_logged("file_not_read"), model_use_counted():
        file = application().read_file(object_key, deadline=deadline)
    status = file.status if file is not None else None
    metrics.add_metric("FilesRead", MetricUnit.Count, int(status is FileStatus.READ))
    metrics.add_metric("FilesRefused", MetricUnit.Count, int(status is FileStatus.REFUSED))
