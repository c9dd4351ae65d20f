"""Walks over commits: all of them, and those that changed a path."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence

from anamnesis.adapters.git.snapshots import Snapshot


def newest_first(snapshot: Snapshot, head: str) -> Iterator[str]:
    """Every commit that `head` builds on, itself first, each before its parents, else the newest first."""
    children: Counter[str] = Counter()
    todo, seen = [head], {head}
    while todo:
        for parent in set(snapshot.links(todo.pop()).parents):
            children[parent] += 1
            if parent not in seen:
                seen.add(parent)
                todo.append(parent)
    # The second number keeps the order of parents among commits of one second.
    ready = [(0, 0, head)]
    number = 0
    while ready:
        _, _, commit = heapq.heappop(ready)
        yield commit
        for parent in dict.fromkeys(snapshot.links(commit).parents):
            children[parent] -= 1
            if not children[parent]:
                number += 1
                heapq.heappush(ready, (-snapshot.links(parent).time, number, parent))


def that_changed(snapshot: Snapshot, commits: Iterator[str], path: str) -> Iterator[str]:
    """Those of the commits in which a file or folder differs from what it is in each of their parents."""
    found: dict[str, str | None] = {}

    def at(commit: str) -> str | None:
        tree = snapshot.root(commit)
        if tree not in found:
            entry = snapshot.entry(tree, path)
            found[tree] = None if entry is None else entry.id
        return found[tree]

    for commit in commits:
        parents: Sequence[str] = snapshot.links(commit).parents
        if all(at(parent) != at(commit) for parent in parents) and (parents or at(commit) is not None):
            yield commit
