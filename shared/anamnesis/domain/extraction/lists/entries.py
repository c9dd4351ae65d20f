"""Entries of lists of terms among the lines of a page.

A list is told by its shape: several lines on end that part a short name from a text by the same sign, rows of a table
of which one column holds names and another texts, questions with answers, or names with a text below each. One such
line says nothing; a run of them is a list in any language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import regex

from anamnesis.domain.extraction.lists import judging
from anamnesis.domain.extraction.lists.cards import asked_for, is_header, is_question, without_label
from anamnesis.domain.extraction.lists.columns import pairs_of


@dataclass(frozen=True, slots=True)
class Entry:
    """A term with its meaning.

    Attributes
    ----------
    start, end
        Its lines: the first, and the one behind the last.
    sure
        Whether it is one wherever it stands. Items of a bulleted list and rows of a table are only in a file that is
        mostly a list: in a book they may as well be steps, causes and comparisons.
    """

    start: int
    end: int
    term: str
    meaning: str
    sure: bool = True


#: What parts a term from its meaning, one kind a list.
_SIGNS = {
    "dash": regex.compile(
        r"^([^\t|]{1,70}?)\s+(?:[–—]|--|⸺|―)\s+(\S.*)$|^([\p{Han}\p{Hiragana}\p{Katakana}]{1,20})——?(\S.*)$"
    ),
    "hyphen": regex.compile(r"^([^\t|]{1,70}?)\s+-\s+(\S.*)$"),
    "colon": regex.compile(r"^([^\t|:：]{1,70}?)\s?(?::[*_]{0,3}(?:\s|$)|：)\s*(.*)$"),
    "equals": regex.compile(r"^([^\t|=]{1,70}?)\s+(?:=|:=|≡|→|=>|⇒)\s+(\S.*)$"),
}  # fmt: skip
_ROW = regex.compile(r"^\s*\|.*\|\s*$")
_RULE = regex.compile(r"^[\s|:-]*$")
_FENCE = regex.compile(r"^ {0,3}(?:```|~~~)")
_ITEM = regex.compile(r"^(?:[-*+•●▪◦‣·]\s+|\(?\d{1,3}[.)]\s+)")
_HEADING = regex.compile(r"^ {0,3}#{1,6}\s")
#: A meaning below its term in Markdown ("Term", then ": meaning").
_BELOW = regex.compile(r"^ {0,3}:\s+(\S.*)$")
#: Lines over which a meaning may go on, and the share of a run's lines that begin entries at least. Ours.
_MOST_GOING_ON, _BEGUN_SHARE = 6, 0.25
#: A run of so many entries is a list wherever it stands; fewer are one where they make up most of the page. Ours.
_SURE_ENTRIES, _PAGE_SHARE = 4, 0.5
#: How much longer than its name a text below it is, and the share of capitals at the beginning of names. Ours.
_LONGER_BELOW, _CAPITAL_SHARE = 1.5, 0.7
_BRACKETED = regex.compile(r"\s*[(（\[][^()（）\[\]]{1,40}[)）\]]\s*$")
#: A page has no more lines than this that are looked at.
_MOST_LINES = 20_000
#: Many times what a file may contribute to a map.
_MOST_ENTRIES = 1_000
#: A long list is judged by its first entries.
_JUDGED = 300


def entries(lines: Sequence[str]) -> list[Entry]:
    """The entries of all lists of terms on a page, in order, none overlapping.

    Parameters
    ----------
    lines
        Of one page. Time is linear in their length.
    """
    shown = _without_code(lines[:_MOST_LINES])
    found: list[Entry] = []
    for read in _readers():
        taken = {place for entry in found for place in range(entry.start, entry.end)}
        free = ["" if place in taken else line for place, line in enumerate(shown)]
        found += [entry for entry in read(free) if not taken.intersection(range(entry.start, entry.end))]
    return sorted(found, key=lambda entry: entry.start)[:_MOST_ENTRIES]


def _without_code(lines: Sequence[str]) -> list[str]:
    shown, fenced = [], False
    for line in lines:
        fence = _FENCE.match(line) is not None
        fenced ^= fence
        shown.append("" if fenced or fence else line)
    return shown


def _named(run: Sequence[Entry]) -> Iterator[Entry]:
    """Entries of a list whose halves can be a term and its meaning, brackets behind terms taken off."""
    pairs = judging.is_list_of_words([(entry.term, entry.meaning) for entry in run])
    terms = judging.unshouted([entry.term for entry in run])
    for entry, term in zip(run, terms, strict=True):
        good = judging.tells(entry.meaning) or (pairs and judging.is_pair(term, entry.meaning))
        if judging.is_term(term) and good:
            yield replace(entry, term=_BRACKETED.sub("", term) or term)


# ---------------------------------------------------------------------------------------------- signs
@dataclass(frozen=True, slots=True)
class _SignReader:
    """Reads runs of lines that one kind of sign parts."""

    kind: str

    def __call__(self, lines: Sequence[str]) -> Iterator[Entry]:
        for found in _runs(lines, _SIGNS[self.kind]):
            run = _without_title(found)
            pairs = [(entry.term, entry.meaning) for entry in run[:_JUDGED]]
            if judging.turned_round(pairs):
                run = [replace(entry, term=entry.meaning, meaning=entry.term) for entry in run]
                pairs = [(entry.term, entry.meaning) for entry in run[:_JUDGED]]
            words = self.kind != "colon" or _in_two_scripts(pairs)
            if not judging.is_list_of_terms(pairs) and not (words and judging.is_list_of_words(pairs)):
                continue
            if _is_sure(run, lines):
                yield from _named(run[:_MOST_ENTRIES])


def _runs(lines: Sequence[str], sign: regex.Pattern[str]) -> Iterator[list[Entry]]:
    """Runs of entries: between two of them stand lines that go on with the first, or blank ones."""
    run: list[Entry] = []
    gone_on = 0
    ended = False
    for place, line in enumerate(lines):
        text = line.strip()
        if not text:
            ended = True
            continue
        match = None if _HEADING.match(line) or _ROW.match(line) else sign.match(_unmarked(text))
        halves = [half for half in match.groups() if half is not None] if match else []
        term = judging.bare(halves[0]) if halves else ""
        if halves and _may_begin(term):
            asked = asked_for(term)
            item = _ITEM.match(text) is not None
            run.append(Entry(place, place + 1, asked or term, halves[1], sure=not item))
            gone_on = 0
        elif run and not ended and gone_on < _MOST_GOING_ON and not _HEADING.match(line):
            last = run[-1]
            run[-1] = replace(last, end=place + 1, meaning=f"{last.meaning} {text}")
            gone_on += 1
        else:
            yield run
            run = []
        ended = False
    yield run


def _without_title(run: Sequence[Entry]) -> list[Entry]:
    """A run without a first line that only a blank line below it sets apart: "Biology: words to know"."""
    apart = [below.start > above.end for above, below in pairwise(run)]
    return list(run[1:] if len(run) > _SURE_ENTRIES and apart[0] and not any(apart[1:]) else run)


def _unmarked(text: str) -> str:
    """A line without the sign that makes it an item, and without emphasis."""
    return str(_ITEM.sub("", text)).replace("**", "").replace("__", "")


def _may_begin(term: str) -> bool:
    return 0 < len(term) <= 60 and any(c.isalpha() for c in term)


def _in_two_scripts(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether one half of most pairs is in Latin letters and the other is not."""
    latin = regex.compile(r"\p{Latin}")
    mixed = sum(1 for a, b in pairs if bool(latin.search(a)) != bool(latin.search(b)))
    return mixed * 2 > len(pairs)


