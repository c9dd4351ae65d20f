"""The reader Lambda: an S3 event → the file's concepts in the subject's map."""

from __future__ import annotations

import time
from urllib.parse import unquote_plus

from aws_lambda_powertools.utilities.data_classes import S3Event, event_source
from aws_lambda_powertools.utilities.typing import LambdaContext

from anamnesis.bootstrap import Deadline
from observability import logger, metrics, quoting_nothing, tracer
from read_file.objects import read_all


@logger.inject_lambda_context(clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics(capture_cold_start_metric=True)
@event_source(data_class=S3Event)
def handler(event: S3Event, context: LambdaContext) -> None:
    """Read every object of the event; an error is raised, so that Lambda retries and then keeps the event."""
    # S3 quotes keys in its events, as in a form; ours hold percent signs of their own, so undo exactly that.
    deadline = Deadline.after(context.get_remaining_time_in_millis() / 1_000, time.monotonic)
    with quoting_nothing():
        read_all((unquote_plus(record.s3.get_object.key) for record in event.records), deadline)
