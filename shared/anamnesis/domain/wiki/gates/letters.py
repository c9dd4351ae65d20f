"""Texts by their letters alone: how a page's words are compared with those of its evidence.

A page shows somebody's words without what fakes structure, on one line, and may cut them. What stays through all of
that are letters and digits, and the marks of their own script; signs and accents that are written apart may go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import regex

from anamnesis.domain.text.containment import contained
from anamnesis.domain.wiki.gates.lines import PLACE
from anamnesis.domain.wiki.writing.wording import title

_SAID: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+")
#: Letters and marks that nobody sees, and marks of no script of their own, of which floods are cut.
_LOOSE: Final = regex.compile(
    r"(?V1)[\p{Default_Ignorable_Code_Point}[\p{Inherited}&&\p{M}]]|(?<=\p{M}{8})\p{M}"
)
_MARKS: Final = regex.compile(r"\p{M}+")


def plain(text: str) -> str:
    """Letters, marks and digits alone, case folded: how two spellings of one quotation are compared."""
    return "".join(_SAID.findall(_firm(text.casefold())))


def words(text: str) -> list[str]:
    """Runs of letters, marks and digits, case folded."""
    return [str(word) for word in _SAID.findall(_firm(text.casefold()))]


def bare(text: str) -> str:
    """As ``plain``, without any mark."""
    return str(_MARKS.sub("", plain(text)))


def without_names(text: str, names: Iterable[str]) -> str:
    """The text with a place holder for each of the names, whole or cut to a title, the longest first.

    Names are known by their words, whatever signs stand between these; none begins or ends inside a word.
    """
    wanted: dict[str, set[tuple[str, ...]]] = {}
    for name in names:
        for form in _forms(name):
            wanted.setdefault(form[0], set()).add(form)
    if not wanted:
        return text
    found = [match for match in _SAID.finditer(text) if _folded(match[0])]
    tokens = [_folded(match[0]) for match in found]
    kept: list[str] = []
    at = start = 0
    while at < len(tokens):
        forms = [form for form in wanted.get(tokens[at], ()) if tuple(tokens[at : at + len(form)]) == form]
        if not forms:
            at += 1
            continue
        longest = max(map(len, forms))
        kept += [text[start : found[at].start()], PLACE]
        at += longest
        start = found[at - 1].end()
    return "".join([*kept, text[start:]])


def name_forms(name: str) -> Iterator[str]:
    """The words of a name, and of the title that it is cut to, each with a space between two."""
    yield from map(" ".join, _forms(name))


@lru_cache(maxsize=8_192)
def _forms(name: str) -> tuple[tuple[str, ...], ...]:
    """The words of a name, and of the title that it is cut to, as they are and as a page shows them."""
    shown = {form for cut in {name, title(name)} for form in (cut, contained(cut))}
    return tuple({form for form in (tuple(words(each)) for each in shown) if form})


@lru_cache(maxsize=16_384)
def _folded(word: str) -> str:
    return _firm(word.casefold())


def _firm(text: str) -> str:
    return text if text.isascii() else str(_LOOSE.sub("", text))
