"""Cue tables: what, in each language, gives away a question about one's own record, a teaching, an utterance.

A language joins by one TOML file in ``tables/``. Patterns are regular expressions over folded text; a space stands for
one to three, and in languages that put spaces between words a pattern begins and ends at the edge of a word.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from anamnesis.domain.cues.folding import fold

#: Kinds of history question, the more telling ones first.
HISTORY_KINDS = ("wrong", "right", "taught", "covered", "any")
_ONE_SPACE = re.compile(r" (?![?*{])")
#: A gap of up to four or more free words in a pattern: what stands there may be the topic, so it is kept apart.
_GAP = re.compile(r"\(\?:((?: \(\?![^()]*\))? ?\\w\+)\)\{0,([4-9])\}")


@dataclass(frozen=True, slots=True)
class CueRules:
    """One language's cues, over folded text.

    Attributes
    ----------
    spaced
        Whether the language puts spaces between words.
    history
        (kind, pattern) pairs, kinds as in HISTORY_KINDS; unnamed groups are gaps that may hold the topic.
    own_past
        The student speaking of what they, or they and the tutor, did.
    frame
        Words that belong to the frame of such a question, not to its topic.
    greetings
        Phrases without a question in them.
    remember
        Patterns of a teaching; the group ``said`` is what is taught.
    treat
        Patterns of "treat X as Y"; the group ``name`` is X.
    call
        Patterns of "we call X …" in what is taught; the group ``name`` is X.
    question_start
        What a question without a question mark starts with.
    asking
        Verbs that ask something of a tutor.
    speakers
        Pronouns of the people speaking.
    fillers
        Words that only keep talk going.
    """

    language: str
    spaced: bool
    history: tuple[tuple[str, re.Pattern[str]], ...]
    own_past: re.Pattern[str]
    frame: frozenset[str]
    greetings: tuple[str, ...]
    remember: tuple[re.Pattern[str], ...]
    treat: tuple[re.Pattern[str], ...]
    call: tuple[re.Pattern[str], ...]
    question_start: re.Pattern[str]
    asking: re.Pattern[str]
    speakers: re.Pattern[str]
    fillers: re.Pattern[str]


@lru_cache(maxsize=1)
def cue_languages() -> tuple[str, ...]:
    """Return the languages that have a table."""
    folder = files(__package__) / "tables"
    return tuple(
        sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml"))
    )


@lru_cache(maxsize=64)
def cues_of(language: str) -> CueRules:
    """Return the cues of `language`, one of `cue_languages`."""
    raw = tomllib.loads((files(__package__) / "tables" / f"{language}.toml").read_text(encoding="utf-8"))
    spaced = bool(raw.get("spaced", True))

    def patterns(key: str) -> tuple[re.Pattern[str], ...]:
        return tuple(_compiled(text, spaced=spaced) for text in raw.get(key, ()))

    return CueRules(
        language=language,
        spaced=spaced,
        history=tuple((kind, pattern) for kind in HISTORY_KINDS for pattern in patterns(kind)),
        own_past=_any_of(raw, "own_past", spaced=spaced),
        frame=frozenset(fold(word) for word in str(raw.get("frame", "")).split()),
        greetings=tuple(fold(phrase) for phrase in raw.get("greetings", ())),
        remember=patterns("remember"),
        treat=patterns("treat"),
        call=patterns("call"),
        question_start=_any_of(raw, "question_start", spaced=spaced),
        asking=_any_of(raw, "asking", spaced=spaced),
        speakers=_any_of(raw, "speakers", spaced=spaced),
        fillers=_any_of(raw, "fillers", spaced=spaced),
    )


def _any_of(raw: dict[str, Any], key: str, *, spaced: bool) -> re.Pattern[str]:
    return _compiled("|".join(raw.get(key, ())) or "(?!)", spaced=spaced)


def _compiled(text: str, *, spaced: bool) -> re.Pattern[str]:
    """Compile one pattern; ``<said>`` and ``<name>`` name groups (folding would spoil Python's own spelling)."""
    gaps = _GAP.sub(lambda m: f"((?:{m[1]}){{0,{m[2]}}})", fold(text).replace(".{0,40}", "(.{0,40})"))
    body = _ONE_SPACE.sub(" {1,3}", gaps).replace("(<", "(?P<")
    return re.compile(rf"(?<!\w)(?:{body})(?!\w)" if spaced else f"(?:{body})")
