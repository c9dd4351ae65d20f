"""Somebody's words as a quotation in what a tool answers: data, whatever they say (SV-13)."""

from __future__ import annotations

from typing import Final

from anamnesis.domain.text.containment import contained

#: Longest quotation in one answer, in characters; a turn of more is a pasted text. Ours.
MAX_QUOTED_CHARS: Final = 12_000


def quoted(text: str) -> str:
    """Each line of `text` behind a quotation mark of Markdown, with nothing in it that passes for structure."""
    cut = text[:MAX_QUOTED_CHARS]
    lines = [contained(line) for line in cut.splitlines() if line.strip()]
    more = [] if len(cut) == len(text) else [f"({len(text) - len(cut)} more characters)"]
    return "\n".join(f"> {line}" for line in lines if line) + "".join(f"\n{line}" for line in more)
