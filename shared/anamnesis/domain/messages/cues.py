"""Cue tables: what, in each language, gives away a question about one's own record, a teaching, an utterance.

A language joins by one TOML file in ``tables/``. Patterns are regular expressions over folded text; a space stands for
one to three, and in languages that put spaces between words a pattern begins and ends at the edge of a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property, lru_cache
from typing import Any

from anamnesis.domain.text.folding import fold
from anamnesis.domain.text.tables import read_language, tabled_languages

#: Kinds of history question, the more telling ones first.
HISTORY_KINDS = ("wrong", "right", "taught", "covered", "any")
_ONE_SPACE = re.compile(r" (?![?*{])")
#: A gap of free words, or in scripts without spaces of free characters: what stands there may be the topic, so it
#: is captured. Short gaps of words (up to three) stand for adverbs and the like and are not.
_GAP = re.compile(
    r"\(\?:(?P<words> ?\??(?:\(\?![^()]*\))?(?:\\w|\[\^\\s\])\+ ?)\)\{0,(?P<most>[4-9])\}"
    r"|\(\?:(?P<some>\[\^[^\]]+\]\{[01],\d+\}\??)\)"
    r"|(?P<bare>\[\^[^\]]+\]\{0,\d+\}\??)"
    r"|(?P<any>\.\{0,40\})"
)


class CueRules:
    """One language's cues over folded text; a pattern is compiled when it is first used.

    Attributes
    ----------
    language
        BCP 47 primary tag.
    spaced
        Whether the language puts spaces between words.
    """

    def __init__(self, language: str, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.language = language
        self.spaced = bool(raw.get("spaced", True))

    @cached_property
    def history(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Pairs of a kind in HISTORY_KINDS and a pattern; unnamed groups are gaps that may hold the topic."""
        return tuple((kind, pattern) for kind in HISTORY_KINDS for pattern in self._patterns(kind))

    @cached_property
    def own_past(self) -> re.Pattern[str]:
        """The student speaking of what they, or they and the tutor, did."""
        return self._any_of("own_past")

    @cached_property
    def others(self) -> re.Pattern[str]:
        """What a third person did, in a language that says "we" by leaving it out."""
        return self._any_of("others")

    @cached_property
    def frame(self) -> frozenset[str]:
        """Words that belong to the frame of such a question, not to its topic."""
        return frozenset(fold(word) for word in str(self._raw.get("frame", "")).split())

    @cached_property
    def of_a_time(self) -> frozenset[str]:
        """Words that, with the frame's, ask what there was at a time and say nothing of any topic: "what happened"."""
        return self.frame | frozenset(fold(word) for word in str(self._raw.get("of_a_time", "")).split())

    def frames(self, word: str) -> bool:
        """Tell whether a word as it stands in a text belongs to the frame.

        Where tone marks tell words apart (Vietnamese thế, thể), a word written with them is compared with them.
        """
        if self.language == "vi" and not word.isascii():
            return word.casefold() in self._exact_frame
        return fold(word) in self.frame

    @cached_property
    def _exact_frame(self) -> frozenset[str]:
        return frozenset(unicodedata.normalize("NFC", str(self._raw.get("frame", ""))).casefold().split())

    @cached_property
    def greetings(self) -> tuple[str, ...]:
        """Phrases without a question in them."""
        return tuple(fold(phrase) for phrase in self._raw.get("greetings", ()))

    @cached_property
    def remember(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of a teaching; the group ``said`` is what is taught."""
        return self._patterns("remember") + self._patterns("notes") + self.after

    @cached_property
    def after(self) -> tuple[re.Pattern[str], ...]:
        """Those of ``remember`` that close what is taught: "…, remember that"."""
        return self._patterns("after")

    @cached_property
    def requests(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of a teaching asked for politely ("could you please remember that …?"), as ``remember``."""
        return self._patterns("requests")

    @cached_property
    def treat(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of "treat X as Y" and "call X Y"; ``said`` is all of it, ``name`` is X."""
        return self._patterns("naming") + self._patterns("treat")

    @cached_property
    def reports(self) -> re.Pattern[str]:
        """What gives away, before a colon, that somebody else says what follows: "the book says"."""
        return self._any_of("reports")

    @cached_property
    def verbs(self) -> tuple[str, ...]:
        """Words that teaching begins with, folded, long enough to be known when they are mistyped."""
        return tuple(fold(verb) for verb in self._raw.get("verbs", ()))

    @cached_property
    def openers(self) -> tuple[str, ...]:
        """Single words that open a polite message, folded, for when they are mistyped."""
        return tuple(opener for text in self._raw.get("lead", ()) if (opener := fold(text)).isalpha())

    @cached_property
    def apart(self) -> re.Pattern[str]:
        """What keeps apart the name after it: "not", "anything but"."""
        return self._any_of("apart")

    @cached_property
    def apart_after(self) -> re.Pattern[str]:
        """What keeps apart the name before it, where a language puts its "not" there."""
        body = "|".join(self._raw.get("apart_after", ())) or "(?!)"
        # Japanese is not spaced, and a Korean particle is part of the word it follows.
        return _compiled(body, spaced=self.spaced and self.language != "ko")

    @cached_property
    def denials(self) -> re.Pattern[str]:
        """A "no" between two marks, which takes back what stands before it: "osmosis? no, diffusion"."""
        return _compiled(
            rf"(?:[?,.!;-]\s*)(?:{'|'.join(self._raw.get('denials', ())) or '(?!)'})\s*,", spaced=False
        )

    @cached_property
    def but(self) -> re.Pattern[str]:
        """What ends the reach of ``apart``: "not osmosis but diffusion"."""
        return self._any_of("but")

    @cached_property
    def only(self) -> re.Pattern[str]:
        """What turns "not" into "and also": "not only"."""
        return self._any_of("only")

    @cached_property
    def call(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of "we call X …" in what is taught; ``name`` is X."""
        return self._patterns("call")

    @cached_property
    def renamed(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of a whole statement that names or treats a thing as another, without what leads up to it."""
        texts = (*self._raw.get("naming", ()), *self._raw.get("treat", ()))
        return tuple(
            _compiled(text[text.index("(<said>") :], spaced=self.spaced)
            for text in texts
            if "(<said>" in text
        )

    @cached_property
    def renaming(self) -> tuple[re.Pattern[str], ...]:
        """Those of ``call`` that say a name is given, not merely what a thing is ("X is …" begins the statement)."""
        texts = (text for text in self._raw.get("call", ()) if not text.startswith("^"))
        return tuple(_compiled(text, spaced=self.spaced) for text in texts)

    @cached_property
    def question_start(self) -> re.Pattern[str]:
        """What a question without a question mark starts with."""
        return self._any_of("question_start")

    @cached_property
    def asking(self) -> re.Pattern[str]:
        """Verbs that ask something of a tutor."""
        return self._any_of("asking")

    @cached_property
    def talk(self) -> re.Pattern[str]:
        """Interjections, calls for more or less, and complaints that a subject is hard."""
        return self._any_of("talk")

    @cached_property
    def speakers(self) -> re.Pattern[str]:
        """Pronouns of the people speaking."""
        return self._any_of("speakers")

    @cached_property
    def fillers(self) -> re.Pattern[str]:
        """Words that only keep talk going."""
        return self._any_of("fillers")

    def _patterns(self, key: str) -> tuple[re.Pattern[str], ...]:
        return tuple(
            _compiled(text.replace("{lead}", self._lead), spaced=self.spaced)
            for text in self._raw.get(key, ())
        )

    @cached_property
    def _lead(self) -> str:
        """Openers of a polite message, a few in a row; a comma or a space after each."""
        openers = "|".join(sorted(self._raw.get("lead", ()), key=len, reverse=True)) or "(?!)"
        return (
            rf"(?:(?:{openers})[,!\s]{{1,3}}){{0,4}}"
            if self.spaced
            else rf"(?:(?:{openers})[,!\s]{{0,2}}){{0,3}}"
        )

    def _any_of(self, key: str) -> re.Pattern[str]:
        return _compiled("|".join(self._raw.get(key, ())) or "(?!)", spaced=self.spaced)


@lru_cache(maxsize=1)
def cue_languages() -> tuple[str, ...]:
    """Return the languages that have a table."""
    return tabled_languages(__package__)


@lru_cache(maxsize=64)
def cues_of(language: str) -> CueRules:
    """Return the cues of `language`, one of `cue_languages`."""
    return CueRules(language, read_language(__package__, language))


def _compiled(text: str, *, spaced: bool) -> re.Pattern[str]:
    """Compile one pattern; ``<said>`` and ``<name>`` name groups (folding would spoil Python's own spelling)."""
    gaps = _GAP.sub(_captured, fold(text))
    body = _ONE_SPACE.sub(" {1,3}", gaps).replace("(<", "(?P<")
    return re.compile(rf"(?<!\w)(?:{body})(?!\w)" if spaced else f"(?:{body})")


def _captured(gap: re.Match[str]) -> str:
    if gap["words"]:
        return f"((?:{gap['words']}){{0,{gap['most']}}})"
    return f"({gap['some'] or gap['bare'] or gap['any']})"
