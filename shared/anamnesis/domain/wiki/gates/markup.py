"""What a page must not hold: HTML, images, links outside, and what a model could take for structure (SV-13)."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import regex

from anamnesis.domain.text.containment import contained
from anamnesis.domain.wiki.gates.findings import Findings, Rule
from anamnesis.domain.wiki.gates.lines import LineParts

_HTML: Final = re.compile(r"<[A-Za-z/!?]")
_ENTITY: Final = re.compile(r"&(?!(?:amp|lt|gt|quot|nbsp);)#?\w+;")
#: What GFM makes a link of by itself, and any address with a scheme.
_OUTSIDE: Final = re.compile(r"://|(?<![\w])www\.|\b(?:mailto|xmpp):|(?<=[\w.+-])@(?=\w)", re.I)
#: Links by reference, definitions and footnotes: forms whose target stands elsewhere.
_INDIRECT: Final = re.compile(r"\]\s?\[|^\s{0,3}\[[^\]]*\]:|\[\^|\[\[|\]\(")
#: A second front matter, or what begins one in other tools.
_FENCE: Final = re.compile(r"(?:---|\+\+\+|;;;)\s*")
_SEEN: Final = frozenset("\t")
_SPACES: Final = regex.compile(r"\s+")


def check_markup(path: str, number: int, line: str, parts: LineParts, found: Findings) -> None:
    """Check one line, whatever section it stands in."""
    if _FENCE.fullmatch(line):
        found.add(path, number, Rule.STRUCTURE, "a rule or second front matter")
    if not line.isprintable() and any(_is_unseen(c) for c in line):
        found.add(path, number, Rule.INVISIBLE, "a control or line separator")
        return
    if "<" in parts.left and _HTML.search(parts.left):
        found.add(path, number, Rule.HTML, "HTML")
    if "&" in parts.left and _ENTITY.search(parts.left):
        found.add(path, number, Rule.HTML, "a character by its number or name")
    if parts.embeds:
        found.add(path, number, Rule.IMAGE, "an image or embedded page")
    if _OUTSIDE.search(parts.left):
        found.add(path, number, Rule.SCHEME, "an address outside the wiki that is a link")
    if ("[" in parts.left or "]" in parts.left) and _INDIRECT.search(parts.left):
        found.add(path, number, Rule.LINK_FORM, "a link in a form that the wiki has not")
    for text in (*(text for text, _ in parts.claims), *parts.shown):
        _check_contained(path, number, text, found)


def _check_contained(path: str, number: int, text: str, found: Findings) -> None:
    """Whether a text says only what it shows, and nothing that passes for a marker, a role or a control token."""
    plain = _SPACES.sub(" ", text).strip()
    safe = contained(plain)
    if safe == plain:
        return
    hidden = sum(map(_hides, plain)) > sum(map(_hides, safe))
    if hidden:
        found.add(path, number, Rule.INVISIBLE, "characters that nobody sees")
    else:
        found.add(path, number, Rule.SMUGGLED, "what could pass for a marker, a role or a token")


def _hides(character: str) -> bool:
    return not character.isprintable() and not character.isspace()


def _is_unseen(character: str) -> bool:
    return character not in _SEEN and unicodedata.category(character) in {"Cc", "Zl", "Zp", "Cs"}
