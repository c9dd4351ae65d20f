"""Who says an utterance, as its label tells, and how much of it asks; in any script."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Beginning of a text that is read.
MAX_READ_CHARS = 8_000

#: A name of up to three words before a colon. A colon of Latin script needs a space behind it: "https:" is no speaker.
_LABEL = re.compile(r"\s{0,20}([^\W\d_][^\s:：]{0,29}(?: [^\s:：]{1,30}){0,2}) ?(?::\s|：)")
#: Question marks of Latin, Chinese and Japanese, Arabic, Greek, Ethiopic, Vai and Armenian writing, and the inverted
#: one for irony. Where a script asks without a mark, nothing asks.
_ASKING = frozenset("?？؟\u037e፧꘏՞⸮⁇⁈⁉")
#: Ends of sentences that do not ask.
_ENDING = frozenset(".!。！।॥۔։\n…¡¿")
_MARKS = re.escape("".join(sorted(_ASKING | _ENDING)))
_SENTENCE = re.compile(rf"([^{_MARKS}]+)([{_MARKS}]*)")


def speaker_label(text: str) -> str | None:
    """Return the name before the colon that `text` begins with, as in a transcript, or None."""
    found = _LABEL.match(text[:200])
    return found.group(1) if found else None


def asking_share(text: str) -> float:
    """Return how much of the text stands in sentences that end in a question mark, 0–1, by characters.

    The first ``MAX_READ_CHARS`` characters are read.
    """
    asked = total = 0
    for length, asks in _sentences(text[:MAX_READ_CHARS]):
        total += length
        asked += length if asks else 0
    return asked / total if total else 0.0


def _sentences(text: str) -> Iterator[tuple[int, bool]]:
    """Length of each sentence, its marks left out, and whether it ends in a question mark."""
    for found in _SENTENCE.finditer(text):
        length = len(found.group(1).strip())
        if length:
            yield length, not _ASKING.isdisjoint(found.group(2))
