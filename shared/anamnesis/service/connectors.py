"""Register evidence outside the log, and ask it (WD-6)."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from anamnesis.domain.errors import AnamnesisError, InvalidInput, NotFound, StoreUnavailable, TooLarge
from anamnesis.domain.identifiers import MAX_SUBJECT_BYTES, checked_name
from anamnesis.domain.wiki.connectors import (
    MAX_BYTES,
    MAX_CONNECTORS,
    MAX_RECORDS,
    REFETCHED_AFTER,
    ConnectorKind,
    Registered,
    checked_connector_name,
)
from anamnesis.domain.wiki.evidence import ConnectorRecord
from anamnesis.ports import Clock, Connector, ConnectorStore, WebPages
from anamnesis.recently_used import RecentlyUsed

logger = logging.getLogger(__name__)

#: Connectors kept as they were read in a warm process, over all tenants. Ours: some 0.5 MB each.
MAX_KEPT: Final = 64
#: Makes a connector of its name, its content, and when that was first seen.
Opener = Callable[[str, bytes, datetime], Connector]
_NO_SUCH: Final = "there is no connector of this name"


@dataclass(frozen=True, slots=True)
class Connectors:
    """The use case; register, list, remove and ask a tenant's connectors.

    Parameters
    ----------
    open
        By kind; raises ``InvalidInput`` for content that is not of that kind.
    """

    store: ConnectorStore
    web: WebPages
    open: Mapping[ConnectorKind, Opener]
    clock: Clock
    #: Connectors as they were read last in this process, by what they were read of; some 500 records each.
    _read: RecentlyUsed[tuple[str, str, datetime, bytes], Connector] = field(
        default_factory=lambda: RecentlyUsed(MAX_KEPT, lambda _: 1)
    )

    def register(
        self,
        tenant: str,
        name: str,
        *,
        kind: ConnectorKind,
        subject: str | None,
        url: str | None,
        text: str | None,
    ) -> tuple[Registered, int]:
        """Register a connector, or put it in place of one of the same name; return it and how many records it has.

        Its content is fetched and read first, so that what cannot be used is refused now and not at night.

        Raises
        ------
        InvalidInput
            If a name breaks a rule, there is not exactly one of `url` and `text`, the URL does not answer, or the
            content is not of that kind.
        TooLarge
            If the tenant has ``MAX_CONNECTORS``, or the content is larger than ``MAX_BYTES``.
        """
        checked_connector_name(name)
        if subject is not None:
            checked_name(subject, field="subject", max_bytes=MAX_SUBJECT_BYTES)
        if (url is None) == (text is None):
            raise InvalidInput("give either a URL or the text itself", field="url")
        known = {connector.name for connector in self.store.all(tenant)}
        if name not in known and len(known) >= MAX_CONNECTORS:
            raise TooLarge(f"there are {MAX_CONNECTORS} connectors already", field="name")
        data = (text or "").encode("utf-8", "replace") if url is None else self._first(url)
        if len(data) > MAX_BYTES:
            raise TooLarge(f"must not have more than {MAX_BYTES} bytes", field="text")
        now = self.clock.now()
        found = Registered(name, kind, subject, url, now, now, now, data)
        records = self._opened(found).search("", limit=MAX_RECORDS)
        self.store.save(tenant, found)
        return found, len(records)

    def _first(self, url: str) -> bytes:
        """What a URL returns when it is registered: one that does not answer is the caller's to mend."""
        try:
            return self.web.fetch(url, max_bytes=MAX_BYTES)
        except StoreUnavailable as unavailable:
            raise InvalidInput(unavailable.detail, field="url") from None

    def all(self, tenant: str) -> list[Registered]:
        """Every connector of a tenant, by name."""
        return self.store.all(tenant)

    def remove(self, tenant: str, name: str) -> None:
        """Forget a connector and what it returned; nothing happens when there is none of this name."""
        checked_connector_name(name)
        self.store.remove(tenant, name)

    def search(self, tenant: str, name: str, query: str, *, limit: int) -> list[ConnectorRecord]:
        """Records of one connector, as they were last fetched.

        Raises
        ------
        NotFound
            If there is no connector of this name.
        """
        found = self.store.get(tenant, checked_connector_name(name))
        if found is None:
            raise NotFound(_NO_SUCH, field="name")
        return self._opened(found).search(query, limit=limit)

    def records(self, tenant: str, subjects: Collection[str]) -> list[ConnectorRecord]:
        """What all connectors say that concern these subjects, by connector and time; asked anew when they are old.

        One that does not answer, or has become unreadable, is used as it was last.
        """
        records: list[ConnectorRecord] = []
        for connector in self.store.all(tenant):
            if connector.subject is None or connector.subject in subjects:
                try:
                    opened = self._opened(self._refreshed(tenant, connector))
                except AnamnesisError:
                    # What could be read when it was registered: no student's wiki waits for it.
                    logger.warning("connector_not_readable")
                    continue
                records += opened.search("", limit=MAX_RECORDS)
        return records

    def _refreshed(self, tenant: str, connector: Registered) -> Registered:
        now = self.clock.now()
        if connector.url is None or now - connector.asked_at < REFETCHED_AFTER:
            return connector
        try:
            data = self.web.fetch(connector.url, max_bytes=MAX_BYTES)
            asked = replace(connector, asked_at=now)
            if data != connector.data:
                asked = replace(asked, data=data, fetched_at=now)
                self._opened(asked)
            self.store.save(tenant, asked)
        except AnamnesisError:
            logger.warning("connector_not_refreshed")
            return connector
        return asked

    def record(self, tenant: str, name: str, path: str, *, subjects: Collection[str]) -> ConnectorRecord:
        """One record of a connector that concerns one of these subjects, as it was last fetched (WD-6).

        Raises
        ------
        NotFound
            If there is no such connector, or no such record in it.
        """
        found = self.store.get(tenant, checked_connector_name(name))
        if found is None or (found.subject is not None and found.subject not in subjects):
            raise NotFound(_NO_SUCH, field="name")
        return self._opened(found).fetch(path)

    def _opened(self, connector: Registered) -> Connector:
        """The connector, read once for what it holds: every student of a tenant has the same."""
        digest = hashlib.sha256(connector.data).digest()
        key = (connector.kind.value, connector.name, connector.fetched_at, digest)
        if (kept := self._read.get(key)) is None:
            kept = self.open[connector.kind](connector.name, connector.data, connector.fetched_at)
            self._read.keep(key, kept)
        return kept
