"""The dispatcher Lambda: the schedule → one message per pair that was active on the day that ended."""

from __future__ import annotations

from datetime import datetime, timedelta

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.data_classes import EventBridgeEvent, event_source
from aws_lambda_powertools.utilities.typing import LambdaContext

from anamnesis.bootstrap import application
from observability import logger, metrics, quoting_nothing, tracer


@logger.inject_lambda_context(clear_state=True)
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics(capture_cold_start_metric=True)
@event_source(data_class=EventBridgeEvent)
def handler(event: EventBridgeEvent, context: LambdaContext) -> dict[str, int]:
    """Queue the night of the day before the schedule's own time, so that a late delivery runs the right day."""
    night = (datetime.fromisoformat(event.time) - timedelta(days=1)).date()
    with quoting_nothing():
        queued = application().start_night(night)
    metrics.add_metric("PairsQueued", MetricUnit.Count, queued)
    return {"queued": queued}
