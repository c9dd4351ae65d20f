"""The offline concept reader against a textbook's own key terms, beside published baselines (CM-1, CM-2).

Every method gives a list of names. A name is right when it is a key term of the chapter (``key_terms.strict``), or
nearly one (``key_terms.lenient``); the book's list is its glossary, and as a second, wider one the glossary with what
the text sets in bold. The reader's list is cut where the reader cuts it; the baselines have no cut of their own and get
two: the bound of a file (60), and the cut that is best for them, which no one could choose beforehand.

The reader's explanations are judged by the book's definitions: one *says what the term is* when, by cosine of tf·idf
over stems of content words (those of the term itself left out), it is as like the book's definition of that term as
only one in twenty is like the definition of another term. Pages are judged by the part of the chapter in which the book
lists the term.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from time import process_time

from rich.console import Console
from rich.table import Table

from anamnesis.domain.concepts import MAX_CONCEPTS_PER_FILE, Extraction
from anamnesis.domain.concepts.validation import validate
from anamnesis.domain.extraction import READER, propose
from anamnesis.domain.files import Document
from anamnesis_tools.bench.files.concept_baselines import BASELINES
from anamnesis_tools.bench.files.concept_errors import KINDS, Places
from anamnesis_tools.bench.files.concept_explanations import ExplanationResult, explanations
from anamnesis_tools.bench.files.key_terms import Chapter, KeyTerm, chapters, lenient, strict

READ = "offline reader"
#: Names that a student sees first.
FIRST = 30


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean, 0–1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class MethodResult:
    """One method on one chapter.

    Attributes
    ----------
    found
        Names it gave, at most the bound of a file.
    strict, lenient
        Against the glossary.
    wide
        Strictly against the glossary and the terms in bold.
    best_cut
        Strictly against the glossary at the best of all cuts; None for the reader, which has its own.
    first
        Share of right names (lenient, wide) among the first thirty.
    errors
        The wrong ones among those by kind; see ``concept_errors``.
    """

    chapter: str
    language: str
    method: str
    found: int
    strict: Score
    lenient: Score
    wide: Score
    best_cut: Score | None
    first: float
    errors: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything of one run."""

    reader: str
    methods: tuple[MethodResult, ...]
    explanations: tuple[ExplanationResult, ...]


def measure(folder: Path) -> Measured:
    """Read every chapter of a folder with every method."""
    methods: list[MethodResult] = []
    told: list[ExplanationResult] = []
    for chapter in chapters(folder):
        begun = process_time()
        extraction = read(chapter.document)
        seconds = process_time() - begun
        names = [concept.name for concept in extraction.concepts]
        methods.append(_result(chapter, READ, names, None))
        for name, method in BASELINES.items():
            ranked = method(chapter.document, chapter.language)
            best = max(
                (score(ranked[:cut], chapter.glossary, strict) for cut in range(1, len(ranked) + 1)),
                key=lambda s: s.f1,
                default=Score(0, 0, 0),
            )
            methods.append(_result(chapter, name, ranked[:MAX_CONCEPTS_PER_FILE], best))
        told.append(explanations(chapter, extraction, seconds))
    return Measured(READER, tuple(methods), tuple(told))


def read(document: Document) -> Extraction:
    """Read a document as the service does without a model."""
    language, proposed = propose(document)
    concepts, rejected = validate(proposed, page_count=len(document.pages))
    return Extraction(language, READER, tuple(concepts), tuple(rejected))


def score(names: Sequence[str], terms: Sequence[KeyTerm], matches: Callable[[str, KeyTerm], bool]) -> Score:
    """Precision: names that are a term. Recall: terms that a name is."""
    hit = [[i for i, term in enumerate(terms) if matches(name, term)] for name in names]
    precision = sum(1 for indices in hit if indices) / len(names) if names else 0.0
    recall = len({i for indices in hit for i in indices}) / len(terms) if terms else 0.0
    total = precision + recall
    return Score(precision, recall, 2 * precision * recall / total if total else 0.0)


def _result(chapter: Chapter, method: str, names: Sequence[str], best: Score | None) -> MethodResult:
    def near(name: str, term: KeyTerm) -> bool:
        return strict(name, term) or lenient(name, term, chapter.language)

    first = names[:FIRST]
    wrong = [name for name in first if not any(near(name, term) for term in chapter.inline)]
    places = Places(chapter)
    kinds = Counter(places.kind(name) for name in wrong)
    return MethodResult(
        chapter=chapter.name,
        language=chapter.language,
        method=method,
        found=len(names),
        strict=score(names, chapter.glossary, strict),
        lenient=score(names, chapter.glossary, near),
        wide=score(names, chapter.inline, strict),
        best_cut=best,
        first=1 - len(wrong) / len(first) if first else 0.0,
        errors={kind: kinds[kind] for kind in KINDS},
    )


def shown(measured: Measured, *, as_json: bool) -> None:
    """Print the figures, as tables for people or as JSON."""
    if as_json:
        print(json.dumps(asdict(measured), indent=1, ensure_ascii=False))
        return
    console = Console(width=150)
    columns = ("found", "P", "R", "F1", "lenient F1", "with bold F1", "best cut F1", "first 30", *KINDS)
    table = Table("chapter", "method", *columns, title=f"Key terms ({measured.reader}); strict unless said")
    for r in measured.methods:
        best = f"{r.best_cut.f1:.3f}" if r.best_cut else ""
        figures = (r.strict.precision, r.strict.recall, r.strict.f1, r.lenient.f1, r.wide.f1)
        cells = [str(r.found), *(f"{x:.3f}" for x in figures), best, f"{r.first:.2f}"]
        table.add_row(r.chapter, r.method, *cells, *(str(r.errors[kind]) for kind in KINDS))
    for method in dict.fromkeys(r.method for r in measured.methods):
        rows = [r for r in measured.methods if r.method == method]
        means = [
            fmean(values)
            for values in zip(
                *((r.strict.precision, r.strict.recall, r.strict.f1, r.lenient.f1, r.wide.f1) for r in rows),
                strict=True,
            )
        ]
        best = "" if rows[0].best_cut is None else f"{fmean(r.best_cut.f1 for r in rows if r.best_cut):.3f}"
        cells = ["", *(f"{x:.3f}" for x in means), best, f"{fmean(r.first for r in rows):.2f}"]
        table.add_row("mean", method, *cells, *(str(sum(r.errors[kind] for r in rows)) for kind in KINDS))
    console.print(table)
    names = [name for name in ExplanationResult.__dataclass_fields__ if name != "chapter"]
    second = Table(
        "chapter", *(name.replace("_", " ") for name in names), title="What the reader says of them"
    )
    for e in measured.explanations:
        values = [getattr(e, name) for name in names]
        second.add_row(
            e.chapter, *(f"{v:,.2f}" if isinstance(v, float) and v < 2 else f"{v:,.0f}" for v in values)
        )
    console.print(second)
