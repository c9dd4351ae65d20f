"""How close in meaning every row is to the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anamnesis.domain.recall.common_directions import common_directions
from anamnesis.domain.recall.history import BoolRows, FloatRows, History
from anamnesis.domain.recall.selection import median
from anamnesis.domain.recall.values import RecallQuery
from anamnesis.domain.working_set.segments import NO_SIMILARITY, quantise

_Floats = npt.NDArray[np.float32]
#: Of a unit vector; what rounding leaves of one that is the mean itself is far below that.
_NOTHING_APART = 1e-2

#: How far below the match threshold, in shares of its distance from the floor, a common word makes up for it.
NEAR_SHARE = 0.25
#: From this many embedded episodes on, the history tells what "unrelated" is for this question; and from as many each
#: of a speaker and of the others on, how they differ, whatever they talk about.
LEAST_FOR_CONTRAST = 50
#: Embedded episodes, evenly spread, whose mean stands for the history's.
CONTRAST_SAMPLE = 1_024
#: What is known of an embedder counts beside a history's own mean as so many of its episodes. Ours.
COMMON_ROWS = 50
#: A contrasted cosine from which texts are about the same thing. Ours, a compromise read off `anamnesis bench turns`
#: (half of its languages and the other half give the same figures): up to 0.34 fewer unrelated questions match, one in
#: thirty instead of six, but so do fewer from another language, one in three instead of more than half.
CONTRASTED_MATCH = 0.28
#: A contrasted cosine below which an episode is about something else, so that a word in common is not enough for a
#: question to match at all. Ours: half of what questions about foreign conversations matched by, and 4 of LoCoMo's 760
#: own questions, lies below.
CONTRASTED_APART = 0.2
#: How much is taken away, in the product of question and row, of the direction in which what a named speaker says is
#: unlike what others say: a name in a question brings all that its speaker says nearer, and who speaks is weighed by
#: itself. Ours; some of that direction is what they like to talk about. `anamnesis bench named-speakers` finds more by
#: it in ten languages, as LoCoMo's conversations do; 0.3 to 0.75 find about alike.
SPEAKER_SHARE = np.float32(0.5)


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
        Shape (n,): what sets rows apart, brought to the scale of cosines, by which a question matches at all; plain
        cosines where nothing is known of what texts have in common.
    closeness
        Shape (n,), 0–1, by which episodes are compared; 0 where there is no cosine.
    apart
        Shape (n,), bool: rows that are about something else, as far as meaning tells; none where it cannot.
    frame
        What texts have in common, None where it is not known.
    """

    cosines: FloatRows
    telling: FloatRows
    closeness: FloatRows
    apart: BoolRows
    frame: Frame | None


def meaning(
    history: History,
    query: RecallQuery,
    *,
    known: BoolRows,
    asked: BoolRows,
    spoken: BoolRows,
    scale: CosineScale,
    semantic: Sequence[tuple[int, float]],
    contrast: bool,
) -> Meaning:
    """Compare the question with every asked row.

    Parameters
    ----------
    known, asked
        Shape (n,), bool: rows that exist for this question at all, and those inside its window and focus.
    spoken
        Shape (n,), bool: rows of a speaker whom the question names.
    semantic
        Positions and cosines from an external index; they add to the segments' own vectors.
    contrast
        Compare by what sets a row apart from what texts have in common: the history's mean, and what is known of the
        embedder's texts in general and of how languages differ (see ``common_directions``). Texts that say little
        lie near that mean and so near every question.
    """
    frame = _frame(history, query, known, spoken) if contrast else None
    cosines, contrasted, unnamed = _compared(history, query, frame)
    own = cosines > NO_SIMILARITY
    for position, cosine in semantic:
        rows = history.rows_of(position)
        cosines[rows] = np.maximum(cosines[rows], np.float32(cosine))
    floor = _floor(cosines[known], scale)
    cosines[~asked] = NO_SIMILARITY
    closeness, telling = _scaled(cosines, floor, scale.match), cosines
    apart: BoolRows = np.zeros(len(history), dtype=np.bool_)
    if contrasted is not None and unnamed is not None:
        middle = _middle(unnamed[known & own])
        contrasted[~asked] = unnamed[~asked] = NO_SIMILARITY
        closeness = np.where(own, _scaled(unnamed, middle, CONTRASTED_MATCH), closeness)
        unit = np.float32((scale.match - scale.floor) / CONTRASTED_MATCH)
        moved = np.clip(scale.match + unit * (contrasted - np.float32(CONTRASTED_MATCH)), -1, 1)
        telling = np.where(own & asked, moved, cosines)
        apart = own & (contrasted < CONTRASTED_APART)
    return Meaning(cosines, telling, closeness, apart, frame)


