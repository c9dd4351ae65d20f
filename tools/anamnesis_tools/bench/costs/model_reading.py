"""What reading a book with a language model costs: requests, tokens, money, and time and memory of our own code (CM-1).

The model is a stand-in in this process that answers at once from the pages it is shown: as many concepts as it may,
each of another page, and in each fourth part a heading too, so that a correction follows. Everything else is what
runs on AWS: parts, prompts, threads, validation, evidence on pages, merging. Tokens are counted by our upper estimate
of them. The books are made up, of words that are none (Latin ones: of our own explanations of physics and geometry),
in scripts whose tokens differ.
"""

from __future__ import annotations

import json
import re
import time
import tracemalloc
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from anamnesis.domain.concepts.validation import validate
from anamnesis.domain.files import Document, Page
from anamnesis.domain.text.tokens import estimate_tokens
from anamnesis.offline import concept_reader, file_reader, model_concept_reader
from anamnesis_tools.bench.files.prerequisites import own_texts

#: Pages and characters of a page: a textbook, a textbook in other scripts, and the most that is read of any file.
BOOKS = {
    "600 pages, Latin": ("latin", 600, 3_000),
    "600 pages, Devanagari": ("devanagari", 600, 3_000),
    "600 pages, Han": ("han", 600, 1_500),
    "the limit, Latin": ("latin", 2_000, 2_500),
}
#: Syllables of names and words, what stands between words, what ends a sentence.
_SYLLABLES = {
    "latin": (
        ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo"),
        " ",
        ". ",
    ),
    "devanagari": (("का", "मी", "सु", "ने", "रो", "त", "पि", "लू", "दे", "हो", "बा", "नी", "कु", "वे"), " ", "। "),
    "han": (tuple("水火山木金土日月田力气电光波热酸"), "", "。"),
}
_SECONDS_A_CALL = 30.0
_AT_ONCE = 6
_CORRECTED_EACH = 4


@dataclass(frozen=True, slots=True)
class ReadingCost:
    """One book.

    Attributes
    ----------
    own_seconds
        Wall time with a model that answers at once.
    peak_mb
        Most memory that the reading held at a time beyond the book itself, in megabytes.
    usd
        By the prices given.
    expected_seconds
        With a model that takes half a minute for each call, six at once.
    """

    book: str
    characters: int
    requests: int
    input_tokens: int
    output_tokens: int
    usd: float
    own_seconds: float
    peak_mb: float
    expected_seconds: float
    concepts: int
    tenths: int


