"""Whether what stands somewhere supports a claim: how much of it is said there, and whether anything contradicts it.

Overlap of words alone cannot tell: a claim with one name, number or "not" changed shares nearly all its words with the
line it was changed from. So what is shared only finds the line; then whatever turns a true sentence into a false one
is compared by itself: numbers with their units, months, names, denials, directions, quantities, the order of what is said of
what, and single terms put in another's place. Each comparison looks at what stands around the words that both share, so
that a denial in another clause denies nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from anamnesis.domain.concepts.cognates import NameEvidence, name_evidence
from anamnesis.domain.grounding.statements import Statement, Word
from anamnesis.domain.grounding.tables import QUANTITIES
from anamnesis.domain.grounding.values import SUPPORTED, Problem

#: How many telling words to either side a denial or a direction concerns.
_REACH = 3
#: Share of a claim's words that stand in the line from which on it counts as a copy, in which a word in another's place
#: is a term exchanged and not a paraphrase. Ours.
_COPY = 0.6
#: From here on one capitalised word in another's place is a name exchanged, at the beginning of a sentence too. Ours.
_NEAR_COPY = 0.7
#: What a word counts that only the lines around hold (a heading, the sentence before: "It …").
_AROUND = 0.25
#: Longest sentences, in words, that are laid side by side.
_MAX_ALIGNED = 300
#: Share of the longer of two words that their common beginning is when one is an inflection of the other, and the least.
_INFLECTED, _LEAST_STEM = 0.75, 4
#: Languages whose endings tell who does what, and words between two things that may stand in either order.
_ENDINGS_TELL = frozenset({"ru", "uk", "bg", "pl", "cs", "tr", "ko", "hi", "el", "ro"})
_JOINS = frozenset(
    "and or y e o et ou und oder i a и или та або dan atau và hoặc ve veya en of و او और या และ हैं".split()
)
#: Languages that have neither articles nor prepositions before nouns, or none that stand apart.
_NO_ARTICLES = frozenset({"tr", "ko", "hi", "ar", "he", "fa"})
_ARTICLES: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the a an",
        "es": "el la los las un una unos unas",
        "fr": "le la les l un une des",
        "de": "der die das den dem des ein eine einen einem einer eines",
        "it": "il lo la gli i le l un uno una",
        "pt": "o os a as um uma",
        "nl": "de het een",
    }.items()
}
_BEFORE_NOUNS = frozenset[str]().union(*_ARTICLES.values()) | frozenset(
    """of in on at by from with into through under over between for per en del al con por para desde hacia entre sobre sin
    dans sur par avec vers au aux sous entre pour im am zum zur vom von mit durch aus bei nach unter zwischen nel nella
    del della dal dalla con per su tra di da na no nos nas da do dos das com pelo pela w we z ze na do od przez przy dla о
    в на с из от у для при через к у di dari pada oleh dengan ke untuk trong của với từ bằng van met door uit naar""".split()
)
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
        How much of the claim the line says, 0–1, whatever contradicts it: the line that shares most is what the claim is
        about.
    """

    score: float
    problem: Problem | None
    shared: float = 0.0

    @property
    def supports(self) -> bool:
        """Whether the line supports the claim."""
        return self.problem is None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a line.

    Attributes
    ----------
    forms
        Index terms of the heading above and the sentences around.
    text
        The same, folded, for scripts without spaces.
    """

    forms: frozenset[str] = frozenset()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a subject's own words are.

    Attributes
    ----------
    terms
        Index terms of the words in names of concepts.
    names
        Folded names of concepts in scripts without spaces.
    """

    terms: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()

    def knows(self, forms: frozenset[str]) -> bool:
        """Whether a word, in some form, is one of a concept's name."""
        if not self.terms.isdisjoint(forms):
            return True
        return any(
            alike(forms, frozenset([term]))
            for form in forms
            for term in self._beginning().get(form[:_LEAST_STEM], ())
        )

    def _beginning(self) -> Mapping[str, tuple[str, ...]]:
        return _by_beginning(self.terms)


