"""The wiki's worker Lambda: one message → one student's compile."""

from __future__ import annotations

import time
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from anamnesis.bootstrap import Deadline, application, wiki_message
from compile_wiki.compile_log import log_compile
from model_use import model_use_counted
from observability import failure_logged, logger, metrics, quoting_nothing, tracer

processor = BatchProcessor(event_type=EventType.SQS)
#: From when on a message's compile begins no further step. The function is given 900 s for one message: the rest is for
#: the longest step, storing a first commit of a thousand sessions. Ours.
COMPILING_SECONDS = 780.0


def run_one(record: SQSRecord) -> None:
    """Compile the wiki that one message names; a tree that a gate refuses is no failure that another try would mend."""
    with failure_logged("compile_failed", message_id=record.message_id), model_use_counted():
        deadline = Deadline.after(COMPILING_SECONDS, time.monotonic)
        report = application().compile_wiki(wiki_message(record.body), deadline)
    log_compile(report, message_id=record.message_id)


@logger.inject_lambda_context(clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Run a batch; a student whose compile fails is reported, so that the queue delivers only that again."""
    with quoting_nothing():
        return process_partial_response(
            event=event, record_handler=run_one, processor=processor, context=context
        )
