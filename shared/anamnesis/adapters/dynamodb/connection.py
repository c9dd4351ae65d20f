"""One PynamoDB connection for all tables, made from arguments alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import new_class
from typing import Any, TypeVar, cast

from pynamodb.connection import Connection
from pynamodb.exceptions import DoesNotExist, PutError, PynamoDBException, UpdateError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action
from pynamodb.models import Model
from pynamodb.pagination import ResultIterator
from pynamodb.transactions import TransactWrite

from anamnesis.adapters.aws_clients import ATTEMPTS, CONNECT_TIMEOUT_SECONDS, POOL_SIZE
from anamnesis.adapters.aws_errors import error_code
from anamnesis.adapters.backoff import JitteredBackoff
from anamnesis.domain.errors import StoreUnavailable

#: DynamoDB refuses more keys in one BatchGetItem, and more items in one BatchWriteItem.
MAX_BATCH_GET = 100
MAX_BATCH_WRITE = 25
#: Tries of what DynamoDB left undone: five wait 0.75 s in all at most, and half of that on average.
TRIES = 5
_BACKOFF = JitteredBackoff(base_seconds=0.025, cap_seconds=0.4)

M = TypeVar("M", bound=Model)


def tries() -> Iterator[int]:
    """Yield 1, 2 … up to ``TRIES``: the first at once, each other one after a jittered pause."""
    yield 1
    for number in range(1, TRIES):
        _BACKOFF.pause(number)
        yield number + 1


@contextmanager
def dynamodb_errors() -> Iterator[None]:
    """Turn PynamoDB's errors inside the block into ours.

    Raises
    ------
    StoreUnavailable
        For every error of PynamoDB. The original is not chained, because its message may hold data.
    """
    try:
        yield
    except PynamoDBException as error:
        cause = error.cause or error
        raise StoreUnavailable(f"dynamodb: {error_code(cause)}") from None


class DynamoConnection:
    """A connection that row models are bound to; safe to use from many threads.

    Parameters
    ----------
    region, endpoint
        None for what botocore finds in its usual places.
    read_timeout_seconds
        Longest silence of the service, per attempt.
    attempts
        Tries in all, with botocore's jittered backoff in between.
    access_key_id, secret_access_key, session_token
        None for botocore's credential chain.

    Notes
    -----
    PynamoDB keeps a model's connection on its class, so that the models of this package are declared without a table
    and ``bind`` derives a class per table and connection: nothing global is set, and two connections (two stacks in
    one test process) live side by side. All bound models share one botocore client: PynamoDB's own way, a client
    per model, costs a cold start about 50 ms and a TLS handshake for each.
    """

    def __init__(
        self,
        *,
        region: str | None = None,
        endpoint: str | None = None,
        read_timeout_seconds: float = 2.0,
        attempts: int = ATTEMPTS,
        access_key_id: str | None = None,
        secret_access_key: str | None = None,
        session_token: str | None = None,
    ) -> None:
        self._connection = Connection(
            region=region,
            host=endpoint,
            connect_timeout_seconds=CONNECT_TIMEOUT_SECONDS,
            read_timeout_seconds=read_timeout_seconds,
            retry_configuration={"mode": "standard", "total_max_attempts": attempts},
            max_pool_connections=POOL_SIZE,
            aws_access_key_id=access_key_id,
            aws_secret_access_key=secret_access_key,
            aws_session_token=session_token,
        )
        self._lock = threading.Lock()
        self._tables: set[str] = set()
        # PynamoDB makes the client at first use, without a lock: make it before any second thread can come.
        self._client: Any = self._connection.client

    @property
    def client(self) -> Any:
        """The botocore client behind every bound model, for a ``RequestMeter``."""
        return self._client

    def bind(self, model: type[M], table_name: str) -> type[M]:
        """Return a subclass of `model` that reads and writes this table over this connection."""
        meta = type("Meta", (), {"table_name": table_name})
        bound = cast(
            "type[M]", new_class(model.__name__, (model,), exec_body=lambda body: body.update(Meta=meta))
        )
        # PynamoDB offers no public way to give a model its connection. The one it builds here has the table's
        # schema and no client yet; from now on it sends through ours.
        table = bound._get_connection()  # noqa: SLF001
        with self._lock:
            if table_name not in self._tables:
                self._connection.add_meta_table(table.get_meta_table())
                self._tables.add(table_name)
        table.connection = self._connection
        return bound

    def transaction(self) -> TransactWrite:
        """Return a transaction to use as a context manager; botocore gives it a token that all its retries share."""
        return TransactWrite(connection=self._connection)

    def get_many(self, model: type[Model], keys: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
        """Return the raw items under these distinct keys in any order, by consistent reads of up to 100 at a time.

        ``Model.batch_get`` would ask for unprocessed keys again without pause or end; this does so a bounded number
        of times.
        """
        found: list[dict[str, Any]] = []
        for start in range(0, len(keys), MAX_BATCH_GET):
            wanted: Any = [{"pk": pk, "sk": sk} for pk, sk in keys[start : start + MAX_BATCH_GET]]
            for _ in tries():
                with dynamodb_errors():
                    answer = self._connection.batch_get_item(
                        model.Meta.table_name, wanted, consistent_read=True
                    )
                found.extend(answer["Responses"].get(model.Meta.table_name, []))
                wanted = answer.get("UnprocessedKeys", {}).get(model.Meta.table_name, {}).get("Keys", [])
                if not wanted:
                    break
            else:
                raise StoreUnavailable("dynamodb: keys left unprocessed")
        return found

    def put_many(self, model: type[M], rows: Sequence[M]) -> None:
        """Put rows with distinct keys, 25 at a time and in no order; a failure may leave some written."""
        self._write_many(model, [{"put_items": row.serialize()} for row in rows])

    def delete_many(self, model: type[Model], keys: Sequence[tuple[str, str]]) -> None:
        """Delete the rows under distinct keys, 25 at a time and in no order; a failure may leave some."""
        self._write_many(model, [{"delete_items": {"pk": {"S": pk}, "sk": {"S": sk}}} for pk, sk in keys])

    def _write_many(self, model: type[Model], writes: Sequence[dict[str, Any]]) -> None:
        name = model.Meta.table_name
        for start in range(0, len(writes), MAX_BATCH_WRITE):
            some = writes[start : start + MAX_BATCH_WRITE]
            puts = [write["put_items"] for write in some if "put_items" in write]
            deletes = [write["delete_items"] for write in some if "delete_items" in write]
            for _ in tries():
                with dynamodb_errors():
                    answer = self._connection.batch_write_item(name, put_items=puts, delete_items=deletes)
                left = answer.get("UnprocessedItems", {}).get(name, [])
                puts = [request["PutRequest"]["Item"] for request in left if "PutRequest" in request]
                deletes = [request["DeleteRequest"]["Key"] for request in left if "DeleteRequest" in request]
                if not left:
                    break
            else:
                raise StoreUnavailable("dynamodb: items left unprocessed")


def get_row(model: type[M], pk: str, sk: str) -> M | None:
    """Return one row by a consistent read, or None."""
    with dynamodb_errors():
        try:
            return model.get(pk, sk, consistent_read=True)
        except DoesNotExist:
            return None


def put_if(row: Model, condition: Condition) -> bool:
    """Put a row under a condition; return whether the condition held."""
    with dynamodb_errors():
        try:
            row.save(condition=condition)
        except PutError as error:
            # PynamoDB's `cause_response_code` itself fails on a time-out, which has no response.
            if error_code(error.cause or error) == "ConditionalCheckFailedException":
                return False
            raise
    return True


def update_if(row: Model, actions: Sequence[Action], condition: Condition) -> bool:
    """Change attributes of a row under a condition; return whether the condition held."""
    with dynamodb_errors():
        try:
            row.update(actions=list(actions), condition=condition)
        except UpdateError as error:
            if error_code(error.cause or error) == "ConditionalCheckFailedException":
                return False
            raise
    return True


def raw_items(rows: ResultIterator[M]) -> Iterator[dict[str, Any]]:
    """Yield what a query finds in DynamoDB's own form, which no foreign hand can make unreadable."""
    with dynamodb_errors():
        for page in rows.page_iter:
            yield from cast("dict[str, Any]", page)["Items"]
