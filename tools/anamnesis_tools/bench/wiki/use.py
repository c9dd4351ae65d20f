"""What the wiki adds to recall, on the same questions and states, within the same tokens (EV-8).

LoCoMo's conversations (``recall.locomo_format``) are compiled into wikis by the deterministic writer. A scripted
explorer, which has nothing but the tools of a checkout, looks for each question's evidence: it reads the index,
searches pages, reads the lines that it finds, follows their citations into the transcripts, and greps these. A turn of
the evidence is touched when a line that cites it, or the turn itself, was read within the budget, at four characters a
token. Beside it: recall alone, and recall with what is left of the budget given to the explorer.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis.domain.recall import FITTED
from anamnesis.domain.wiki.finding.search import Corpus
from anamnesis.domain.wiki.finding.written_turns import is_transcript, turns_in
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import SESSIONS, Tree
from anamnesis.domain.wiki.writing.index_within import index_within
from anamnesis.ports import Embedder
from anamnesis_tools.bench.intervals import bootstrapped
from anamnesis_tools.bench.recall.locomo_format import Question, conversations
from anamnesis_tools.bench.recall.rankers import rankers
from anamnesis_tools.bench.said_episodes import wiki_of

BUDGETS_TOKENS: Final = (800, 1_500, 4_000)
#: Of the budget, what the index takes when it is put into the first message.
INDEX_TOKENS: Final = 300
#: Of the budget, what recall has when the wiki comes after it.
RECALL_SHARE: Final = 0.5
_PAGES, _TURNS = 12, 60
_CHARS_PER_TOKEN: Final = 4
_EPISODE: Final = re.compile(r"^`episode://[^/]+/(\d+)`$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WikiUse:
    """What each way to look found.

    Attributes
    ----------
    touched
        By way, then budget in tokens: mean share of a question's evidence that was touched.
    by_category
        By way, then category, at the middle budget.
    gain
        Recall with the wiki behind it less recall alone at the middle budget: mean, and its 95 % interval.
    """

    questions: int
    pages: int
    touched: Mapping[str, Mapping[int, float]]
    by_category: Mapping[str, Mapping[int, float]]
    gain: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn of a transcript: its address, its text with heading, and its row in the history."""

    address: str
    text: str
    row: int


