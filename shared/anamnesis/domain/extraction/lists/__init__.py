"""Lists of terms and their meanings as students keep them: lines, tables, cards, slides of one sentence."""

from anamnesis.domain.extraction.lists.entries import Entry, entries

__all__ = ["Entry", "entries"]
