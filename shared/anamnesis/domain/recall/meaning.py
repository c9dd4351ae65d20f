"""How close in meaning every row is to the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anamnesis.domain.recall.history import BoolRows, FloatRows, History
from anamnesis.domain.recall.values import RecallQuery
from anamnesis.domain.working_set.segments import NO_SIMILARITY, quantise

#: How far below the match threshold, in shares of its distance from the floor, a common word makes up for it.
NEAR_SHARE = 0.25
#: From this many embedded episodes on, the history tells what "unrelated" is for this question.
LEAST_FOR_CONTRAST = 50
#: Embedded episodes, evenly spread, whose mean stands for the history's.
CONTRAST_SAMPLE = 1_024
#: A contrasted cosine from which texts are about the same thing. Ours; the best one of a question whose answer the
#: history holds was above it in nine cases of ten.
CONTRASTED_MATCH = 0.3


#: How much a contrasted cosine above or below its threshold counts beside the plain one, where both are in units of
#: what lies between their thresholds and no similarity. Ours: with it, of questions about something else as few match
#: as without (2.5 %), and of those that paraphrase what a history holds half instead of a third.
CONTRAST_SHARE = 1.05


@dataclass(frozen=True, slots=True)
class CosineScale:
    """An embedder's cosine of unrelated texts, and the one from which texts are about the same thing."""

    floor: float
    match: float

    @property
    def near(self) -> float:
        """From here on similar enough to match together with a common word."""
        return self.match - (self.match - self.floor) * NEAR_SHARE

    @property
    def middle(self) -> float:
        """Between the two: the most that can count as no similarity."""
        return (self.floor + self.match) / 2


@dataclass(frozen=True, slots=True)
class Meaning:
    """Closeness in meaning.

    Attributes
    ----------
    cosines
        Shape (n,): plain cosines; ``NO_SIMILARITY`` where there is none.
    telling
        Shape (n,): cosines on the same scale that also count what sets a row apart, by which a question matches at all.
    closeness
        Shape (n,), 0–1, by which episodes are compared; 0 where there is no cosine.
    """

    cosines: FloatRows
    telling: FloatRows
    closeness: FloatRows


def meaning(
    history: History,
    query: RecallQuery,
    *,
    known: BoolRows,
    asked: BoolRows,
    scale: CosineScale,
    semantic: Sequence[tuple[int, float]],
    contrast: bool,
) -> Meaning:
    """Compare the question with every asked row.

    Parameters
    ----------
    known, asked
        Shape (n,), bool: rows that exist for this question at all, and those inside its window and focus.
    semantic
        Positions and cosines from an external index; they add to the segments' own vectors.
    contrast
        Compare by what sets a row apart from the history's mean. Embeddings crowd into a cone around it, and texts
        that say little lie near its axis and so near every question; taking the mean away undoes that (Mu and
        Viswanath 2018, "All-but-the-Top", arXiv:1702.01417, step 1).
    """
    cosines, contrasted = _compared(history, query, known if contrast else None)
    own = cosines > NO_SIMILARITY
    for position, cosine in semantic:
        rows = history.rows_of(position)
        cosines[rows] = np.maximum(cosines[rows], np.float32(cosine))
    floor = _floor(cosines[known], scale)
    cosines[~asked] = NO_SIMILARITY
    closeness, telling = _scaled(cosines, floor, scale.match), cosines
    if contrasted is not None:
        middle = max(float(np.median(contrasted[known & own])), 0.0)
        contrasted[~asked] = NO_SIMILARITY
        closeness = np.where(own, _scaled(contrasted, middle, CONTRASTED_MATCH), closeness)
        unit = np.float32(CONTRAST_SHARE * (scale.match - scale.floor) / CONTRASTED_MATCH)
        moved = np.clip(cosines + unit * (contrasted - np.float32(CONTRASTED_MATCH)), -1, 1)
        telling = np.where(own & asked, moved, cosines)
    return Meaning(cosines, telling, closeness)


def no_meaning(history: History) -> Meaning:
    """Say nothing of any row."""
    none = np.full(len(history), NO_SIMILARITY, dtype=np.float32)
    return Meaning(none, none, np.zeros(len(history), dtype=np.float32))


def _compared(
    history: History, query: RecallQuery, known: BoolRows | None
) -> tuple[FloatRows, FloatRows | None]:
    """Plain cosines, and contrasted ones where `known` rows with vectors are enough to tell a mean."""
    if query.vector is None:
        return np.full(len(history), NO_SIMILARITY, dtype=np.float32), None
    mean = None if known is None else _mean(history, query, known)
    if mean is None:
        return history.cosines(query.vector[None, :], query.embedder)[:, 0], None
    found = history.cosines(np.stack([query.vector, mean]), query.embedder)
    cosines, towards_mean = found[:, 0].copy(), found[:, 1]
    length = float(np.linalg.norm(mean))
    asked_towards_mean = float(_unit(query.vector) @ _unit(mean))
    rest = 1 - 2 * length * towards_mean + length**2
    asked_rest = 1 - 2 * length * asked_towards_mean + length**2
    dot = cosines - length * (towards_mean + asked_towards_mean) + length**2
    # A row that is the mean itself has nothing that sets it apart.
    apart = np.sqrt(np.maximum(rest * asked_rest, 0))
    contrasted = np.divide(dot, apart, out=np.zeros_like(dot), where=apart > 1e-4)
    return cosines, np.clip(contrasted, -1, 1).astype(np.float32)


def _mean(history: History, query: RecallQuery, known: BoolRows) -> npt.NDArray[np.float32] | None:
    """Mean of the known rows' unit vectors, None where too few have one."""
    rows = np.flatnonzero(known)
    if len(rows) > CONTRAST_SAMPLE:
        rows = rows[np.linspace(0, len(rows) - 1, CONTRAST_SAMPLE).astype(np.int64)]
    vectors = history.unit_vectors(rows, query.embedder)
    if len(vectors) < LEAST_FOR_CONTRAST or query.vector is None or vectors.shape[1:] != query.vector.shape:
        return None
    mean: npt.NDArray[np.float32] = vectors.mean(axis=0)
    return mean if mean.any() and query.vector.any() else None


def _unit(vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The direction that ``similarities`` compares with, unit length."""
    probe = quantise(vector).astype(np.float32)
    direction: npt.NDArray[np.float32] = probe / np.linalg.norm(probe)
    return direction


def _floor(cosines: FloatRows, scale: CosineScale) -> float:
    """Cosine that counts as no similarity to this question: the history's median where there is enough of it.

    It stays below the middle between the embedder's floor and its threshold, so that a history about one thing only is
    not measured against itself.
    """
    embedded = cosines[cosines > NO_SIMILARITY]
    if len(embedded) < LEAST_FOR_CONTRAST:
        return scale.floor
    return min(max(float(np.median(embedded)), scale.floor), scale.middle)


def _scaled(cosines: FloatRows, floor: float, match: float) -> FloatRows:
    """Bring cosines to 0–1: `floor` or below is 0, the best is 1, unless it is no match."""
    top = max(float(cosines.max(initial=NO_SIMILARITY)), match)
    scaled: FloatRows = np.clip((cosines - np.float32(floor)) / np.float32(top - floor), 0, 1)
    return scaled
