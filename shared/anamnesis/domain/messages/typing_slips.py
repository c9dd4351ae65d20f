"""Mistyped cue words: "remeber that", "rember that"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anamnesis.domain.text.folding import FoldedText

#: How far into a sentence a cue word is looked for, in folded characters. Ours.
_HEAD = 60
#: Shortest word that may be mistyped once, and twice. Ours: shorter words have too many neighbours.
_MIN_ONCE, _MIN_TWICE = 6, 8
#: Letters at a word's end that must be right: endings tell "remember!" from "I remember" in most languages.
_ENDING = 2
_WORD = re.compile(r"\w+")


def retyped(fold: FoldedText, verbs: Sequence[str], openers: Sequence[str]) -> FoldedText:
    """`fold` with mistyped cue words near its beginning put right; quoting it still gives what was written.

    Parameters
    ----------
    verbs
        Words whose endings mean something: "remember", not "remembers".
    openers
        Words without endings: "please".
    """
    known = {*verbs, *openers}
    for word in reversed(list(_WORD.finditer(fold.text, 0, _HEAD))):
        found = word.group()
        if found in known:
            continue
        meant = next((verb for verb in verbs if _slipped(found, verb, _ENDING)), None)
        meant = meant or next((opener for opener in openers if _slipped(found, opener, 0)), None)
        if meant is not None:
            fold = _replaced(fold, word.start(), word.end(), meant)
    return fold


def _replaced(fold: FoldedText, start: int, end: int, meant: str) -> FoldedText:
    first, last = fold.starts[start], fold.ends[end - 1]
    return FoldedText(
        original=fold.original,
        text=fold.text[:start] + meant + fold.text[end:],
        starts=(*fold.starts[:start], *(first,) * len(meant), *fold.starts[end:]),
        ends=(*fold.ends[:start], *(last,) * len(meant), *fold.ends[end:]),
    )


def _slipped(found: str, verb: str, ending: int) -> bool:
    allowed = 2 if len(verb) >= _MIN_TWICE else 1
    if len(verb) < _MIN_ONCE or abs(len(found) - len(verb)) > allowed:
        return False
    if found[:1] != verb[:1] or found[len(found) - ending :] != verb[len(verb) - ending :]:
        return False
    return _distance(found, verb) <= allowed


def _distance(one: str, other: str) -> int:
    """Letters left out, put in, changed, or swapped with a neighbour (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]
