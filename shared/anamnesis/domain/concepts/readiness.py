"""How well the material covers a concept and a subject (CM-6), and a subject map under one student's layer (CM-9).

Readiness is about the material. It is never the student's mastery: a passed check counts only as evidence that what
the files say can be learnt from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from anamnesis.domain.concepts import Concept, StudentLayer, SubjectMap, TaughtNote
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.subject_map import resolved_keys

#: The four bands of CM-6.
NAMED = 0.35
EXPLAINED = 0.60
CONFIRMED = 0.85
TAUGHT = 1.0


def concept_readiness(concept: Concept, layer: StudentLayer) -> float:
    """Readiness of one concept in a student's layer: 0.35, 0.60, 0.85 or 1.0 (CM-6).

    What was taught or confirmed under another name of the concept counts too.
    """
    keys = _names(concept)
    if any(layer.taught.get(key) for key in keys):
        return TAUGHT
    if any(key in layer.confirmed for key in keys):
        return CONFIRMED
    return EXPLAINED if concept.sources else NAMED


def subject_readiness(subject_map: SubjectMap, layer: StudentLayer) -> float:
    """Mean readiness of all concepts weighted by centrality (CM-6), the student's own concepts included.

    An own concept stands on nothing and nothing stands on it, so it weighs as much as the least central concept.

    Returns
    -------
    float
        0–1; 0 for a subject without any concept.
    """
    concepts = with_layer(subject_map, layer).concepts
    weight = sum(concept.centrality for concept in concepts)
    if weight <= 0:
        return 0.0
    bands = [concept_readiness(concept, layer) for concept in concepts]
    mean = sum(c.centrality * band for c, band in zip(concepts, bands, strict=True)) / weight
    # Rounding must not carry a mean beyond what it is the mean of.
    return min(max(mean, min(bands)), max(bands))


def taught_notes(concept: Concept, layer: StudentLayer) -> tuple[TaughtNote, ...]:
    """What the student taught about a concept under any of its names, oldest first."""
    notes = [note for key in _names(concept) for note in layer.taught.get(key, ())]
    return tuple(sorted(notes, key=lambda note: note.position))


def with_layer(subject_map: SubjectMap, layer: StudentLayer) -> SubjectMap:
    """Return a view of the map that also has the student's own concepts (TE-2); the shared map stays as it is.

    Own concepts come last, are taught first (they build on nothing), have no text to embed (their row of the
    vectors is zero), and have the centrality of a leaf, for which all centralities are rescaled to sum to 1. One
    that a file has come to explain since is that file's concept.
    """
    known = {concept.key for concept in subject_map.concepts}
    # Most often nothing is left to resolve, which takes as long as all the rest.
    own = own_names(layer, resolved_keys(subject_map)) if layer.own_concepts.keys() - known else {}
    if not own:
        return subject_map
    leaf = min((concept.centrality for concept in subject_map.concepts), default=1.0)
    total = sum(concept.centrality for concept in subject_map.concepts) + leaf * len(own)
    rescaled = [replace(concept, centrality=concept.centrality / total) for concept in subject_map.concepts]
    added = [_own_concept(key, name, leaf / total) for key, name in own.items()]
    zeros = np.zeros((len(own), subject_map.vectors.shape[1]), dtype=np.float32)
    first = subject_map.layers[0] if subject_map.layers else ()
    return replace(
        subject_map,
        concepts=(*rescaled, *added),
        layers=((*first, *own), *subject_map.layers[1:]),
        vectors=np.vstack([subject_map.vectors, zeros]),
    )


def own_names(layer: StudentLayer, known: Mapping[str, str]) -> dict[str, str]:
    """Return the student's own concepts that `known` (key by any key) does not have yet, by key."""
    return {key: name for key, name in sorted(layer.own_concepts.items()) if key not in known}


def _own_concept(key: str, name: str, centrality: float) -> Concept:
    return Concept(
        key=key,
        name=name,
        aliases=(),
        gist="",
        definition="",
        builds_on=(),
        assumed=(),
        sources=(),
        centrality=centrality,
    )


def _names(concept: Concept) -> tuple[str, ...]:
    return (concept.key, *(canonical_key(alias) for alias in concept.aliases))
