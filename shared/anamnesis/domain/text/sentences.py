"""Sentences of a text in any script, with where each stands: prose, Markdown, wrapped pages, lists, tables.

Two passes, both linear in the text. The first joins lines into blocks: a heading, an item, a row of a table and a fence
of code stand for themselves, wrapped lines of a paragraph are joined again. The second cuts a block where a sentence
ends, which is a matter of the script: "。" and "।" always end one, a full stop only where no abbreviation, initial,
ordinal or formula has it, and Thai, which has no sign, parts sentences by spaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import regex


class Shape(Enum):
    """What a sentence is part of."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text.

    Attributes
    ----------
    text
        On one line, without the signs of headings, items, quotations and emphasis around it.
    start, end
        Where it stands in the text, in characters; `end` is exclusive.
    shape
        What it is part of; code is one "sentence" for each fence.
    """

    text: str
    start: int
    end: int
    shape: Shape


#: A longer "sentence" is data that lost its signs; it is cut at a space.
MAX_SENTENCE_CHARS = 2_000

_FENCE = regex.compile(r"^\s{0,3}(```|~~~)")
_RULE = regex.compile(r"^\s*(?:[-*_=]\s*+){3,}+$")
_HEADING = regex.compile(r"^\s{0,3}#{1,6}\s+")
_ROW = regex.compile(r"^\s*\|.*\|\s*$")
_MARKER = regex.compile(
    r"^\s*(?:>\s?)*+(?:(?:[-*+•●▪◦‣·–]|\(?\p{Nd}{1,3}[.)、．]|\(?[a-zA-Z][.)])\s+)?(?:\[[ xX]\]\s+)?"
)
_ITEM = regex.compile(r"^\s*(?:>\s?)*+(?:[-*+•●▪◦‣·–]|\(?\p{Nd}{1,3}[.)、．]|\(?[a-zA-Z][.)])\s+")
_EDGES = " \t\r\n*_#>|"

_CLOSERS = r"[\"'”’»)\]」』】）》〉*_]"
#: A full stop and its kin before white space, a stop of the scripts that need none, and the space of Thai.
_END = regex.compile(
    rf"(?P<stop>(?<![.!?…])[.!?…]++{_CLOSERS}{{0,4}})(?=\s)|(?P<full>[。！？｡．।॥؟۔።።។။։՞⁇⁈⁉]+{_CLOSERS}{{0,4}})"
    r"|(?P<greek>(?<=\p{Greek});)(?=\s)|(?P<thai>(?<=\p{Thai}) (?=\p{Thai}))"
)
_LOWER = regex.compile(r"[\"'“„«¿¡(\[*_\s]{0,8}\p{Ll}")
#: What goes on behind a quotation that ends in a stop: "「…？」と聞いた".
_QUOTED_ON = regex.compile(r"[とっ]|って|라고|하고")
#: Ends of the last word before a full stop that ends no sentence.
_ABBREVIATION = regex.compile(
    r"(?:^|[\s(\[\"'“„«/])(?:\p{L}|(?:\p{L}\.){1,4}\p{L}|e\.g|i\.e|etc|vs|cf|ca|np|nr|str|tzw|tzn|ej|bzw|ggf|usw|sog"
    r"|Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra|Jr|Fig|figs?|No|Nos|Nr|al|approx|ex|dll|dsb|др|гг|рис|стр|см|им|т|vol|pp?|ed|eds|Eq|eq"
    r"|Abb|Bd|Kap|bl|örn|vb|yy|tr|pág|págs|núm|art|cap|sec|min|max|Inc|Ltd|Co|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov"
    r"|Dec|डॉ|प्रो|म)$"
)
#: Those after which a capital often begins a new sentence all the same.
_OFTEN_LAST = frozenset({"etc", "usw", "др", "гг", "dll", "dsb", "vb", "al"})
_SMALL_NUMBER = regex.compile(r"(?:^|[\s(\[])\p{Nd}{1,2}$")
_AFTER_ORDINAL = regex.compile(
    r"\s+(?:jan|feb|febr|m[äa]r|apr|ma[ijyg]|jun|jul|aug|sep|o[kc]t|nov|de[zc]|jahrh|welt|kap|kla|stu|yüzy|wiek|lutego|ocak"
    r"|şub|nis|haz|tem|ağu|eyl|eki|kas|ara|sty|kwi|cze|lip|sie|wrz|paź|lis|gru|st[oó]l|vek|век|январ|феврал|март|апрел|ма[йя]"
    r"|июн|июл|август|сентябр|октябр|ноябр|декабр)",
    regex.IGNORECASE,
)
#: Where no sentence ends: inline code, formulas between dollars or backslashed brackets, addresses.
_PROTECTED = regex.compile(r"`[^`\n]{1,300}`|\$[^$\n]{1,300}\$|\\\([^\n]{1,300}?\\\)|https?://[^\s<>]{1,300}")
#: Least length of a Thai stretch that stands as a sentence, and what goes on with the one before.
_THAI_SENTENCE = 25
_THAI_GOES_ON = regex.compile(r"(?:และ|หรือ|แต่|ซึ่ง|ที่|โดย|เพราะ|เพื่อ|จึง|คือ|เช่น|ได้แก่|แล้ว|ๆ|ทำให้|ว่า|กับ|ของ|ใน)")
#: A line of this share of its block's longest goes on below; shorter paragraphs than this are not wrapped.
_FULL_LINE, _LEAST_WRAPPED = 0.7, 40
_ENDS = regex.compile(rf"[.!?…:;。！？｡．：；।॥؟۔።។။։]{_CLOSERS}{{0,4}}\s*$")


def sentences(text: str) -> list[Sentence]:
    """Cut `text` into sentences, in order.

    Parameters
    ----------
    text
        Any text, of any length; the work is linear in it.
    """
    found: list[Sentence] = []
    for start, end, shape in _blocks(text):
        if shape is Shape.CODE:
            found.append(Sentence(text[start:end].strip("\r\n"), start, end, shape))
            continue
        for first, last in _cut(text[start:end]):
            stripped = _stripped(text, start + first, start + last)
            if stripped is not None:
                found.append(Sentence(" ".join(text[slice(*stripped)].split()), *stripped, shape))
    return found


def _stripped(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The stretch without signs of Markdown and white space at its edges; None when nothing is left."""
    while start < end and text[start] in _EDGES:
        start += 1
    while start < end and text[end - 1] in _EDGES:
        end -= 1
    return (start, end) if any(c.isalnum() for c in text[start:end]) else None


