"""What a model said, without what it wrote to itself before it (SV-13).

Reasoning models put their reasoning between marks, and some frontends store both. It is addressed to nobody: quoted
back, a student reads what the model thought of them, and the next model takes the marks for its own.
"""

from __future__ import annotations

import regex

_NAMES = r"think|thinking|thoughts?|reasoning|reflection|scratchpad|seed:think"
#: Marks that models in use write: `<think>` (DeepSeek, Qwen and most others), `[THINK]` (Magistral), `◁think▷` (Kimi),
#: `<|begin_of_thought|>` (Open-R1). An opening one begins a line: elsewhere a text speaks of the mark.
_MARKS = regex.compile(
    rf"^[ \t]*(?P<opening><(?:{_NAMES})\s?>|\[THINK\]|◁think▷|<\|begin_of_thought\|>)"
    rf"|(?P<closing></(?:{_NAMES})\s?>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>)(?P<ends>[ \t]*(?:$|\Z))?",
    regex.IGNORECASE | regex.MULTILINE,
)


def spoken(text: str) -> str:
    """Return a model's answer without its reasoning, in time linear in its length.

    Reasoning that never ends is all of the text if it begins it (the model ran out of tokens), and else no reasoning.
    An end without a beginning closes what began in the prompt, where chat templates put the opening mark.
    """
    kept: list[str] = []
    start = depth = opened = 0
    met = False
    for mark in _MARKS.finditer(text):
        if mark["opening"]:
            if depth == 0:
                opened = mark.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                kept.append(text[start:opened])
                start = mark.end()
        elif not met and mark["ends"] is not None:
            start = mark.end()
        met = True
    if depth and not text[start:opened].strip() and not kept:
        return ""
    return "".join([*kept, text[start:]])
