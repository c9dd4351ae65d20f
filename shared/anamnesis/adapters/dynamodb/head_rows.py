"""Heads of logs and receipts of appends as rows, whatever another hand made of them (EP-7, SV-14)."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from anamnesis.adapters.dynamodb.keys import LAST_POSITION
from anamnesis.adapters.dynamodb.models import HeadRow, ReceiptRow
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD
from anamnesis.domain.log.episodes import AppendReceipt, Head

#: Sort key of the head, and the beginning of the receipts'.
HEAD, RECEIPT = "HEAD", "RECEIPT#"
#: Sort key of what is being erased: behind every episode's, and before any other.
ERASING = "E$ERASING"
#: Stands for a stored head that cannot be read: no chain has this hash, not even the empty one.
NO_HEAD = Head(length=0, hash="")


def head_of(row: HeadRow) -> Head:
    """The head of a row; a log from which something was erased before its first episode came has only `erasures`.

    Raises
    ------
    TypeError, ValueError
        If another hand changed the row so that it is no head any more.
    """
    # PynamoDB's types leave out that an attribute may be missing.
    length: Any = row.length
    digest: Any = row.hash
    counted: Any = row.erasures
    erasures = 0 if counted is None else _position(counted)
    if erasures and length is None and digest is None:
        return replace(EMPTY_HEAD, erasures=erasures)
    return Head(length=_position(length), hash=_text(digest), erasures=erasures)


def still(expected: Head) -> Any:
    """Return the condition that the stored head is the expected one."""
    if expected.length == 0 and not expected.erasures:
        return HeadRow.pk.does_not_exist()
    erased = HeadRow.erasures == expected.erasures if expected.erasures else HeadRow.erasures.does_not_exist()
    if expected.length == 0:
        return HeadRow.length.does_not_exist() & erased
    return (HeadRow.length == expected.length) & (HeadRow.hash == expected.hash) & erased


def receipt_of(row: ReceiptRow) -> AppendReceipt:
    """Return the receipt of a row.

    Raises
    ------
    TypeError, ValueError
        If another hand changed the row so that it is no receipt any more.
    """
    first, last = _position(row.first_position), _position(row.last_position)
    return AppendReceipt(_text(row.key), _text(row.request_hash), first, last, row.first_hash, row.last_hash)


def receipt_row(pair: Pair, receipt: AppendReceipt, rows: type[ReceiptRow]) -> ReceiptRow:
    """Return the row of a receipt, of the model `rows` that is bound to its table."""
    return rows(
        pair.key,
        receipt_sort_key(receipt.key),
        key=receipt.key,
        request_hash=receipt.request_hash,
        first_position=receipt.first_position,
        last_position=receipt.last_position,
        first_hash=receipt.first_hash,
        last_hash=receipt.last_hash,
    )


def receipt_sort_key(key: str) -> str:
    """Return where the receipt under an idempotency key lies, however long the key is."""
    return RECEIPT + hashlib.sha256(key.encode()).hexdigest()


def _position(value: Any) -> int:
    """A stored position; DynamoDB has numbers only, and an edited one may have a fraction or no end."""
    if not isinstance(value, int) or not 1 <= value <= LAST_POSITION:
        raise ValueError("is no position")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("is no text")
    return value
