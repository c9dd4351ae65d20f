"""Episodes that are alike: what says about the same, on other occasions, speaks for each other."""

from __future__ import annotations

import numpy as np

from anamnesis.domain.recall.exchanges import Exchanges
from anamnesis.domain.recall.history import FloatRows, History
from anamnesis.domain.recall.meaning import Frame
from anamnesis.domain.recall.selection import largest

#: So many of the best are compared with each other. Ours: what two or three budgets of a block hold.
COMPARED_ROWS = 60
#: Exponent of what two episodes have in common: 0.8 counts sixteen times as much as 0.4. Ours; 3 to 6 find about alike.
LIKENESS_POWER = 4


def alike_signal(
    history: History, exchanges: Exchanges, relevance: FloatRows, frame: Frame | None, embedder: str | None
) -> FloatRows:
    """Mean relevance of the other best rows, each by how much it is like the row; 0 for rows that are none of the best.

    Relevance that is shared by what is alike is less likely a chance match of words (Diaz 2005, "Regularizing Ad Hoc
    Retrieval Scores"; van Rijsbergen's cluster hypothesis). Rows of one exchange and copies of one sentence do not
    count for each other: what stands nearby is weighed apart, and a copy says nothing new.

    Parameters
    ----------
    relevance
        Shape (n,), 0–1.
    frame
        What texts have in common and is no likeness; without it nothing is alike.
    """
    alike = np.zeros_like(relevance)
    if frame is None:
        return alike
    best = history.with_vectors(np.sort(largest(relevance, COMPARED_ROWS, above=0)), embedder)
    if not len(best):
        return alike
    apart = frame.set_apart(history.unit_vectors(best, embedder))
    likeness = np.maximum(apart @ apart.T, 0) ** LIKENESS_POWER
    for same in (exchanges.numbers[best], history.folds[best]):
        likeness[same[:, None] == same] = 0
    total = likeness.sum(axis=1)
    shared = likeness @ relevance[best]
    alike[best] = np.divide(shared, total, out=np.zeros_like(shared), where=total > 0)
    return alike
