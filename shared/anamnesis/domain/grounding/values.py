"""What grounding an answer finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

#: Longest answer that is grounded, in characters: some 25,000 tokens, more than a model gives at once.
MAX_ANSWER_CHARS = 100_000
#: Most claims of one answer. Ours: a claim takes some 25 ms in a course of millions of characters.
MAX_CLAIMS = 400
#: A claim with this score or more has a source. Ours: half of what it says, weighed by how much its words tell.
SUPPORTED = 0.5
#: Behind what was cut off a quote.
CUT = "…"
#: Below this share of traced claims an answer is mostly ungrounded (GR-1).
MOSTLY = 0.5


class Stance(StrEnum):
    """Whether an answer answered (GR-3)."""

    ANSWERED = "answered"
    """At least half of its claims are traced, or it claims nothing, and it does not say that something is missing."""
    PARTIAL = "partial"
    """Something of it is traced, but less than half, or it says itself that something is missing; or there was no time
    to tell."""
    COULD_NOT = "could_not"
    """Nothing of it is traced, though it claims something or says that the files or the memory do not hold it."""


class Shortfall(StrEnum):
    """Why the nearest line or memory does not support a claim."""

    NOTHING = "nothing"
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"
    DIRECTION = "direction"
    QUANTITY = "quantity"
    ORDER = "order"
    TERM = "term"
    OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of a file's page.

    Attributes
    ----------
    page, line
        From 1; the line is the one that the supporting sentence begins in.
    same_language
        False when the claim is in another language than the file: then only its names, numbers, signs and cognates were
        compared.
    """

    file_id: str
    file_name: str
    page: int
    line: int
    quote: str
    same_language: bool = True


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A recalled episode, or a current belief (then `episode_id` is the belief's newest evidence)."""

    episode_id: str
    kind: str
    occurred_at: datetime
    quote: str
    belief_id: str | None = None


ClaimSource = FileLine | RecalledMemory
_Source = TypeVar("_Source", bound=FileLine | RecalledMemory)


@dataclass(frozen=True, slots=True)
class GroundedClaim:
    """A sentence that claims something, and where that comes from.

    Attributes
    ----------
    start, end
        Where it stands in the answer, in characters.
    source
        None when nothing supports it; then `problem` says why.
    score
        0–1: how much of what it says the source says; below ``SUPPORTED`` without a source.
    also
        Of a claim that names several times, the memories of the other ones.
    """

    text: str
    start: int
    end: int
    source: ClaimSource | None
    score: float
    problem: Shortfall | None
    also: tuple[RecalledMemory, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounding:
    """The claims of an answer, and what follows from them.

    Attributes
    ----------
    claims
        Those that were looked for, in order.
    says_missing
        Whether the answer says itself that the files or the memory do not hold something.
    claims_not_searched
        Claims behind those that there was no time to look for.
    files_not_searched
        Files of the subject that there was no room or no time for; a claim without a source may come from one of them.
    """

    claims: tuple[GroundedClaim, ...]
    says_missing: bool
    claims_not_searched: int = 0
    files_not_searched: int = 0

    def with_quotes(self, max_chars: int) -> Grounding:
        """The same with longer quotes cut behind so many characters, which ``…`` tells; 0 leaves them out."""
        return replace(self, claims=tuple(_with_quotes(claim, max_chars) for claim in self.claims))

    @property
    def traced(self) -> int:
        """Claims that have a source."""
        return sum(claim.source is not None for claim in self.claims)

    @property
    def grounded_share(self) -> float:
        """Share of the claims looked for that have a source, 0–1; 1 when there are none."""
        return self.traced / len(self.claims) if self.claims else 1.0

    @property
    def mostly_ungrounded(self) -> bool:
        """Whether too few claims are traced (GR-1), whatever those would be that were not looked for."""
        return self.traced + self.claims_not_searched < MOSTLY * self._said

    @property
    def _said(self) -> int:
        return len(self.claims) + self.claims_not_searched

    @property
    def stance(self) -> Stance:
        """Whether the answer answered (GR-3)."""
        if self.claims_not_searched and not self.traced:
            return Stance.PARTIAL
        return stance_of(self._said, self.traced, says_missing=self.says_missing)


def _with_quotes(claim: GroundedClaim, max_chars: int) -> GroundedClaim:
    source = None if claim.source is None else _with_quote(claim.source, max_chars)
    return replace(claim, source=source, also=tuple(_with_quote(each, max_chars) for each in claim.also))


def _with_quote(source: _Source, max_chars: int) -> _Source:
    if len(source.quote) <= max_chars:
        return source
    return replace(source, quote=source.quote[:max_chars] + CUT)


def stance_of(claims: int, traced: int, *, says_missing: bool) -> Stance:
    """Tell the stance of an answer from what was traced of it; see ``Stance``."""
    if traced == 0 and (claims or says_missing):
        return Stance.COULD_NOT
    return Stance.PARTIAL if says_missing or traced < MOSTLY * claims else Stance.ANSWERED


@dataclass(frozen=True, slots=True)
class GroundingRecord:
    """What is kept beside an answer's episode: no text, so that nothing outlives the erasure of either.

    Attributes
    ----------
    question
        Position of the question that it answers, None when none was recorded before it.
    sources
        For each claim what supports it: ``file:ID:PAGE:LINE``, ``episode:ID``, ``belief:ID``, or empty.
    grounded_at
        When it was first found so.
    """

    episode_id: str
    position: int
    question: int | None
    stance: Stance
    claims: int
    traced: int
    says_missing: bool
    sources: tuple[str, ...]
    grounded_at: datetime

    @property
    def grounded_share(self) -> float:
        """Share of claims that have a source, 0–1."""
        return self.traced / self.claims if self.claims else 1.0


def reference(source: ClaimSource | None) -> str:
    """How a record names a source."""
    if source is None:
        return ""
    if isinstance(source, FileLine):
        return f"file:{source.file_id}:{source.page}:{source.line}"
    return f"belief:{source.belief_id}" if source.belief_id else f"episode:{source.episode_id}"


def stored_sources(claims: Sequence[GroundedClaim]) -> tuple[str, ...]:
    """References of the sources of claims, in order."""
    return tuple(reference(claim.source) for claim in claims)