class _Wiki:
    """A compiled wiki as the explorer sees it."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.pages = {
            path: text for path, text in tree.items() if not is_transcript(path) and "index" not in path
        }
        self.turns = {
            turn.address: turn for path in tree if is_transcript(path) for turn in _turns(tree[path])
        }
        self.row_of = {address: turn.row for address, turn in self.turns.items()}
        self._by_turn = {f"{SESSIONS}/{number}.md": turn for number, turn in enumerate(self.turns.values())}
        self.index = (_tokens(index_within(tree, INDEX_TOKENS)), frozenset[int]())
        self._pages = Corpus(self.pages)
        self._turn_texts = Corpus({path: turn.text for path, turn in self._by_turn.items()})

    def reading(self, question: str) -> Iterator[tuple[int, frozenset[int]]]:
        """Yield what the explorer reads, piece by piece: its tokens, and the rows that it touches."""
        hits = self._pages.search(question, limit=_PAGES)
        grepped = [self._by_turn[path] for path in self._turn_texts.ranked(question, limit=_TURNS)]
        opened: set[int] = set()
        # Pages and transcripts in turn: what a page cites first, then what the words themselves lead to.
        for place in range(max(len(hits), len(grepped))):
            if place < len(hits):
                yield from self._page(hits[place].path, [p.line for p in hits[place].passages], opened)
            for turn in grepped[place * 2 : place * 2 + 2]:
                yield from self._open(turn, opened)

    def _page(
        self, path: str, lines: Sequence[int], opened: set[int]
    ) -> Iterator[tuple[int, frozenset[int]]]:
        page = read(path, self.tree[path])
        for line in page.lines:
            if line.number not in lines:
                continue
            cited = [str(page.references.get(int(n))) for n in line.citations if n.isdecimal()]
            rows = frozenset(self.row_of[address] for address in cited if address in self.row_of)
            yield _tokens(line.text), rows
            for address in cited:
                if address in self.turns:
                    yield from self._open(self.turns[address], opened)

    @staticmethod
    def _open(turn: _Turn, opened: set[int]) -> Iterator[tuple[int, frozenset[int]]]:
        if turn.row not in opened:
            opened.add(turn.row)
            yield _tokens(turn.text), frozenset({turn.row})


def measure(path: Path, embedder: Embedder) -> WikiUse:
    """Ask every question of a LoCoMo file in every way."""
    ranked = rankers(embedder)[FITTED.name]
    shares: dict[str, dict[int, list[float]]] = {}
    categories: list[int] = []
    pages = 0
    for conversation in conversations(path, embedder):
        wiki = _Wiki(wiki_of(conversation.episodes))
        pages += len(wiki.tree)
        for question in conversation.questions:
            categories.append(question.category)
            rows = ranked(conversation.segment, question.query).tolist()
            recalled = [(int(conversation.costs[row]), frozenset({row})) for row in rows]
            alone = list(wiki.reading(question.text))
            for budget in BUDGETS_TOKENS:
                ways = {
                    "recall": recalled,
                    "wiki": alone,
                    "wiki, index prefilled": [wiki.index, *alone],
                    "recall, then wiki": _both(recalled, alone, budget),
                }
                for name, pieces in ways.items():
                    shares.setdefault(name, {}).setdefault(budget, []).append(
                        _touched(pieces, budget, question)
                    )
    return _summed(shares, categories, pages)


def _turns(text: str) -> Iterator[_Turn]:
    for turn in turns_in(text):
        episode = _EPISODE.search(turn.text)
        if episode is not None:
            yield _Turn(turn.address, turn.text, int(episode[1]) - 1)


def _both(
    recalled: Sequence[tuple[int, frozenset[int]]], alone: Sequence[tuple[int, frozenset[int]]], budget: int
) -> list[tuple[int, frozenset[int]]]:
    """Recall for its share of the budget, then what the explorer reads that is new."""
    kept, spent = [], 0
    for cost, rows in recalled:
        spent += cost
        if spent > budget * RECALL_SHARE:
            break
        kept.append((cost, rows))
    known = {row for _, rows in kept for row in rows}
    return [*kept, *((cost, rows) for cost, rows in alone if not rows or not rows <= known)]


def _touched(pieces: Sequence[tuple[int, frozenset[int]]], budget: int, question: Question) -> float:
    spent = 0
    rows: set[int] = set()
    for cost, found in pieces:
        spent += cost
        if spent > budget:
            break
        rows |= found
    return len(question.evidence & rows) / len(question.evidence)


def _tokens(text: str) -> int:
    return math.ceil(len(text) / _CHARS_PER_TOKEN)


def _summed(shares: Mapping[str, Mapping[int, list[float]]], categories: list[int], pages: int) -> WikiUse:
    middle = BUDGETS_TOKENS[len(BUDGETS_TOKENS) // 2]
    of = {name: np.array(by_budget[middle]) for name, by_budget in shares.items()}
    kinds = np.array(categories)
    return WikiUse(
        questions=len(categories),
        pages=pages,
        touched={
            name: {budget: float(np.mean(found)) for budget, found in by_budget.items()}
            for name, by_budget in shares.items()
        },
        by_category={
            name: {int(kind): float(rows[kinds == kind].mean()) for kind in sorted(set(categories))}
            for name, rows in of.items()
        },
        gain=bootstrapped(of["recall, then wiki"] - of["recall"]),
    )


def shown(found: WikiUse, *, as_json: bool) -> None:
    """Print the shares, as a table for people or as JSON."""
    if as_json:
        print(json.dumps(asdict(found), indent=1))
        return
    console = Console(width=120)
    middle = BUDGETS_TOKENS[len(BUDGETS_TOKENS) // 2]
    kinds = sorted(next(iter(found.by_category.values()), {}))
    table = Table(
        "Evidence touched",
        *(f"{budget:,} tok" for budget in BUDGETS_TOKENS),
        *(f"category {kind}, {middle:,}" for kind in kinds),
    )
    for name, by_budget in found.touched.items():
        by_kind = found.by_category[name]
        table.add_row(
            name,
            *(f"{by_budget[budget]:.3f}" for budget in BUDGETS_TOKENS),
            *(f"{by_kind[kind]:.3f}" for kind in kinds),
        )
    console.print(table)
    mean, low, high = found.gain
    verdict = "adds" if low > 0 else "takes away" if high < 0 else "adds nothing that exceeds noise:"
    console.print(
        f"{found.questions} questions, {found.pages} files. Behind recall, at {middle:,} tokens, the wiki {verdict}"
        f" {mean:+.3f} ({low:+.3f} to {high:+.3f})."
    )
