"""The one-line summary of an episode when its caller gave none (EP-2)."""

from __future__ import annotations

import regex

from anamnesis.domain.episodes import Kind

#: Longest derived summary, in characters: about two lines of a block.
DERIVED_CHARS = 200
#: How much of a text is looked at for its first sentence, in characters.
_LOOKED_AT = 4_000
_SENTENCE_END = regex.compile(r"(?<=[.!?…])\s+|(?<=[。！？।॥؟])\s*|\n+")
_SPACES = regex.compile(r"\s+")


def first_sentence(text: str, *, max_chars: int = DERIVED_CHARS) -> str:
    """The first sentence of `text` on one line, cut at a grapheme boundary; empty for blank text."""
    beginning = text[:_LOOKED_AT].strip()
    sentence = _SPACES.sub(" ", _SENTENCE_END.split(beginning, maxsplit=1)[0]).strip()
    if len(sentence) <= max_chars:
        return sentence
    graphemes = regex.findall(r"\X", sentence[: max_chars * 2])
    cut = ""
    for grapheme in graphemes:
        if len(cut) + len(grapheme) > max_chars - 1:
            break
        cut += grapheme
    return cut.rstrip() + "…"


def derived_summary(kind: Kind, text: str, *, topic: str | None, correct: bool | None, score: float | None) -> str:
    """One line that says what happened.

    Parameters
    ----------
    score
        0–1, for quizzes.

    Returns
    -------
    str
        For a check "Check on <topic>: right|wrong", for a quiz "Quiz on <topic>: 70 %", else the first sentence.
    """
    about = first_sentence(topic or text, max_chars=120)
    if kind is Kind.CHECK and correct is not None:
        return f"Check on {about}: {'right' if correct else 'wrong'}"
    if kind is Kind.QUIZ and score is not None:
        return f"Quiz on {about}: {score:.0%}"
    return first_sentence(text) or first_sentence(topic or "")
