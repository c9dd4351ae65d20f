"""The offline concept reader: what a text itself marks as its ideas, without any model (CM-1)."""

from anamnesis.domain.extraction.language import document_language
from anamnesis.domain.extraction.reading import READER, propose

__all__ = ["READER", "document_language", "propose"]
