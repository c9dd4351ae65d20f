"""Recall in many languages: questions that paraphrase what one of many short talks said (RC-1).

The same ten talks in each of eleven languages make one history of a student who changes language; each question is
asked in its own. No weight was fitted to them, but the share that contrast has in recall's gate was set with these
questions in sight. They are hard on purpose: most questions share no word with their answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.recall import RecallQuery, question_words
from anamnesis.ports import Embedder
from anamnesis_tools.bench.recall.rankers import rankers
from anamnesis_tools.bench.said_episodes import said_episode, segment_of

TALKS = Path(__file__).parent / "texts" / "school_talks.json"
_START = datetime(2026, 1, 5, 9, tzinfo=UTC)
_PAIR = Pair("talks", "student", "school")


@dataclass(frozen=True, slots=True)
class Found:
    """What a way to rank found in a language.

    Attributes
    ----------
    first, in_three
        Shares of the questions whose answer came first, and among the first three.
    reciprocal_rank
        Mean of 1 / rank.
    unmatched
        Share of the questions that it says nothing matches.
    """

    first: float
    in_three: float
    reciprocal_rank: float
    unmatched: float


def measure(embedder: Embedder, names: Sequence[str] = ()) -> Mapping[str, Mapping[str, Found]]:
    """Rank the one history for every question: by way to rank, then by language, and ``all``."""
    material = json.loads(TALKS.read_text(encoding="utf-8"))
    places, episodes = _history(material["languages"])
    segment = segment_of(episodes, embedder)
    asked = [
        (language, _query(text, language, episodes[-1], embedder), places[language, talk, turn])
        for language, spoken in material["languages"].items()
        for text, (talk, turn) in zip(spoken["questions"], material["answers"], strict=True)
    ]
    known = rankers(embedder)
    return {
        name: _by_language([(lang, known[name](segment, query).tolist(), row) for lang, query, row in asked])
        for name in names or known
    }


def _history(
    languages: Mapping[str, Mapping[str, Any]],
) -> tuple[dict[tuple[str, int, int], int], list[Episode]]:
    """The row of each language's, talk's and turn's episode; a talk a day and language, turns a minute apart."""
    places: dict[tuple[str, int, int], int] = {}
    episodes: list[Episode] = []
    talks = (
        (language, talk, turns) for language, s in languages.items() for talk, turns in enumerate(s["talks"])
    )
    for day, (language, talk, turns) in enumerate(talks):
        for turn, text in enumerate(turns):
            places[language, talk, turn] = len(episodes)
            at = _START + timedelta(days=day, minutes=turn)
            kind = (Kind.QUESTION, Kind.ANSWER)[turn % 2]
            episodes.append(said_episode(_PAIR, len(episodes) + 1, kind, at, text, language))
    return places, episodes


def _query(text: str, language: str, last: Episode, embedder: Embedder) -> RecallQuery:
    return RecallQuery(
        words=question_words(text, language),
        now=last.occurred_at + timedelta(days=1),
        vector=embedder.embed_query(text),
        embedder=embedder.name,
    )


def _by_language(ranked: Sequence[tuple[str, list[int], int]]) -> dict[str, Found]:
    def summed(of: Sequence[tuple[list[int], int]]) -> Found:
        ranks = [rows.index(row) + 1 if row in rows else np.inf for rows, row in of]
        return Found(
            first=float(np.mean([rank <= 1 for rank in ranks])),
            in_three=float(np.mean([rank <= 3 for rank in ranks])),
            reciprocal_rank=float(np.mean([1 / rank for rank in ranks])),
            unmatched=float(np.mean([not rows for rows, _ in of])),
        )

    languages: Iterator[str] = iter(dict.fromkeys(language for language, _, _ in ranked))
    found = {one: summed([(rows, row) for spoken, rows, row in ranked if spoken == one]) for one in languages}
    return {**found, "all": summed([(rows, row) for _, rows, row in ranked])}


def shown(found: Mapping[str, Mapping[str, Found]], *, as_json: bool) -> None:
    """Print MRR by language, and the whole, as tables for people or as JSON."""
    if as_json:
        print(
            json.dumps({name: {k: asdict(v) for k, v in by.items()} for name, by in found.items()}, indent=1)
        )
        return
    console = Console(width=120)
    languages = [language for language in next(iter(found.values()), {}) if language != "all"]
    table = Table("MRR", *languages, "all", title="Paraphrases in one history of all languages")
    for name, by in found.items():
        table.add_row(name, *(f"{by[key].reciprocal_rank:.2f}" for key in [*languages, "all"]))
    console.print(table)
    table = Table("all languages", "first", "in three", "nothing matched")
    for name, by in found.items():
        whole = by["all"]
        table.add_row(name, *(f"{share:.3f}" for share in (whole.first, whole.in_three, whole.unmatched)))
    console.print(table)
