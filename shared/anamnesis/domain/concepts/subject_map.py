"""The subject map as a pure function of what its files say (CM-3 to CM-5, CM-7, CM-8).

Nothing is ever merged into a stored map: with each change of a file the whole map is built anew from the
contributions of the files that stand. What a replaced or deleted file said is gone with it, and nothing else
is.

Decisions: which of several names, gists and definitions is shown depends on what the files say alone and never on
which came first, so that any order of the same uploads gives the same map: names in the language that most files are
in, of these the one that most files use. Another file may thus change which one is shown; keys of the other names
resolve through ``resolved_keys``. A concept that only others assume has no text to embed: its row of the vectors is
zero, and similarity never finds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from anamnesis.domain.concepts import Concept, Contribution, ExtractedConcept, Source, SubjectMap
from anamnesis.domain.concepts.canonical_keys import canonical_key, short_form
from anamnesis.domain.concepts.graph import centrality, teaching_order
from anamnesis.domain.concepts.homonyms import Telling, homonyms
from anamnesis.domain.concepts.merging import merged_groups
from anamnesis.domain.concepts.name_groups import NameGroup
from anamnesis.domain.files import FileRecord
from anamnesis.domain.text.languages import primary_tag

#: How many concepts must assume an unexplained prerequisite before it becomes a node (CM-4).
MIN_ASSUMING = 2


@dataclass(frozen=True, slots=True)
class _Entry:
    """One concept of one file.

    Attributes
    ----------
    key
        Canonical key of its name, or of the sense that the name has in this file.
    name
        As the file writes it, or with what tells the sense from others.
    """

    key: str
    name: str
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
        Every file of the subject by id.
    revision
        The subject's revision that the contributions were read at.
    embedder, merge_threshold, dimension
        Of the embedder in use. Vectors of another one are not compared: such concepts merge by key only.
    """
    entries = _by_sense(_entries(contributions, files, embedder=embedder, dimension=dimension))
    nodes = _nodes(entries, merge_threshold)
    key_of = _keys_of(nodes)
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
    short: dict[str, set[str]] = {}
    for concept in subject_map.concepts:
        for name in (concept.name, *concept.aliases):
            resolved.setdefault(canonical_key(name), concept.key)
            if forms := short_form(name):
                short.setdefault(canonical_key(forms[0]), set()).add(concept.key)
    meant = {key: next(iter(keys)) for key, keys in short.items() if len(keys) == 1}
    return meant | resolved | {concept.key: concept.key for concept in subject_map.concepts}


def _entries(
    contributions: Iterable[Contribution], files: Mapping[str, FileRecord], *, embedder: str, dimension: int
) -> list[_Entry]:
    """Every concept of every standing file, in the order of what was read and not of when."""
    entries: list[_Entry] = []
    seen: set[str] = set()
    for contribution in sorted(contributions, key=lambda each: (each.fingerprint, each.file_id)):
        record = files.get(contribution.file_id)
        if contribution.file_id in seen or (record is not None and not record.current):
            continue
        seen.add(contribution.file_id)
        language = primary_tag(contribution.extraction.language)
        comparable = contribution.embedder == embedder and contribution.vectors.shape[1:] == (dimension,)
        for row, concept in enumerate(contribution.extraction.concepts):
            vector = contribution.vectors[row] if comparable else None
            # Today's key, whichever rules held when the file was read.
            key = canonical_key(concept.name)
            entries.append(_Entry(key, concept.name, concept, contribution.file_id, language, vector))
    return entries


