"""What a sentence compares: "iron is heavier than aluminium" says as much of aluminium, and the opposite by "lighter".

Read with patterns of the language's table. Nothing is concluded unless both sentences compare the same two things by
the same measure, each once and without a denial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis.domain.grounding.statements import Statement, Word, read_statement
from anamnesis.domain.grounding.tables import articles, table_of
from anamnesis.domain.grounding.vocabulary import alike

#: Longest sentence that is searched, in characters. Ours: one comparison stands in a shorter one.
_MAX_CHARS = 600
#: Prefixes and particles by which two forms of a name in a comparison may differ, in characters, and what must be left.
_AFFIX, _LEAST = 3, 2


@dataclass(frozen=True, slots=True)
class Comparison:
    """One thing held against another.

    Attributes
    ----------
    measure, more
        Which pair of the table, and whether the first side of it is said of the subject.
    subject, standard
        Telling words of the two things; the subject's with all else that the sentence says.
    """

    measure: int
    more: bool
    subject: tuple[Word, ...]
    standard: tuple[Word, ...]


def read_comparison(statement: Statement) -> Comparison | None:
    """The one comparison of a sentence; None where it makes none, or several, or denies something."""
    if statement.denials or len(statement.plain) > _MAX_CHARS:
        return None
    table = table_of(statement.language)
    found = (pattern.search(statement.plain) for pattern in table.comparisons)
    match = next(filter(None, found), None)
    if match is None:
        return None
    measures = [
        (number, side)
        for number, sides in enumerate(table.measures)
        for side, pattern in enumerate(sides)
        if pattern.fullmatch(match["pole"])
    ]
    if len(measures) != 1 or any(
        p.search(statement.plain, match.end("pole")) for p in table.measures[measures[0][0]]
    ):
        return None
    measure, side = measures[0]
    text, mid = statement.plain, match.groupdict().get("mid") or ""
    subject = _words(f"{text[: match.start()]} {mid} {text[match.end() :]}", statement)
    standard = _words(match["std"], statement)
    if not subject or not standard:
        return None
    more = (side == 0) is not bool(match.groupdict().get("less"))
    return Comparison(measure, more, subject, standard)


def agree(claim: Statement, line: Statement) -> bool | None:
    """Whether a claim compares two things as a line does: True, False for the opposite, None where nothing tells."""
    if claim.language != line.language:
        return None
    ours = read_comparison(claim)
    theirs = None if ours is None else read_comparison(line)
    if ours is None or theirs is None or ours.measure != theirs.measure:
        return None
    one, other = _apart(ours.subject, ours.standard), _apart(ours.standard, ours.subject)
    its, its_other = _apart(theirs.subject, theirs.standard), _apart(theirs.standard, theirs.subject)
    same = _alike(one, its), _alike(other, its_other)
    crossed = _alike(one, its_other), _alike(other, its)
    sums = [sum(pair) if all(pair) else 0.0 for pair in (same, crossed)]
    if sums[0] == sums[1]:
        return None
    if (ours.more is theirs.more) is not (sums[0] > sums[1]):
        return False
    # What the claim says beside must be said there too: "heavier in water" is more than "heavier".
    both = (*theirs.subject, *theirs.standard)
    return True if all(_alike([word], both) for word in (*ours.subject, *ours.standard)) else None


def _words(text: str, statement: Statement) -> tuple[Word, ...]:
    """Words of a part of a sentence that tell something, and capital letters that tell which is meant: "P waves"."""
    letters = {word.text for word in statement.words if len(word.text) == 1 and word.capital}
    letters -= articles(statement.language)
    read = read_statement(text, statement.language).words
    return tuple(word for word in read if word.tells or word.text in letters)


def _apart(ones: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    """Words of a thing that another has not: "P waves" and "S waves" are told apart by letters."""
    return [word for word in ones if not _alike([word], others)]


def _alike(ones: Sequence[Word], others: Sequence[Word]) -> float:
    """Share of words that the others have too, 0–1."""
    return sum(any(_is_word(one, other) for other in others) for one in ones) / max(1, len(ones))


def _is_word(one: Word, other: Word) -> bool:
    if not one.forms or not other.forms:
        return one.text == other.text
    short, long = sorted((one.text, other.text), key=len)
    return (
        alike(one.forms, other.forms)
        # An article or a case joined to the one of the two: Hebrew, Arabic, Korean.
        or (
            len(short) >= _LEAST
            and len(long) - len(short) <= _AFFIX
            and (long.endswith(short) or long.startswith(short))
        )
    )