def no_meaning(history: History) -> Meaning:
    """Say nothing of any row."""
    none = np.full(len(history), NO_SIMILARITY, dtype=np.float32)
    return Meaning(none, none, np.zeros_like(none), np.zeros(len(history), dtype=np.bool_), None)


def _compared(
    history: History, query: RecallQuery, frame: Frame | None
) -> tuple[FloatRows, FloatRows | None, FloatRows | None]:
    """Plain cosines, and contrasted ones where enough is known of what texts have in common.

    The last are contrasted as well, without what a named speaker makes of them.
    """
    if query.vector is None:
        return np.full(len(history), NO_SIMILARITY, dtype=np.float32), None, None
    if frame is None:
        return history.cosines(query.vector[None, :], query.embedder)[:, 0], None, None
    asked = frame.asked(_direction(query.vector))
    probes = [query.vector, asked, frame.rows, *([] if frame.speaker is None else [frame.speaker])]
    found = history.cosines(np.vstack(probes), query.embedder)
    spoken = history.standing_cosines(frame.languages, query.embedder)
    length = float(np.linalg.norm(frame.rows))
    towards_mean = found[:, 2] * np.float32(length)
    # What is left of a row when its mean and the languages' directions are taken away, without writing it down.
    languages = spoken - _directions(frame.languages) @ frame.rows
    rest = 1 - 2 * towards_mean + np.float32(length**2) - np.einsum("ij,ij->i", languages, languages)
    unit = _direction(asked)
    dot = found[:, 1] - np.float32(unit @ frame.rows)
    contrasted = unnamed = _quotient(dot, rest)
    if frame.speaker is not None:
        towards = _direction(frame.speaker)
        named, speaks = unit @ towards, found[:, 3] - towards @ frame.rows
        dot -= SPEAKER_SHARE * named * speaks
        rest -= SPEAKER_SHARE * speaks * speaks
        unnamed = _quotient(dot / np.sqrt(1 - SPEAKER_SHARE * named * named), rest)
    return found[:, 0].copy(), contrasted, unnamed


def _quotient(dots: FloatRows, squares: FloatRows) -> FloatRows:
    """Cosines out of dots with a unit vector and squared lengths; 0 for what is the mean itself."""
    lengths = np.sqrt(np.maximum(squares, 0))
    cosines = np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > _NOTHING_APART)
    clipped: FloatRows = np.clip(cosines, -1, 1).astype(np.float32)
    return clipped