@dataclass
class StandIn:
    """Answers like a client of Converse; keeps, if it is told to, what was said both ways, to count it afterwards."""

    names: dict[int, str]
    keeps: bool = True
    asked: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)

    def converse(self, **request: Any) -> dict[str, Any]:
        """Record the concept of every page that is shown."""
        text = request["messages"][0]["content"][0]["text"]
        pages = [int(page) for page in re.findall(r"^\[page (\d+) [0-9a-f]{24}\]$", text, re.MULTILINE)]
        schema = request["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"]
        most = min(len(pages), schema["properties"]["concepts"]["maxItems"])
        concepts = [self._concept(pages[at * len(pages) // most]) for at in range(most)]
        part = re.search(r"This is part (\d+) of", text)
        if len(request["messages"]) == 1 and part and int(part[1]) % _CORRECTED_EACH == 0:
            concepts[-1]["name"] = "Exercises"
        if self.keeps:
            later = json.dumps([request["messages"][1:], request["toolConfig"]], ensure_ascii=False)
            self.asked += [text, later, request["system"][0]["text"]]
            self.answered.append(json.dumps(concepts, ensure_ascii=False))
        use = {"toolUseId": "t", "name": "record_concepts", "input": {"concepts": concepts}}
        return {
            "output": {"message": {"role": "assistant", "content": [{"toolUse": use}]}},
            "stopReason": "tool_use",
        }

    def _concept(self, page: int) -> dict[str, Any]:
        name = self.names[page]
        # As long as answers of models are: a sentence, two sentences.
        said = {"gist": " ".join([name] * 8), "definition": " ".join([name] * 20)}
        return {"name": name, **said, "builds_on": [], "assumed": [], "pages": [page]}


def measure(usd_in: float, usd_out: float) -> list[ReadingCost]:
    """Read every book.

    Parameters
    ----------
    usd_in, usd_out
        Prices of a million tokens of input and output.
    """
    return [cost(book, *shape, usd_in, usd_out) for book, shape in BOOKS.items()]


def book_of(script: str, pages: int, chars: int) -> tuple[Document, dict[int, str]]:
    """A made-up book that explains one thing on each page, and the names of these things by page."""
    syllables, gap, stop = _SYLLABLES[script]
    names, made = {}, []
    told = [text for domain in ("physics", "geometry") for text in own_texts(domain).values()]
    for number in range(1, pages + 1):
        words = [_word(number * 7_919 + i * 104_729, syllables) for i in range(chars // 5)]
        names[number] = _word(number, syllables, length=5)
        sentences = [gap.join(words[i : i + 9]) for i in range(0, len(words), 9)]
        if script == "latin":
            sentences = [told[(number * 31 + i) % len(told)].rstrip(".") for i in range(chars // 60)]
        text = f"{names[number]}{gap or stop}" + stop.join(sentences)
        made.append(Page(number, text[:chars]))
    return Document("application/pdf", tuple(made)), names


def _word(number: int, syllables: Sequence[str], *, length: int = 3) -> str:
    word = ""
    for _ in range(length):
        number, syllable = divmod(number, len(syllables))
        word += syllables[syllable]
    return word


def cost(book: str, script: str, pages: int, chars: int, usd_in: float, usd_out: float) -> ReadingCost:
    """Read one book; parameters as for ``book_of`` and ``measure``."""
    document, names = book_of(script, pages, chars)
    begun = time.perf_counter()
    model = StandIn(names)
    extraction = model_concept_reader(model).read(document, file_name="book.pdf")
    seconds = time.perf_counter() - begun
    # Apart, because tracing slows everything down.
    tracemalloc.start()
    model_concept_reader(StandIn(names, keeps=False)).read(document, file_name="book.pdf")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    tokens_in, tokens_out = (sum(map(estimate_tokens, said)) for said in (model.asked, model.answered))
    requests = extraction.use.requests
    return ReadingCost(
        book=book,
        characters=sum(len(page.text) for page in document.pages),
        requests=requests,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        usd=(tokens_in * usd_in + tokens_out * usd_out) / 1e6,
        own_seconds=seconds,
        peak_mb=peak / 1e6,
        expected_seconds=-(-requests // _AT_ONCE) * _SECONDS_A_CALL,
        concepts=len(extraction.concepts),
        tenths=len({(c.pages[0] - 1) * 10 // pages for c in extraction.concepts}),
    )


def shown(costs: list[ReadingCost], *, as_json: bool) -> None:
    """Print the figures, as a table for people or as JSON."""
    if as_json:
        print(json.dumps([asdict(cost) for cost in costs], indent=1))
        return
    columns = (
        "characters",
        "requests",
        "tokens in",
        "tokens out",
        "USD",
        "own s",
        "peak MB",
        "30 s a call",
        "concepts",
    )
    table = Table(
        "book",
        *columns,
        "tenths with one",
        title="Reading with a language model (a stand-in that answers at once)",
    )
    for c in costs:
        counts = (f"{n:,}" for n in (c.characters, c.requests, c.input_tokens, c.output_tokens))
        figures = (f"{c.usd:.2f}", f"{c.own_seconds:.1f}", f"{c.peak_mb:.0f}", f"{c.expected_seconds:.0f} s")
        table.add_row(c.book, *counts, *figures, str(c.concepts), f"{c.tenths} of 10")
    Console(width=150).print(table)


def shown_evidence(folder: Path) -> None:
    """Print how the check of cited pages judges the offline reader's concepts, on their own pages and on others.

    Parameters
    ----------
    folder
        Chapters in Markdown; a section is a page. The other page is the one half a chapter away.
    """
    table = Table(
        "chapter", "concepts", "kept on their pages", "refused on another page", title="Evidence on pages"
    )
    for path in sorted(folder.glob("*.md")):
        document = file_reader().read(path.read_bytes(), declared_media_type="text/markdown")
        found = concept_reader().read(document, file_name=path.name).concepts
        count = len(document.pages)
        away = [replace(c, pages=((c.pages[0] + count // 2 - 1) % count + 1,)) for c in found]
        moved = [other for c, other in zip(found, away, strict=True) if other.pages[0] not in c.pages]
        kept, wrong = (len(validate(c, page_count=count, pages=document.pages)[0]) for c in (found, moved))
        table.add_row(path.name, str(len(found)), str(kept), f"{len(moved) - wrong} of {len(moved)}")
    Console(width=120).print(table)
