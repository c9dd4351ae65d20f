"""What a wiki costs whose syntheses a language model writes: requests, tokens, money, our own time (WD-3).

The model is a stand-in in this process that answers at once: it repeats the first lines of the page that it is shown,
with their addresses; on every fourth page it invents a sentence first, so that a correction follows, and on every third
it reads evidence first. Everything else is what runs on AWS: the deterministic tree, prompts, threads, tools, gates.
Tokens are counted by our upper estimate of them, of every request with all that it says again. The evidence is that of
``bench wiki``.
"""

from __future__ import annotations

import json
import re
import threading
import time
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from anamnesis.domain.text.tokens import estimate_tokens
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.gates.lines import PLACE, take_apart
from anamnesis.domain.wiki.page_format import RELATED, read
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.revisions import delta
from anamnesis.offline import model_wiki_writer
from anamnesis_tools.bench.wiki.writer import NEW_SESSIONS, evidence_of

#: Sentences that the stand-in writes, and the longest line that it repeats, in characters.
_SENTENCES: Final = 5
_LONGEST: Final = 300
_CORRECTED_EACH: Final = 4
_READS_EACH: Final = 3
_PAGE: Final = re.compile(r'Your page is "([^"]+)".*?\nFENCE ([0-9a-f]{24})\n(.*?)\nFENCE \2\n', re.DOTALL)


@dataclass(frozen=True, slots=True)
class CompileCost:
    """One compile.

    Attributes
    ----------
    pages
        That the model was asked about.
    written
        Of these, pages that got a synthesis.
    changed
        Files that differ from the tree before.
    usd
        By the prices given.
    own_seconds
        Processor time of writing the tree with a model that answers at once, gates of its pages included.
    """

    compile: str
    pages: int
    written: int
    requests: int
    input_tokens: int
    output_tokens: int
    usd: float
    own_seconds: float
    changed: int


@dataclass
class StandIn:
    """Answers like a client of Converse, and counts the tokens of what is said both ways."""

    asked: int = 0
    answered: int = 0
    requests: int = 0
    pages: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def converse(self, **request: Any) -> dict[str, Any]:
        """Repeat lines of the page, on some pages after something else."""
        said = json.dumps([request["system"], request["messages"], request["toolConfig"]], ensure_ascii=False)
        first = request["messages"][0]["content"][0]["text"]
        found = _PAGE.match(first)
        path, text = (found[1], found[3]) if found else ("", "")
        with self._lock:
            if path not in self.pages:
                self.pages.add(path)
            number = sum(map(ord, path))
        round_ = len(request["messages"]) // 2
        name, given = self._act(path, text, number, round_)
        with self._lock:
            self.requests += 1
            self.asked += estimate_tokens(said)
            self.answered += estimate_tokens(json.dumps(given, ensure_ascii=False))
        use = {"toolUseId": f"t{round_}", "name": name, "input": given}
        return {
            "output": {"message": {"role": "assistant", "content": [{"toolUse": use}]}},
            "stopReason": "tool_use",
        }

    def _act(self, path: str, text: str, number: int, round_: int) -> tuple[str, dict[str, Any]]:
        sentences = _lines(path, text)
        if not sentences:
            return "finish", {}
        reads, invents = number % _READS_EACH == 0, number % _CORRECTED_EACH == 0
        if reads and round_ == 0:
            return "read_evidence", {"address": sentences[0]["cites"][0]}
        if invents and round_ == int(reads):
            lie = {"text": "The student won medals at chess olympiads.", "cites": sentences[0]["cites"]}
            sentences = [*sentences[:-1], lie]
        return "write_synthesis", {"path": path, "sentences": sentences}


def _lines(path: str, text: str) -> list[dict[str, Any]]:
    """What a page says first, with addresses."""
    page = read(path, text)
    found = []
    for line in page.lines:
        if line.section == RELATED or line.text.startswith("#"):
            continue
        for said, numbers in take_apart(line.text).claims:
            cites = [str(page.references[int(n)]) for n in numbers if page.references.get(int(n))]
            # A sentence alone: what quotes several is not one.
            if cites and len(said) <= _LONGEST and PLACE not in said and said.count(".") <= 1:
                found.append({"text": said, "cites": cites[:3]})
    return found[:_SENTENCES]


def measure(sessions: int, concepts: int, usd_in: float, usd_out: float) -> list[CompileCost]:
    """Compile for the first time, go on until every page was asked about, then two nights.

    Parameters
    ----------
    usd_in, usd_out
        Prices of a million tokens of input and output.
    """
    before, whole = evidence_of(sessions, concepts)
    prices = (usd_in, usd_out)
    tree: Tree = {}
    costs = []
    for name, known, bound in (
        ("the first", before, None),
        ("later ones, until no page waits", before, 100_000),
        (f"a night with {NEW_SESSIONS} new sessions", whole, None),
        ("what it left waiting", whole, 100_000),
        ("a night with nothing new", whole, None),
    ):
        cost, tree = _compiled(name, known, tree, bound, prices)
        costs.append(cost)
    return costs


def _compiled(
    name: str, evidence: WikiEvidence, current: Tree, bound: int | None, prices: tuple[float, float]
) -> tuple[CompileCost, Tree]:
    model = StandIn()
    bounds = {} if bound is None else {"max_pages": bound, "max_tokens": 10**9}
    begun = time.process_time()
    tree = model_wiki_writer(model, **bounds).write(evidence, current)
    seconds = time.process_time() - begun
    return (
        CompileCost(
            compile=name,
            pages=len(model.pages),
            written=sum("\n## Current synthesis\n" in tree[path] for path in model.pages),
            requests=model.requests,
            input_tokens=model.asked,
            output_tokens=model.answered,
            usd=(model.asked * prices[0] + model.answered * prices[1]) / 1e6,
            own_seconds=seconds,
            changed=len(delta(current, tree).written),
        ),
        tree,
    )


def shown(costs: list[CompileCost], *, as_json: bool) -> None:
    """Print the figures, as a table for people or as JSON."""
    if as_json:
        print(json.dumps([asdict(cost) for cost in costs], indent=1))
        return
    table = Table(
        "compile", "pages asked", "written", "requests", "tokens in", "tokens out", "USD", "own CPU s", "files changed",
        title="A wiki with a language model (a stand-in that answers at once)",
    )  # fmt: skip
    for c in costs:
        counts = (f"{n:,}" for n in (c.pages, c.written, c.requests, c.input_tokens, c.output_tokens))
        table.add_row(c.compile, *counts, f"{c.usd:.2f}", f"{c.own_seconds:.1f}", f"{c.changed:,}")
    console = Console(width=140)
    console.print(table)
    asked = sum(c.pages for c in costs)
    if asked:
        tokens = [sum(getattr(c, name) for c in costs) / asked for name in ("input_tokens", "output_tokens")]
        console.print(
            f"USD = (tokens in x price in + tokens out x price out) / 1,000,000; a page takes {tokens[0]:,.0f} tokens "
            f"in and {tokens[1]:,.0f} out on average."
        )
