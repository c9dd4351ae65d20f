"""Questions of cards, and the terms that they ask for ("What is osmosis?", "浸透圧とは何ですか？")."""

from __future__ import annotations

from functools import cache

import regex

from anamnesis.domain.text.tables import read_table

_ASKS = ("?", "？", "؟", "՞", "፧", ";")
#: "Q:", "A)", "Question 3.", in any letters: a short word or two, perhaps a number, and a sign.
_LABEL = regex.compile(r"^(?:\p{L}[\p{L}\p{M}]{0,11})\s?\p{N}{0,3}\s?[:：.)]\s+")
_MOST_CHARS = 120
#: What a question ends with, and how many of its letters frames are looked up by.
_SIGNS, _KEY = " ?？؟;.。፧", 2


def without_label(line: str) -> str:
    """A line of a card without what says that it is the question or the answer."""
    text = line.strip()
    label = _LABEL.match(text)
    if label is None:
        return text
    bare = label[0].strip().rstrip(":：.)").rstrip("0123456789 ").casefold()
    return text[label.end() :].strip() if bare in _labels() else text


def is_question(line: str) -> bool:
    """Whether a line asks something."""
    return line.strip().endswith(_ASKS[:-1]) or asked_for(line) != ""


def asked_for(line: str) -> str:
    """The term that a question asks for; "" for another line."""
    text = line.strip().strip("*_").strip()
    if not text or len(text) > _MOST_CHARS:
        return ""
    folded = text.casefold().rstrip(_SIGNS)
    for frame in (*_frames()[0].get(folded[:_KEY], ()), *_frames()[1].get(folded[-_KEY:], ())):
        match = frame.fullmatch(text)
        if match:
            return " ".join(match["term"].split()).strip("\"'“”„«»「」 ")
    return ""


@cache
def _frames() -> tuple[dict[str, list[regex.Pattern[str]]], dict[str, list[regex.Pattern[str]]]]:
    """Frames by how a question begins, and those that begin with their term by how it ends, longest first."""
    raw = read_table(__package__, "questions")["asks"]
    begun: dict[str, list[regex.Pattern[str]]] = {}
    ended: dict[str, list[regex.Pattern[str]]] = {}
    for frame in sorted({frame for told in raw.values() for frame in told}, key=lambda one: (-len(one), one)):
        if frame.startswith("{}"):
            ended.setdefault(frame.casefold()[-_KEY:], []).append(_pattern(frame))
        else:
            begun.setdefault(frame.casefold()[:_KEY], []).append(_pattern(frame))
    return begun, ended


def _pattern(frame: str) -> regex.Pattern[str]:
    before, _, after = frame.partition("{}")
    term = r"(?P<term>[^\s?？؟].{0,60}?)"
    # An imperative ("Define osmosis.") takes no sign of a question.
    written = regex.escape(before).replace(r"\ ", r"\s+") + term + regex.escape(after).replace(r"\ ", r"\s+")
    return regex.compile(rf"{written}\s*[?？؟;.。፧]?", regex.IGNORECASE)


def is_header(cell: str) -> bool:
    """Whether a cell names a column of a list of terms ("Term", "Bedeutung")."""
    return cell.strip().casefold() in _headers()


def is_field(name: str) -> bool:
    """Whether a name stands in forms before what is filled in ("Date", "Ort")."""
    return name.strip().casefold() in _fields()


@cache
def _fields() -> frozenset[str]:
    return frozenset(
        word for told in read_table(__package__, "questions")["fields"].values() for word in told
    )


@cache
def _headers() -> frozenset[str]:
    raw = read_table(__package__, "questions")["headers"]
    return frozenset(word for told in raw.values() for word in told) | _labels()


@cache
def _labels() -> frozenset[str]:
    return frozenset(
        label for told in read_table(__package__, "questions")["labels"].values() for label in told
    )