def _is_sure(run: Sequence[Entry], lines: Sequence[str]) -> bool:
    """Whether a run is long enough for its page, and no prose whose lines happen to hold the sign."""
    within = sum(1 for line in lines[run[0].start : run[-1].end] if line.strip())
    if len(run) < _BEGUN_SHARE * within:
        return False
    cased = [entry.term[0] for entry in run if entry.term[0].lower() != entry.term[0].upper()]
    if len(run) < within and cased and sum(1 for c in cased if c.isupper()) < _CAPITAL_SHARE * len(cased):
        return False
    return len(run) >= _SURE_ENTRIES or _covers(run, lines)


def _covers(run: Sequence[Entry], lines: Sequence[str]) -> bool:
    own = sum(len(entry.term) + len(entry.meaning) for entry in run)
    return own >= _PAGE_SHARE * sum(len(line.strip()) for line in lines)


# ---------------------------------------------------------------------------------------------- tables
def _tables(lines: Sequence[str]) -> Iterator[Entry]:
    """Entries of tables in Markdown."""
    rows: list[tuple[int, list[str]]] = []
    for place, line in enumerate([*lines, ""]):
        if _ROW.match(line):
            rows.append((place, [cell.strip() for cell in line.strip().strip("|").split("|")]))
        elif rows:
            yield from _of_table(rows)
            rows = []


