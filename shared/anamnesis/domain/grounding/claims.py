"""Which sentences of an answer claim something, and which say that something is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from anamnesis.domain.grounding.statements import Statement, read_statement
from anamnesis.domain.grounding.tables import GroundingTable, plain, table_of
from anamnesis.domain.text.languages import UNDETERMINED, detect_language
from anamnesis.domain.text.sentences import Sentence, Shape, sentences

_ASKS = regex.compile(r"[?？؟՞፧⁇⁈]['\"”’»)\]」』*_]*\s*$|(?<=\p{Greek}\p{M}*);\s*$")
#: How a question ends that has no question mark.
_ASKS_BARE = regex.compile(r"(?:吗|嗎|呢|ですか|ますか|でしょうか|까요?|나요|ไหม|หรือไม่)[。.!！]?\s*$")
_EXCLAIMS = regex.compile(r"[!！]['\"”’»)\]」』*_]*\s*$")
#: Courtesy and instructions are short; a longer sentence that begins like one goes on to claim something. Words, and
#: characters where words are not spaced. Ours.
_SHORT_CHAT, _SHORT_CHAT_UNSPACED = 7, 16
#: Words that tell something without which a sentence claims nothing, unless it has a number or recalls. Ours.
_LEAST_TELLING = 2
_ENDS_OPEN = regex.compile(r"[:：]\s*$")


@dataclass(frozen=True, slots=True)
class AnswerParts:
    """What an answer is made of: its claims with what each says, and whether it says that something is missing."""

    claims: tuple[tuple[Sentence, Statement], ...]
    says_missing: bool
    language: str


def parts_of(answer: str) -> AnswerParts:
    """Find the claims of an answer.

    No claims are headings, code, questions, courtesy, instructions and announcements, sentences that say too little to
    be looked for, and those by which the tutor says that the files or its memory do not hold something.
    """
    language = detect_language(answer)
    claims: list[tuple[Sentence, Statement]] = []
    missing = False
    for sentence in sentences(answer):
        own = _language_of(sentence.text, language)
        table = table_of(own)
        said = plain(sentence.text, own)
        if sentence.shape not in {Shape.HEADING, Shape.CODE} and _is_limit(said, table):
            missing = True
            continue
        statement = _claimed(sentence, said, own, table)
        if statement is not None:
            claims.append((sentence, statement))
    return AnswerParts(tuple(claims), missing, language)


def _language_of(text: str, whole: str) -> str:
    """A sentence's own language; a short one is in the answer's unless its script says otherwise."""
    found = detect_language(text, hint=whole)
    return whole if found == UNDETERMINED else found


def _is_limit(said: str, table: GroundingTable) -> bool:
    return not _ASKS.search(said) and table.of("limits").search(said) is not None


def _claimed(sentence: Sentence, said: str, language: str, table: GroundingTable) -> Statement | None:
    if sentence.shape in {Shape.HEADING, Shape.CODE} or _ENDS_OPEN.search(sentence.text):
        return None
    if _ASKS.search(sentence.text) or _ASKS_BARE.search(sentence.text):
        return None
    recalls = table.of("memory").search(said) is not None
    if not recalls and _is_talk(sentence, said, table):
        return None
    statement = read_statement(sentence.text, language)
    telling = sum(word.tells for word in statement.words) + len(statement.sides)
    return statement if telling >= _LEAST_TELLING or statement.numbers or recalls else None


def _is_talk(sentence: Sentence, said: str, table: GroundingTable) -> bool:
    """Whether a sentence is courtesy, an instruction or an announcement."""
    if table.beginning("instructions").match(said):
        return True
    if not table.beginning("chat").match(said):
        return False
    long = len(said.split()) > _SHORT_CHAT if table.spaced else len(said) > _SHORT_CHAT_UNSPACED
    return not long or _EXCLAIMS.search(sentence.text) is not None


def is_about_memory(claim: Statement) -> bool:
    """Whether a claim speaks of what tutor and student did together, or of what came of it."""
    return table_of(claim.language).of("memory").search(claim.plain) is not None


def how_understood(claim: Statement) -> str | None:
    """How well the student understands something by a claim: ``knows``, ``struggles``, None where it does not say."""
    table = table_of(claim.language)
    # What somebody struggles with is often said with the verb of understanding, denied.
    return next((key for key in ("struggles", "knows") if table.of(key).search(claim.plain)), None)


def telling_forms(claims: Sequence[tuple[Sentence, Statement]]) -> set[str]:
    """Every index term of the claims."""
    return {form for _, claim in claims for forms, _ in claim.units for form in forms}
