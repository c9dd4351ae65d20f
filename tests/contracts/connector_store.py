"""What every ``ConnectorStore`` promises."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from anamnesis.domain.wiki.connectors import ConnectorKind, Registered
from anamnesis.ports import ConnectorStore

AT = datetime(2026, 4, 20, 10, 0, 0, 250_000, tzinfo=UTC)
SCHOOL = Registered(
    "school", ConnectorKind.ICALENDAR, None, "https://example.org/a.ics", AT, AT, AT, b"\x00\xff one"
)


class ConnectorStoreContract:
    """Connectors by tenant and name."""

    def test_a_connector_is_kept_by_tenant_and_name(self, store: ConnectorStore) -> None:
        """A connector is kept whole, in place of one of its name, for its tenant alone (WD-6, SV-11)."""
        assert store.all("north") == []
        assert store.get("north", "school") is None
        store.save("north", SCHOOL)
        other = replace(SCHOOL, name="art", subject="история #1/2", url=None, data=b"")
        store.save("north", other)
        changed = replace(SCHOOL, data=b"two")
        store.save("north", changed)
        for tenant in ("nort", "North", "north/school", "north#"):
            assert store.all(tenant) == []
            assert store.get(tenant, "school") is None
            store.remove(tenant, "school")
        assert store.all("north") == [other, changed]
        assert store.get("north", "art") == other

    def test_a_removed_connector_is_gone(self, store: ConnectorStore) -> None:
        """Removing takes one connector away, and does nothing where there is none (WD-6)."""
        store.save("south", SCHOOL)
        store.remove("south", "other")
        assert store.all("south") == [SCHOOL]
        store.remove("south", "school")
        store.remove("south", "school")
        assert store.all("south") == []
