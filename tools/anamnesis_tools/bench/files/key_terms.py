"""A textbook chapter with the key terms that its own authors list, and when a name counts as one of them.

A chapter is a Markdown file without its glossary beside a JSON file of the same name: ``lang``, ``glossary`` (a list of
``term`` and ``definition`` with the ``module`` that it belongs to), ``modules`` (``module``, ``title`` and
``key_terms_inline``: what the text sets in bold where it first says it).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.extraction.candidates import form_key
from anamnesis.domain.extraction.cues import cue_table
from anamnesis.domain.extraction.terms_in_text import tokens
from anamnesis.domain.files import Document, Page

_BRACKET = regex.compile(r"\s*[(（]([^()（）]*)[)）]")
_CAPITALISED = regex.compile(r"\p{Lu}[\p{L}\p{M}.'’-]*")
#: A name of this many capitalised words is a person's, where the language writes nouns small.
_PERSON_WORDS = 2


@dataclass(frozen=True, slots=True)
class KeyTerm:
    """One key term.

    Attributes
    ----------
    names
        Canonical keys that it goes by: without what stands in brackets, and what stands there or after a comma.
    definition
        The book's own; "" for a term that it only sets in bold.
    module
        The part of the chapter that defines it.
    """

    names: frozenset[str]
    definition: str
    module: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter as a reader gets it, and what the book says of it.

    Attributes
    ----------
    glossary
        The terms of the key-terms list.
    inline
        Those, and the ones that the text sets in bold; people left out.
    modules
        For each page of the document, the module it belongs to ("" before the first).
    """

    name: str
    language: str
    document: Document
    glossary: tuple[KeyTerm, ...]
    inline: tuple[KeyTerm, ...]
    modules: tuple[str, ...]


def chapters(folder: Path) -> list[Chapter]:
    """Every chapter of a folder, by name."""
    return [_chapter(path) for path in sorted(folder.glob("*.json"))]


def _chapter(path: Path) -> Chapter:
    raw = json.loads(path.read_text(encoding="utf-8"))
    document = _document(path.with_suffix(".md").read_text(encoding="utf-8"))
    glossary = [
        KeyTerm(_names(entry["term"]), entry["definition"], entry.get("module", ""))
        for entry in raw["glossary"]
    ]
    bold = [
        KeyTerm(_names(term), "", module["module"])
        for module in raw["modules"]
        for term in module["key_terms_inline"]
        if not _is_person(term)
    ]
    titles = {canonical_key(module["title"]): module["module"] for module in raw["modules"]}
    return Chapter(
        name=path.stem,
        language=raw["lang"],
        document=document,
        glossary=_merged(glossary),
        inline=_merged([*glossary, *bold]),
        modules=tuple(_modules(document, titles)),
    )


def _document(text: str) -> Document:
    """A Markdown chapter with one page for each section, as files of that kind are cited."""
    sections = [section for section in regex.split(r"^(?=#)", text, flags=regex.MULTILINE) if section.strip()]
    return Document("text/markdown", tuple(Page(n, section) for n, section in enumerate(sections, start=1)))


def _modules(document: Document, titles: dict[str, str]) -> Iterable[str]:
    module = ""
    for page in document.pages:
        heading = page.text.split("\n", 1)[0].lstrip("# ")
        module = titles.get(canonical_key(heading), module)
        yield module


def _names(term: str) -> frozenset[str]:
    """All names of an entry such as "nabywanie (przyswajanie, akwizycja)" or "the law of demand"."""
    inside = [part for match in _BRACKET.finditer(term) for part in regex.split(r"[,;]", match[1])]
    written = [*regex.split(r"[,;]", _BRACKET.sub("", term)), *inside]
    return frozenset(key for name in written if (key := canonical_key(name.strip())))


def _is_person(term: str) -> bool:
    words = term.split()
    return len(words) >= _PERSON_WORDS and all(_CAPITALISED.fullmatch(word) for word in words)


def _merged(terms: Sequence[KeyTerm]) -> tuple[KeyTerm, ...]:
    """Terms that share a name are one; the first's definition and module stay."""
    kept: list[KeyTerm] = []
    for term in terms:
        same = next((i for i, other in enumerate(kept) if other.names & term.names), None)
        if same is None:
            kept.append(term)
        else:
            kept[same] = KeyTerm(kept[same].names | term.names, kept[same].definition, kept[same].module)
    return tuple(kept)


def strict(name: str, term: KeyTerm) -> bool:
    """Whether a name is one of the term's by its canonical key."""
    return canonical_key(name) in term.names


def lenient(name: str, term: KeyTerm, language: str) -> bool:
    """Whether a name says the same words as one of the term's in any inflection, or all but one of three and more.

    "modelem" is "model", "simple random sampling" is "random sampling"; "cell" is not "cell membrane", for a single
    word that stands in a longer name is another idea.
    """
    own = stems(name, language)
    return any(_near(own, stems(other, language)) for other in term.names)


def _near(one: frozenset[str], other: frozenset[str]) -> bool:
    if one == other:
        return bool(one)
    smaller, larger = sorted((one, other), key=len)
    return smaller < larger and len(smaller) >= 2 and len(larger) - len(smaller) == 1


def stems(text: str, language: str) -> frozenset[str]:
    """Stems of the words of a text that carry meaning."""
    table = cue_table(language)
    key_of = form_key(language)
    words = [word.casefold() for word in tokens(text, table) if word[0].isalnum()]
    carrying = [word for word in words if word not in table.stops and word not in table.articles] or words
    return frozenset(key for word in carrying if (key := key_of(word)))