def _by_sense(entries: Sequence[_Entry]) -> list[_Entry]:
    """Give the entries of a name that means several things the key and the name of their sense."""
    tellings = [
        Telling(
            entry.key,
            entry.name,
            entry.file_id,
            entry.language,
            f"{entry.concept.gist} {entry.concept.definition}",
            entry.vector,
        )
        for entry in entries
    ]
    sense_of = {
        (telling.file_id, key): sense
        for key, senses in homonyms(tellings).items()
        for sense in senses
        for telling in sense.tellings
    }
    return [
        replace(entry, key=sense.key, name=sense.name)
        if (sense := sense_of.get((entry.file_id, entry.key)))
        else entry
        for entry in entries
    ]


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
            names={entry.name for entry in by_key[key]},
            texts=[text for entry in by_key[key] for text in (entry.concept.gist, entry.concept.definition)],
            vector=_mean([entry.vector for entry in by_key[key]]),
        )
        for key in sorted(by_key)
    ]
    shown = _order_of_names(entries, groups)
    nodes: dict[str, _Node] = {}
    for keys in merged_groups(groups, merge_threshold=merge_threshold):
        members = sorted((entry for key in keys for entry in by_key[key]), key=shown)
        first = members[0]
        nodes[first.key] = _Node(first.key, members, first.name)
    return nodes


def _order_of_names(
    entries: Sequence[_Entry], groups: Sequence[NameGroup]
) -> Callable[[_Entry], tuple[int, int, str, int, str]]:
    """Which name of a concept is shown before which: by language, then by how many files use it, then by itself."""
    in_language = Counter(language for language, _ in {(entry.language, entry.file_id) for entry in entries})
    concepts_in = Counter(entry.language for entry in entries)
    languages = sorted(in_language, key=lambda tag: (tag == "und", -in_language[tag], -concepts_in[tag], tag))
    rank = {language: place for place, language in enumerate(languages)}
    files_of = {group.key: len(group.files) for group in groups}
    spelt = Counter((entry.key, entry.name) for entry in entries)
    return lambda entry: (
        rank[entry.language],
        -files_of[entry.key],
        entry.key,
        -spelt[entry.key, entry.name],
        entry.name,
    )


def _keys_of(nodes: Mapping[str, _Node]) -> dict[str, str]:
    """Key of the node by every key that names it, the short forms that names give of themselves included."""
    short: dict[str, set[str]] = {}
    for node in nodes.values():
        for entry in node.entries:
            if forms := short_form(entry.concept.name):
                short.setdefault(canonical_key(forms[0]), set()).add(node.key)
    # A short form of two concepts is neither's.
    known = {key: next(iter(meant)) for key, meant in short.items() if len(meant) == 1}
    return known | {entry.key: node.key for node in nodes.values() for entry in node.entries}


def _edges(
    nodes: dict[str, _Node], entries: Sequence[_Entry], key_of: Mapping[str, str]
) -> dict[tuple[str, str], float]:
    """Prerequisite edges with the evidence behind each, summed over files; adds the nodes that are only assumed."""
    said: dict[tuple[str, str], dict[str, int]] = {}
    assuming: dict[str, set[str]] = {}
    names: dict[str, str] = {}
    # A name means in a file what that file explains under it.
    own = {(entry.file_id, canonical_key(entry.concept.name)): entry.key for entry in entries}
    for entry in entries:
        concept = key_of[entry.key]
        for name, count in (dict.fromkeys(entry.concept.assumed, 1) | entry.concept.weights()).items():
            key = canonical_key(name)
            key = own.get((entry.file_id, key), key)
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
            aliases.setdefault(entry.key, entry.name)
        elif entry.name != entry.concept.name and canonical_key(entry.concept.name) == node.key:
            # The first of several senses keeps the plain name as well.
            aliases.setdefault("", entry.concept.name)
    return Concept(
        key=node.key,
        name=node.name,
        aliases=tuple(aliases.values()),
        gist=next((entry.concept.gist for entry in node.entries if entry.concept.gist), ""),
        definition=next((entry.concept.definition for entry in node.entries if entry.concept.definition), ""),
        builds_on=builds_on,
        assumed=tuple(node.assumed[key] for key in sorted(node.assumed)),
        sources=tuple(Source(file_id, tuple(sorted(found))) for file_id, found in sorted(pages.items())),
        centrality=rank,
    )


def _vectors(nodes: Sequence[_Node], dimension: int) -> npt.NDArray[np.float32]:
    vectors = np.zeros((len(nodes), dimension), dtype=np.float32)
    for row, node in enumerate(nodes):
        mean = _mean([entry.vector for entry in node.entries])
        if mean is not None:
            vectors[row] = mean
    return vectors
