"""Media types of what is read, and which of them come as Markdown."""

from __future__ import annotations

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
HTML = "text/html"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"
NOTEBOOK = "application/x-ipynb+json"
LATEX = "application/x-tex"
CSV = "text/csv"
TRANSCRIPT = "text/vtt"

#: Their pages mark headings, lists, tables and emphasis as Markdown does.
_MARKED_UP = frozenset({DOCX, PPTX, HTML, MARKDOWN, NOTEBOOK, LATEX, CSV})


def is_marked_up(media_type: str) -> bool:
    """Whether pages of this type are Markdown, so that headings are those that are marked."""
    return media_type in _MARKED_UP
