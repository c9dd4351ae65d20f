"""Headings that divide a text as its genre does: a manual, a report of an experiment, a life, the story of an event.

"Maintenance" and "childhood" are ideas of some subjects, so no table of section headings may hold them. They are parts
of a text where they stand in company: under "installation", "maintenance", "warranty" a manual tells of one machine.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

import regex

from anamnesis.domain.text.tables import read_table

#: Headings of one genre in a file from which on they divide it; one of them is a sure one. Ours: a chapter on the life
#: of software has two ("installation", "maintenance"), one on the ages of man three, none of them sure.
_LEAST_COMPANY: Final = 3
_NUMBERED: Final = regex.compile(
    r"^(?:\p{N}{1,3}(?:\.\p{N}{1,3}){0,4}(?:[.):、]\s*|\s+)|(?:[IVXivx]{1,5}|\p{L})[.):]\s+)(?=\S)"
)
_OUTER: Final = " \t\n.,:;!?。：、*_#"
#: Longer headings are in no genre's table.
_LONGEST: Final = 60


def folded(heading: str) -> str:
    """A heading as it is compared: without number, case, marks at its ends; empty when it is too long for one."""
    if len(heading) > 2 * _LONGEST:
        return ""
    text = unicodedata.normalize("NFKC", heading).strip(_OUTER).replace("’", "'")
    # Capitals lose which Turkish i they were.
    text = _NUMBERED.sub("", text).casefold().replace("ı", "i").replace("i\u0307", "i")
    return " ".join(text.strip(_OUTER).split())


def dividing(headings: Iterable[str]) -> frozenset[str]:
    """Those of a file's headings, folded, that divide it as its genre does.

    Parameters
    ----------
    headings
        All of the file's, in any order and language; of one that comes again one counts.

    Returns
    -------
    frozenset of str
        Empty where no genre has three of them with a sure one.
    """
    known = {folded(heading) for heading in headings}
    found: set[str] = set()
    for sure, every in _genres():
        here = known & every
        if len(here) >= _LEAST_COMPANY and here & sure:
            found |= here
    return frozenset(found)


@cache
def _genres() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Of each genre the sure headings, and all."""
    genres = []
    for entry in read_table(__package__, "genre_headings").values():
        sure = frozenset(map(folded, entry["sure"]))
        genres.append((sure, sure | frozenset(map(folded, entry["other"]))))
    return tuple(genres)
