"""Tying a legacy "assessment results" section of a prompt to the memory block (BL-7)."""

from __future__ import annotations

import regex

BRIDGE = (
    "NOTE: the memory above is the record of this student. The assessment results below add to it and never cancel "
    "it: where one of them says that nothing is recorded, the memory above still holds."
)
#: A section longer than this says more than "nothing recorded".
_EMPTY_SECTION_CHARS = 400
_NOTHING = regex.compile(
    r"\b(?:no|not any|nothing|none|zero|0)\b[^.\n]{0,60}?\b(?:recorded|available|found|yet|taken|completed|results?|"
    r"assessments?|checks?|quizzes|data|history|attempts?)\b|^\W*(?:none|nothing|n/?a|empty|null|-+)\W*$",
    regex.IGNORECASE | regex.MULTILINE,
)
_HEADING = regex.compile(r"^\s*(?:#{1,6}\s.*|[^.\n]{1,80}:|=+.*=+|\*\*[^*\n]+\*\*)\s*$", regex.MULTILINE)


def bridge_assessment(section: str, block: str | None) -> str:
    """Put the block, a bridging note and a legacy section into the order in which a model reads them rightly (BL-7).

    Parameters
    ----------
    section
        The prompt's own "assessment results" section; may be empty.
    block
        The memory block, or None when the turn goes on without one.

    Returns
    -------
    str
        Without a block the section as it is. With one, the block first; then the note and the section, unless the
        section only says that nothing is recorded.
    """
    if not block:
        return section
    if not section.strip() or _says_nothing(section):
        return block
    return f"{block}\n\n{BRIDGE}\n{section}"


def _says_nothing(section: str) -> bool:
    """Whether every sentence below the headings says that there is nothing."""
    if len(section) > _EMPTY_SECTION_CHARS:
        return False
    body = _HEADING.sub("", section)
    sentences = [part for part in regex.split(r"(?<=[.!?])\s+|\n+", body) if part.strip()]
    return all(_NOTHING.search(sentence) for sentence in sentences)
