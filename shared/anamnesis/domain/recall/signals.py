"""What makes an episode relevant to a question: its words, its concepts, its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anamnesis.domain.recall.history import BoolRows, FloatRows, History
from anamnesis.domain.text.terms import QuestionWord

#: Okapi BM25's usual constants (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework", 3.5).
BM25_K1 = 1.2
BM25_B = 0.75
#: A word that stands in more than this share of the history does not tell episodes apart …
COMMON_SHARE = 0.5
#: … once there are this many; before, nothing can be said.
LEAST_EPISODES_FOR_COMMON = 10


@dataclass(frozen=True, slots=True)
class LexicalSignal:
    """What the question's words say of every row.

    Attributes
    ----------
    scores
        BM25; 0 where the row holds nothing of the question.
    held
        Rows that hold any word of the question, however common.
    matched
        Rows that match by a distinctive word.
    """

    scores: FloatRows
    held: BoolRows
    matched: BoolRows


def lexical_signal(history: History, words: Sequence[QuestionWord], known: BoolRows) -> LexicalSignal:
    """Score every row by the question's words.

    A word that most of the history holds counts for the score but is no match by itself, unless the question has
    nothing else.

    Parameters
    ----------
    known
        Shape (n,), bool: rows that count for document frequencies, whatever window is asked.
    """
    scores = np.zeros(len(history), dtype=np.float64)
    total = int(np.count_nonzero(known))
    matches: list[tuple[bool, npt.NDArray[np.int64]]] = []
    average_length = float(history.lengths[known].mean()) if total else 0.0
    norms = BM25_K1 * (1 - BM25_B + BM25_B * history.lengths / max(average_length, 1.0))
    for word in words:
        held: list[npt.NDArray[np.int64]] = []
        for unit in word.units:
            rows, counts = history.term_rows(unit)
            rows, counts = rows[known[rows]], counts[known[rows]]
            weight = np.log1p((total - len(rows) + 0.5) / (len(rows) + 0.5)) / len(word.units) ** 0.5
            scores[rows] += weight * counts * (BM25_K1 + 1) / (counts + norms[rows])
            held.append(rows)
        rows, units_held = np.unique(np.concatenate(held), return_counts=True)
        rows = rows[units_held >= word.needed]
        common = total >= LEAST_EPISODES_FOR_COMMON and len(rows) > COMMON_SHARE * total
        if word.needed:
            matches.append((common, rows))
    held_any = np.zeros(len(history), dtype=np.bool_)
    matched = np.zeros(len(history), dtype=np.bool_)
    only_common = all(common for common, _ in matches)
    for common, rows in matches:
        held_any[rows] = True
        if only_common or not common:
            matched[rows] = True
    return LexicalSignal(scores.astype(np.float32), held_any, matched)


def concept_signal(history: History, concepts: Sequence[str]) -> FloatRows:
    """Share of the routed concepts that each row touches, from one half (any) to 1 (all); 0 where it touches none."""
    held = np.zeros(len(history), dtype=np.float32)
    keys = tuple(dict.fromkeys(concepts))
    for key in keys:
        held[history.concept_rows(key)] += 1
    return np.where(held > 0, 0.5 + 0.5 * held / max(len(keys), 1), 0).astype(np.float32)
