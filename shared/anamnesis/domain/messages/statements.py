"""What a message that its sender calls a teaching teaches: "remember that …", or a plain statement (TE-1 … TE-3)."""

from __future__ import annotations

import regex

from anamnesis.domain.messages.teachings import Teaching, is_question, read_teaching

#: Words of a name made from a plain statement; characters where words are not spaced.
NAME_WORDS = 5
NAME_CHARACTERS_UNSPACED = 12
#: Words before a teaching that are looked past for what takes it back ("never", "he said:").
_BEFORE = 12
_WORDS = regex.compile(r"[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*")
_AROUND = " \t\n\"'“”„«».,;:!?。、，！؟।-–—()[]"


def taught_by(text: str, *, language: str | None = None) -> Teaching | None:
    """Return what a message sent as a teaching teaches; None when its words do not teach after all.

    A plain statement teaches, since its sender says so. A question does not, and neither does a sentence with
    "remember that …" inside it but not at its beginning: what stands before takes it back, quotes it or supposes it.
    """
    teaching = read_teaching(text, language=language)
    if teaching is not None:
        return teaching
    statement = text.strip(_AROUND)
    if not statement or is_question(text) or _is_taken_back(text, language):
        return None
    return Teaching(statement=statement, short_name=_short_name(statement))


def _is_taken_back(text: str, language: str | None) -> bool:
    words = text.split()[:200]
    return any(
        read_teaching(" ".join(words[start:]).strip(_AROUND), language=language) is not None
        for start in range(1, min(_BEFORE, len(words)))
    )


def _short_name(statement: str) -> str:
    words: list[str] = _WORDS.findall(statement[:400])
    if not words:
        return statement[:NAME_CHARACTERS_UNSPACED]
    if len(words) == 1:
        return (
            words[0][:NAME_CHARACTERS_UNSPACED] if len(words[0]) > 2 * NAME_CHARACTERS_UNSPACED else words[0]
        )
    return " ".join(words[:NAME_WORDS])
