"""Somebody else's words, fit to stand inside a page of ours (SV-13): one line that cannot turn what is around it.

What a form of the page reads as markup is for its writer to escape; here goes what no form can show: characters
that turn the direction of what follows, controls, lone surrogates, invisible tags.
"""

from __future__ import annotations

from typing import Final

import regex

#: Longest quotation, in characters: a summary has 300 at most, a name 255. Ours.
MAX_CHARS: Final = 400
#: Embeddings, overrides and isolates (UAX #9) change the direction of text that is not theirs when they are left open;
#: tags and variation selectors supplement hide text from people and not from programs.
_UNSEEN: Final = regex.compile(r"[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff\ufeff\ufff9-\ufffb]")
_SPACES: Final = regex.compile(r"[\s\p{Cc}\p{Zl}\p{Zp}]+")
#: What no encoder of UTF-8 takes, or no reader is sure to.
_NO_CHARACTER: Final = regex.compile(r"[\p{Cs}\ufdd0-\ufdef]|(?![\ufffd])[\ufffe\uffff]")
#: More marks on one letter than any script has: they would run over the lines above and below.
_PILE: Final = regex.compile(r"(\p{M}{8})\p{M}+")


def one_line(text: str, *, most: int = MAX_CHARS) -> str:
    """`text` on one line of at most `most` characters, cut between two graphemes, without what cannot be shown."""
    # Enough to fill the line whatever is dropped of it, without walking through a million characters.
    sample: str = text[: most * 8]
    if sample.isprintable() and not _UNSEEN.search(sample):
        # Nothing to drop then, and no white space but the space: most lines, in a fraction of the time.
        sample = " ".join(sample.split())
    else:
        sample = _NO_CHARACTER.sub("\ufffd", _UNSEEN.sub("", sample))
        sample = _SPACES.sub(" ", sample).strip()
    if not sample.isascii():
        sample = _PILE.sub(r"\1", sample)
    if len(sample) <= most and len(text) <= most * 8:
        return sample
    kept = ""
    for grapheme in regex.findall(r"\X", sample[:most]):
        if len(kept) + len(grapheme) > most - 1:
            break
        kept += grapheme
    return kept.rstrip() + "…"
