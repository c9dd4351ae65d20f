"""An index of the whole wiki within a budget of tokens, for an agent's first message (WU-1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.text.one_line import one_line
from anamnesis.domain.text.tokens import estimate_tokens
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.slugs import slug
from anamnesis.domain.wiki.writing.index_pages import (
    MAX_STATE_CHARS,
    IndexEntry,
    by_importance,
    entries_of,
    group_order,
)
from anamnesis.domain.wiki.writing.wording import counted

#: Smallest budget that ``index_within`` takes, in tokens.
MIN_INDEX_TOKENS: Final = 100
#: No line costs less.
_LEAST_LINE_TOKENS: Final = 6


def index_within(tree: Tree, budget_tokens: int) -> str:
    """An index of the wiki for an agent's first message, within a budget in any script (WU-1).

    Parameters
    ----------
    tree
        The whole wiki, or its pages without transcripts, which no index lists.
    budget_tokens
        At least ``MIN_INDEX_TOKENS``; counted as the memory block's is (``estimate_tokens``).

    Raises
    ------
    InvalidInput
        If the budget is smaller; names ``budget_tokens``.
    """
    if budget_tokens < MIN_INDEX_TOKENS:
        raise InvalidInput(f"must be at least {MIN_INDEX_TOKENS}", field="budget_tokens")
    entries = entries_of(tree)
    left = budget_tokens - estimate_tokens(_told([], len(entries), len(entries))) - 2
    chosen: list[tuple[IndexEntry, str]] = []
    folders: set[str] = set()
    for entry in by_importance(entries):
        heading = 0 if entry.folder in folders else estimate_tokens(_folder_heading(entry)) + 1
        for line in _short_lines(entry):
            cost = estimate_tokens(line) + 1 + heading
            if cost <= left:
                left -= cost
                folders.add(entry.folder)
                chosen.append((entry, line))
                break
        if left < _LEAST_LINE_TOKENS:
            break
    while estimate_tokens(text := _told(chosen, len(entries) - len(chosen), len(entries))) > budget_tokens:
        chosen.pop()
    return text


def _told(chosen: Sequence[tuple[IndexEntry, str]], left: int, total: int) -> str:
    lines = [f"INDEX OF THIS STUDENT'S MEMORY ({counted(total, 'page')}, names without .md)"]
    folders: dict[str, list[tuple[IndexEntry, str]]] = {}
    for entry, line in chosen:
        folders.setdefault(entry.folder, []).append((entry, line))
    for of_folder in sorted(folders.values(), key=lambda f: (group_order(f[0][0].group)[1:], f[0][0].folder)):
        lines.append(_folder_heading(of_folder[0][0]))
        lines += [line for _, line in sorted(of_folder, key=lambda each: each[0].order)]
    if left:
        lines.append(f"Left out: {counted(left, 'page')}; all in knowledge/index.md")
    return "\n".join(lines)


def _folder_heading(entry: IndexEntry) -> str:
    return f"{entry.folder}/"


def _short_lines(entry: IndexEntry) -> Iterator[str]:
    """A page's line for a small budget, the longest form first: with its state and day, and less and less of them."""
    name = entry.path.removeprefix(f"{entry.folder}/")
    title = "" if slug(entry.title) == name else f" {entry.title}"
    day = f" ({entry.updated.isoformat()})"
    if entry.state:
        yield f"- {name}:{title and title + ':'} {entry.state}{day}"
        yield f"- {name}: {one_line(entry.state, most=MAX_STATE_CHARS // 2)}"
    yield f"- {name}{title and ':' + title}"
    if title:
        yield f"- {name}"
