"""Which names of two files become one concept, against names whose meaning is known (CM-3).

Every measurement goes through ``build_map``, as uploads do: the terms of one language are the concepts of that
language's files, and a decision is a pair of names, one of each language, that end on one node. Two sources, neither
of them shipped:

* glossaries in two languages with definitions (``same_term_two_languages.json``). A gist is a definition's first
  sentence, as a reader would give it.
* concepts of school with their names in many languages (``school_concepts_many_languages.json``), which have no
  definitions but in English: names are all that there is to compare.

Each is measured closed, where every term has its partner in the other language, and open, where two thirds of each
side have none: an upload in another language is mostly about other things, and every merge of a term without a
partner is wrong. Decisions are counted by key alone and by key and similarity.

The leads in ``domain.concepts.translations`` were chosen on these names, so their figures are development figures.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from anamnesis.domain.concepts import Contribution, ExtractedConcept, Extraction
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.subject_map import build_map, resolved_keys
from anamnesis.domain.embedded_texts import concept_passage
from anamnesis.ports import Embedder

Vector = npt.NDArray[np.float32]

GLOSSARIES = "same_term_two_languages.json"
SCHOOL = "school_concepts_many_languages.json"
#: Languages of the school list that are paired with English; each has at least 15 concepts there.
_FEWEST_TERMS = 15
#: Most characters of a gist made of a definition, as in ``domain.concepts``.
_GIST_CHARS = 240


@dataclass(frozen=True, slots=True)
class Term:
    """One name in one language: what it means (equal for equal concepts), and its gist, empty without one."""

    meaning: str
    language: str
    name: str
    gist: str


@dataclass(frozen=True, slots=True)
class Decisions:
    """Pairs of names across two languages.

    Attributes
    ----------
    same
        Pairs of one concept.
    rightly, wrongly
        Pairs that were put on one node, of one concept and of two.
    examples
        Some of the wrong ones.
    """

    same: int
    rightly: int
    wrongly: int
    examples: tuple[str, ...] = ()

    @property
    def precision(self) -> float:
        """Share of the merged pairs that are one concept; 1 when nothing was merged."""
        merged = self.rightly + self.wrongly
        return self.rightly / merged if merged else 1.0

    @property
    def recall(self) -> float:
        """Share of the pairs of one concept that were merged."""
        return self.rightly / self.same if self.same else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """The figures of one pair of languages in one setting."""

    source: str
    languages: str
    setting: str
    by_key: Decisions
    by_similarity: Decisions


def measure(folder: Path, embedder: Embedder) -> list[Line]:
    """Measure both files of a folder, each pair of languages closed and open."""
    lines: list[Line] = []
    for source, languages, terms in _sources(folder):
        vectors = _vectors(terms, embedder)
        for setting, kept in (("closed", terms), ("open", _opened(terms))):
            by_key = _decide(kept, vectors, embedder, similar=False)
            by_similarity = _decide(kept, vectors, embedder, similar=True)
            lines.append(Line(source, languages, setting, by_key, by_similarity))
    return lines


def _sources(folder: Path) -> Iterable[tuple[str, str, list[Term]]]:
    glossaries: Mapping[str, list[dict[str, Any]]] = json.loads((folder / GLOSSARIES).read_text("utf-8"))
    for name, rows in glossaries.items():
        one, other = name.rsplit("_", 2)[1:]
        yield name, f"{one}–{other}", _glossary_terms(rows, one, other)
    school: list[dict[str, Any]] = json.loads((folder / SCHOOL).read_text("utf-8"))
    languages = sorted({language for row in school for language in row["translations"]})
    for language in languages:
        terms = _school_terms(school, language)
        if sum(term.language == language for term in terms) >= _FEWEST_TERMS:
            yield "school", f"en–{language}", terms


def _glossary_terms(rows: Sequence[Mapping[str, Any]], one: str, other: str) -> list[Term]:
    """Terms of both sides; rows that share a name in either language mean one concept."""
    meaning: dict[str, str] = {}
    for row in rows:
        names = [f"{language} {canonical_key(row[language])}" for language in (one, other)]
        joined = {meaning.setdefault(name, name) for name in names}
        for name, known in list(meaning.items()):
            if known in joined:
                meaning[name] = min(joined)
    terms: dict[str, Term] = {}
    for row in rows:
        for language in (one, other):
            name = f"{language} {canonical_key(row[language])}"
            gist = _gist(row.get(f"{language}_definition", ""))
            terms.setdefault(name, Term(meaning[name], language, row[language], gist))
    return list(terms.values())


def _gist(definition: str) -> str:
    first = definition.strip().split(". ")[0].split("; ")[0]
    return first[:_GIST_CHARS].rstrip(".")


def _school_terms(school: Sequence[Mapping[str, Any]], language: str) -> list[Term]:
    """The English name and the surest name in `language` of each concept that has one, each name once."""
    pairs = []
    for row in school:
        sources = row["translations"].get(language, {})
        names = sources.get("both") or sources.get("wikt") or sources.get("wordnet")
        if names:
            pairs.append((row["synset"], row["en"][0], names[0]))
    taken: dict[tuple[str, str], int] = {}
    for _, english, name in pairs:
        for key in (("en", canonical_key(english)), (language, canonical_key(name))):
            taken[key] = taken.get(key, 0) + 1
    terms = []
    for synset, english, name in pairs:
        # A name of two concepts says nothing about which it means here.
        if taken["en", canonical_key(english)] == taken[language, canonical_key(name)] == 1:
            terms += [Term(synset, "en", english, ""), Term(synset, language, name, "")]
    return terms


def _opened(terms: Sequence[Term]) -> list[Term]:
    """Leave one third of the meanings with both names, and of the others one side each."""
    first = min(term.language for term in terms)
    kept = []
    for term in terms:
        third = zlib.crc32(term.meaning.encode()) % 3
        if third == 0 or (third == 1) == (term.language == first):
            kept.append(term)
    return kept


def _vectors(terms: Sequence[Term], embedder: Embedder) -> dict[Term, Vector]:
    rows = embedder.embed_passages([concept_passage(_concept(term)) for term in terms])
    return dict(zip(terms, rows, strict=True))


def _concept(term: Term) -> ExtractedConcept:
    return ExtractedConcept(term.name, term.gist, "", (), (), (1,))


def _decide(
    terms: Sequence[Term], vectors: Mapping[Term, Vector], embedder: Embedder, *, similar: bool
) -> Decisions:
    """Build the map of one file a language, and compare what shares a node with what shares a meaning."""
    sides: dict[str, list[Term]] = {}
    for term in terms:
        sides.setdefault(term.language, []).append(term)
    contributions = [
        Contribution(
            file_id=language,
            fingerprint=language,
            extraction=Extraction(language, "bench", tuple(map(_concept, side)), ()),
            keys=tuple(canonical_key(term.name) for term in side),
            vectors=np.array([vectors[term] for term in side], dtype=np.float32),
            # Vectors of another embedder are not compared, so that keys alone decide.
            embedder=embedder.name if similar else f"not {embedder.name}",
        )
        for language, side in sorted(sides.items())
    ]
    node = resolved_keys(
        build_map(
            contributions,
            files={},
            revision=1,
            embedder=embedder.name,
            merge_threshold=embedder.merge_threshold,
            dimension=embedder.dimension,
        )
    )
    same = rightly = 0
    wrong = []
    for one, other in product(*(side for _, side in sorted(sides.items()))):
        merged = node[canonical_key(one.name)] == node[canonical_key(other.name)]
        same += one.meaning == other.meaning
        rightly += merged and one.meaning == other.meaning
        if merged and one.meaning != other.meaning:
            wrong.append(f"{one.name} = {other.name}")
    return Decisions(same, rightly, len(wrong), tuple(wrong))


def shown(lines: Sequence[Line], *, as_json: bool) -> None:
    """Print the figures, as a table for people or as JSON."""
    if as_json:
        print(json.dumps([asdict(line) for line in lines], indent=1, ensure_ascii=False))
        return
    table = Table(
        *(
            "source",
            "pair",
            "setting",
            "same",
            "key: P",
            "R",
            "wrong",
            "key+similarity: P",
            "R",
            "F1",
            "wrong",
        ),
        title="Names of one concept in two files",
    )
    for line in lines:
        key, both = line.by_key, line.by_similarity
        table.add_row(
            *(line.source, line.languages, line.setting, str(both.same)),
            *(f"{key.precision:.3f}", f"{key.recall:.3f}", str(key.wrongly)),
            *(f"{both.precision:.3f}", f"{both.recall:.3f}", f"{both.f1:.3f}", str(both.wrongly)),
        )
    Console(width=140).print(table)
    for line in lines:
        for example in line.by_similarity.examples:
            Console().print(f"{line.source} {line.languages} {line.setting}: {example}", markup=False)
