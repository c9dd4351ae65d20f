"""The one-line summary of an episode when its caller gave none (EP-2)."""

from __future__ import annotations

import regex

from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.text.reasoning import spoken

#: Longest derived summary, in characters: about two lines of a block.
DERIVED_CHARS = 200
#: How much of a text is looked at for its first sentence, in characters.
_LOOKED_AT = 4_000
#: From this many characters on a sentence stands for itself; "No." does not.
_SAYS_SOMETHING = 24
_SENTENCE_END = regex.compile(r"(?<=[.!?…])\s+|(?<=[。！？।॥؟])\s*|\n+")
_SPACES = regex.compile(r"\s+")


def first_sentence(text: str, *, max_chars: int = DERIVED_CHARS) -> str:
    """The first sentence of `text` on one line, and what follows while that says little ("No.").

    Returns
    -------
    str
        At most `max_chars` characters, cut at a grapheme boundary; empty for blank text.
    """
    sentences = (_SPACES.sub(" ", found).strip() for found in _SENTENCE_END.split(text[:_LOOKED_AT].strip()))
    said = ""
    for sentence in sentences:
        said = f"{said} {sentence}".strip()
        if len(said) >= _SAYS_SOMETHING:
            break
    if len(said) <= max_chars:
        return said
    cut = ""
    for grapheme in regex.findall(r"\X", said[: max_chars * 2]):
        if len(cut) + len(grapheme) > max_chars - 1:
            break
        cut += grapheme
    return cut.rstrip() + "…"


def derived_summary(
    kind: Kind, text: str, *, topic: str | None, correct: bool | None, score: float | None
) -> str:
    """One line that says what happened.

    Parameters
    ----------
    score
        0–1, for quizzes.

    Returns
    -------
    str
        For a check "Check on <topic>: right|wrong", for a quiz "Quiz on <topic>: 70 %", else the first sentence; of an
        answer the first that is no reasoning of the model's.
    """
    about = first_sentence(topic or text, max_chars=120)
    if kind is Kind.CHECK and correct is not None:
        return f"Check on {about}: {'right' if correct else 'wrong'}"
    if kind is Kind.QUIZ and score is not None:
        return f"Quiz on {about}: {score:.0%}"
    return first_sentence(spoken(text) if kind is Kind.ANSWER else text) or first_sentence(topic or "")
