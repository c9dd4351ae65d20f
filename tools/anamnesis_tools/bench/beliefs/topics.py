"""Topics of checks against the concept each should be tied to, by language and kind (BE-3): `anamnesis bench topics`.

The cases lie beside this file in ``labels/topics.toml``. Beside what the memory ties stand two baselines: a topic that
is a name and nothing else, and a topic or an evaluation that holds a name's letters somewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis.domain.concepts import Concept, StudentLayer, SubjectMap
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.log.episodes import Content
from anamnesis.offline import concept_tested
from anamnesis_tools.bench.beliefs.labelled_cases import PARTS, languages, scored, share


@dataclass(frozen=True, slots=True)
class Tied:
    """One case and what came of it; keys of concepts, "" for none."""

    language: str
    half: str
    kind: str
    topic: str
    evaluation: str
    expected: str
    found: str
    exact: str
    held_somewhere: str


@dataclass(frozen=True, slots=True)
class TieScore:
    """Cases of one kind or language, and how many were tied to what.

    Attributes
    ----------
    cases, to_tie
        Cases, and those that name a concept they should be tied to.
    tied, right
        Tied to any concept, and to the right one: precision is right / tied, recall right / to_tie.
    exact_right, letters_tied, letters_right
        The same of the two baselines; whatever a whole name ties is right but for utterances.
    """

    name: str
    cases: int
    to_tie: int
    tied: int
    right: int
    exact_right: int
    letters_tied: int
    letters_right: int


@dataclass(frozen=True, slots=True)
class TopicScores:
    """Scores by part, then by language and by kind, and the cases that went wrong."""

    languages: dict[str, list[TieScore]]
    kinds: dict[str, list[TieScore]]
    misses: list[Tied]


def measure() -> TopicScores:
    """Tie every labelled topic to the small map of its language."""
    cases = list(tied_cases())
    return TopicScores(
        languages=scored(cases, "language", _score),
        kinds=scored(cases, "kind", _score),
        misses=[case for case in cases if case.found != case.expected],
    )


def tied_cases() -> Iterator[Tied]:
    """Yield every labelled case with what the memory and the baselines tie it to."""
    for language in languages("topics"):
        keys = {
            written: canonical_key(names.split("|")[0])
            for names in language["names"]
            for written in names.split("|")
        }
        index = NameIndex(_map_of(language["names"]), StudentLayer())
        for half in PARTS:
            for case in language[half]:
                yield _tied(language["code"], half, case, keys, index)


def shown(scores: TopicScores, *, as_json: bool) -> None:
    """Print the scores, as tables for people or as JSON."""
    if as_json:
        print(json.dumps(asdict(scores), indent=1, ensure_ascii=False))
        return
    console = Console(width=130)
    for what, by_half in (("language", scores.languages), ("kind", scores.kinds)):
        for half in PARTS:
            columns = ("cases", "to tie", "tied", "precision", "recall", "whole name: recall")
            table = Table(what, *columns, "letters: precision", "recall", title=f"Topics, {half} part")
            for score in by_half[half]:
                table.add_row(
                    score.name,
                    *map(str, (score.cases, score.to_tie, score.tied)),
                    share(score.right, score.tied),
                    share(score.right, score.to_tie),
                    share(score.exact_right, score.to_tie),
                    share(score.letters_right, score.letters_tied),
                    share(score.letters_right, score.to_tie),
                )
            console.print(table)
    for miss in scores.misses:
        beside = f" ({miss.evaluation})" if miss.evaluation else ""
        console.print(
            f"{miss.half} {miss.language} {miss.kind}: {miss.topic!r}{beside}: {miss.expected or 'nothing'!r}, "
            f"found {miss.found or 'nothing'!r}",
            markup=False,
            highlight=False,
        )


def _map_of(names: Sequence[str]) -> SubjectMap:
    concepts = tuple(
        Concept(
            key=canonical_key(written[0]),
            name=written[0],
            aliases=tuple(written[1:]),
            gist="",
            definition="",
            builds_on=(),
            assumed=(),
            sources=(),
            centrality=0.0,
        )
        for written in (line.split("|") for line in names)
    )
    return SubjectMap(
        revision=1,
        concepts=concepts,
        cycles=(),
        layers=(),
        vectors=np.zeros((len(concepts), 1), dtype=np.float32),
        embedder="none",
        files={},
    )


def _tied(language: str, half: str, case: Sequence[Any], keys: dict[str, str], index: NameIndex) -> Tied:
    kind, topic, name, *rest = case
    evaluation = rest[0] if rest else None
    content = Content(text="", summary="", topic=topic, evaluation=evaluation)
    words = f"{topic} {evaluation or ''}".casefold()
    somewhere = max((n for n in keys if n.casefold() in words), key=len, default="")
    return Tied(
        language=language,
        half=half,
        kind=kind,
        topic=topic,
        evaluation=evaluation or "",
        expected=canonical_key(name) if name else "",
        found=concept_tested(content, language, index) or "",
        exact=index.exact(topic) or "",
        held_somewhere=keys.get(somewhere, ""),
    )


def _score(name: str, cases: Sequence[Tied]) -> TieScore:
    return TieScore(
        name=name,
        cases=len(cases),
        to_tie=sum(bool(case.expected) for case in cases),
        tied=sum(bool(case.found) for case in cases),
        right=sum(bool(case.found) and case.found == case.expected for case in cases),
        exact_right=sum(bool(case.exact) and case.exact == case.expected for case in cases),
        letters_tied=sum(bool(case.held_somewhere) for case in cases),
        letters_right=sum(
            bool(case.held_somewhere) and case.held_somewhere == case.expected for case in cases
        ),
    )
