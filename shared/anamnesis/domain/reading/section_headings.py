"""Tells a section heading ("Introduction", "Chapter 3", "Exercises") from the name of an idea (CM-2)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from anamnesis.domain.text.tables import read_table

#: "3.2", "IV.", "A)", "§ 4" and the like before a heading.
_NUMBERING = re.compile(r"^(?:§\s*)?(?:\d+(?:[.\-–]\d+)*[.):]?|[ivxlcdm]+[.)]|[a-z][.)])\s+", re.IGNORECASE)
#: What may follow "Chapter": a number or a Roman numeral (1-89); a single letter only when nothing follows it, for
#: "tema y variaciones" is no numbered theme.
_NUMBER = (
    r"(?:(?:\d+(?:[.\-–:]\d+)*|[ivxl]{2,}|[一二三四五六七八九十百]+)(?:\W.*)?|(?<=\s)[^\W\d_](?:[.:)].*)?)"
)
#: "第3章", "第二节", "제 1 장": the East Asian frame round a number.
_EAST_ASIAN_NUMBERED = re.compile(
    r"^第\s*[\d一二三四五六七八九十百]+\s*(?:[章节節]|[課课回部編编講讲單单篇](?:\s|$|[:：]))"
    r"|^제?\s*\d+\s*(?:장|절|과|단원|강|부|차시)(?:\s|$|[:：])"
)
_OUTER = " \t\n\r.,:;!?…·•*_#\"'“”‘’«»()[]{}。，：；、！？「」『』【】-–—|"


@dataclass(frozen=True)
class _Table:
    whole: frozenset[str]
    numbered: re.Pattern[str]
    first: tuple[str, ...]
    last: tuple[str, ...]
    joiners: frozenset[str]
    silent: re.Pattern[str]
    lists: re.Pattern[str]
    glossary: frozenset[str]


@cache
def _tables() -> dict[str, _Table]:
    raw = read_table(__package__, "section_headings")
    tables = {}
    for language, entries in raw.items():
        labels = "|".join(sorted((re.escape(word) for word in entries["numbered"]), key=len, reverse=True))
        tables[language] = _Table(
            whole=frozenset(_folded(word) for word in entries["whole"]),
            numbered=re.compile(rf"^(?:{labels})\.?\s*(?:nr\.?|no\.?|№|#)?\s*(?:{_NUMBER})?$"),
            first=tuple(_folded(phrase) for phrase in entries["first"]),
            last=tuple(_folded(phrase) for phrase in entries["last"]),
            joiners=frozenset(entries["joiners"]),
            silent=_beginnings(entries["silent"]),
            lists=_beginnings(entries["lists"]),
            glossary=frozenset(entries["glossary"]),
        )
    return tables


def _beginnings(words: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w){re.escape(_folded(word))}" for word in words))


@cache
def languages() -> tuple[str, ...]:
    """Return the BCP 47 codes of the languages that have a table of headings."""
    return tuple(_tables())


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    # Capitals lose which Turkish i they were: "YANILGI" folds to "yanilgi".
    folded = folded.replace("ı", "i").replace("i\u0307", "i")
    return " ".join(folded.strip(_OUTER).split())


@lru_cache(maxsize=4096)
def is_section_heading(name: str) -> bool:
    """Whether `name` names a part of a text in any of the tabled languages, whatever its numbering and case.

    The table of every language is asked, because course files mix languages (an English "References" in a Polish
    chapter); a language joins by a table in ``section_headings.toml``.
    """
    text = _folded(name[:300])
    if not text:
        return False
    unnumbered = _folded(_NUMBERING.sub("", text))
    if not unnumbered or _EAST_ASIAN_NUMBERED.match(text):
        return True
    return any(
        _in_table(candidate, table) for table in _tables().values() for candidate in {text, unnumbered}
    )


def holds_no_explanations(heading: str) -> bool:
    """Whether what stands under `heading` explains nothing: exercises, questions, answers, references, objectives."""
    text = _folded(heading[:300])
    return is_section_heading(heading) and any(table.silent.search(text) for table in _tables().values())


def announces_a_list(heading: str) -> bool:
    """Whether `heading` stands over a list of aims or contents, below which a text may simply go on."""
    text = _folded(heading[:300])
    return any(table.lists.search(text) for table in _tables().values())


@cache
def glossary_headings() -> frozenset[str]:
    """Headings, casefolded, under which terms stand with their meanings."""
    return frozenset().union(*(table.glossary for table in _tables().values()))


def _in_table(text: str, table: _Table) -> bool:
    if text in table.whole or table.numbered.match(text):
        return True
    # Scripts that write words without spaces have no word boundary to ask for.
    spaced = text.isascii() or not any("\u3040" <= c <= "\u9fff" for c in text)
    gap = " " if spaced else ""
    if any(text.startswith(phrase + gap) or text == phrase for phrase in table.first):
        return True
    if any(text.endswith(gap + phrase) or text == phrase for phrase in table.last):
        return True
    return _joins_headings(text, table)


def _joins_headings(text: str, table: _Table) -> bool:
    words = [word for word in re.split(r"[\s,/]+", text) if word]
    cuts = [i for i, word in enumerate(words) if word in table.joiners]
    if not cuts or len(words) > 8:
        return False
    parts = []
    start = 0
    for cut in [*cuts, len(words)]:
        parts.append(" ".join(words[start:cut]))
        start = cut + 1
    return all(
        part in table.whole or any(part.endswith(" " + p) for p in table.last) for part in parts if part
    )
