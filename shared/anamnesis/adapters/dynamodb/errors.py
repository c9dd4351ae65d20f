"""Why a transaction was cancelled, as our errors."""

from __future__ import annotations

from pynamodb.exceptions import TransactWriteError

from anamnesis.adapters.aws_errors import error_code
from anamnesis.domain.errors import StoreUnavailable

CONDITION_FAILED = "ConditionalCheckFailed"
CONFLICT = "TransactionConflict"


def cancellation_codes(error: TransactWriteError) -> list[str | None]:
    """Return one code per item of the transaction, None where an item was not to blame; empty for other failures."""
    return [reason.code if reason else None for reason in error.cancellation_reasons]


def unavailable(error: TransactWriteError) -> StoreUnavailable:
    """Return the error for a transaction that failed for no reason of the data's: throttling, a time-out."""
    codes = sorted({code for code in cancellation_codes(error) if code})
    return StoreUnavailable(f"dynamodb: {', '.join(codes) or error_code(error.cause or error)}")
