"""LoCoMo's conversations as histories, and their questions (Maharana et al. 2024, arXiv:2402.17753)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.recall import RecallQuery, question_words
from anamnesis.domain.working_set import Segment
from anamnesis.ports import Embedder
from anamnesis_tools.bench.said_episodes import said_episode, segment_of

#: Category 5 holds questions without an answer.
CATEGORIES = frozenset({1, 2, 3, 4})
_EVIDENCE = re.compile(r"D\d+:\d+")
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its category, its words, and the rows of the turns that hold its answer."""

    category: int
    text: str
    evidence: frozenset[int]
    query: RecallQuery


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as one pair's history, row r at position r + 1.

    Attributes
    ----------
    costs
        Shape (n,): tokens of each turn's line ``DATE · SPEAKER: text``, at four characters a token.
    """

    name: str
    episodes: tuple[Episode, ...]
    segment: Segment
    costs: npt.NDArray[np.int64]
    questions: tuple[Question, ...]


def conversations(path: Path, embedder: Embedder) -> Iterator[Conversation]:
    """Read and embed a file's conversations, one at a time."""
    for sample in json.loads(path.read_text(encoding="utf-8")):
        turns = list(_turns(sample["conversation"], sample["sample_id"]))
        episodes = [episode for _, episode in turns]
        rows = {name: row for row, (name, _) in enumerate(turns)}
        yield Conversation(
            name=str(sample["sample_id"]),
            episodes=tuple(episodes),
            segment=segment_of(episodes, embedder),
            costs=np.array([_cost(episode) for episode in episodes], dtype=np.int64),
            questions=tuple(_questions(sample["qa"], rows, episodes[-1].occurred_at, embedder)),
        )


def _questions(
    asked: Sequence[Mapping[str, Any]], rows: Mapping[str, int], last: datetime, embedder: Embedder
) -> Iterator[Question]:
    """Questions of categories 1–4 with evidence that names a turn; some ids are run together or malformed."""
    for question in asked:
        named = (name for entry in question.get("evidence", ()) for name in _EVIDENCE.findall(str(entry)))
        evidence = frozenset(rows[name] for name in named if name in rows)
        if question["category"] in CATEGORIES and evidence:
            text = question["question"]
            query = RecallQuery(
                words=question_words(text, "en"),
                now=last + timedelta(days=1),
                vector=embedder.embed_query(text),
                embedder=embedder.name,
            )
            yield Question(question["category"], text, evidence, query)


def _turns(conversation: Mapping[str, Any], name: str) -> Iterator[tuple[str, Episode]]:
    """Turns in order with their ids, a minute apart within their session; pictures by their caption.

    The first speaker's turns become questions, the second's answers.
    """
    sessions = sorted(int(key.split("_")[1]) for key in conversation if re.fullmatch(r"session_\d+", key))
    pair, position = Pair("locomo", name, "conversation"), 0
    for session in sessions:
        stamp = conversation[f"session_{session}_date_time"]
        start = datetime.strptime(stamp, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for minute, turn in enumerate(conversation[f"session_{session}"]):
            position += 1
            caption = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            said = f"{turn['speaker']}: {turn['text']}{caption}"
            kind = Kind.QUESTION if turn["speaker"] == conversation["speaker_a"] else Kind.ANSWER
            at = start + timedelta(minutes=minute)
            yield turn["dia_id"], said_episode(pair, position, kind, at, said, "en")


def _cost(episode: Episode) -> int:
    text = episode.content.text if episode.content else ""
    return math.ceil(len(f"{episode.occurred_at:%d %b} · {text}") / _CHARS_PER_TOKEN)
