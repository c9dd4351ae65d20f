"""Indexed page texts of course files kept in a warm process, within a bound on their characters."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from anamnesis.domain.files import FileRecord
from anamnesis.domain.grounding.pages import FileText, index_file
from anamnesis.ports import ConceptStore

#: Characters of page texts kept at most, over all subjects; with their indexes about 100 MB.
MAX_KEPT_CHARS = 12_000_000


class FileTexts:
    """Loads and indexes page texts, and keeps the latest used. Thread-safe.

    What is kept is known by scope and fingerprint, and whoever asks names the files that stand now: a deleted file's
    text may stay in memory, and is never asked for again.
    """

    def __init__(self, concepts: ConceptStore) -> None:
        self._concepts = concepts
        self._kept: OrderedDict[tuple[str, str], FileText] = OrderedDict()
        self._lock = Lock()

    def kept(self, record: FileRecord) -> bool:
        """Whether a file is there without a request."""
        return (record.scope.key, record.fingerprint or "") in self._kept

    def load(self, record: FileRecord) -> FileText:
        """A file's pages, indexed; without any when its texts are gone."""
        key = (record.scope.key, record.fingerprint or "")
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        pages = self._concepts.load_pages(record.scope, record.fingerprint or "")
        made = index_file(record.id, record.name, record.language, pages)
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > 1 and sum(file.chars for file in self._kept.values()) > MAX_KEPT_CHARS:
                self._kept.popitem(last=False)
        return made
