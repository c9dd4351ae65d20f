"""One student in ten languages: what recall finds, and what it takes for found, by the language of the question (RC-3).

Eight exchanges in each language are a history of their own, and all of them together one more. Every question is put to
each: those about an exchange to the history in their own language, to those in other languages and to the whole, and
those about nothing that was said as well. Recall's threshold for meanings was read off these questions; the directions
that it takes away before it compares were not made of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.recall import WEIGHTS, RecallQuery, Weights, question_words, recall
from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.working_set import Segment
from anamnesis.ports import Embedder
from anamnesis_tools.bench.cached_embedder import CachedEmbedder
from anamnesis_tools.bench.said_episodes import said_episode, segment_of

TURNS = Path(__file__).parent / "texts" / "student_turns.json"
_START = datetime(2026, 1, 5, 9, tzinfo=UTC)
_ASKED = datetime(2026, 3, 1, tzinfo=UTC)
_WHOLE = "all languages"
_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Found:
    """Shares of the questions of one language.

    Attributes
    ----------
    own_first, own_in_five, own_none
        Asked of the history in their own language: the exchange they are about came first, among the first five
        memories, or nothing was said to match.
    other_first, other_in_five, other_none
        Asked of the histories in the nine other languages.
    whole_first, whole_none
        Asked of all languages in one history; the exchange counts in any of them.
    own_foreign, other_foreign, whole_foreign
        Questions about nothing that was said, which something was said to match.
    """

    own_first: float
    own_in_five: float
    own_none: float
    other_first: float
    other_in_five: float
    other_none: float
    whole_first: float
    whole_none: float
    own_foreign: float
    other_foreign: float
    whole_foreign: float


@dataclass(frozen=True, slots=True)
class _History:
    segment: Segment
    topics: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Reply:
    """Where a question stood to a history: own, other or whole; its topic, None for a foreign one; topics recalled."""

    place: str
    topic: int | None
    recalled: tuple[int, ...]


def measure(
    embedder: Embedder, names: Sequence[str] = (), languages: Sequence[str] = ()
) -> Mapping[str, Mapping[str, Found]]:
    """Ask every question of every history: by weights, then by language, and ``all``.

    Parameters
    ----------
    names, languages
        Weights and languages to measure; all of them when empty.
    """
    known: Mapping[str, Any] = json.loads(TURNS.read_text(encoding="utf-8"))["languages"]
    spoken = {language: known[language] for language in languages or known}
    embedder = CachedEmbedder(embedder)
    histories = {language: _history({language: said}, embedder) for language, said in spoken.items()}
    histories[_WHOLE] = _history(spoken, embedder)
    asked = {language: list(_questions(said, embedder)) for language, said in spoken.items()}
    found: dict[str, dict[str, Found]] = {}
    for name in names or sorted(WEIGHTS):
        replies = {
            language: [
                _reply(_place(language, other), topic, query, history, embedder, WEIGHTS[name])
                for topic, query in queries
                for other, history in histories.items()
            ]
            for language, queries in asked.items()
        }
        everything = [reply for each in replies.values() for reply in each]
        found[name] = {language: _summed(each) for language, each in {**replies, "all": everything}.items()}
    return found


def _place(language: str, other: str) -> str:
    return "whole" if other == _WHOLE else "own" if other == language else "other"


def _questions(said: Mapping[str, Any], embedder: Embedder) -> Iterator[tuple[int | None, RecallQuery]]:
    for kind in ("named", "unnamed", "foreign"):
        for topic, text in enumerate(said[kind]):
            query = RecallQuery(
                words=question_words(text, detect_language(text)),
                now=_ASKED,
                vector=embedder.embed_query(text),
                embedder=embedder.name,
            )
            yield (None if kind == "foreign" else topic), query


def _history(spoken: Mapping[str, Any], embedder: Embedder) -> _History:
    """Each topic three days after the one before, the languages' turns at it an hour apart."""
    said = [
        (_START + timedelta(days=3 * topic, hours=hour, minutes=turn), topic, turn, text, language)
        for hour, (language, each) in enumerate(spoken.items())
        for topic, exchange in enumerate(each["said"])
        for turn, text in enumerate(exchange)
    ]
    pair, kinds = Pair("turns", "student", "school"), (Kind.QUESTION, Kind.ANSWER)
    episodes = [
        said_episode(pair, place, kinds[turn], at, text, language, session_id=f"{language} {topic}")
        for place, (at, topic, turn, text, language) in enumerate(sorted(said), start=1)
    ]
    return _History(segment_of(episodes, embedder), tuple(topic for _, topic, *_ in sorted(said)))


def _reply(
    place: str,
    topic: int | None,
    query: RecallQuery,
    history: _History,
    embedder: Embedder,
    weights: Weights,
) -> _Reply:
    found = recall(
        [history.segment],
        query,
        limit=48,
        embedder_floor=embedder.floor,
        match_threshold=embedder.match_threshold,
        weights=weights,
    )
    memories = found.memories if found.matched else ()
    return _Reply(place, topic, tuple(history.topics[memory.position - 1] for memory in memories))


def _summed(replies: Iterable[_Reply]) -> Found:
    shares: dict[str, npt.NDArray[np.float64]] = {}
    replies = list(replies)
    for place in ("own", "other", "whole"):
        about = [one for one in replies if one.place == place and one.topic is not None]
        foreign = [one for one in replies if one.place == place and one.topic is None]
        shares[f"{place}_first"] = np.array([one.topic in one.recalled[:1] for one in about])
        shares[f"{place}_in_five"] = np.array([one.topic in one.recalled[:_DEPTH] for one in about])
        shares[f"{place}_none"] = np.array([not one.recalled for one in about])
        shares[f"{place}_foreign"] = np.array([bool(one.recalled) for one in foreign])
    return Found(**{field.name: float(shares[field.name].mean()) for field in fields(Found)})


def shown(found: Mapping[str, Mapping[str, Found]], *, as_json: bool) -> None:
    """Print a table for each set of weights, or JSON."""
    if as_json:
        print(json.dumps({n: {k: asdict(v) for k, v in by.items()} for n, by in found.items()}, indent=1))
        return
    console = Console(width=120)
    for name, by in found.items():
        columns = ["1st", "in 5", "none"] * 2 + ["1st", "none", "own", "other", "whole"]
        table = Table(
            name, *columns, title=f"{name}: own language · other languages · whole · foreign matched"
        )
        for language, one in by.items():
            table.add_row(language, *(f"{share:.2f}" for share in asdict(one).values()))
        console.print(table)
