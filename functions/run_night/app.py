"""The night's worker Lambda: one message → one pair's cycle."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from anamnesis.bootstrap import application, night_message
from night_log import log_night
from observability import failure_logged, logger, metrics, quoting_nothing, tracer

processor = BatchProcessor(event_type=EventType.SQS)


def run_one(record: SQSRecord) -> None:
    """Run the night that one message names."""
    with failure_logged("night_failed", message_id=record.message_id):
        pair, night = night_message(record.body)
        report = application().run_night(pair, night, scheduled=True)
    log_night(report, message_id=record.message_id)
    metrics.add_metric("ChainBreaks", MetricUnit.Count, int(report.self_model.chain_verified is False))


@logger.inject_lambda_context(clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Run a batch; a pair that fails is reported, so that the queue delivers only that again."""
    with quoting_nothing():
        return process_partial_response(
            event=event, record_handler=run_one, processor=processor, context=context
        )
