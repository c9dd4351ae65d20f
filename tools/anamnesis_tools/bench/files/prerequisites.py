"""Prerequisites against labelled pairs of concepts (AL-CPL), beside reference distance and frequency (CM-1, CM-4).

AL-CPL (Liang et al. 2018, "Investigating Active Learning for Concept Prerequisite Learning", EAAI) labels pairs of
concepts named by their Wikipedia titles and holds no text. The texts here (``texts/``) are our own: each explains a
concept in one to three sentences, written from the list of names and not from the labels. Another file of texts can be
named (a JSON object from name to text), such as the first paragraphs of the articles. All methods read the same texts:

* *reader*: the edges of the offline reader;
* *reader, transitive*: those and what follows from them, for the labels hold transitive pairs too;
* *reference distance* (RefD, Liang et al. 2015, EMNLP): B is a prerequisite of A when what A refers to refers to B more
  than the other way round, by more than a threshold; equal weights, each concept referring to itself;
* *mention*: A's text names B;
* *frequency*: B is named in more texts than A, in at least twice as many;
* *always*: every pair.

Order of explanation says nothing here, for the concepts come by the alphabet.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import regex
from rich.console import Console
from rich.table import Table

from anamnesis.domain.extraction.candidates import form_key
from anamnesis.domain.extraction.cues import cue_table
from anamnesis.domain.extraction.prerequisites import Explained, NameFinder, building, evidence
from anamnesis.domain.extraction.sentences import sentences

#: Threshold of reference distance; the authors use 0.02 to 0.05, to be chosen for each domain.
REFD_THRESHOLD = 0.05
_LANGUAGE = "en"
#: How much of B's own name the labels may carry in brackets: "Compression_(physics)".
_QUALIFIER = regex.compile(r"\s*\([^()]*\)$")
_MORE_FREQUENT = 2.0


@dataclass(frozen=True, slots=True)
class EdgeScore:
    """One method in one domain.

    Attributes
    ----------
    predicted
        Labelled pairs that it calls prerequisites.
    precision, recall, f1
        Over the labelled pairs.
    related
        Labelled prerequisites between which the method sees a direction, right or wrong.
    direction
        Share of these whose direction is right.
    """

    domain: str
    method: str
    predicted: int
    precision: float
    recall: float
    f1: float
    related: int
    direction: float


def measure(path: Path, texts: Path | None = None) -> list[EdgeScore]:
    """Measure all methods on every domain of a file of labelled pairs."""
    labelled = json.loads(path.read_text(encoding="utf-8"))
    given = json.loads(texts.read_text(encoding="utf-8")) if texts else {}
    found = []
    for domain, pairs in labelled.items():
        told = given or own_texts(domain)
        for method, needs in _methods(pairs["concepts"], told).items():
            found.append(_score(domain, method, needs, pairs))
    return found


def own_texts(domain: str) -> dict[str, str]:
    """Our own explanation of each concept of a domain."""
    source = files(__package__).joinpath("texts", f"{domain}.txt")
    lines = source.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)


def explained(concepts: list[str], texts: Mapping[str, str]) -> list[Explained]:
    """Concepts as the reader hands them to its search for prerequisites, by their title."""
    key_of = form_key(_LANGUAGE)
    found = []
    for order, title in enumerate(concepts):
        name = _QUALIFIER.sub("", title.replace("_", " "))
        told = sentences(texts.get(title, "")) or [""]
        found.append(Explained(key_of(name), (key_of(name),), order, told[0], tuple(told[1:])))
    return found


def _methods(concepts: list[str], texts: Mapping[str, str]) -> dict[str, Callable[[str, str], bool]]:
    table = cue_table(_LANGUAGE)
    told = explained(concepts, texts)
    keys = {title: concept.key for title, concept in zip(concepts, told, strict=True)}
    finder = NameFinder(told, table, form_key(_LANGUAGE))
    edges = building(evidence(told, table, finder), {c.key: c.order for c in told})
    direct = {key: {other for other, _ in prerequisites} for key, prerequisites in edges.items()}
    closure = {key: _reached(key, direct) for key in direct}
    named = {
        concept.key: {key for sentence in (concept.gist, *concept.told) for key in finder.found(sentence)}
        | {concept.key}
        for concept in told
    }
    frequency = {key: sum(key in others for others in named.values()) for key in named}

    def refd(key: str, other: str) -> float:
        return _references(key, other, named) - _references(other, key, named)

    by_key: dict[str, Callable[[str, str], bool]] = {
        "reader": lambda a, b: b in direct.get(a, ()),
        "reader, transitive": lambda a, b: b in closure.get(a, ()),
        f"reference distance > {REFD_THRESHOLD}": lambda a, b: refd(a, b) > REFD_THRESHOLD,
        "mention": lambda a, b: b in named[a],
        "frequency": lambda a, b: frequency[b] >= _MORE_FREQUENT * frequency[a],
        "always": lambda _a, _b: True,
    }

    def by_title(needs: Callable[[str, str], bool]) -> Callable[[str, str], bool]:
        return lambda a, b: keys[a] != keys[b] and needs(keys[a], keys[b])

    return {method: by_title(needs) for method, needs in by_key.items()}


def _reached(key: str, edges: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [key]
    while waiting:
        for other in edges.get(waiting.pop(), set()) - seen:
            seen.add(other)
            waiting.append(other)
    return seen


def _references(key: str, other: str, named: Mapping[str, set[str]]) -> float:
    """Share of what `key` refers to that refers to `other`."""
    return sum(other in named.get(reference, ()) for reference in named[key]) / len(named[key])


def _score(
    domain: str, method: str, needs: Callable[[str, str], bool], pairs: Mapping[str, Any]
) -> EdgeScore:
    right = [(pair["concept"], pair["needs"]) for pair in pairs["prerequisites"]]
    wrong = [(pair["concept"], pair["not_needs"]) for pair in pairs["negatives"]]
    hits = sum(needs(a, b) for a, b in right)
    false = sum(needs(a, b) for a, b in wrong)
    precision = hits / (hits + false) if hits + false else 0.0
    recall = hits / len(right) if right else 0.0
    forward = [needs(a, b) for a, b in right]
    back = [needs(b, a) for a, b in right]
    directed = [one for one, other in zip(forward, back, strict=True) if one != other]
    return EdgeScore(
        domain=domain,
        method=method,
        predicted=hits + false,
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        related=len(directed),
        direction=sum(directed) / len(directed) if directed else 0.0,
    )


def shown(scores: list[EdgeScore], *, as_json: bool) -> None:
    """Print the scores, as a table for people or as JSON."""
    if as_json:
        print(json.dumps([asdict(score) for score in scores], indent=1))
        return
    columns = ("predicted", "precision", "recall", "F1", "related", "direction")
    table = Table("domain", "method", *columns, title="Prerequisites against labelled pairs")
    for s in scores:
        figures = (
            f"{s.precision:.3f}",
            f"{s.recall:.3f}",
            f"{s.f1:.3f}",
            str(s.related),
            f"{s.direction:.3f}",
        )
        table.add_row(s.domain, s.method, str(s.predicted), *figures)
    Console(width=120).print(table)
