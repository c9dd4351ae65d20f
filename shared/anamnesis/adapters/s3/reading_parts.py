"""What was read so far of long files (``ports.ReadingParts``), as objects of the content bucket.

They lie where what a file says lies (``contributions/``), so that the nightly sweep finds what a reading that was given
up left behind, and erasing a file takes them along.
"""

from __future__ import annotations

from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.domain.identifiers import SubjectScope


class S3ReadingParts:
    """One small object a part."""

    def __init__(self, content: ContentObjects) -> None:
        self._content = content

    def kept_part(self, scope: SubjectScope, file_id: str, part: str) -> bytes | None:
        """Return what was kept of a part, None when there is nothing."""
        return self._content.get(_prefix(scope, file_id) + part)

    def keep_part(self, scope: SubjectScope, file_id: str, part: str, data: bytes) -> None:
        """Keep what a part gave."""
        self._content.put(_prefix(scope, file_id) + part, data, media_type="application/json")

    def drop_parts(self, scope: SubjectScope, file_id: str) -> None:
        """Remove all that is kept of a file."""
        self._content.delete_many(self._content.keys(_prefix(scope, file_id)))


def _prefix(scope: SubjectScope, file_id: str) -> str:
    return f"contributions/{scope.key}/{file_id}/part-"
