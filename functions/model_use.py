"""Counts what a run took of a language model, for the metrics (SV-15)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import application
from observability import metrics


@contextmanager
def model_use_counted() -> Iterator[None]:
    """Count the tokens of what runs inside, whether or not it succeeds: both are paid for."""
    try:
        yield
    finally:
        use = application().model_meter.taken()
        if use.requests:
            metrics.add_metric("ModelRequests", MetricUnit.Count, use.requests)
            metrics.add_metric("ModelInputTokens", MetricUnit.Count, use.input_tokens)
            metrics.add_metric("ModelOutputTokens", MetricUnit.Count, use.output_tokens)
