"""Whether the newest of two facts is found first, by recall and in the wiki (WD-5, WD-7, EV-8).

Each case is a fact that a student stated in March and changed in April (``texts/changing_facts.json``: a moved exam,
another wish), among what students of eleven languages talk about (``recall/texts/school_talks.json``). Recall offers
memories; a wiki offers, of each page that its own search finds, the summary and the lines that hold words of the
question. What counts is which of the two sentences one reads first, and whether the new one is within the tokens.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.recall import FITTED, RecallQuery, question_words
from anamnesis.domain.wiki.finding.search import Corpus, Hit
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import KNOWLEDGE, NOTES
from anamnesis.ports import Embedder
from anamnesis_tools.bench.cached_embedder import CachedEmbedder
from anamnesis_tools.bench.recall.rankers import rankers
from anamnesis_tools.bench.recall.talks import TALKS
from anamnesis_tools.bench.said_episodes import said_episode, segment_of, wiki_of

FACTS: Final = Path(__file__).parent / "texts" / "changing_facts.json"
BUDGET_TOKENS: Final = 400
OLD_AT: Final = datetime(2026, 3, 10, 9, tzinfo=UTC)
NEW_AT: Final = datetime(2026, 4, 21, 9, tzinfo=UTC)
_FILLER_FROM: Final = datetime(2026, 2, 1, 9, tzinfo=UTC)
_PAIR: Final = Pair("currency", "student", "school")
_CHARS_PER_TOKEN: Final = 4
_PAGES: Final = 6


@dataclass(frozen=True, slots=True)
class Currency:
    """Shares of the cases.

    Attributes
    ----------
    newest_first
        The new fact was read before the old one.
    within
        The new fact was read at all, within ``BUDGET_TOKENS``.
    """

    cases: int
    newest_first: float
    within: float


def measure(embedder: Embedder) -> Mapping[str, Currency]:
    """Play every case, by recall and in the wiki."""
    filler = list(_filler())
    embedder = CachedEmbedder(embedder)
    cases = json.loads(FACTS.read_text(encoding="utf-8"))
    ways: dict[str, list[list[str]]] = {"recall": [], "wiki": []}
    for case in cases:
        told = [
            said_episode(_PAIR, len(filler) + n, Kind.QUESTION, at, case[which], case["language"])
            for n, (which, at) in enumerate((("old", OLD_AT), ("new", NEW_AT)), start=1)
        ]
        episodes = [*filler, *told]
        ways["recall"].append(_recalled(case, episodes, embedder))
        ways["wiki"].append(_looked_up(case, episodes))
    return {name: _summed(cases, found) for name, found in ways.items()}


def _filler() -> Iterator[Episode]:
    spoken = json.loads(TALKS.read_text(encoding="utf-8"))["languages"]
    talks = [(language, turns) for language, said in spoken.items() for turns in said["talks"]]
    position = 0
    for day, (language, turns) in enumerate(talks):
        for minute, text in enumerate(turns):
            position += 1
            at = _FILLER_FROM + timedelta(days=day % 110, minutes=minute)
            yield said_episode(_PAIR, position, (Kind.QUESTION, Kind.ANSWER)[minute % 2], at, text, language)


def _recalled(case: Mapping[str, Any], episodes: Sequence[Episode], embedder: Embedder) -> list[str]:
    segment = segment_of(episodes, embedder)
    query = RecallQuery(
        words=question_words(case["question"], case["language"]),
        now=NEW_AT + timedelta(days=3),
        vector=embedder.embed_query(case["question"]),
        embedder=embedder.name,
    )
    rows = rankers(embedder)[FITTED.name](segment, query).tolist()
    return [f"{episodes[row].occurred_at:%d %b} · {_text(episodes[row])}" for row in rows]


def _looked_up(case: Mapping[str, Any], episodes: Sequence[Episode]) -> list[str]:
    tree = wiki_of(episodes)
    searched = {
        path: text
        for path, text in tree.items()
        if path.startswith((f"{KNOWLEDGE}/", f"{NOTES}/")) and not path.endswith("index.md")
    }
    found = Corpus(searched).search(case["question"], limit=_PAGES)
    return [line for hit in found for line in _shown_of(hit, tree[hit.path])]


def _shown_of(hit: Hit, text: str) -> list[str]:
    """What one looks at of a page that was found: its summary, then the lines that hold words of the question."""
    lines = [line for line in read(hit.path, text).lines if line.text.strip()]
    summary = [line for line in lines if not line.section and not line.text.startswith("# ")]
    numbers = {passage.line for passage in hit.passages}
    return [
        line.text for line in [*summary, *(one for one in lines if one.number in numbers and one.section)]
    ]


def _text(episode: Episode) -> str:
    return episode.content.text if episode.content else ""


def _summed(cases: Sequence[Mapping[str, Any]], found: Sequence[Sequence[str]]) -> Currency:
    first, within = [], []
    for case, lines in zip(cases, found, strict=True):
        new, old = _place(case["new"], lines), _place(case["old"], lines)
        first.append(new < old)
        read_to = lines if new == math.inf else lines[: int(new) + 1]
        spent = sum(math.ceil(len(line) / _CHARS_PER_TOKEN) for line in read_to)
        within.append(new < math.inf and spent <= BUDGET_TOKENS)
    return Currency(len(cases), float(np.mean(first)), float(np.mean(within)))


def _place(sentence: str, lines: Sequence[str]) -> float:
    wanted = sentence.rstrip(".。।")
    return next((float(place) for place, line in enumerate(lines) if wanted in line), math.inf)


def shown(found: Mapping[str, Currency], *, as_json: bool) -> None:
    """Print the shares, as a table for people or as JSON."""
    if as_json:
        print(json.dumps({name: asdict(one) for name, one in found.items()}, indent=1))
        return
    table = Table(
        "", "newest read first", f"newest within {BUDGET_TOKENS} tokens", title="A fact that changed"
    )
    for name, one in found.items():
        table.add_row(name, f"{one.newest_first:.3f}", f"{one.within:.3f}")
    console = Console(width=100)
    console.print(table)
    console.print(f"{max(one.cases for one in found.values())} cases")
