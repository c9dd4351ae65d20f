"""The subject map as a pure function of what its files say (CM-3 to CM-5, CM-7, CM-8).

Nothing is ever merged into a stored map: with each change of a file the whole map is built anew from the
contributions of the files that stand. What a replaced or deleted file said is gone with it, and nothing else
is.

Decisions: the name, key, gist and definition shown are those of the file that came first, so that a later
file changes neither; keys of the other names resolve through ``resolved_keys``. A concept that only others
assume has no text to embed: its row of the vectors is zero, and similarity never finds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from anamnesis.domain.concepts import Concept, Contribution, ExtractedConcept, Source, SubjectMap
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.graph import centrality, teaching_order
from anamnesis.domain.concepts.merging import NameGroup, merged_groups
from anamnesis.domain.files import FileRecord
from anamnesis.domain.text.languages import primary_tag

#: How many concepts must assume an unexplained prerequisite before it becomes a node (CM-4).
MIN_ASSUMING = 2
#: Stands for the age of a file whose record is not at hand: later than all others.
_NO_DATE = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One concept of one file."""

    key: str
    concept: ExtractedConcept
    file_id: str
    language: str
    vector: npt.NDArray[np.float32] | None


@dataclass(slots=True)
class _Node:
    """A concept under construction; its key is that of its first entry."""

    key: str
    entries: list[_Entry] = field(default_factory=list)
    name: str = ""
    assumed: dict[str, str] = field(default_factory=dict)


def build_map(
    contributions: Sequence[Contribution],
    *,
    files: Mapping[str, FileRecord],
    revision: int,
    embedder: str,
    merge_threshold: float,
    dimension: int,
) -> SubjectMap:
    """Merge what the files say into one map; the order of `contributions` does not matter.

    Parameters
    ----------
    contributions
        At most one per file counts. Those of files that `files` says are replaced or deleted are left out
        (CM-8).
    files
        Every file of the subject by id; its dates decide which name of a concept is shown.
    revision
        The subject's revision that the contributions were read at.
    embedder, merge_threshold, dimension
        Of the embedder in use. Vectors of another one are not compared: such concepts merge by key only.
    """
    entries = _entries(contributions, files, embedder=embedder, dimension=dimension)
    nodes = _nodes(entries, merge_threshold)
    key_of = {entry.key: node.key for node in nodes.values() for entry in node.entries}
    edges = _edges(nodes, entries, key_of)
    keys = sorted(nodes)
    ranks = centrality(keys, edges)
    layers, cycles = teaching_order(keys, edges, ranks)
    builds_on: dict[str, list[str]] = {key: [] for key in keys}
    for concept, prerequisite in sorted(edges):
        builds_on[concept].append(prerequisite)
    return SubjectMap(
        revision=revision,
        concepts=tuple(_concept(nodes[key], tuple(builds_on[key]), ranks[key]) for key in keys),
        cycles=cycles,
        layers=layers,
        vectors=_vectors([nodes[key] for key in keys], dimension),
        embedder=embedder,
        files=dict(files),
    )


def resolved_keys(subject_map: SubjectMap) -> dict[str, str]:
    """Map every key that names a concept, those of its aliases included, to the concept's own key.

    Beliefs, episodes and students' layers keep the key of the day they were written; when files come and go,
    the same concept may be shown under another one of its names.
    """
    resolved: dict[str, str] = {}
    for concept in subject_map.concepts:
        for alias in concept.aliases:
            resolved.setdefault(canonical_key(alias), concept.key)
    return resolved | {concept.key: concept.key for concept in subject_map.concepts}


def _entries(
    contributions: Iterable[Contribution], files: Mapping[str, FileRecord], *, embedder: str, dimension: int
) -> list[_Entry]:
    """Every concept of every standing file, oldest file first."""

    def age(contribution: Contribution) -> tuple[datetime, str, str]:
        record = files.get(contribution.file_id)
        return (record.created_at if record else _NO_DATE, contribution.file_id, contribution.fingerprint)

    entries: list[_Entry] = []
    seen: set[str] = set()
    for contribution in sorted(contributions, key=age):
        record = files.get(contribution.file_id)
        if contribution.file_id in seen or (record is not None and not record.current):
            continue
        seen.add(contribution.file_id)
        language = primary_tag(contribution.extraction.language)
        comparable = contribution.embedder == embedder and contribution.vectors.shape[1:] == (dimension,)
        for row, (key, concept) in enumerate(
            zip(contribution.keys, contribution.extraction.concepts, strict=True)
        ):
            vector = contribution.vectors[row] if comparable else None
            entries.append(_Entry(key, concept, contribution.file_id, language, vector))
    return entries


