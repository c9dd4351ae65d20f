"""Slides and sections that are entries of a list: a name as the heading, and a sentence or two below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import regex

from anamnesis.domain.extraction.blocks import Block, BlockKind
from anamnesis.domain.extraction.genre_headings import dividing, folded
from anamnesis.domain.extraction.lists import judging
from anamnesis.domain.extraction.lists.cards import asked_for
from anamnesis.domain.extraction.sentences import sentences

#: Longest text of such a section, in blocks, characters and sentences, and fewest of them. Ours.
_MOST_BLOCKS, _MOST_CHARS, _MOST_SENTENCES, _LEAST_SECTIONS = 2, 320, 2, 3
#: Share of a file's sections that are such ones, and of its text that stands in them: a chapter has a few short
#: sections too. Ours.
_SECTIONS_SHARE, _TEXT_SHARE = 0.6, 0.5
#: Share of the sections whose headings are those of a genre from which on they divide a report, or a manual: cards on
#: how to experiment have a few of them. Ours.
_GENRE_SHARE = 0.3
#: Chapters number their headings, cards do not.
_NUMBERED = regex.compile(r"^\s*(?:\p{N}{1,2}(?:\.\p{N}{1,2})*[.)]?|[IVX]{1,5}[.)])\s")


@dataclass(slots=True)
class _Section:
    heading: int
    body: list[int]


def with_terms(read: Sequence[Block]) -> list[Block]:
    """The blocks, those below the heading of a list's entry marked with that heading as their term."""
    sections = [section for section in _sections(read) if section.body]
    parts = dividing(read[section.heading].text for section in sections)
    divides = [folded(read[section.heading].text) in parts for section in sections]
    many = sum(divides) >= _GENRE_SHARE * len(sections)
    short = [
        section
        for section, part in zip(sections, divides, strict=True)
        if not (many and part) and _is_entry(read, section)
    ]
    chars = sum(_chars(read, section) for section in short)
    if (
        len(short) < _LEAST_SECTIONS
        or len(short) < _SECTIONS_SHARE * len(sections)
        or chars < _TEXT_SHARE * sum(len(b.text) for b in read if b.kind is not BlockKind.HEADING)
    ):
        return list(read)
    marked = list(read)
    names = judging.unshouted([_name(read[section.heading].text) for section in short])
    for section, name in zip(short, names, strict=True):
        first = section.body[0]
        marked[first] = replace(read[first], text=f"{name}: {read[first].text}", glossary=True, term=name)
    return marked


def _sections(read: Sequence[Block]) -> Iterator[_Section]:
    now: _Section | None = None
    for place, block in enumerate(read):
        if block.kind is BlockKind.HEADING:
            if now:
                yield now
            now = _Section(place, [])
        elif now:
            now.body.append(place)
    if now:
        yield now


def _name(heading: str) -> str:
    text = judging.bare(heading)
    return asked_for(text) or text


def _is_entry(read: Sequence[Block], section: _Section) -> bool:
    body = [read[place] for place in section.body]
    return (
        len(body) <= _MOST_BLOCKS
        and _NUMBERED.match(read[section.heading].text) is None
        and sum(len(sentences(block.text)) for block in body) <= _MOST_SENTENCES
        and _chars(read, section) <= _MOST_CHARS
        and body[0].explains
        and not any(block.term for block in body)
        and judging.is_term(_name(read[section.heading].text))
        and judging.tells(body[0].text)
        and not body[0].text.rstrip().endswith(("?", "？", "؟", ":", "："))
    )


def _chars(read: Sequence[Block], section: _Section) -> int:
    return sum(len(read[place].text) for place in section.body)
