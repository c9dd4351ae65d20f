"""The offline concept reader: what a text itself marks as its ideas, without any model (CM-1)."""

from anamnesis.domain.extraction.reading import READER, document_language, propose

__all__ = ["READER", "document_language", "propose"]
