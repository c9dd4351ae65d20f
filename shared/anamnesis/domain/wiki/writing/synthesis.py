"""The synthesis that a model writes onto a compiled page, and how a later compile knows that it still holds (WD-3).

It is a section of its own behind the summary. The rest of the page is what the deterministic writer makes of the same
evidence, and the page's front matter holds a fingerprint of that: as long as it is the same, nobody need be asked anew,
and once it is not, the synthesis goes at once. A fingerprint without a section says that nothing was to be said.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from anamnesis.domain.text.sentences import sentences
from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.gates.lines import PLACE, take_apart
from anamnesis.domain.wiki.page_format import escaped, read
from anamnesis.domain.wiki.pages import Page, Section, Statement

#: Heading of the section.
SYNTHESIS: Final = "Current synthesis"
#: Sentences of a synthesis at most, characters of one, and addresses that one cites. Ours: what is read in half a
#: minute; the page below it holds the rest.
MAX_SENTENCES: Final = 8
MAX_SENTENCE_CHARS: Final = 400
MAX_CITES: Final = 6
_FINGERPRINT_DIGITS: Final = 24


@dataclass(frozen=True, slots=True)
class Synthesis:
    """What was written of a page's evidence.

    Attributes
    ----------
    writer
        Name and version of who was asked.
    fingerprint
        Of the evidence (``fingerprint``).
    statements
        At most ``MAX_SENTENCES``; none when there was nothing to say, or nothing that a gate let pass.
    """

    writer: str
    fingerprint: str
    statements: tuple[Statement, ...] = ()

    @property
    def mark(self) -> str:
        """As it stands in the front matter."""
        return f"{self.writer} {self.fingerprint}"


def fingerprint(text: str) -> str:
    """Of what the deterministic writer makes of a page's evidence, without agents' notes: 24 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:_FINGERPRINT_DIGITS]


def synthesis_on(path: str, text: str) -> Synthesis | None:
    """The synthesis that a page holds; None when nobody was asked for one."""
    if "\nsynthesis: " not in text:
        return None
    page = read(path, text)
    mark = (page.front or {}).get("synthesis")
    writer, _, of = mark.rpartition(" ") if isinstance(mark, str) else ("", "", "")
    if not writer or len(of) != _FINGERPRINT_DIGITS:
        return None
    statements = []
    for line in page.lines:
        if line.section != SYNTHESIS or not line.text.startswith("- "):
            continue
        for said, numbers in take_apart(line.text).claims:
            cited = tuple(page.references.get(int(n)) for n in numbers if n.isdecimal() and len(n) < 7)
            statements.append(Statement(said, tuple(a for a in cited if a is not None)))
    return Synthesis(writer, of, tuple(statements))


def with_synthesis(page: Page, synthesis: Synthesis, told: Mapping[Address, str]) -> Page:
    """The page with a synthesis behind its summary.

    Parameters
    ----------
    told
        What cited addresses are, in words; those that the page has words for keep these.
    """
    if not synthesis.statements:
        return replace(page, synthesis=synthesis.mark)
    section = Section(SYNTHESIS, synthesis.statements)
    return replace(
        page,
        synthesis=synthesis.mark,
        sections=(section, *page.sections),
        references={**told, **(page.references or {})},
    )


def as_written(sentence: str) -> str | None:
    """The sentence as a page says it, one that reads the same however often it is written; None when there is none.

    Raises
    ------
    ValueError
        If it is too long or more than one, saying which.
    """
    if len(sentence) > MAX_SENTENCE_CHARS:
        raise ValueError(f"longer than {MAX_SENTENCE_CHARS} characters")
    text = _read_back(sentence)
    if text != _read_back(text) or PLACE in text:
        raise ValueError("holds signs that cannot stand on a page")
    if len(sentences(text)) > 1:
        raise ValueError("more than one sentence")
    return text or None


def _read_back(sentence: str) -> str:
    return " ".join(said for said, _ in take_apart(f"- {escaped(sentence)}").claims)
