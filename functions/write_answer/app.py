"""The answers' worker Lambda: one message → one answer by the configured model."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from anamnesis.bootstrap import WrittenAnswer, answer_message, application
from model_use import model_use_counted
from observability import failure_logged, logger, metrics, quoting_nothing, tracer

processor = BatchProcessor(event_type=EventType.SQS)


def run_one(record: SQSRecord) -> None:
    """Write the answer that one message names; one that the model does not give is no failure of the message."""
    with failure_logged("answer_failed", message_id=record.message_id), model_use_counted():
        pair, answer_id = answer_message(record.body)
        written = application().write_answer(pair, answer_id)
    _log(written, message_id=record.message_id)


def _log(written: WrittenAnswer, *, message_id: str) -> None:
    """One log line an answer, and its metrics: stable words and numbers alone."""
    done = written.outcome == "done"
    metrics.add_metric("AnswersDone", MetricUnit.Count, int(done))
    metrics.add_metric("AnswersFailed", MetricUnit.Count, int(written.outcome == "failed"))
    first = written.first_seconds
    if first is not None:
        metrics.add_metric("AnswerFirstWords", MetricUnit.Milliseconds, first * 1000)
    log = logger.warning if written.reason is not None else logger.info
    about = {"outcome": written.outcome, "reason": written.reason, "detail": written.detail}
    log("answer", extra={"message_id": message_id, **about})


@logger.inject_lambda_context(clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Run a batch; an answer that fails for a store's sake is reported, so that the queue delivers it again."""
    with quoting_nothing():
        return process_partial_response(
            event=event, record_handler=run_one, processor=processor, context=context
        )
