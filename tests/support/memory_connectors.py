"""Connectors, and the web that they are fetched from, in memory."""

from __future__ import annotations

from anamnesis.domain.errors import StoreUnavailable, TooLarge
from anamnesis.domain.wiki.connectors import Registered


class MemoryConnectorStore:
    """The port ``ConnectorStore`` in a dictionary."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Registered] = {}

    def save(self, tenant: str, connector: Registered) -> None:
        self._kept[tenant, connector.name] = connector

    def all(self, tenant: str) -> list[Registered]:
        return sorted((c for (owner, _), c in self._kept.items() if owner == tenant), key=lambda c: c.name)

    def get(self, tenant: str, name: str) -> Registered | None:
        return self._kept.get((tenant, name))

    def remove(self, tenant: str, name: str) -> None:
        self._kept.pop((tenant, name), None)


class MemoryWeb:
    """The port ``WebPages`` over a few pages; a page that is not there does not answer."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.fetched: list[str] = []

    def fetch(self, url: str, *, max_bytes: int) -> bytes:
        self.fetched.append(url)
        if url not in self.pages:
            raise StoreUnavailable("the address could not be fetched")
        if len(self.pages[url]) > max_bytes:
            raise TooLarge("too large", field="url")
        return self.pages[url]
