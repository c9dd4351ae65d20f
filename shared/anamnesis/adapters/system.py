"""The clock, fresh identifiers and entropy of the machine: the only home of each."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from ulid import ULID


class SystemClock:
    """The machine's time."""

    def now(self) -> datetime:
        """Aware, in UTC."""
        return datetime.now(UTC)


class SystemIds:
    """Identifiers and salts from the operating system's entropy."""

    def new_id(self, at: datetime) -> str:
        """Return a ULID stamped with `at`: 26 characters, sorts by time to the millisecond."""
        return str(ULID.from_datetime(at))

    def new_salt(self) -> str:
        """Return 16 random bytes as hex."""
        return secrets.token_hex(16)


def jitter() -> float:
    """Return a random number in [0, 1), to keep contending writers from retrying in step."""
    return secrets.randbits(53) / (1 << 53)
