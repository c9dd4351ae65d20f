"""A wiki to ordinary clients of git (WK-5)."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.identifiers import StudentScope
from anamnesis.ports import WikiRepository


@dataclass(frozen=True, slots=True)
class ServeGit:
    """The use case; it reads, and nothing that git sends is ever written."""

    repository: WikiRepository

    def advertise(self, scope: StudentScope, *, version: int) -> bytes:
        """What there is to fetch."""
        return self.repository.advertise(scope, version=version)

    def upload_pack(self, scope: StudentScope, request: bytes, *, version: int) -> bytes:
        """What was asked for.

        Raises
        ------
        InvalidInput
            If the request is none of git's; names ``body``.
        """
        return self.repository.upload_pack(scope, request, version=version)
