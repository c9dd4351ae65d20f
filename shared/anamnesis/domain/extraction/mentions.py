"""A mention: one place where a text marks a term as one of its ideas, and how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Cue(Enum):
    """How a text marks a term."""

    GLOSSARY = "glossary entry"
    DEFINITION = "X is a …"
    OPENING = "a paragraph that begins: X is a …"
    GENERIC = "an X is a …"
    WEAK_DEFINITION = "X is …"
    NAMING = "… is called X"
    WEAK_NAMING = "the concept of X"
    ENTRY = "- X: …"
    EMPHASIS = "**X**"
    HEADING = "a heading that is X"
    HEADING_PART = "a heading that holds X"
    ABBREVIATION = "X (ABC)"
    FOREIGN = "X (its name in another language)"
    EXPLAINED = "X, which means …"
    RELATIVE = "…, X, which says that …"
    APPOSITION = "X, a …, does something"
    FRAMED = "by X we mean …"
    LISTED = "one of a list of names"
    QUOTED = "“X”"
    RECURRING = "a phrase that keeps coming back"


@dataclass(frozen=True, slots=True)
class Mention:
    """One marked place.

    Attributes
    ----------
    term
        The name as it stands, without article.
    cue
        How it is marked.
    page
        Page it stands on.
    order
        Number of its block in reading order.
    sentence
        The sentence (or glossary entry) that says what it is; empty where nothing is said.
    short
        Its abbreviation, where the text gives one.
    """

    term: str
    cue: Cue
    page: int
    order: int
    sentence: str = ""
    short: str = ""
