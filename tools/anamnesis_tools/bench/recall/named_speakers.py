"""Questions that name who said it, in a conversation of two speakers over ten languages (RC-1).

The exchanges of ``student_turns``, told by two speakers who take turns at asking and answering; every question is put
as it is, behind the name of the one who answered, and before it. No weight was fitted to them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.recall import RecallQuery, question_words
from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.working_set import Segment
from anamnesis.ports import Embedder
from anamnesis_tools.bench.recall.rankers import Ranker, rankers
from anamnesis_tools.bench.recall.student_turns import TURNS
from anamnesis_tools.bench.said_episodes import said_episode, segment_of

SPEAKERS = ("Maria", "Tomas")
#: How a question names who answered.
FORMS = {"unnamed": "{question}", "before": "{name}: {question}", "behind": "{question} ({name})"}
_START = datetime(2026, 1, 5, 9, tzinfo=UTC)
_ASKED = datetime(2026, 3, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Found:
    """Mean of 1 / rank of the very answer, by how the question names its speaker; 0 where it was not found."""

    unnamed: float
    before: float
    behind: float


def measure(embedder: Embedder, names: Sequence[str] = ()) -> Mapping[str, Found]:
    """Rank the one history for every question, by each way to rank; all of them when no name is given."""
    known: Mapping[str, Any] = json.loads(TURNS.read_text(encoding="utf-8"))["languages"]
    places, episodes = _history(known)
    segment = segment_of(episodes, embedder)
    ways = rankers(embedder)
    found: dict[str, dict[str, float]] = {name: {} for name in names or ways}
    for form, wording in FORMS.items():
        asked = list(_questions(known, wording, embedder))
        for name, shares in found.items():
            ranks = [_reciprocal(ways[name], segment, query, places[place]) for place, query in asked]
            shares[form] = float(np.mean(ranks))
    return {name: Found(**shares) for name, shares in found.items()}


def _reciprocal(ranker: Ranker, segment: Segment, query: RecallQuery, row: int) -> float:
    hits = np.flatnonzero(ranker(segment, query) == row)
    return 1 / (int(hits[0]) + 1) if len(hits) else 0.0


def _speaker(topic: int, turn: int) -> str:
    return SPEAKERS[(topic + turn) % 2]


def _history(known: Mapping[str, Any]) -> tuple[dict[tuple[str, int], int], list[Episode]]:
    """The row of each answer by language and topic, and the episodes: a topic every three days, a language an hour."""
    places: dict[tuple[str, int], int] = {}
    episodes: list[Episode] = []
    pair, kinds = Pair("speakers", "student", "school"), (Kind.QUESTION, Kind.ANSWER)
    for topic in range(min(len(said["said"]) for said in known.values())):
        for hour, (language, said) in enumerate(known.items()):
            for turn, text in enumerate(said["said"][topic]):
                at = _START + timedelta(days=3 * topic, hours=hour, minutes=turn)
                places[language, topic] = len(episodes)
                told = f"{_speaker(topic, turn)}: {text}"
                episodes.append(said_episode(pair, len(episodes) + 1, kinds[turn], at, told, language))
    return places, episodes


def _questions(
    known: Mapping[str, Any], wording: str, embedder: Embedder
) -> Iterator[tuple[tuple[str, int], RecallQuery]]:
    for language, said in known.items():
        for kind in ("named", "unnamed"):
            for topic, question in enumerate(said[kind]):
                text = wording.format(question=question, name=_speaker(topic, 1))
                query = RecallQuery(
                    words=question_words(text, detect_language(question)),
                    now=_ASKED,
                    vector=embedder.embed_query(text),
                    embedder=embedder.name,
                )
                yield (language, topic), query


def shown(found: Mapping[str, Found], *, as_json: bool) -> None:
    """Print the means, as a table for people or as JSON."""
    if as_json:
        print(json.dumps({name: asdict(one) for name, one in found.items()}, indent=1))
        return
    table = Table(
        "MRR of the answer", *FORMS, title="Who answered is named: not, before and behind the question"
    )
    for name, one in found.items():
        table.add_row(name, *(f"{value:.3f}" for value in asdict(one).values()))
    Console(width=120).print(table)
