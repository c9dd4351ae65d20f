"""SDK errors become ``StoreUnavailable``: the code of the failure stays, what was sent does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError

from anamnesis.domain.errors import StoreUnavailable


def error_code(error: BaseException) -> str:
    """Return the service's error code (such as ``ThrottlingException``), or the exception's class name.

    Both come from closed sets, so that they can be logged: an SDK's messages may quote what a student wrote.
    """
    if isinstance(error, ClientError):
        return str(error.response.get("Error", {}).get("Code", "Unknown"))
    return type(error).__name__


@contextmanager
def store_errors(store: str) -> Iterator[None]:
    """Turn botocore's errors inside the block into ours.

    Parameters
    ----------
    store
        Name of the technology, for the message.

    Raises
    ------
    StoreUnavailable
        For every botocore error. The original is not chained, because its message may hold data.
    """
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise StoreUnavailable(f"{store}: {error_code(error)}") from None
