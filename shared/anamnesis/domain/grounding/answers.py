"""An answer's claims, each traced to where it comes from (GR-1, GR-2)."""

from __future__ import annotations

from collections.abc import Callable

from anamnesis.domain.errors import TooLarge
from anamnesis.domain.grounding.claims import AnswerParts, parts_of
from anamnesis.domain.grounding.indexed_memories import IndexedMemories, Remembered
from anamnesis.domain.grounding.library import Library
from anamnesis.domain.grounding.memories import trace_memory
from anamnesis.domain.grounding.statements import Statement
from anamnesis.domain.grounding.values import (
    MAX_CLAIMS,
    ClaimSource,
    GroundedClaim,
    Grounding,
    Shortfall,
)
from anamnesis.domain.grounding.vocabulary import Vocabulary
from anamnesis.domain.text.sentences import Sentence

#: Score from which on a file says so nearly in the claim's own words. Ours.
_WORD_FOR_WORD = 0.9


def claims_of(answer: str) -> AnswerParts:
    """The claims of an answer.

    Raises
    ------
    TooLarge
        If there are more than ``MAX_CLAIMS`` (field ``answer``).
    """
    parts = parts_of(answer)
    if len(parts.claims) > MAX_CLAIMS:
        raise TooLarge(f"has more than {MAX_CLAIMS} sentences that claim something", field="answer")
    return parts


def ground(
    parts: AnswerParts,
    library: Library,
    remembered: Remembered,
    vocabulary: Vocabulary,
    *,
    has_time: Callable[[], bool] = lambda: True,
) -> Grounding:
    """Trace the claims of an answer to lines of files or to recalled memories.

    Parameters
    ----------
    has_time
        Asked before each claim; from the first time on that there is none, claims are only counted.
    """
    indexed = IndexedMemories(remembered)
    claims: list[GroundedClaim] = []
    for sentence, claim in parts.claims:
        if not has_time():
            break
        claims.append(_grounded(sentence, claim, library, indexed, vocabulary))
    return Grounding(tuple(claims), parts.says_missing, len(parts.claims) - len(claims))


def _grounded(
    sentence: Sentence, claim: Statement, library: Library, indexed: IndexedMemories, vocabulary: Vocabulary
) -> GroundedClaim:
    recalled = trace_memory(claim, indexed, vocabulary)
    source: ClaimSource | None = recalled.memory
    verdict, also = recalled.verdict, recalled.also
    if not recalled.about_record or verdict.problem is Shortfall.NOTHING:
        traced = library.trace(claim)
        better = (traced.verdict.supports, traced.verdict.score) > (verdict.supports, verdict.score)
        # "As we saw earlier, cells divide" sounds like the record, and may be what a file says word for word.
        if better and (not recalled.about_record or traced.verdict.score >= _WORD_FOR_WORD):
            verdict, source, also = traced.verdict, traced.line if traced.verdict.supports else None, ()
    return GroundedClaim(
        sentence.text, sentence.start, sentence.end, source, verdict.score, verdict.problem, also
    )
