"""A line of a page taken apart, so that every rule sees the same of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
#: An escaped sign stands as a private character while markup is looked for: it is text, and no markup.
_PRIVATE: Final = 0xE000
_OWN_PRIVATE: Final = re.compile(f"[{chr(_PRIVATE)}-{chr(_PRIVATE + 127)}\x00]")
_BACK: Final = {_PRIVATE + code: chr(code) for code in range(128)}
_ADDRESS_SPAN: Final = re.compile(r"`(?:episode|session|file|connector)://[^`\s]+`")
_WIKILINK: Final = re.compile(r"\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")
_CITE: Final = re.compile(r"\[cite:([^\[\]]*)\]")
_LINK: Final = re.compile(r"\[([^\[\]]*)\]\(([^()\s]*)\)")
#: What stands for a link where the text around it is looked at; no word, no sign.
PLACE: Final = "□"
_MARKER: Final = re.compile(r"\s*(?:#{1,6}\s+|[-*+]\s+|>\s?|\d{1,9}[.)]\s+)*")


@dataclass(frozen=True, slots=True)
class LineParts:
    """What a line holds.

    Attributes
    ----------
    wikilinks
        What each names, in order.
    links
        Targets of ``[words](target)``.
    citations
        What stands between ``[cite:`` and ``]``.
    shown
        Words that links show, unescaped.
    claims
        The rest, unescaped, without the sign of a list or heading, with ``PLACE`` for each link, cut behind each group
        of citations: (text, these citations); the last may have none.
    embeds
        Whether there is an image or an embedded page.
    left
        The rest with escaped signs as private characters: what there is of markup still works as such.
    """

    wikilinks: tuple[str, ...]
    links: tuple[str, ...]
    citations: tuple[str, ...]
    shown: tuple[str, ...]
    claims: tuple[tuple[str, tuple[str, ...]], ...]
    left: str
    embeds: bool


def take_apart(line: str) -> LineParts:
    """Take a line apart; linear in its length."""
    line = _OWN_PRIVATE.sub("\ufffd", line)
    masked = _ESCAPE.sub(lambda m: chr(_PRIVATE + ord(m[1])), _ADDRESS_SPAN.sub(PLACE, line))
    wikilinks = _WIKILINK.findall(masked)
    without = _WIKILINK.sub(PLACE, masked)
    citations = _CITE.findall(without)
    without = _CITE.sub("\x00", without)
    links = _LINK.findall(without)
    left = _LINK.sub(PLACE, without)
    return LineParts(
        tuple(path.translate(_BACK) for path, _ in wikilinks),
        tuple(target.translate(_BACK) for _, target in links),
        tuple(citations),
        tuple(
            words.translate(_BACK) for words in (*(w for _, w in wikilinks), *(w for w, _ in links)) if words
        ),
        _claims(left, citations),
        left.replace("\x00", ""),
        "![" in masked,
    )


def _claims(left: str, citations: list[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    marker = _MARKER.match(left)
    pieces = left[marker.end() if marker else 0 :].translate(_BACK).split("\x00")
    claims: list[tuple[str, tuple[str, ...]]] = []
    said, cites = pieces[0], []
    for citation, piece in zip(citations, pieces[1:], strict=True):
        cites.append(citation)
        if piece.strip():
            claims.append((said.strip(), tuple(cites)))
            said, cites = piece, []
    if said.strip() or cites:
        claims.append((said.strip(), tuple(cites)))
    return tuple(claims)
