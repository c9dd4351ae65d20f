"""What files say, the merged map, students' layers and page texts as bytes, and back."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from anamnesis.adapters.array_bundle import pack, unpack
from anamnesis.adapters.file_format import file_from_json, file_to_json
from anamnesis.domain.concepts import (
    Concept,
    Contribution,
    ExtractedConcept,
    Extraction,
    ModelUse,
    Rejection,
    Source,
    StudentLayer,
    SubjectMap,
    TaughtNote,
)
from anamnesis.domain.files import Page
from anamnesis.domain.identifiers import SubjectScope

_VECTORS = frozenset({"vectors"})


def contribution_to_bytes(contribution: Contribution) -> bytes:
    """Return the stored form of what a file says; its vectors stay exact, since the map is computed from them."""
    extraction = contribution.extraction
    meta = {
        "file_id": contribution.file_id,
        "fingerprint": contribution.fingerprint,
        "keys": list(contribution.keys),
        "embedder": contribution.embedder,
        "language": extraction.language,
        "reader": extraction.reader,
        "concepts": [
            [c.name, c.gist, c.definition, c.builds_on, c.assumed, c.pages, c.evidence]
            for c in extraction.concepts
        ],
        "rejected": [[r.name, r.reason] for r in extraction.rejected],
        "use": [extraction.use.requests, extraction.use.input_tokens, extraction.use.output_tokens],
    }
    return pack(meta, {"vectors": contribution.vectors.astype(np.float32)}, incompressible=_VECTORS)


def contribution_from_bytes(data: bytes) -> Contribution:
    """Return the contribution behind ``contribution_to_bytes``."""
    meta, arrays = unpack(data)
    concepts = tuple(
        # Rows of six are from before evidence was counted.
        ExtractedConcept(
            name, gist, definition, tuple(builds_on), tuple(assumed), tuple(pages), *map(tuple, counted)
        )
        for name, gist, definition, builds_on, assumed, pages, *counted in meta["concepts"]
    )
    rejected = tuple(Rejection(name, reason) for name, reason in meta["rejected"])
    return Contribution(
        file_id=meta["file_id"],
        fingerprint=meta["fingerprint"],
        # Without use: from before it was counted.
        extraction=Extraction(
            meta["language"], meta["reader"], concepts, rejected, ModelUse(*meta.get("use", ()))
        ),
        keys=tuple(meta["keys"]),
        vectors=arrays["vectors"],
        embedder=meta["embedder"],
    )


def map_to_bytes(subject_map: SubjectMap) -> bytes:
    """Return the stored form of a map.

    Vectors are kept in half precision: it halves what a cold container fetches, and moves a cosine by less than
    0.001, far less than any two thresholds lie apart.
    """
    meta = {
        "revision": subject_map.revision,
        "embedder": subject_map.embedder,
        "concepts": [_concept_to_json(c) for c in subject_map.concepts],
        "cycles": subject_map.cycles,
        "layers": subject_map.layers,
        "files": [file_to_json(record) for _, record in sorted(subject_map.files.items())],
    }
    return pack(meta, {"vectors": subject_map.vectors.astype(np.float16)}, incompressible=_VECTORS)


def map_from_bytes(data: bytes, scope: SubjectScope) -> SubjectMap:
    """Return the map behind ``map_to_bytes``, its vectors as float32 of unit length."""
    meta, arrays = unpack(data)
    files = [file_from_json(value, scope) for value in meta["files"]]
    return SubjectMap(
        revision=meta["revision"],
        concepts=tuple(_concept_from_json(value) for value in meta["concepts"]),
        cycles=tuple(tuple(cycle) for cycle in meta["cycles"]),
        layers=tuple(tuple(layer) for layer in meta["layers"]),
        vectors=_unit(arrays["vectors"].astype(np.float32)),
        embedder=meta["embedder"],
        files={record.id: record for record in files},
    )


def layer_to_bytes(layer: StudentLayer) -> bytes:
    """Return the stored form of a student's layer; equal layers give equal bytes."""
    value = {
        "taught": {
            key: [[n.note, n.episode_id, n.position] for n in notes] for key, notes in layer.taught.items()
        },
        "own_concepts": dict(layer.own_concepts),
        "confirmed": sorted(layer.confirmed),
    }
    return _zipped(value)


def layer_from_bytes(data: bytes) -> StudentLayer:
    """Return the layer behind ``layer_to_bytes``."""
    value = json.loads(gzip.decompress(data))
    return StudentLayer(
        taught={key: tuple(TaughtNote(*note) for note in notes) for key, notes in value["taught"].items()},
        own_concepts=value["own_concepts"],
        confirmed=frozenset(value["confirmed"]),
    )


def pages_to_bytes(pages: Sequence[Page]) -> bytes:
    """Return the stored form of a file's page texts."""
    return _zipped([[page.number, page.text] for page in pages])


def pages_from_bytes(data: bytes) -> list[Page]:
    """Return the pages behind ``pages_to_bytes``."""
    return [Page(number, text) for number, text in json.loads(gzip.decompress(data))]


def _zipped(value: Any) -> bytes:
    # No time stamp, so that equal values make equal bytes.
    return gzip.compress(json.dumps(value, separators=(",", ":"), sort_keys=True).encode(), mtime=0)


def _concept_to_json(concept: Concept) -> list[Any]:
    return [
        concept.key,
        concept.name,
        concept.aliases,
        concept.gist,
        concept.definition,
        concept.builds_on,
        concept.assumed,
        [[source.file_id, source.pages] for source in concept.sources],
        concept.centrality,
    ]


def _concept_from_json(value: list[Any]) -> Concept:
    key, name, aliases, gist, definition, builds_on, assumed, sources, centrality = value
    return Concept(
        key=key,
        name=name,
        aliases=tuple(aliases),
        gist=gist,
        definition=definition,
        builds_on=tuple(builds_on),
        assumed=tuple(assumed),
        sources=tuple(Source(file_id, tuple(pages)) for file_id, pages in sources),
        centrality=centrality,
    )


def _unit(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: npt.NDArray[np.float32] = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled
