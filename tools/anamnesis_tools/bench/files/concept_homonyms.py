"""How often two things of one name are told apart, and one thing is wrongly split, by what two files say (CM-3).

``labels/homonyms.toml`` holds tellings of our own: fields by two authors each, and names that stand in two files. Every
pair is measured both ways round through ``build_map``, each telling among the other concepts of its field and author.
The thresholds of ``domain.concepts.homonyms`` were set with these in sight, so these are development figures.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from typing import Any

from rich.console import Console
from rich.table import Table

from anamnesis.domain.concepts import Contribution, ExtractedConcept, Extraction
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.subject_map import build_map
from anamnesis.domain.embedded_texts import concept_passage
from anamnesis.ports import Embedder

#: What pairs are of, and whether they should be two concepts.
KINDS = {
    "different": "two things of one name",
    "same": "one thing by two authors of a field",
    "elsewhere": "one thing in two fields",
}
#: Other concepts of each file that are kept: all, and as few as small files have.
OTHERS = (4, 2, 1)


@dataclass(frozen=True, slots=True)
class Splits:
    """Pairs of one kind: how many there are, and how many of them become two concepts, with some names of those.

    Attributes
    ----------
    others
        Other concepts of each file, at most.
    """

    kind: str
    others: int
    pairs: int
    split: int
    names: tuple[str, ...]


def measure(embedder: Embedder) -> list[Splits]:
    """Build the map of every pair of files, and count the concepts that the name becomes."""
    raw = tomllib.loads(files(__package__).joinpath("labels", "homonyms.toml").read_text(encoding="utf-8"))
    found = []
    for others, kind in product(OTHERS, KINDS):
        pairs = 0
        split: list[str] = []
        for row in raw[kind]:
            for first, second in (("first", "second"), ("second", "first")):
                one = _contribution("one", row["name"], row["one"], raw["fields"], first, others, embedder)
                other = _contribution(
                    "other", row["name"], row["other"], raw["fields"], second, others, embedder
                )
                pairs += 1
                names = _names(row["name"], [one, other], embedder)
                split += [" / ".join(names)] if len(names) > 1 else []
        found.append(Splits(kind, others, pairs, len(split), tuple(split)))
    return found


def _contribution(
    file_id: str,
    name: str,
    telling: Sequence[str],
    fields: Mapping[str, Mapping[str, Any]],
    author: str,
    most: int,
    embedder: Embedder,
) -> Contribution:
    """One author's file of a field, with the telling of `name` among its concepts."""
    of_field = fields[telling[0]]
    others = [pair for pair in of_field[author] if canonical_key(pair[0]) != canonical_key(name)][:most]
    concepts = tuple(
        ExtractedConcept(each, gist, gist, (), (), (1,)) for each, gist in [*others, (name, telling[1])]
    )
    return Contribution(
        file_id=file_id,
        fingerprint=file_id,
        extraction=Extraction(of_field["language"], "bench", concepts, ()),
        keys=tuple(canonical_key(concept.name) for concept in concepts),
        vectors=embedder.embed_passages([concept_passage(concept) for concept in concepts]),
        embedder=embedder.name,
    )


def _names(name: str, contributions: Sequence[Contribution], embedder: Embedder) -> list[str]:
    """Names of the concepts that `name` is one of."""
    built = build_map(
        contributions,
        files={},
        revision=1,
        embedder=embedder.name,
        merge_threshold=embedder.merge_threshold,
        dimension=embedder.dimension,
    )
    key = canonical_key(name)
    return [
        concept.name
        for concept in built.concepts
        if canonical_key(concept.name.split(" (")[0]) == key
        or key in {canonical_key(alias) for alias in concept.aliases}
    ]


def shown(found: Sequence[Splits]) -> None:
    """Print the counts as a table, and what was split wrongly."""
    table = Table("pairs", "other concepts", "number", "two concepts", "share", title="One name in two files")
    for splits in found:
        table.add_row(
            KINDS[splits.kind],
            str(splits.others),
            str(splits.pairs),
            str(splits.split),
            f"{splits.split / splits.pairs:.2f}",
        )
    Console(width=100).print(table)
    for splits in found:
        if splits.kind != "different":
            for names in splits.names:
                Console().print(f"wrongly two, of {splits.others} others: {names}", markup=False)
