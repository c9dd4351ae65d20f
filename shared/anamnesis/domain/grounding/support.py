"""Whether what stands somewhere supports a claim: how much of it is said there, and whether anything contradicts it.

Overlap of words alone cannot tell: a claim with one name, number or "not" changed shares nearly all its words
with the line it was changed from. So what is shared only finds the line; then whatever turns a true sentence
into a false one is compared by itself: numbers with their units, months, names, denials, directions,
quantities, the order of what is said of what, and single terms put in another's place. Each comparison looks
at what stands around the words that both share, so that a denial in another clause denies nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from anamnesis.domain.grounding.comparisons import agree
from anamnesis.domain.grounding.exchanged_terms import exchanged, other_ordinal
from anamnesis.domain.grounding.statements import Statement
from anamnesis.domain.grounding.tables import QUANTITIES
from anamnesis.domain.grounding.values import SUPPORTED, Shortfall
from anamnesis.domain.grounding.vocabulary import Surroundings, Vocabulary, alike

#: How many telling words to either side a denial or a direction concerns.
_REACH = 3
#: What a word counts that only the lines around hold (a heading, the sentence before: "It …").
_AROUND = 0.25
#: Languages whose negation follows what it denies, and those where it stands on either side.
_DENIED_BEFORE = frozenset({"hi", "tr", "ko", "ja", "fa"})
_DENIED_AROUND = frozenset({"de", "nl", "und"})
#: What a claim's score is worth at most when something contradicts it.
_CONTRADICTED = 0.45


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a line supports a claim, 0–1, and what is wrong; with a problem the score is below ``SUPPORTED``.

    Attributes
    ----------
    shared
        How much of the claim the line says, 0–1, whatever contradicts it: the line that shares most is what the
        claim is about.
    """

    score: float
    problem: Shortfall | None
    shared: float = 0.0

    @property
    def supports(self) -> bool:
        """Whether the line supports the claim."""
        return self.problem is None


Weigh = Callable[[frozenset[str]], float]


def judge(
    claim: Statement,
    line: Statement,
    around: Surroundings,
    vocabulary: Vocabulary,
    weigh: Weigh,
) -> Verdict:
    """Compare a claim with a line of the same language."""
    if _quotes(claim, line):
        return Verdict(1.0, None, 1.0)
    matched = matched_units(claim, line)
    agrees = agree(claim, line)
    if agrees:
        # All that it says is said there, from the other side.
        problem = _problem_beside(claim, line, _pairs(claim, matched), around)
        return Verdict(_CONTRADICTED, problem, 1.0) if problem else Verdict(1.0, None, 1.0)
    score, shared = _coverage(claim, matched, around, weigh)
    if agrees is False:
        # It is what the claim was changed from, whatever share of the words that is.
        return Verdict(min(score, _CONTRADICTED), Shortfall.DIRECTION, 1.0)
    problem = _problem(claim, line, matched, around, vocabulary)
    if problem is not None:
        return Verdict(min(score, _CONTRADICTED), problem, shared)
    return Verdict(round(score, 3), None if score >= SUPPORTED else Shortfall.NOTHING, shared)


def _quotes(claim: Statement, line: Statement) -> bool:
    """Whether the claim is the line, or a stretch of it that nothing right before it denies or limits."""
    ours, theirs = [w.text for w in claim.words], [w.text for w in line.words]
    if not ours or len(ours) > len(theirs):
        return False
    for start in range(len(theirs) - len(ours) + 1):
        if theirs[start] == ours[0] and theirs[start : start + len(ours)] == ours:
            near = range(start - _REACH, start)
            after = range(start + len(ours), start + len(ours) + _REACH)
            return not any(at in near or at in after for at in line.denials)
    return False


def matched_units(claim: Statement, line: Statement) -> dict[int, int]:
    """For each unit of the claim that the line holds: number of the claim's word → number of the line's word."""
    by_form: dict[str, int] = {}
    for forms, at in line.units:
        for form in forms:
            by_form.setdefault(form, at)
    found: dict[int, int] = {}
    for number, (forms, _) in enumerate(claim.units):
        there = sorted(by_form[form] for form in forms if form in by_form)
        there = there or [at for its_forms, at in line.units if alike(forms, its_forms)][:1]
        if there:
            found[number] = there[0]
    return found


def _coverage(
    claim: Statement, matched: Mapping[int, int], around: Surroundings, weigh: Weigh
) -> tuple[float, float]:
    """How much of the claim the line says, with what is around it and without."""
    total = said = near = 0.0
    for number, (forms, _) in enumerate(claim.units):
        weight = weigh(forms)
        total += weight
        if number in matched:
            said += weight
        elif not around.forms.isdisjoint(forms):
            near += weight
    if claim.numbers:
        # Each number was found, or it is a problem of its own: what is compared says something even without words.
        total += len(claim.numbers)
        said += len(claim.numbers)
    # What only stands nearby adds a quarter of what the line itself says at most.
    return ((said + _AROUND * min(near, said)) / total, said / total) if total else (0.0, 0.0)


def _problem(
    claim: Statement,
    line: Statement,
    matched: Mapping[int, int],
    around: Surroundings,
    vocabulary: Vocabulary,
) -> Shortfall | None:
    pairs = _pairs(claim, matched)
    beside = _problem_beside(claim, line, pairs, around)
    if beside is not None:
        return beside
    turned, denied = _turned(claim, line, pairs), _denied(claim, line, pairs)
    found = (
        # "Does not rise" is "falls".
        (denied and not turned, Shortfall.NEGATION),
        (turned and not denied, Shortfall.DIRECTION),
        (_other_quantity(claim, line) and not (turned and denied), Shortfall.QUANTITY),
    )
    problem = next((problem for holds, problem in found if holds), None)
    if problem is not None or (turned and denied):
        return problem
    return exchanged(claim, line, pairs, around, vocabulary)