@dataclass(frozen=True, slots=True)
class Frame:
    """What is taken away of vectors with d dimensions: means of rows and questions, and languages, shape (k, d).

    Attributes
    ----------
    speaker
        Shape (d,): from what others say to what the speakers say whom the question names, no part of it along the
        languages; None where it names none, or all.
    """

    rows: _Floats
    questions: _Floats
    languages: _Floats
    speaker: _Floats | None = None

    def asked(self, question: _Floats) -> _Floats:
        """What is left of a question's unit vector."""
        return self._beside_languages(question - self.questions)

    def set_apart(self, vectors: _Floats) -> _Floats:
        """What is left of rows' unit vectors, shape (m, d): unit length again, or 0."""
        left = self._beside_languages(vectors - self.rows)
        lengths = np.sqrt(np.einsum("ij,ij->i", left, left))[:, None]
        unit: _Floats = np.zeros_like(left)
        np.divide(left, lengths, out=unit, where=lengths > _NOTHING_APART)
        return unit

    def told_by(self, spoken: _Floats, others: _Floats) -> Frame:
        """Take away of the direction from the mean of what others say to that of what a speaker says."""
        direction: _Floats = self._beside_languages(spoken - others)
        return self if np.linalg.norm(direction) < _NOTHING_APART else replace(self, speaker=direction)

    def _beside_languages(self, vectors: _Floats) -> _Floats:
        along: _Floats = vectors @ self.languages.T
        spoken: _Floats = along @ self.languages
        left: _Floats = vectors - spoken
        return left


def _frame(history: History, query: RecallQuery, known: BoolRows, spoken: BoolRows) -> Frame | None:
    """The mean of the known rows' unit vectors, and of what is known of the embedder as if it were more rows."""
    if query.vector is None or not query.vector.any():
        return None
    rows = np.flatnonzero(known)
    if len(rows) > CONTRAST_SAMPLE:
        rows = rows[np.linspace(0, len(rows) - 1, CONTRAST_SAMPLE).astype(np.int64)]
    by_speaker = [history.unit_vectors(rows[marked[rows]], query.embedder) for marked in (spoken, ~spoken)]
    vectors = np.concatenate([each for each in by_speaker if len(each)] or by_speaker[:1])
    common = common_directions(query.embedder)
    if len(vectors) and vectors.shape[1:] != query.vector.shape:
        return None
    if common is None:
        if len(vectors) < LEAST_FOR_CONTRAST:
            return None
        mean: _Floats = vectors.mean(axis=0)
        if not mean.any():
            return None
        frame = Frame(mean, mean, np.empty((0, len(mean)), dtype=np.float32))
    else:
        own = vectors.sum(axis=0) if len(vectors) else np.zeros_like(common.passages)
        mean = ((own + COMMON_ROWS * common.passages) / (len(vectors) + COMMON_ROWS)).astype(np.float32)
        frame = Frame(mean, common.questions + mean - common.passages, common.languages)
    if min(map(len, by_speaker)) >= LEAST_FOR_CONTRAST:
        return frame.told_by(*(each.mean(axis=0) for each in by_speaker))
    return frame


def _direction(vector: _Floats) -> _Floats:
    """The direction that ``similarities`` compares with, unit length; zero for a vector without one."""
    probe = quantise(vector).astype(np.float32)
    length = np.linalg.norm(probe)
    direction: _Floats = probe / length if length else probe
    return direction


def _directions(vectors: _Floats) -> _Floats:
    return np.array([_direction(vector) for vector in vectors], dtype=np.float32).reshape(vectors.shape)


def _middle(contrasted: FloatRows) -> float:
    """Contrasted cosine that counts as no similarity: the median where there is enough of it, at least 0."""
    return max(median(contrasted), 0.0) if len(contrasted) >= LEAST_FOR_CONTRAST else 0.0


def _floor(cosines: FloatRows, scale: CosineScale) -> float:
    """Cosine that counts as no similarity to this question: the history's median where there is enough of it.

    It stays below the middle between the embedder's floor and its threshold, so that a history about one thing only is
    not measured against itself.
    """
    embedded = cosines[cosines > NO_SIMILARITY]
    if len(embedded) < LEAST_FOR_CONTRAST:
        return scale.floor
    return min(max(median(embedded), scale.floor), scale.middle)


def _scaled(cosines: FloatRows, floor: float, match: float) -> FloatRows:
    """Bring cosines to 0–1: `floor` or below is 0, the best is 1, unless it is no match."""
    top = max(float(cosines.max(initial=NO_SIMILARITY)), match)
    scaled: FloatRows = np.clip((cosines - np.float32(floor)) / np.float32(top - floor), 0, 1)
    return scaled