def _of_table(rows: Sequence[tuple[int, list[str]]]) -> Iterator[Entry]:
    named = any(_RULE.match("|".join(cells)) for _, cells in rows[1:2])
    head = rows[0][1] if named else []
    yield from _of_rows(rows[2 if named else 0 :], sure=bool(head) and all(map(is_header, head)))


def _tabbed(lines: Sequence[str]) -> Iterator[Entry]:
    """Entries of lines whose cells tabs part."""
    rows: list[tuple[int, list[str]]] = []
    for place, line in enumerate([*lines, "."]):
        if "\t" in line.strip():
            rows.append((place, [cell.strip() for cell in line.strip().split("\t")]))
        elif rows and line.strip():
            if len(rows) >= judging.LEAST_ENTRIES:
                yield from _of_rows(rows, sure=True)
            rows = []


def _of_rows(rows: Sequence[tuple[int, list[str]]], *, sure: bool) -> Iterator[Entry]:
    headed = all(is_header(cell) for cell in rows[0][1] if cell)
    sure = sure or headed
    rows = rows[headed:]
    pairs = pairs_of([[judging.bare(cell) for cell in cells] for _, cells in rows])
    asked = [asked_for(term) for term, _ in pairs]
    run = [
        Entry(place, place + 1, name or term, meaning, sure=sure)
        for (place, _), (term, meaning), name in zip(rows, pairs, asked, strict=bool(pairs))
    ]
    yield from _named([entry for entry in run if entry.term])


# ---------------------------------------------------------------------------------------------- cards
def _cards(lines: Sequence[str]) -> Iterator[Entry]:
    """Questions that ask for a term, each with the lines below it."""
    found: list[Entry] = []
    filled = [(place, line.strip()) for place, line in enumerate(lines) if line.strip()]
    for (place, line), (below, text) in pairwise(filled):
        term = asked_for(without_label(_unmarked(line)))
        meaning = without_label(_unmarked(text))
        if term and meaning and not is_question(meaning) and not _HEADING.match(text):
            end = below + 1
            while (
                end < len(lines)
                and lines[end].strip()
                and not is_question(lines[end])
                and end - below < _MOST_GOING_ON
            ):
                if _HEADING.match(lines[end]) or without_label(lines[end]) != lines[end].strip():
                    break
                meaning += f" {lines[end].strip()}"
                end += 1
            found.append(Entry(place, end, term, meaning))
    told = [entry for entry in found if judging.is_term(entry.term) and judging.tells(entry.meaning)]
    if len(told) >= judging.LEAST_ENTRIES and _covers(told, lines):
        yield from told


# ---------------------------------------------------------------------------------------------- below
def _below(lines: Sequence[str]) -> Iterator[Entry]:
    """Entries of definition lists in Markdown."""
    run = []
    for place, (line, text) in enumerate(pairwise(lines)):
        match = _BELOW.match(text)
        if match and line.strip() and not _BELOW.match(line):
            run.append(Entry(place, place + 2, judging.bare(line), match[1]))
    if len(run) > 1:
        yield from _named(run)


def _paired(lines: Sequence[str]) -> Iterator[Entry]:
    """Names with a text below each, where a blank line stands behind every text."""
    filled = [place for place, line in enumerate(lines) if line.strip()]
    run: list[Entry] = []
    at = 0
    while at + 1 < len(filled):
        first, second = filled[at], filled[at + 1]
        entry = Entry(first, second + 1, judging.bare(lines[first]), lines[second].strip())
        ends = second + 1 >= len(lines) or not lines[second + 1].strip()
        if ends and _is_below(entry, lines[first]):
            run.append(entry)
            at += 2
            continue
        yield from _sure_pairs(run, lines)
        run = []
        at += 1
    yield from _sure_pairs(run, lines)


def _is_below(entry: Entry, line: str) -> bool:
    return (
        not _HEADING.match(line)
        and judging.is_term(entry.term)
        and judging.tells(entry.meaning)
        and len(entry.meaning) > _LONGER_BELOW * len(entry.term)
        and not is_question(entry.meaning)
    )


def _sure_pairs(run: Sequence[Entry], lines: Sequence[str]) -> Iterator[Entry]:
    apart = {not lines[entry.start + 1].strip() for entry in run}
    if (
        judging.is_list_of_terms([(e.term, e.meaning) for e in run])
        and len(apart) == 1
        and _covers(run, lines)
    ):
        yield from _named(run)


def _readers() -> list[Callable[[Sequence[str]], Iterator[Entry]]]:
    """What reads lists, surest first: what one has read is hidden from the next."""
    return [_cards, _tables, _tabbed, _below, *(_SignReader(kind) for kind in _SIGNS), _paired]
