"""Which column of a table holds terms, and which what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from anamnesis.domain.extraction.lists import judging
from anamnesis.domain.extraction.lists.cards import asked_for

#: Share of a column's cells that are filled, and that differ: a column of units or of chapters repeats itself.
_FILLED_SHARE, _MOST_COLUMNS = 0.8, 8


def pairs_of(rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """The pair of each row, in order; empty where no two columns are terms and meanings.

    The leftmost column of terms is taken, and the first beside it that says what they mean.
    """
    width = max((len(row) for row in rows), default=0)
    if not 2 <= width <= _MOST_COLUMNS or len(rows) < judging.LEAST_ENTRIES:
        return []
    columns = [[row[at] if at < len(row) else "" for row in rows] for at in range(width)]
    filled = [c for c in columns if sum(1 for cell in c if cell) >= _FILLED_SHARE * len(rows)]
    for check in (_tells_terms, judging.is_list_of_words):
        for at, terms in enumerate(filled):
            for meanings in [*filled[at + 1 :], *(filled[:at] if check is _tells_terms else [])]:
                pairs = list(zip(terms, meanings, strict=True))
                if check([pair for pair in pairs if all(pair)]):
                    return pairs
    return []


def _tells_terms(pairs: Sequence[tuple[str, str]]) -> bool:
    named = [(asked_for(term) or term, meaning) for term, meaning in pairs]
    longer = sum(1 for term, meaning in named if len(meaning) > len(term))
    return 2 * longer > len(named) and judging.is_list_of_terms(named)
