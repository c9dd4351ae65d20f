"""What makes an episode relevant to a question: its words, its concepts, its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anamnesis.domain.recall.exchanges import Exchanges
from anamnesis.domain.recall.history import BoolRows, FloatRows, History, RowNumbers
from anamnesis.domain.text.terms import QuestionWord, speaker_term

#: Okapi BM25's usual constants (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework", 3.5).
BM25_K1 = 1.2
BM25_B = 0.75
#: A word that stands in more than this share of the history does not tell episodes apart …
COMMON_SHARE = 0.5
#: … once there are this many; before, nothing can be said.
LEAST_EPISODES_FOR_COMMON = 10
#: How many rows before and after are around a row.
AROUND_ROWS = 3
#: Who speaks does so more than once, and this share of the episodes at least: "Definition: …" is no speaker. Ours.
LEAST_SPOKEN, LEAST_SPOKEN_SHARE = 2, 0.05


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
    dated
        Rows of a month or day that the question names.
    units
        The weight of each unit of the question that can match, and the rows that hold it.
    """

    scores: FloatRows
    held: BoolRows
    matched: BoolRows
    dated: BoolRows
    units: tuple[tuple[float, RowNumbers], ...]


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
    matches: list[tuple[bool, RowNumbers]] = []
    dated = np.zeros(len(history), dtype=np.bool_)
    units: list[tuple[float, RowNumbers]] = []
    average_length = float(history.lengths[known].mean()) if total else 0.0
    norms = BM25_K1 * (1 - BM25_B + BM25_B * history.lengths / max(average_length, 1.0))
    for word in words:
        held: list[RowNumbers] = []
        for unit in word.units:
            rows, counts = history.term_rows(unit)
            rows, counts = rows[known[rows]], counts[known[rows]]
            weight = np.log1p((total - len(rows) + 0.5) / (len(rows) + 0.5)) / len(word.units) ** 0.5
            scores[rows] += weight * counts * (BM25_K1 + 1) / (counts + norms[rows])
            held.append(rows)
            if word.needed:
                units.append((float(weight), rows))
        rows, units_held = np.unique(np.concatenate(held), return_counts=True)
        rows = rows[units_held >= word.needed]
        common = total >= LEAST_EPISODES_FOR_COMMON and len(rows) > COMMON_SHARE * total
        if word.needed:
            matches.append((common, rows))
        else:
            dated[rows] = True
    held_any = np.zeros(len(history), dtype=np.bool_)
    matched = np.zeros(len(history), dtype=np.bool_)
    only_common = all(common for common, _ in matches)
    for common, rows in matches:
        held_any[rows] = True
        if only_common or not common:
            matched[rows] = True
    return LexicalSignal(scores.astype(np.float32), held_any, matched, dated, tuple(units))


def around_signal(lexical: LexicalSignal, exchanges: Exchanges, asked: BoolRows) -> FloatRows:
    """Share of the question's words, by weight, that stand in each row or near it in the same exchange (0–1).

    An answer need not repeat the question that was asked just before it.
    """
    found = np.zeros(len(exchanges), dtype=np.float32)
    total = sum(weight for weight, _ in lexical.units)
    for weight, rows in lexical.units:
        if len(rows := rows[asked[rows]]):
            found[exchanges.near(rows, AROUND_ROWS)] += np.float32(weight / total)
    return found


def speaker_signal(history: History, words: Sequence[QuestionWord], known: BoolRows) -> FloatRows:
    """1 for the rows of a speaker whom the question names, in histories that say who speaks (``speaker_label``)."""
    spoken = np.zeros(len(history), dtype=np.float32)
    least = max(LEAST_SPOKEN, LEAST_SPOKEN_SHARE * np.count_nonzero(known))
    for word in words:
        if word.needed:
            rows, _ = history.term_rows(speaker_term(term) for unit in word.units for term in unit)
            if len(rows) >= least:
                spoken[rows] = 1
    return spoken


def concept_signal(history: History, concepts: Sequence[str]) -> FloatRows:
    """Share of the routed concepts that each row touches, from one half (any) to 1 (all); 0 where it touches none."""
    held = np.zeros(len(history), dtype=np.float32)
    keys = tuple(dict.fromkeys(concepts))
    for key in keys:
        held[history.concept_rows(key)] += 1
    return np.where(held > 0, 0.5 + 0.5 * held / max(len(keys), 1), 0).astype(np.float32)
