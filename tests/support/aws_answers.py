"""Moto's answers without its search for members that a value does not have.

Moto looks for each of the ten kinds that a value of DynamoDB may have, under every name that a Python object could have
given it, and so a row of fifteen attributes costs milliseconds, most of what a query costs. A value has one kind and
says which. Here only the members that it has are looked at; everything else is moto's.

Nor is found out anew at each request what is always the same: the names of a service's methods, S3's addresses, for
which moto loads a module again, and what may stand in the name of the client.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import botocore.useragent
import moto.core.responses
import pytest
from moto.core.serialize import BaseJSONSerializer
from moto.s3.models import S3Backend


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
        for module, name in (
            (moto.core.responses, "method_names_from_class"),
            (botocore.useragent, "sanitize_user_agent_string_component"),
        ):
            patch.setattr(module, name, cache(getattr(module, name)))
        patch.setattr(S3Backend, "_url_module", property(cache(S3Backend._url_module.fget)))
        yield
