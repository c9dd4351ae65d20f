"""The reader Lambda: an S3 event → the file's concepts in the subject's map."""

from __future__ import annotations

from urllib.parse import unquote_plus

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.data_classes import S3Event, event_source
from aws_lambda_powertools.utilities.typing import LambdaContext

from anamnesis.bootstrap import application
from observability import failure_logged, logger, metrics, tracer


@logger.inject_lambda_context(clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics(capture_cold_start_metric=True)
@event_source(data_class=S3Event)
def handler(event: S3Event, context: LambdaContext) -> None:
    """Read every object of the event; an error is raised, so that Lambda retries and then keeps the event.

    An object that fails does not keep those behind it from being read; on the retry they are found read.
    """
    failures = []
    for record in event.records:
        try:
            # S3 quotes keys in its events, as in a form; ours hold percent signs of their own, so undo exactly that.
            read_one(unquote_plus(record.s3.get_object.key))
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