@lru_cache(maxsize=32)
def _by_beginning(terms: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for term in terms:
        if len(term) >= _LEAST_STEM:
            found.setdefault(term[:_LEAST_STEM], []).append(term)
    return {beginning: tuple(sorted(group)) for beginning, group in found.items()}


Weigh = Callable[[frozenset[str]], float]


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two words are forms of one."""
    if not one.isdisjoint(other):
        return True
    if not one or not other:
        return False
    a, b = max(one, key=len), max(other, key=len)
    longer = max(len(a), len(b))
    common = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        common += 1
    return common >= _LEAST_STEM and common > _INFLECTED * longer


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
    matched = _matched(claim, line)
    score, shared = _coverage(claim, matched, around, weigh)
    problem = _problem(claim, line, matched, around, vocabulary)
    if problem is not None:
        return Verdict(min(score, _CONTRADICTED), problem, shared)
    return Verdict(round(score, 3), None if score >= SUPPORTED else Problem.NOTHING, shared)


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


def _matched(claim: Statement, line: Statement) -> dict[int, int]:
    """For each unit of the claim that the line holds: number of the claim's word → number of the line's word."""
    by_form: dict[str, int] = {}
    for forms, at in line.units:
        for form in forms:
            by_form.setdefault(form, at)
    found: dict[int, int] = {}
    for number, (forms, _) in enumerate(claim.units):
        there = [by_form[form] for form in forms if form in by_form]
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
) -> Problem | None:
    if _other_numbers(claim, line):
        return Problem.NUMBER
    if claim.months - line.months:
        return Problem.DATE
    pairs = _pairs(claim, matched)
    if _other_names(claim, line, pairs, around):
        return Problem.NAME
    turned = _turned(claim, line, pairs)
    denied = _denied(claim, line, pairs)
    if turned and denied:
        return None  # "does not rise" is "falls"
    if denied:
        return Problem.NEGATION
    if turned:
        return Problem.DIRECTION
    if _other_quantity(claim, line):
        return Problem.QUANTITY
    return _exchanged(claim, line, pairs, around, vocabulary)


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
    if bool(claim.denials) == bool(line.denials) and len(claim.denials) == len(line.denials):
        return False
    back = {its: at for at, its in pairs.items()}
    return _denies_alone(claim, line, pairs) or _denies_alone(line, claim, back)


def _denied_words(statement: Statement, at: int, reach: int) -> list[int]:
    """The telling words that a negation concerns: those behind it, before it, or on both sides, as the language has it."""
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
        near = _denied_words(one, at, _REACH)
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


# ------------------------------------------------------------------------------- order and exchanged terms
def _exchanged(
    claim: Statement, line: Statement, pairs: Mapping[int, int], around: Surroundings, vocabulary: Vocabulary
) -> Problem | None:
    """Whether a copied sentence has terms exchanged: among themselves, or for others."""
    if _foreign_name(claim, line, around, vocabulary):
        return Problem.TERM
    if max(len(claim.words), len(line.words)) > _MAX_ALIGNED:
        return None
    telling = [at for at, word in enumerate(claim.words) if word.tells]
    ones, others = [word.key for word in claim.words], [word.key for word in line.words]
    matcher = SequenceMatcher(None, others, ones, autojunk=False)
    same = {b + i for _, b, size in matcher.get_matching_blocks() for i in range(size)}
    copied = sum(at in same or at in pairs for at in telling) / max(1, len(telling))
    if copied < _COPY:
        return None
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        gone = [line.words[i] for i in range(a1, a2)]
        new = [claim.words[i] for i in range(b1, b2)]
        if tag == "replace" and _is_other_number(claim, b1, b2, line, a1, a2):
            return Problem.NUMBER
        if tag == "replace" and _is_other_term(gone, new, claim, line, pairs, vocabulary, copied):
            return Problem.TERM
    return Problem.ORDER if _swapped(claim, line) else None


def _swapped(claim: Statement, line: Statement) -> bool:
    """Whether the same words stand in each other's places: "A causes B" made of "B causes A".

    Where the order of words tells who does what, two words have changed sides of a third that stays between them; a
    phrase that only moves to the front changes sides of nothing so. Where endings tell, they have changed words.
    """
    keys, others = [w.key for w in claim.words], [w.key for w in line.words]
    if sorted(keys) != sorted(others) or keys == others:
        return False
    if claim.language in _ENDINGS_TELL:
        changed = [
            word.key for word in claim.words
            if word.tells and all(word.text != other.text for other in line.words if other.key == word.key)
        ]  # fmt: skip
        return len(changed) > 1
    once = [key for key in others if others.count(key) == 1]
    at = {key: keys.index(key) for key in once}
    order = [(key, at[key], _moved_alone(claim, at[key], line, others.index(key))) for key in once]
    for middle in range(1, len(order) - 1):
        key, place, _ = order[middle]
        if key in _JOINS:
            continue
        before = max((where for _, where, alone in order[:middle] if alone), default=-1)
        after = min((where for _, where, alone in order[middle + 1 :] if alone), default=len(keys))
        if before > place > after:
            return True
    return False


def _moved_alone(claim: Statement, at: int, line: Statement, there: int) -> bool:
    """Whether a word stands behind another word than in the line, and is none that leads a phrase."""
    if claim.words[at].text in _BEFORE_NOUNS:
        return False
    if not claim.words[at].tells and all(at != its for _, _, its in claim.sides):
        return False
    return _leaders(claim, at) != _leaders(line, there)


def _leaders(statement: Statement, at: int) -> tuple[str, ...]:
    """The word before another one, articles left out: a phrase that moves takes its preposition with it.

    Where that word stands in the sentence more than once, the word before it as well.
    """
    if statement.words[at].text[:1].isdigit():
        return ()
    articles = _ARTICLES.get(statement.language, frozenset())
    while at > 0 and statement.words[at - 1].text in articles:
        at -= 1
    if at == 0:
        return ()
    leader = statement.words[at - 1]
    repeated = leader.tells and sum(word.key == leader.key for word in statement.words) > 1
    return (leader.key, *(_leaders(statement, at - 1) if repeated else ()))


def _foreign_name(claim: Statement, line: Statement, around: Surroundings, vocabulary: Vocabulary) -> bool:
    """Whether the claim has a concept's name that the line has not, and the line one that the claim has not."""
    for one in vocabulary.names:
        if one in claim.plain and one not in line.plain and one not in around.text:
            for other in vocabulary.names:
                if other in line.plain and other not in claim.plain and other not in one:
                    return True
    return False


def _is_other_number(claim: Statement, b1: int, b2: int, line: Statement, a1: int, a2: int) -> bool:
    """Whether a number stands in the place of another one, be both somewhere in the line."""
    ours = [number.values for number in claim.numbers if b1 <= number.at < b2]
    theirs = [number.values for number in line.numbers if a1 <= number.at < a2]
    return bool(ours and theirs) and all(a.isdisjoint(b) for a in ours for b in theirs)


def _is_other_term(
    gone: list[Word],
    new: list[Word],
    claim: Statement,
    line: Statement,
    pairs: Mapping[int, int],
    vocabulary: Vocabulary,
    copied: float,
) -> bool:
    """Whether what stands in the place of the line's words is another term, and not the same in other words."""
    out, into = [w for w in gone if w.tells], [w for w in new if w.tells]
    if not out or not into:
        return False
    kept = set(pairs.values())
    positions = {id(word): i for i, word in enumerate(line.words)}
    out = [w for w in out if positions[id(w)] not in kept and not w.text[:1].isdigit()]
    its = {id(word): i for i, word in enumerate(claim.words)}
    into = [w for w in into if its[id(w)] not in pairs and not w.text[:1].isdigit()]
    if not out or not into:
        return False
    if not all(word.forms for word in (*out, *into)):
        return len(into) >= 2 or len(out) >= 2 or copied >= _NEAR_COPY
    if any(alike(a.forms, b.forms) for a in out for b in into):
        return False
    if _known(into, vocabulary):
        return True
    if any(_opposed(a, b, claim.language) for a in out for b in into):
        return True
    if copied >= _NEAR_COPY and len(out) <= 2 and len(into) <= 2 and any(w.capital for w in (*out, *into)):
        return True
    if (
        copied >= _NEAR_COPY
        and len(out) == len(into) == 1
        and _is_noun(claim, its[id(into[0])], same_length=len(claim.words) == len(line.words))
    ):
        return True
    return _known(out, vocabulary) and len(out) <= len(into) + 1


def _known(words: Collection[Word], vocabulary: Vocabulary) -> bool:
    return any(vocabulary.knows(word.forms) for word in words)


def _is_noun(statement: Statement, at: int, *, same_length: bool) -> bool:
    """Whether a word stands where things are named: behind an article or preposition, or anywhere where none tells."""
    if statement.language in _NO_ARTICLES:
        return same_length and at < len(statement.words) - 1
    return at > 0 and statement.words[at - 1].text in _BEFORE_NOUNS


def _opposed(one: Word, other: Word, language: str) -> bool:
    """Whether two words differ in an opposing prefix."""
    return name_evidence(one.text, language, other.text, language) is NameEvidence.OPPOSED
