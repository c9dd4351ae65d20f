"""What a missed check asked and what was said of the answer, for who asks what they got wrong (BL-4, BL-8)."""

from __future__ import annotations

import regex

from anamnesis.domain.block.material import Memory
from anamnesis.domain.text.containment import contained
from anamnesis.domain.text.tokens import estimate_tokens

#: Most tokens of either quotation, and lengths in characters that are tried until one has no more. Ours: a question and
#: a short answer, or two sentences.
MAX_TOKENS = 60
_LENGTHS = (200, 140, 100, 70, 50, 35, 20)
#: A text up to here is shown with its end too, where the answer stands; of a longer one only the beginning is. Ours.
_MAX_ENDED_CHARS = 4_000
#: What stands for the middle of a text.
_GAP = " […] "
#: Quotation marks of the content would end ours.
_MARKS = str.maketrans(dict.fromkeys("“”„«»「」『』", '"'))
_WORDS = regex.compile(r"[\p{L}\p{M}\p{N}]+")
#: What is left of a word that the middle ends in: its letters and the space behind them, or its marks alone.
_CUT_WORD = regex.compile(r"^\S{1,30}\s+|^\p{M}+")


def missed_words(memory: Memory) -> str:
    """Return what a line adds to a missed check, such as `` [“Which way does water move?”; evaluation: “…”]``.

    Returns
    -------
    str
        Empty unless the memory is a check or quiz that was missed; and what its summary says already is left out.
    """
    if memory.outcome is None or memory.outcome.correct:
        return ""
    told = memory.summary
    parts = []
    for label, text in (("", memory.text), ("evaluation: ", memory.evaluation)):
        if text.strip() and not _says(told, text):
            told = f"{told} {text}"
            if quoted := _quoted(text):
                parts.append(f"{label}“{quoted}”")
    return f" [{'; '.join(parts)}]" if parts else ""


def _says(told: str, text: str) -> bool:
    """Whether `told` holds the words of `text` in their order."""
    words = [" ".join(_WORDS.findall(each[:_MAX_ENDED_CHARS].casefold())) for each in (text, told)]
    return not words[0] or f" {words[0]} " in f" {words[1]} "


def _quoted(text: str) -> str:
    """Return a text on one line within the bounds, its middle left out where it is too long; empty if none fits."""
    line = contained(text, max_chars=_MAX_ENDED_CHARS).translate(_MARKS)
    ended = len(text) <= _MAX_ENDED_CHARS
    for chars in _LENGTHS:
        if len(line) <= chars:
            cut = line
        elif ended:
            begin = contained(line[:chars], max_chars=chars // 2).removesuffix("…").rstrip()
            # Once more: what is put together may read as what neither part was.
            cut = contained(f"{begin}{_GAP}{_CUT_WORD.sub('', line[-(chars // 2) :])}")
        else:
            cut = contained(line[: 2 * chars], max_chars=chars)
        if estimate_tokens(cut) <= MAX_TOKENS:
            return cut
    return ""
