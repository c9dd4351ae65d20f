"""LongMemEval's questions, each with the history that it is asked of (Wu et al. 2025, arXiv:2410.10813)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.recall import RecallQuery, question_words
from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.working_set import Segment
from anamnesis.ports import Embedder
from anamnesis_tools.bench.said_episodes import SUMMARY_CHARS, said_episode, segment_of

#: Ends the id of a question whose answer the history does not hold: there is no evidence to find.
_ABSTAINS = "_abs"
_CHARS_PER_TOKEN = 4
_STAMP = re.compile(r"(\d{4}/\d{2}/\d{2})\s*(?:\(\w+\))?\s*(\d{2}:\d{2})?")
_ROLES = {"user": Kind.QUESTION, "assistant": Kind.ANSWER}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question over a history of its own, row r at position r + 1.

    Attributes
    ----------
    sessions
        Number of each row's session.
    costs
        Shape (n,): tokens of each turn's line as a block would tell it, at four characters a token.
    evidence
        Rows that hold the answer.
    evidence_sessions
        Numbers of the sessions that hold it.
    """

    id: str
    type: str
    segment: Segment
    sessions: tuple[int, ...]
    costs: npt.NDArray[np.int64]
    query: RecallQuery
    evidence: frozenset[int]
    evidence_sessions: frozenset[int]


def read(path: Path, embedder: Embedder, *, limit: int | None = None) -> Iterator[Asked]:
    """Read and embed a file's questions with evidence, one at a time.

    Parameters
    ----------
    limit
        Most questions that are read.

    Raises
    ------
    ValueError
        If the file is not in LongMemEval's format; names the question's place and no text of it.
    """
    read_so_far = 0
    for place, item in enumerate(json.loads(path.read_text(encoding="utf-8"))):
        if limit is not None and read_so_far >= limit:
            return
        try:
            asked = _asked(item, embedder)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path.name}: item {place} is not in LongMemEval's format") from error
        if asked is not None:
            read_so_far += 1
            yield asked


def _asked(item: Mapping[str, Any], embedder: Embedder) -> Asked | None:
    if item["question_id"].endswith(_ABSTAINS):
        return None
    told = list(_turns(item))
    session_ids = item["haystack_session_ids"]
    answers = {str(one) for one in item.get("answer_session_ids", ())}
    evidence = frozenset(row for row, (_, _, answers_it) in enumerate(told) if answers_it)
    named = {number for number, name in enumerate(session_ids) if str(name) in answers}
    evidence_sessions = frozenset(named or {told[row][1] for row in evidence})
    if not evidence and not evidence_sessions:
        return None
    episodes = [episode for episode, _, _ in told]
    text = item["question"]
    query = RecallQuery(
        words=question_words(text, detect_language(text)),
        now=_moment(item["question_date"]),
        vector=embedder.embed_query(text),
        embedder=embedder.name,
    )
    return Asked(
        id=item["question_id"],
        type=item["question_type"],
        segment=segment_of(episodes, embedder),
        sessions=tuple(session for _, session, _ in told),
        costs=np.array([_cost(episode) for episode in episodes], dtype=np.int64),
        query=query,
        evidence=evidence,
        evidence_sessions=evidence_sessions,
    )


def _turns(item: Mapping[str, Any]) -> Iterator[tuple[Episode, int, bool]]:
    """Yield the turns of the sessions by date, a minute apart within each, with their session's number."""
    dated = sorted(
        (_moment(stamp), number)
        for number, (stamp, _) in enumerate(
            zip(item["haystack_dates"], item["haystack_sessions"], strict=True)
        )
    )
    pair, position = Pair("longmemeval", item["question_id"], "chat"), 0
    for start, number in dated:
        name = str(item["haystack_session_ids"][number])
        for minute, turn in enumerate(item["haystack_sessions"][number]):
            position += 1
            kind, text = _ROLES[turn["role"]], turn["content"]
            at = start + timedelta(minutes=minute)
            episode = said_episode(pair, position, kind, at, text, detect_language(text), session_id=name)
            yield episode, number, bool(turn.get("has_answer"))


def _moment(stamp: str) -> datetime:
    found = _STAMP.match(stamp)
    if found is None:
        raise ValueError("no date")
    day, minute = found.groups()
    return datetime.strptime(f"{day} {minute or '00:00'}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def _cost(episode: Episode) -> int:
    summary = episode.content.summary[:SUMMARY_CHARS] if episode.content else ""
    return math.ceil(len(f"- {episode.occurred_at:%d %b %Y} · you were asked: {summary}") / _CHARS_PER_TOKEN)
