"""What every ``ReadingParts`` promises."""

from __future__ import annotations

from anamnesis.domain.identifiers import SubjectScope
from anamnesis.ports import ReadingParts

HERE = SubjectScope("north", "bio%2F1 #")
#: Scopes and files that differ only in what a key must not lose.
ELSEWHERE = (
    (SubjectScope("north", "bio"), "F1"),
    (SubjectScope("North", "bio%2F1 #"), "F1"),
    (HERE, "F11"),
    (HERE, "F"),
)


class ReadingPartsContract:
    """Small objects by file and name."""

    def test_parts_are_kept_by_file_and_name(self, store: ReadingParts) -> None:
        """What a part gave is found again for its file only, the latest, until the file's parts are dropped (CM-1)."""
        assert store.kept_part(HERE, "F1", "ab") is None
        store.keep_part(HERE, "F1", "ab", b"one")
        store.keep_part(HERE, "F1", "ab", b"two")
        store.keep_part(HERE, "F1", "cd", b"")
        for scope, file_id in ELSEWHERE:
            assert store.kept_part(scope, file_id, "ab") is None
            store.keep_part(scope, file_id, "ab", b"other")
        assert store.kept_part(HERE, "F1", "ab") == b"two"
        assert store.kept_part(HERE, "F1", "cd") == b""
        store.drop_parts(HERE, "F1")
        store.drop_parts(HERE, "F1")
        assert store.kept_part(HERE, "F1", "ab") is None
        assert store.kept_part(HERE, "F1", "cd") is None
        for scope, file_id in ELSEWHERE:
            assert store.kept_part(scope, file_id, "ab") == b"other"
