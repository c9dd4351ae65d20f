"""Moto's answers without its search for members that a value does not have.

Moto looks for each of the ten kinds that a value of DynamoDB may have, under every name that a Python object could have
given it, and so a row of fifteen attributes costs milliseconds, most of what a query costs. A value has one kind and
says which. Here only the members that it has are looked at; everything else is moto's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from moto.core.serialize import BaseJSONSerializer


@contextmanager
def light_answers() -> Iterator[None]:
    """Let answers inside the block cost what they hold."""
    whole = BaseJSONSerializer._serialize_type_structure

    def structure(serializer: Any, serialized: Any, value: Any, shape: Any, key: str) -> None:
        if (
            shape.name != "AttributeValue"
            or type(value) is not dict
            or not value.keys() <= shape.members.keys()
        ):
            whole(serializer, serialized, value, shape, key)
            return
        kinds: dict[str, Any] = {}
        for kind, held in value.items():
            if held is not None:
                serializer._serialize(kinds, held, shape.members[kind], kind)
        serialized[serializer.get_serialized_name(shape, key)] = kinds

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseJSONSerializer, "_serialize_type_structure", structure)
        yield