def _blocks(text: str) -> Iterator[tuple[int, int, Shape]]:
    """Stretches of lines that belong together."""
    opened: int | None = None
    shape, longest, last, end = Shape.PROSE, 0, "", 0
    fence: str | None = None
    at = 0
    for line in text.split("\n"):
        start, at = at, at + len(line) + 1
        stop = start + len(line)
        fenced = _FENCE.match(line)
        if fence is not None:
            if fenced and fenced[1] == fence:
                yield opened or 0, stop, Shape.CODE
                fence, opened = None, None
            end = stop
            continue
        kind = _kind(line, fenced=fenced is not None)
        if opened is not None and (kind is not Shape.PROSE or not _goes_on(last, line, longest)):
            yield opened, end, shape
            opened = None
        if kind is None:
            continue
        if fenced:
            fence, opened, end = fenced[1], start, stop
        elif kind in {Shape.HEADING, Shape.ROW}:
            yield start + _head_length(line, kind), stop, kind
        else:
            if opened is None:
                opened, shape, longest = start + _head_length(line, kind), kind, 0
            longest, last, end = max(longest, len(line)), line, stop
    if opened is not None:
        yield opened, end if fence is None else len(text), shape if fence is None else Shape.CODE


def _kind(line: str, *, fenced: bool) -> Shape | None:
    """What a line is by itself; None for one that says nothing."""
    if fenced:
        return Shape.CODE
    if not line.strip() or _RULE.match(line):
        return None
    if _HEADING.match(line):
        return Shape.HEADING
    if _ROW.match(line):
        return Shape.ROW if any(c.isalnum() for c in line) else None
    return Shape.ITEM if _ITEM.match(line) else Shape.PROSE


def _head_length(line: str, kind: Shape) -> int:
    sign = (_HEADING if kind is Shape.HEADING else _MARKER).match(line)
    return sign.end() if sign else 0


def _goes_on(last: str, line: str, longest: int) -> bool:
    """Whether a paragraph's line is followed by one of the same sentence or paragraph."""
    if _LOWER.match(line):
        return True
    return longest >= _LEAST_WRAPPED and len(last) >= _FULL_LINE * longest


def _cut(block: str) -> Iterator[tuple[int, int]]:
    """Stretches of a block that are sentences."""
    kept = [match.span() for match in _PROTECTED.finditer(block)]
    start, inside = 0, 0
    for match in _END.finditer(block):
        while inside < len(kept) and kept[inside][1] <= match.start():
            inside += 1
        if inside < len(kept) and kept[inside][0] < match.start():
            continue
        if _ends(block, start, match):
            yield from _bounded(block, start, match.end())
            start = match.end()
    yield from _bounded(block, start, len(block))


def _ends(block: str, start: int, match: regex.Match[str]) -> bool:
    end = match.end()
    if match["full"] or match["greek"]:
        return block[end - 1] not in "」』”’" or not _QUOTED_ON.match(block, end)
    if match["thai"]:
        return end - start >= _THAI_SENTENCE and not _THAI_GOES_ON.match(block, end)
    goes_on = _LOWER.match(block, end) is not None
    if goes_on or match["stop"][0] != "." or match["stop"].startswith(".."):
        return not goes_on
    before = block[max(start, match.start() - 12) : match.start()]
    short = _ABBREVIATION.search(before)
    if short:
        word = before.split()[-1].strip("([\"'“„«/") if before.split() else ""
        # An initial is followed by its name on the same line; "the letter S." may well end one.
        return word in _OFTEN_LAST or (len(word) == 1 and block[end : end + 1] == "\n")
    return not (_SMALL_NUMBER.search(before) and _AFTER_ORDINAL.match(block, end))


def _bounded(block: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > MAX_SENTENCE_CHARS:
        space = block.rfind(" ", start + MAX_SENTENCE_CHARS // 2, start + MAX_SENTENCE_CHARS)
        cut = space if space > 0 else start + MAX_SENTENCE_CHARS
        yield start, cut
        start = cut
    yield start, end
