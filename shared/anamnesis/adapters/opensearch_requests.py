"""How a request to OpenSearch is made in the time there is, and what its failures become."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from opensearchpy.exceptions import (
    ConnectionError as NotReached,  # not the builtin of that name
)
from opensearchpy.exceptions import ConnectionTimeout, OpenSearchException
from urllib3 import Timeout

from anamnesis.domain.errors import StoreUnavailable

T = TypeVar("T")


def within(seconds: float, ask: Callable[[dict[str, Any]], T]) -> T:
    """Answer of a request within `seconds`, tried once more if a connection that was kept turns out to be dead.

    Parameters
    ----------
    seconds
        Of all tries together.
    ask
        Sends the request with the parameters that it is given: the time it has, of which connecting is a part.

    Raises
    ------
    StoreUnavailable
        If there is no time to begin with.
    OpenSearchException
        What the client makes of a refusal or of no answer.
    """
    until = time.monotonic() + seconds
    for last_try in (False, True):
        left = until - time.monotonic()
        if left <= 0:
            # The client would take 0 for "as long as usual".
            break
        try:
            return ask({"request_timeout": Timeout(total=left)})
        except NotReached as error:
            if last_try or isinstance(error, ConnectionTimeout):
                raise
    raise StoreUnavailable("opensearch: no time is left")


@contextmanager
def failures_ours() -> Iterator[None]:
    """Make one error, which quotes nothing, of a node that is down, throttles or refuses."""
    try:
        yield
    except OpenSearchException as error:
        raise StoreUnavailable(f"opensearch: {type(error).__name__}") from None


@contextmanager
def understanding() -> Iterator[None]:
    """Make the same error of an answer that is none, as a proxy or a broken node may make up."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise StoreUnavailable("opensearch: the answer is not one to the request") from None
