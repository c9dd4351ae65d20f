"""Which differences of two kept results exceed noise: pairwise on the questions that both asked (EV-6).

A change to how files are read changes the map, and with it some questions; the others are still the same ones. Only
where hardly any are, all questions of both are compared as shares.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from anamnesis_tools.bench.improvements.record import Kept
from anamnesis_tools.bench.intervals import SIGNIFICANT, paired, unpaired

_ALL = "all"
#: Shares of a set's questions that the other one must have asked too, for the common ones to stand for it. Ours.
_ENOUGH = 0.5


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure in both results.

    Attributes
    ----------
    of
        Design, or layer left out.
    first, second
        Shares passed.
    gained, lost
        Questions, where these are the same; else None.
    p_value
        McNemar's exact test on the same questions, a z-test on others.
    """

    of: str
    category: str
    questions: tuple[int, int]
    first: float
    second: float
    gained: int | None
    lost: int | None
    p_value: float

    @property
    def exceeds_noise(self) -> bool:
        """Whether the difference is taken for real."""
        return self.p_value < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Compared:
    """Two results side by side.

    Attributes
    ----------
    common
        Questions that both asked, on which they are compared pairwise; 0 where they are compared as shares.
    """

    common: int
    differences: tuple[Difference, ...]


def compared(first: Kept, second: Kept) -> Compared:
    """Compare two results of one evaluation.

    Raises
    ------
    ValueError
        If they are of different evaluations, or of one that keeps no grades by question.
    """
    if first.kind != second.kind:
        raise ValueError(f"a result of {first.kind} and one of {second.kind} are not comparable")
    if not all("grades" in of.figures for of in (first, second)):
        raise ValueError(f"results of {first.kind} keep no grades by question")
    rows = _common_rows(first.figures, second.figures)
    return Compared(len(rows), tuple(_differences(first.figures, second.figures, rows)))


def _common_rows(first: Any, second: Any) -> list[tuple[int, int]]:
    """Return where each question that both asked stands in either; none when those are too few."""
    if first["questions_sha256"] == second["questions_sha256"]:
        return [(row, row) for row in range(len(first["of_category"]))]
    places = {name: row for row, name in enumerate(second.get("question_ids", ()))}
    rows = [(row, places[name]) for row, name in enumerate(first.get("question_ids", ())) if name in places]
    longest = max(len(first["of_category"]), len(second["of_category"]))
    return rows if len(rows) >= _ENOUGH * longest else []


def _differences(first: Any, second: Any, rows: Sequence[tuple[int, int]]) -> Iterator[Difference]:
    categories = [*dict.fromkeys(first["of_category"] + second["of_category"]), _ALL]
    for of in first["grades"]:
        if of not in second["grades"]:
            continue
        for category in categories:
            before: Sequence[bool]
            after: Sequence[bool]
            if rows:
                inside = [(a, b) for a, b in rows if category in {first["of_category"][a], _ALL}]
                before = [first["grades"][of][a] == "1" for a, _ in inside]
                after = [second["grades"][of][b] == "1" for _, b in inside]
            else:
                before, after = (_grades(figures, of, category) for figures in (first, second))
            if before and after:
                yield _difference(of, category, before, after, same=bool(rows))


def _difference(
    of: str, category: str, before: Sequence[bool], after: Sequence[bool], *, same: bool
) -> Difference:
    pair = paired(before, after) if same else None
    return Difference(
        of=of,
        category=category,
        questions=(len(before), len(after)),
        first=sum(before) / len(before),
        second=sum(after) / len(after),
        gained=pair.gained if pair else None,
        lost=pair.lost if pair else None,
        p_value=pair.p_value if pair else unpaired((sum(before), sum(after)), (len(before), len(after))),
    )


def _grades(figures: Any, of: str, category: str) -> Sequence[bool]:
    return [
        grade == "1"
        for grade, name in zip(figures["grades"][of], figures["of_category"], strict=True)
        if category in {name, _ALL}
    ]


def shown(found: Compared, first: Kept, second: Kept, *, as_json: bool) -> None:
    """Print what differs, as a table for people or as JSON."""
    if as_json:
        rows = [{**asdict(one), "exceeds_noise": one.exceeds_noise} for one in found.differences]
        print(json.dumps({"common": found.common, "differences": rows}, indent=1))
        return
    console = Console(width=120)
    table = Table(
        "of", "category", first.commit, second.commit, "gained, lost", "p", "",
        title=f"{first.kind}: {first.taken_at} and {second.taken_at}",
    )  # fmt: skip
    for one in found.differences:
        changed = "" if one.gained is None else f"+{one.gained} −{one.lost}"
        table.add_row(
            one.of, one.category, f"{one.first:.1%}", f"{one.second:.1%}", changed, f"{one.p_value:.2g}",
            "exceeds noise" if one.exceeds_noise else "",
        )  # fmt: skip
    console.print(table)
    told = f"{found.common} questions of both, pairwise" if found.common else "different questions, as shares"
    real = sum(one.exceeds_noise for one in found.differences)
    console.print(
        f"{told}; {real} of {len(found.differences)} differences exceed noise (p < {SIGNIFICANT}; of so many, "
        f"{SIGNIFICANT * len(found.differences):.0f} would by chance alone)."
    )
