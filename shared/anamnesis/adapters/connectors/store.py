"""Registered connectors, with what they returned last, as objects of the content bucket."""

from __future__ import annotations

import base64
import json
from datetime import datetime

from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import joined
from anamnesis.domain.wiki.connectors import ConnectorKind, Registered


class S3ConnectorStore:
    """The port ``ConnectorStore``; one object a connector, so that what it is and what it returned change together."""

    def __init__(self, objects: ContentObjects) -> None:
        self._objects = objects

    def save(self, tenant: str, connector: Registered) -> None:
        """Keep a connector in place of one of the same name."""
        value = {
            "name": connector.name,
            "kind": connector.kind.value,
            "subject": connector.subject,
            "url": connector.url,
            "registered_at": connector.registered_at.isoformat(),
            "fetched_at": connector.fetched_at.isoformat(),
            "asked_at": connector.asked_at.isoformat(),
            "data": base64.b64encode(connector.data).decode(),
        }
        self._objects.put(
            _key(tenant, connector.name), json.dumps(value).encode(), media_type="application/json"
        )

    def all(self, tenant: str) -> list[Registered]:
        """Return every connector of a tenant, by name."""
        found = self._objects.get_many(self._objects.keys(_prefix(tenant)))
        return sorted((_registered(data) for data in found.values()), key=lambda c: c.name)

    def get(self, tenant: str, name: str) -> Registered | None:
        """Return one connector."""
        data = self._objects.get(_key(tenant, name))
        return None if data is None else _registered(data)

    def remove(self, tenant: str, name: str) -> None:
        """Remove a connector; nothing happens when there is none."""
        self._objects.delete(_key(tenant, name))


def _prefix(tenant: str) -> str:
    return f"connectors/{joined(tenant)}/"


def _key(tenant: str, name: str) -> str:
    return f"{_prefix(tenant)}{name}.json"


def _registered(data: bytes) -> Registered:
    try:
        value = json.loads(data)
        return Registered(
            name=value["name"],
            kind=ConnectorKind(value["kind"]),
            subject=value["subject"],
            url=value["url"],
            registered_at=datetime.fromisoformat(value["registered_at"]),
            fetched_at=datetime.fromisoformat(value["fetched_at"]),
            asked_at=datetime.fromisoformat(value["asked_at"]),
            data=base64.b64decode(value["data"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StoreUnavailable("a connector is damaged") from error
