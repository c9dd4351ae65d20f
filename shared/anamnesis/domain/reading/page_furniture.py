"""Printed pages without what repeats on them (running heads, feet, page numbers), their hyphenated words joined."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

#: A line that stands at the same edge of this share of the pages, or of every other page, is a running head or foot.
_RUNNING_SHARE = 0.6
#: Fewest pages on which a repeated line can be told from a repeated word.
_RUNNING_PAGES = 3
#: A chapter's head runs on some pages only: so many of its lines within so many pages are one.
_LOCAL_PAGES, _LOCAL_REACH = 3, 4
#: Lines looked at from each edge of a page, and how often: below a head of two lines may stand a third.
_EDGE_LINES, _PASSES = 2, 2
_MAX_RUNNING_CHARS = 160

_NUMERAL = re.compile(r"\d+|^[ivxlc]{1,7}$", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"^[\s\-–—|·.\[\](]*(?:(?:page|p|pag|página|seite|strona|str|halaman|hal|стр|страница|पृष्ठ|صفحة|sayfa|trang)\.?\s*)?"
    r"(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:/|of|de|von|z|dari|из)\s*\d{1,4})?[\s\-–—|·.\])]*$",
    re.IGNORECASE,
)
#: A word is looked at once, from its beginning: begun anew at every letter, one of a million would never end.
_HYPHENATED = re.compile(
    r"(?<![^\W\d_])([^\W\d_]{2,}+)(?:[\u00ad\u2010\u2027\ufffe\x02]|(?<![\-–])-)[ \t]*\n[ \t]*([^\W\d_]{2,})"
)
_SET_APART = re.compile(r"(?<=[\u3040-\u30ff\u3400-\u9fff])[ \u3000]+(?=[\u3040-\u30ff\u3400-\u9fff])")
_TOGETHER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff](?=[\u3040-\u30ff\u3400-\u9fff])")
_COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,}+-[^\W\d_]{2,}")
#: First parts that are written with a hyphen wherever they stand.
_HYPHEN_PREFIXES = frozenset({"self", "non", "well", "ex", "quasi", "half", "all", "cross", "semi"})
_SOFT_HYPHEN_INSIDE = re.compile(r"[\u00ad\ufffe\x02](?:[ \t]*\n[ \t]*)?")


def without_furniture(pages: Sequence[str]) -> list[str]:
    """Drop running headers, footers and page numbers from printed pages, and join words hyphenated at a line's end.

    A line counts as running when it stands at the same edge, numerals and the order of its words apart, of at least
    ``_RUNNING_SHARE`` of three or more pages, or of the pages with even or odd numbers; or of ``_LOCAL_PAGES`` pages
    close to each other, the first of which keeps it then: it may be the title of what follows. Pages that would be
    left empty keep their lines: a slide's only words are its content.
    """
    split = [
        [line.rstrip() for line in page.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
        for page in pages
    ]
    cleaned = split
    for _ in range(_PASSES):
        cleaned = _without_running(cleaned)
    cleaned = [_without_number(before, lines) for before, lines in zip(split, cleaned, strict=True)]
    emptied = sum(1 for lines, left in zip(split, cleaned, strict=True) if any(lines) and not any(left))
    if emptied * 2 > sum(1 for lines in split if any(lines)):
        cleaned = split
    texts = ["\n".join(lines) for lines in cleaned]
    compounds = frozenset(word.casefold() for text in texts for word in _COMPOUND.findall(text))
    return [_drawn_together(joined_hyphens(text, compounds)).strip("\n") for text in texts]


def _drawn_together(text: str) -> str:
    """Take the spaces out of Chinese and Japanese that is set apart character by character."""
    apart = len(_SET_APART.findall(text))
    together = len(_TOGETHER.findall(text))
    return _SET_APART.sub("", text) if apart > together else text


def joined_hyphens(text: str, compounds: Collection[str] = ()) -> str:
    """Join words that a hyphen splits over two lines, and take invisible hyphens out.

    Parameters
    ----------
    compounds
        Casefolded words that are written with a hyphen inside a line; they keep it, as does a capitalised continuation.
    """

    def join(match: re.Match[str]) -> str:
        keeps = not match[2][0].islower() or f"{match[1]}-{match[2]}".casefold() in compounds
        keeps = keeps or match[1].casefold() in _HYPHEN_PREFIXES
        return f"{match[1]}-{match[2]}" if keeps else f"{match[1]}{match[2]}"

    return _SOFT_HYPHEN_INSIDE.sub("", _HYPHENATED.sub(join, text))


def _edges(lines: Sequence[str]) -> list[tuple[str, int]]:
    """The outer lines of a page, each with its edge and place."""
    filled = [i for i, line in enumerate(lines) if line.strip()]
    top = [("top", i) for i in filled[:_EDGE_LINES]]
    return top + [("bottom", i) for i in filled[max(_EDGE_LINES, len(filled) - _EDGE_LINES) :]]


def _shape(line: str) -> str:
    """What a running line has in common on left and right pages: its words in any order, without numerals."""
    return " ".join(sorted(_NUMERAL.sub("#", word) for word in line.casefold().split()))


def _without_running(pages: Sequence[list[str]]) -> list[list[str]]:
    shapes = [
        {(edge, _shape(lines[i])): i for edge, i in _edges(lines) if len(lines[i]) <= _MAX_RUNNING_CHARS}
        for lines in pages
    ]
    dropped: list[set[int]] = [set() for _ in pages]
    for step in (1, 2):
        for first in range(step):
            numbers = range(first, len(pages), step)
            everywhere = _everywhere(shapes[number] for number in numbers)
            for number in numbers:
                dropped[number] |= {i for shape, i in shapes[number].items() if shape in everywhere}
    for shape, numbers_ in _places(shapes).items():
        for place, number in enumerate(numbers_):
            near = [other for other in numbers_ if abs(other - number) <= _LOCAL_REACH]
            if place and len(near) >= _LOCAL_PAGES:
                dropped[number].add(shapes[number][shape])
    return [
        [line for i, line in enumerate(lines) if i not in gone]
        for lines, gone in zip(pages, dropped, strict=True)
    ]


def _everywhere(shapes: Iterable[dict[tuple[str, str], int]]) -> frozenset[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    filled = 0
    for page in shapes:
        counts.update(page.keys())
        filled += bool(page)
    if filled < _RUNNING_PAGES:
        return frozenset()
    least = max(_RUNNING_PAGES, _RUNNING_SHARE * filled)
    return frozenset(shape for shape, count in counts.items() if count >= least)


def _places(shapes: Sequence[dict[tuple[str, str], int]]) -> dict[tuple[str, str], list[int]]:
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, page in enumerate(shapes):
        for shape in page:
            places[shape].append(number)
    return places


def _without_number(before: Sequence[str], lines: list[str]) -> list[str]:
    """Leave out page numbers that are the outermost lines of a page."""
    if sum(1 for line in before if line.strip()) < 2:
        return lines
    filled = [i for i, line in enumerate(lines) if line.strip()]
    gone = {i for i in {*filled[:1], *filled[-1:]} if _PAGE_NUMBER.match(lines[i])}
    return [line for i, line in enumerate(lines) if i not in gone]