def _problem_beside(
    claim: Statement, line: Statement, pairs: Mapping[int, int], around: Surroundings
) -> Shortfall | None:
    """What is wrong with the numbers, times and names of a claim, whatever it says of them."""
    if _other_numbers(claim, line) or other_ordinal(claim, line):
        return Shortfall.NUMBER
    if claim.months - line.months:
        return Shortfall.DATE
    return Shortfall.NAME if _other_names(claim, line, pairs, around) else None


def _pairs(claim: Statement, matched: Mapping[int, int]) -> dict[int, int]:
    """For each word of the claim that the line holds, the line's word; a unit without spaces is two characters."""
    pairs: dict[int, int] = {}
    for number, there in matched.items():
        at = claim.units[number][1]
        pairs[at] = there
        if not claim.words[at].forms and at + 1 < len(claim.words):
            pairs.setdefault(at + 1, there + 1)
    return pairs


# ------------------------------------------------------------------------------- numbers and names
def _other_numbers(claim: Statement, line: Statement) -> bool:
    for number in claim.numbers:
        same = [other for other in line.numbers if not number.values.isdisjoint(other.values)]
        if not same:
            return True
        if number.unit and all(other.unit and other.unit != number.unit for other in same):
            return True
    return False


def _other_names(claim: Statement, line: Statement, pairs: Mapping[int, int], around: Surroundings) -> bool:
    """Whether the claim names somebody or something that neither the line nor what is around it names."""
    for at, word in enumerate(claim.words):
        if not word.name or at in pairs or not word.forms:
            continue
        if not around.forms.isdisjoint(word.forms) or word.text in line.plain:
            continue
        return True
    return False


# ------------------------------------------------------------------------------- denials and directions
def _telling(statement: Statement, at: int, reach: int = _REACH) -> list[int]:
    """Numbers of the telling words nearest to a word, itself included: up to `reach` on either side."""
    words = statement.words
    before = [i for i in range(at - 1, max(-1, at - 4 * reach), -1) if words[i].tells][:reach]
    after = [i for i in range(at + 1, min(len(words), at + 4 * reach)) if words[i].tells][:reach]
    return [*before, *([at] if at < len(words) and words[at].tells else []), *after]


def _denied(claim: Statement, line: Statement, pairs: Mapping[int, int]) -> bool:
    """Whether one of the two denies what the other says."""
    if not claim.denials and not line.denials:
        return False
    # "Boils at 100 degrees" and "does not boil at 100 degrees" speak of one thing by their number as well.
    both = {**_same_numbers(claim, line), **pairs}
    back = {its: at for at, its in both.items()}
    return _denies_alone(claim, line, both) or _denies_alone(line, claim, back)


def _same_numbers(claim: Statement, line: Statement) -> dict[int, int]:
    """For each number of the claim that the line has, the line's word."""
    return {
        ours.at: theirs.at
        for ours in claim.numbers
        for theirs in line.numbers
        if not ours.values.isdisjoint(theirs.values)
    }


def _denied_words(statement: Statement, at: int, reach: int) -> list[int]:
    """The telling words that a negation concerns: behind it, before it, or on both sides, as the language has it."""
    near = _telling(statement, at, reach)
    if statement.language in _DENIED_AROUND:
        return near
    if statement.language in _DENIED_BEFORE:
        return [word for word in near if word <= at] or near
    return [word for word in near if word >= at] or near


def _denies_alone(one: Statement, other: Statement, pairs: Mapping[int, int]) -> bool:
    """Whether a denial of the one concerns words of the other that no denial there concerns."""
    others = {near for at in other.denials for near in _telling(other, at, 2 * _REACH)}
    for at in one.denials:
        # What denies is not what is denied.
        near = [word for word in _denied_words(one, at, _REACH) if word != at]
        shared = [pairs[word] for word in near if word in pairs]
        if len(shared) * 2 >= len(near) and shared and others.isdisjoint(shared):
            return True
    return False


def _turned(claim: Statement, line: Statement, pairs: Mapping[int, int]) -> bool:
    """Whether the claim says the opposite of a direction, order or degree that the line states."""
    ours, theirs = {word.text for word in claim.words}, {word.text for word in line.words}
    for pair, side, at in claim.sides:
        there = [(its_side, its) for its_pair, its_side, its in line.sides if its_pair == pair]
        sides = {its_side for its_side, _ in there}
        if not there:
            continue
        both = len({s for p, s, _ in claim.sides if p == pair}) > 1
        if (
            both
            and claim.words[at].text not in theirs
            and any(s != side and line.words[its].text not in ours for s, its in there)
        ):
            return True
        if side not in sides and not both:
            return True
        if len(sides) > 1 and not both:
            near = {pairs[word] for word in _telling(claim, at) if word in pairs}
            best = {
                s: max(len(near & set(_telling(line, its))) for its_side, its in there if its_side == s)
                for s in sides
            }
            if best[1 - side] > best[side]:
                return True
    return False


def _other_quantity(claim: Statement, line: Statement) -> bool:
    more = {name: claim.quantities[name] - line.quantities[name] for name in QUANTITIES}
    if more["only"] > 0:
        return True
    if more["all"] > 0:
        return more["most"] < 0 or more["some"] < 0
    return more["most"] > 0 and more["some"] < 0
