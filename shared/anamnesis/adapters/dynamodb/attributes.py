"""Attribute types that bring values back exactly as they were stored: hashes are computed over them."""

from __future__ import annotations

import json
import zlib
from datetime import datetime
from typing import Any

from pynamodb.attributes import Attribute
from pynamodb.constants import BINARY, STRING

from anamnesis.domain.log.chain import timestamp


def instant_of(text: str) -> datetime:
    """Return the aware datetime behind ``timestamp``."""
    return datetime.fromisoformat(text)


class InstantAttribute(Attribute[datetime]):
    """An aware datetime, as text that sorts by time (PynamoDB's own drops the zeros of years before 1000)."""

    attr_type = STRING

    def serialize(self, value: Any) -> Any:
        """Return the text to store."""
        return timestamp(value)

    def deserialize(self, value: Any) -> Any:
        """Return the datetime."""
        return instant_of(value)


class ExactFloatAttribute(Attribute[float]):
    """A float as its shortest exact text: DynamoDB's numbers end at 1e-130 and turn 1.0 into 1."""

    attr_type = STRING

    def serialize(self, value: Any) -> Any:
        """Return the text to store."""
        return repr(float(value))

    def deserialize(self, value: Any) -> Any:
        """Return the float."""
        return float(value)


class JsonAttribute(Attribute[Any]):
    """A JSON value as compact text in its own script (PynamoDB's own writes six bytes for each letter beyond ASCII)."""

    attr_type = STRING

    def serialize(self, value: Any) -> Any:
        """Return the text to store."""
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def deserialize(self, value: Any) -> Any:
        """Return the JSON value."""
        return json.loads(value)


class PackedJsonAttribute(Attribute[Any]):
    """A JSON value deflated: for lists of repeating ids and times that grow over years."""

    attr_type = BINARY

    def serialize(self, value: Any) -> Any:
        """Return the bytes to store."""
        return zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), 6)

    def deserialize(self, value: Any) -> Any:
        """Return the JSON value."""
        return json.loads(zlib.decompress(value))
