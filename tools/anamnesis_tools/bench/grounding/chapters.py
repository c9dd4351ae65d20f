"""Trials made of textbook chapters: sentences as they are or cut and reordered, and the same with something planted."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from anamnesis.domain.files import Page
from anamnesis.domain.text.sentences import Shape, sentences

#: Sentences of each kind from each chapter, and the seed that picks them: the same at every run.
EACH, SEED = 25, 20260921
#: Lines of a chapter that make a page of it.
PAGE_LINES = 60
_DENIED = {
    "en": (r"\b(is|are|was|were|can|will)\b", r"\1 not"),
    "es": (r"\b(es|son|puede|pueden|tiene|tienen|fue)\b", r"no \1"),
    "pl": (r"\b(jest|są|może|mogą|ma|mają|był|była)\b", r"nie \1"),
}
_NOT = {
    "en": r"n[o']t\b|\bno\b|never|without",
    "es": r"\bno\b|\bni\b|nunca|sin\b",
    "pl": r"\bnie\b|\bani\b|nigdy|\bbez\b",
}
_YEAR = regex.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_NUMBER = regex.compile(r"(?<![\d.,])\d{1,6}(?:[.,]\d+)?(?![\d.,]*\d)")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter with trials: kind, text, whether it is supported."""

    name: str
    language: str
    pages: tuple[Page, ...]
    concepts: tuple[str, ...]
    trials: tuple[tuple[str, str, bool], ...]


def chapters_of(folder: Path) -> Iterator[Chapter]:
    """Every chapter of a folder: a ``.md`` with its ``.json`` beside it."""
    texts = sorted(folder.glob("*.md"))
    told = [_prose(path.read_text(encoding="utf-8")) for path in texts]
    for number, path in enumerate(texts):
        about = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        terms = [entry["term"] for module in about["modules"] for entry in module["glossary"]]
        lines = path.read_text(encoding="utf-8").split("\n")
        pages = tuple(
            Page(page + 1, "\n".join(lines[start : start + PAGE_LINES]))
            for page, start in enumerate(range(0, len(lines), PAGE_LINES))
        )
        others = [s for at, said in enumerate(told) if at != number for s in said]
        trials = tuple(_trials(told[number], others, terms, about["lang"]))
        yield Chapter(path.stem, about["lang"], pages, tuple(terms), trials)


def _prose(text: str) -> list[str]:
    return [
        s.text
        for s in sentences(text)
        if s.shape is Shape.PROSE and 60 <= len(s.text) <= 240 and s.text[-1] in ".!" and not s.text.startswith("[")
        and not regex.search(r"\(\d{4}\)|doi|http|, \d{4}\.|p\. \d", s.text)
    ]  # fmt: skip


def _trials(
    said: Sequence[str], others: Sequence[str], terms: Sequence[str], language: str
) -> Iterator[tuple[str, str, bool]]:
    pick = random.Random(SEED)  # noqa: S311 the same choice at every run, no secret
    said = pick.sample(list(said), len(said))
    everything = " ".join(said)
    yield from (("copy", text, True) for text in said[:EACH])
    yield from (("cut", text, True) for text in list(filter(None, map(_cut, said)))[:EACH])
    numbers = [_changed(text, pick) for text in said if _NUMBER.search(text) and not _YEAR.search(text)]
    yield from (("number", text, False) for text in numbers[:EACH] if text and text not in everything)
    years = [_YEAR.sub(lambda m: str(int(m[0]) - 3), text) for text in said if _YEAR.search(text)]
    yield from (("date", text, False) for text in years[:EACH])
    pattern, denied = _DENIED[language]
    plain = [t for t in said if regex.search(pattern, t) and not regex.search(_NOT[language], t)]
    yield from (("negation", regex.sub(pattern, denied, t, count=1), False) for t in plain[:EACH])
    yield from (("entity", text, False) for text in list(_with_another_term(said, terms, pick))[:EACH])
    own = [text for text in others if not _YEAR.search(text)]
    yield from (("invention", text, False) for text in pick.sample(own, EACH))


def _cut(text: str) -> str | None:
    """A sentence without what follows its first comma or semicolon, when that leaves a sentence of some length."""
    head = regex.split(r"[;,(–]", text)[0].strip()
    return f"{head}." if 45 <= len(head) < len(text) - 15 else None


def _changed(text: str, pick: random.Random) -> str:
    changed = _NUMBER.sub(
        lambda m: str(int(float(m[0].replace(",", "."))) + pick.randint(2, 9)), text, count=1
    )
    return str(changed)


def _with_another_term(said: Sequence[str], terms: Sequence[str], pick: random.Random) -> Iterator[str]:
    words = [term for term in terms if len(term) > 4 and "," not in term and "(" not in term]
    for text in said:
        found = next((term for term in words if regex.search(rf"\b{regex.escape(term)}\b", text)), None)
        other = pick.choice(words) if words else None
        if (
            found
            and other
            and other.casefold() not in text.casefold()
            and found.casefold() not in other.casefold()
        ):
            yield text.replace(found, other)