def _mean(vectors: Sequence[npt.NDArray[np.float32] | None]) -> npt.NDArray[np.float32] | None:
    """Mean direction of the vectors that are there; None without any."""
    present = [vector.astype(np.float64) for vector in vectors if vector is not None]
    total = np.sum(present, axis=0) if present else np.zeros(1)
    norm = float(np.linalg.norm(total))
    return (total / norm).astype(np.float32) if norm > 0 else None


def _nodes(entries: Sequence[_Entry], merge_threshold: float) -> dict[str, _Node]:
    """Group entries by key, then by what else agrees; nodes by their key."""
    by_key: dict[str, list[_Entry]] = {}
    for entry in entries:
        by_key.setdefault(entry.key, []).append(entry)
    groups = [
        NameGroup(
            key=key,
            files={entry.file_id for entry in by_key[key]},
            languages={entry.language for entry in by_key[key]},
            texts=[text for entry in by_key[key] for text in (entry.concept.gist, entry.concept.definition)],
            vector=_mean([entry.vector for entry in by_key[key]]),
        )
        for key in sorted(by_key)
    ]
    place = {id(entry): index for index, entry in enumerate(entries)}
    nodes: dict[str, _Node] = {}
    for keys in merged_groups(groups, merge_threshold=merge_threshold):
        members = sorted((entry for key in keys for entry in by_key[key]), key=lambda entry: place[id(entry)])
        first = members[0]
        nodes[first.key] = _Node(first.key, members, first.concept.name)
    return nodes


def _edges(
    nodes: dict[str, _Node], entries: Sequence[_Entry], key_of: Mapping[str, str]
) -> dict[tuple[str, str], float]:
    """Prerequisite edges with the evidence behind each, summed over files; adds the nodes that are only assumed."""
    said: dict[tuple[str, str], dict[str, int]] = {}
    assuming: dict[str, set[str]] = {}
    names: dict[str, str] = {}
    for entry in entries:
        concept = key_of[entry.key]
        for name, count in (dict.fromkeys(entry.concept.assumed, 1) | entry.concept.weights()).items():
            key = canonical_key(name)
            if not key:
                continue
            by = said.setdefault((concept, key_of.get(key, key)), {})
            by[entry.file_id] = max(count, by.get(entry.file_id, 0))
            if key not in key_of:
                assuming.setdefault(key, set()).add(concept)
                names.setdefault(key, name)
    for key, concepts in sorted(assuming.items()):
        if len(concepts) >= MIN_ASSUMING:
            nodes[key] = _Node(key, [], names[key])
        else:
            nodes[next(iter(concepts))].assumed.setdefault(key, names[key])
    return {
        edge: float(sum(by.values())) for edge, by in said.items() if edge[1] in nodes and edge[0] != edge[1]
    }


def _concept(node: _Node, builds_on: tuple[str, ...], rank: float) -> Concept:
    pages: dict[str, set[int]] = {}
    aliases: dict[str, str] = {}
    for entry in node.entries:
        pages.setdefault(entry.file_id, set()).update(entry.concept.pages)
        if entry.key != node.key:
            aliases.setdefault(entry.key, entry.concept.name)
    return Concept(
        key=node.key,
        name=node.name,
        aliases=tuple(aliases.values()),
        gist=next((entry.concept.gist for entry in node.entries if entry.concept.gist), ""),
        definition=next((entry.concept.definition for entry in node.entries if entry.concept.definition), ""),
        builds_on=builds_on,
        assumed=tuple(node.assumed[key] for key in sorted(node.assumed)),
        sources=tuple(Source(file_id, tuple(sorted(found))) for file_id, found in pages.items()),
        centrality=rank,
    )


def _vectors(nodes: Sequence[_Node], dimension: int) -> npt.NDArray[np.float32]:
    vectors = np.zeros((len(nodes), dimension), dtype=np.float32)
    for row, node in enumerate(nodes):
        mean = _mean([entry.vector for entry in node.entries])
        if mean is not None:
            vectors[row] = mean
    return vectors
