"""One logger, one set of metrics and one tracer for every function (SV-15). Logs carry no student text."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from aws_lambda_powertools import Logger, Metrics, Tracer

from anamnesis.domain.errors import AnamnesisError

# Most requests have no metric of their own, and say so in the log with each one.
warnings.filterwarnings("ignore", message="No application metrics to publish")

logger = Logger()
metrics = Metrics()
tracer = Tracer()


@contextmanager
def failure_logged(event: str, **about: str | None) -> Iterator[None]:
    """Log that one record of a batch failed, and let it fail: Lambda itself tells nothing of single records.

    Parameters
    ----------
    event
        Name of the log line.
    about
        Which record, by identifiers that hold no student text.
    """
    try:
        yield
    except Exception as error:
        # Only our own errors are known to quote nothing.
        detail = str(error) if isinstance(error, AnamnesisError) else None
        logger.error(event, extra={"error": type(error).__name__, "detail": detail, **about})
        raise


class RecordsFailed(Exception):
    """What a function ends with when something failed that nobody foresaw; it names the kind of error and no more."""


@contextmanager
def quoting_nothing() -> Iterator[None]:
    """Let what fails a whole function tell no message that may hold text: Lambda logs it, and the tracer keeps it.

    Raises
    ------
    AnamnesisError
        As it is, without what caused it.
    RecordsFailed
        In place of any other error.
    """
    try:
        yield
    except AnamnesisError as error:
        raise error from None
    except Exception as error:  # noqa: BLE001 raised under another name
        raise RecordsFailed(type(error).__name__) from None
