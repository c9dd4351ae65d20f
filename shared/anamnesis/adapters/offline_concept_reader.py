"""The concept reader that needs no model and no network (``ports.ConceptReader``; SV-4)."""

from __future__ import annotations

from anamnesis.domain.concepts import MAX_TERMS_PER_FILE, Extraction
from anamnesis.domain.concepts.validation import validate
from anamnesis.domain.extraction import READER, propose
from anamnesis.domain.files import Document
from anamnesis.ports import ReadingProgress


class OfflineConceptReader:
    """Reads what a text itself marks as its ideas: definitions, headings, emphasis, glossaries, recurring terms."""

    @property
    def name(self) -> str:
        """Name and version, kept with what it read."""
        return READER

    def read(
        self,
        document: Document,
        *,
        file_name: str,  # noqa: ARG002 - the text decides, not its name
        progress: ReadingProgress | None = None,  # noqa: ARG002 - a book takes seconds
    ) -> Extraction:
        """Validated concepts, at most ``MAX_CONCEPTS_PER_FILE`` beside the entries of lists of terms.

        With these ``MAX_TERMS_PER_FILE``. The same document always gives the same answer.
        """
        language, proposed = propose(document)
        concepts, rejected = validate(proposed, page_count=len(document.pages), most=MAX_TERMS_PER_FILE)
        return Extraction(language, self.name, tuple(concepts), tuple(rejected))
