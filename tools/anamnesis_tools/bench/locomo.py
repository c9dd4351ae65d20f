"""Evidence retrieval on LoCoMo inside a token budget (EV-4), through the recall that a turn goes through.

LoCoMo (Maharana et al. 2024, "Evaluating Very Long-Term Conversational Memory of LLM Agents", arXiv:2402.17753) asks
questions about conversations of months and names the turns that hold the answer. The data set is not shipped: the
caller names a file in its format. A conversation becomes one pair's history, the first speaker's turns questions and
the second's answers. The figure is the share of a question's evidence among the best memories that fit the budget, at
four characters a token of the line ``DATE · SPEAKER: text``. Category 5 (questions without an answer) is left out.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Content, Episode, Kind, salience_of
from anamnesis.domain.passages import episode_passage
from anamnesis.domain.recall import RecallQuery, question_words, recall
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import build_segment, quantise
from anamnesis.ports import Embedder

BUDGETS_TOKENS = (400, 800, 1_500)
CATEGORIES = frozenset({1, 2, 3, 4})
#: More memories than any of the budgets holds.
RECALLED = 150
_EVIDENCE = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its id in the data set, the line it costs in a block, and the episode it became."""

    name: str
    line: str
    episode: Episode


@dataclass(frozen=True, slots=True)
class EvidenceRecall:
    """What was found.

    Attributes
    ----------
    questions
        Questions measured: of categories 1–4, with at least one evidence id that names a turn.
    unmatched
        Questions that nothing matched.
    recall
        Mean share of the evidence found, by budget in tokens.
    by_category
        The same by category at each budget.
    """

    questions: int
    unmatched: int
    recall: Mapping[int, float]
    by_category: Mapping[int, Mapping[int, float]]


def measure(path: Path, embedder: Embedder, *, switch_off: frozenset[str] = frozenset()) -> EvidenceRecall:
    """Measure every conversation of a LoCoMo file.

    Parameters
    ----------
    switch_off
        Layers of recall to leave out, for ablations (EV-5).
    """
    found: list[tuple[int, dict[int, float]]] = []
    unmatched = 0
    for sample in json.loads(path.read_text(encoding="utf-8")):
        turns = list(_turns(sample["conversation"], sample["sample_id"]))
        segment = _segment(turns, embedder)
        for question in sample["qa"]:
            evidence = _evidence(question, turns)
            if question["category"] not in CATEGORIES or not evidence:
                continue
            ranked, matched = _ranked(question["question"], turns, segment, embedder, switch_off)
            unmatched += not matched
            shares = {budget: _share(evidence, ranked, budget) for budget in BUDGETS_TOKENS}
            found.append((question["category"], shares))
    categories = sorted({category for category, _ in found})
    return EvidenceRecall(
        questions=len(found),
        unmatched=unmatched,
        recall=_means([shares for _, shares in found]),
        by_category={c: _means([shares for category, shares in found if category == c]) for c in categories},
    )


def _turns(conversation: Mapping[str, Any], name: str) -> Iterator[Turn]:
    """Turns in order, a minute apart within their session; pictures by their caption."""
    sessions = sorted(int(key.split("_")[1]) for key in conversation if re.fullmatch(r"session_\d+", key))
    position = 0
    for session in sessions:
        stamp = conversation[f"session_{session}_date_time"]
        start = datetime.strptime(stamp, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for minute, turn in enumerate(conversation[f"session_{session}"]):
            position += 1
            caption = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            said = f"{turn['speaker']}: {turn['text']}{caption}"
            at = start + timedelta(minutes=minute)
            kind = Kind.QUESTION if turn["speaker"] == conversation["speaker_a"] else Kind.ANSWER
            yield Turn(turn["dia_id"], f"{at:%d %b} · {said}", _episode(name, position, kind, said, at))


def _episode(name: str, position: int, kind: Kind, said: str, at: datetime) -> Episode:
    return Episode(
        id=f"{position:026d}",
        pair=Pair("locomo", name, "conversation"),
        position=position,
        kind=kind,
        occurred_at=at,
        recorded_at=at,
        content=Content(summary=said[:300], text=said),
        salt=None,
        commitment="",
        concepts=(),
        salience=salience_of(kind, correct=None),
        language="en",
        session_id=None,
        outcome=None,
        evidence=(),
        memory_ids=(),
        about_record=False,
        previous_hash="",
        hash="",
    )


def _segment(turns: Sequence[Turn], embedder: Embedder) -> Segment:
    episodes = [turn.episode for turn in turns]
    vectors = quantise(embedder.embed_passages([episode_passage(episode) for episode in episodes]))
    return build_segment(
        episodes,
        first_position=1,
        vectors=dict(enumerate(vectors, start=1)),
        embedder=embedder.name,
        dimension=embedder.dimension,
    )


def _evidence(question: Mapping[str, Any], turns: Sequence[Turn]) -> frozenset[str]:
    """Evidence ids that name a turn; some in the data set are run together, malformed or name none."""
    named = {name for entry in question.get("evidence", ()) for name in _EVIDENCE.findall(str(entry))}
    return frozenset(named & {turn.name for turn in turns})


def _ranked(
    question: str, turns: Sequence[Turn], segment: Segment, embedder: Embedder, switch_off: frozenset[str]
) -> tuple[list[Turn], bool]:
    query = RecallQuery(
        words=question_words(question, "en"),
        now=turns[-1].episode.occurred_at + timedelta(days=1),
        vector=embedder.embed_query(question),
        embedder=embedder.name,
    )
    found = recall(
        [segment],
        query,
        limit=RECALLED,
        embedder_floor=embedder.floor,
        match_threshold=embedder.match_threshold,
        switch_off=switch_off,
    )
    return [turns[memory.position - 1] for memory in found.memories], found.matched


def _share(evidence: frozenset[str], ranked: Sequence[Turn], budget_tokens: int) -> float:
    """Share of the evidence among the best turns that fit, none skipped."""
    spent = 0
    within = set()
    for turn in ranked:
        spent += math.ceil(len(turn.line) / 4)
        if spent > budget_tokens:
            break
        within.add(turn.name)
    return len(evidence & within) / len(evidence)


def _means(shares: Sequence[Mapping[int, float]]) -> dict[int, float]:
    return {budget: fmean(share[budget] for share in shares) for budget in BUDGETS_TOKENS} if shares else {}


def shown(found: EvidenceRecall, *, as_json: bool) -> None:
    """Print the shares, as a table for people or as JSON."""
    if as_json:
        print(json.dumps(asdict(found), indent=1))
        return
    table = Table(
        "category", *(f"{budget:,} tokens" for budget in BUDGETS_TOKENS), title="Share of evidence found"
    )
    for category, shares in sorted(found.by_category.items()):
        table.add_row(str(category), *(f"{shares[budget]:.3f}" for budget in BUDGETS_TOKENS))
    table.add_row("all", *(f"{found.recall[budget]:.3f}" for budget in BUDGETS_TOKENS))
    Console().print(table)
    Console().print(f"{found.questions} questions, {found.unmatched} that nothing matched")
