"""What changed between two revisions, in the form that people and tools know from git (WU-2)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from anamnesis.domain.wiki.revisions import PageChange

#: Lines shown around a change: git's own number.
CONTEXT: Final = 3
#: Pairs of lines that are compared at most: beyond that a file is shown as taken out and put in. Ours: half a second.
MAX_PAIRS: Final = 4_000_000
_NO_END: Final = "\\ No newline at end of file"


@dataclass(frozen=True, slots=True)
class Diff:
    """A unified diff.

    Attributes
    ----------
    whole
        Whether all of it is there; files that there was no room for are left out.
    """

    text: str
    whole: bool


def unified(changes: Iterable[PageChange], *, most_chars: int) -> Diff:
    """The changes as a unified diff of at most so many characters, whole files at a time."""
    told: list[str] = []
    left = most_chars
    for change in changes:
        text = "".join(f"{line}\n" for line in _file(change))
        if len(text) > left:
            return Diff("".join(told), whole=False)
        told.append(text)
        left -= len(text)
    return Diff("".join(told), whole=True)


def _file(change: PageChange) -> Iterator[str]:
    yield f"diff --git a/{change.path} b/{change.path}"
    if change.before is None:
        yield "new file mode 100644"
    if change.after is None:
        yield "deleted file mode 100644"
    before, after = _lines(change.before or ""), _lines(change.after or "")
    if not before and not after:
        return
    yield "--- /dev/null" if change.before is None else f"--- a/{change.path}"
    yield "+++ /dev/null" if change.after is None else f"+++ b/{change.path}"
    yield from _hunks(before, after)


def _lines(text: str) -> list[str]:
    """Lines as git counts them, by line feeds alone; the last one tells whether it has one."""
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last}\n{_NO_END}"] if last else lines


def _hunks(before: list[str], after: list[str]) -> Iterator[str]:
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    rest = zip(reversed(before[same:]), reversed(after[same:]), strict=False)
    ending = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], rest))
    start, stop = max(0, same - CONTEXT), max(0, ending - CONTEXT)
    one = before[start : len(before) - stop]
    other = after[start : len(after) - stop]
    if len(one) * len(other) > MAX_PAIRS:
        yield f"@@ -{_range(start, len(one))} +{_range(start, len(other))} @@"
        yield from (f"-{line}" for line in one)
        yield from (f"+{line}" for line in other)
        return
    for group in difflib.SequenceMatcher(None, one, other, autojunk=True).get_grouped_opcodes(CONTEXT):
        first, last = group[0], group[-1]
        yield (
            f"@@ -{_range(start + first[1], last[2] - first[1])} +{_range(start + first[3], last[4] - first[3])} @@"
        )
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from (f" {line}" for line in one[i1:i2])
            else:
                yield from (f"-{line}" for line in one[i1:i2])
                yield from (f"+{line}" for line in other[j1:j2])


def _range(start: int, length: int) -> str:
    """Where lines stand, as a hunk says it: from 1, and from the line before when there are none."""
    return f"{start + 1 if length else start},{length}"
