"""The indexing Lambda: new and erased episodes from the table's stream → the semantic index."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from anamnesis.bootstrap import application, episode_reference
from index_episodes.replays import index_again
from observability import failure_logged, logger, metrics, quoting_nothing, tracer

processor = BatchProcessor(event_type=EventType.DynamoDBStreams)


def index_one(record: DynamoDBRecord) -> None:
    """Index the episode that one stream record is about.

    Every change of an episode's row counts, in whatever order changes come: the use case looks at the row as it is now,
    and takes an episode that was erased, or is gone, out of the index.
    """
    reference = episode_reference(record.dynamodb.keys if record.dynamodb else None)
    if reference is not None:
        pair, position = reference
        with failure_logged("episode_not_indexed", event_id=record.event_id):
            application().index_episodes(pair, [position])


@logger.inject_lambda_context(clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Index a batch; what failed is reported, so that the stream delivers only that again.

    Besides the stream's batches it takes ``{"index_again": {"start", "end"[, "pair", "after"]}}``, times in ISO 8601
    with an offset, from ``anamnesis replay``.
    """
    with quoting_nothing():
        if "index_again" in event:
            return index_again(event["index_again"])
        return process_partial_response(
            event=event, record_handler=index_one, processor=processor, context=context
        )
