"""Episodes that follow each other closely: what is said right before and after belongs to what is said."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anamnesis.domain.log.episodes import EXCHANGE_SECONDS
from anamnesis.domain.recall.history import BoolRows, FloatRows, History, RowNumbers


@dataclass(frozen=True, slots=True)
class Exchanges:
    """A history of n rows as runs of rows that follow each other.

    Attributes
    ----------
    together
        Shape (max(n - 1, 0),): whether the next row follows this one within an exchange.
    starts
        Shape (e,): first row of each exchange, ascending.
    numbers
        Shape (n,): the exchange of each row.
    """

    together: BoolRows
    starts: RowNumbers
    numbers: RowNumbers

    @classmethod
    def of(cls, history: History) -> Exchanges:
        """Find a history's exchanges: consecutive positions, each within ``EXCHANGE_SECONDS`` of the one before."""
        together: BoolRows = np.abs(np.diff(history.occurred)) <= EXCHANGE_SECONDS
        together &= np.diff(history.positions) == 1
        begins = np.concatenate([np.ones(min(len(history), 1), dtype=np.bool_), ~together])
        return cls(together, np.flatnonzero(begins), np.cumsum(begins) - 1)

    def __len__(self) -> int:
        return len(self.numbers)

    def beside(self, values: FloatRows) -> FloatRows:
        """Return the larger of the values right before and right after in the same exchange; 0 where there is none."""
        best = np.zeros_like(values)
        best[1:] = np.where(self.together, values[:-1], np.float32(0))
        best[:-1] = np.maximum(best[:-1], np.where(self.together, values[1:], np.float32(0)))
        return best

    def mean_near(self, values: FloatRows, reach: int) -> FloatRows:
        """Return the mean of the values at most `reach` rows away in the same exchange, its own included."""
        size = len(self)
        total, count = values.copy(), np.ones(size, dtype=np.float32)
        for back in (True, False):
            near: FloatRows = values
            there: FloatRows = np.ones(size, dtype=np.float32)
            for _ in range(reach):
                near, there = self._moved(near, back=back), self._moved(there, back=back)
                total += near
                count += there
        mean: FloatRows = total / count
        return mean

    def _moved(self, values: FloatRows, *, back: bool) -> FloatRows:
        """Give each row the value of the row before it (or after it), 0 where that belongs to another exchange."""
        moved = np.zeros_like(values)
        if back:
            np.multiply(values[:-1], self.together, out=moved[1:])
        else:
            np.multiply(values[1:], self.together, out=moved[:-1])
        return moved

    def best(self, values: FloatRows) -> FloatRows:
        """Return the largest value of each row's exchange."""
        if not len(values):
            return values
        largest: FloatRows = np.maximum.reduceat(values, self.starts)[self.numbers]
        return largest

    def near(self, rows: RowNumbers, reach: int) -> BoolRows:
        """Mark the rows that are at most `reach` rows from one of `rows` in the same exchange, these included."""
        marked: BoolRows = np.zeros(len(self), dtype=np.bool_)
        marked[rows] = True
        reached = marked.copy()
        for _ in range(reach):
            reached[1:] |= reached[:-1] & self.together
        for _ in range(reach):
            marked[:-1] |= marked[1:] & self.together
        marked |= reached
        return marked

    def other_halves(self, history: History, matched: BoolRows) -> BoolRows:
        """Mark answers right after a matching question, and questions right before a matching answer."""
        halves = np.zeros_like(matched)
        if len(matched) < 2:
            return halves
        pair: npt.NDArray[np.bool_] = (
            self.together & history.is_kind("question")[:-1] & history.is_kind("answer")[1:]
        )
        halves[1:] |= pair & matched[:-1]
        halves[:-1] |= pair & matched[1:]
        return halves
