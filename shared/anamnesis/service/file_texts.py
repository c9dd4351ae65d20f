"""Indexed page texts of course files kept in a warm process, within a bound on their characters."""

from __future__ import annotations

from collections.abc import Iterable

from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.grounding.indexed_files import FileText, index_file
from anamnesis.ports import ConceptStore
from anamnesis.recently_used import RecentlyUsed

#: Characters of page texts kept at most, over all subjects; with their indexes about 100 MB.
MAX_KEPT_CHARS = 12_000_000


def with_texts(records: Iterable[FileRecord]) -> list[FileRecord]:
    """Those that are read and stand as they were uploaded; of several with the same bytes the first."""
    standing: dict[str, FileRecord] = {}
    for record in records:
        if record.current and record.status is FileStatus.READ and record.fingerprint:
            standing.setdefault(record.fingerprint, record)
    return list(standing.values())


class FileTexts:
    """Loads and indexes page texts, and keeps the latest used. Thread-safe.

    What is kept is known by scope and fingerprint, and whoever asks names the files that stand now: a deleted file's
    text may stay in memory, and is never asked for again.
    """

    def __init__(self, concepts: ConceptStore) -> None:
        self._concepts = concepts
        self._kept: RecentlyUsed[tuple[str, str], FileText] = RecentlyUsed(
            MAX_KEPT_CHARS, lambda file: file.chars
        )

    def kept(self, record: FileRecord) -> bool:
        """Whether a file is there without a request."""
        return (record.scope.key, record.fingerprint or "") in self._kept

    def load(self, record: FileRecord) -> FileText:
        """A file's pages, indexed; without any when its texts are gone."""
        key = (record.scope.key, record.fingerprint or "")
        if (found := self._kept.get(key)) is not None:
            return found
        pages = self._concepts.load_pages(record.scope, record.fingerprint or "")
        made = index_file(record.id, record.name, record.language, pages)
        self._kept.keep(key, made)
        return made
