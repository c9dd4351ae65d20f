"""Whether a copied sentence has terms exchanged: among themselves, for others, or one number for another."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import SequenceMatcher

import regex

from anamnesis.domain.concepts.cognates import NameEvidence, name_evidence
from anamnesis.domain.grounding.figures import unit_of
from anamnesis.domain.grounding.statements import Statement, Word, names_of_peoples, read_statement
from anamnesis.domain.grounding.tables import articles as articles_of
from anamnesis.domain.grounding.tables import joining_words, noun_leads, ordinals, postpositions
from anamnesis.domain.grounding.values import Shortfall
from anamnesis.domain.grounding.vocabulary import Surroundings, Vocabulary, alike

#: Share of a claim's words that stand in the line from which on it counts as a copy, in which a word in another's place
#: is a term exchanged and not a paraphrase. Ours.
_COPY = 0.6
#: From here on one capitalised word in another's place is a name exchanged, at the beginning of a sentence too. Ours.
_NEAR_COPY = 0.7
#: Longest sentences, in words, that are laid side by side, and most clauses of one.
_MAX_ALIGNED, _MAX_CLAUSES = 300, 12
#: Languages whose endings tell who does what, and words between two things that may stand in either order.
_ENDINGS_TELL = frozenset({"ru", "uk", "bg", "pl", "cs", "tr", "ko", "el", "ro"})
#: Languages in which a word behind the noun tells who does what.
_POSTPOSITIONS_TELL = frozenset({"hi"})
#: Languages whose clauses begin with the verb, and mostly with an "and" joined to it.
_VERBS_FIRST = frozenset({"ar"})
#: Where such a clause begins: behind a mark or a word between clauses, or at a joined "and" with no article behind it.
_VERB_CLAUSE = regex.compile(
    r"[;؛،,.:]\s*(?:[وف](?=\w{3}))?|\s(?:بينما|اما|لكن|ولكن|ثم|حيث)\s|\s[وف](?!ال|لل)(?=\w{3})"
)
#: "To it", "by them": what a claim says in full.
_TO_IT = regex.compile(r"(?<!\w)(?:الي|علي|في|من|عن|مع|ب|ل)(?:ها?|هم|هما|هن)(?!\w)")
#: Languages that have neither articles nor prepositions before nouns, or none that stand apart.
_NO_ARTICLES = frozenset({"tr", "ko", "hi", "ar", "he", "fa"})


def exchanged(
    claim: Statement, line: Statement, pairs: Mapping[int, int], around: Surroundings, vocabulary: Vocabulary
) -> Shortfall | None:
    """Whether a copied sentence has terms exchanged: among themselves, or for others."""
    if (
        _foreign_name(claim, line, around, vocabulary)
        or _is_another_clauses(claim, line)
        or (claim.language in _VERBS_FIRST and _mixes_clauses(claim, line))
    ):
        return Shortfall.TERM
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
            return Shortfall.NUMBER
        if tag == "replace" and _is_other_term(gone, new, claim, line, pairs, vocabulary, copied):
            return Shortfall.TERM
    return Shortfall.ORDER if _swapped(claim, line) else None


def takes_place(claim: Statement, line: Statement, other: Statement) -> bool:
    """Whether `line` has a telling word of its own right where the claim has one that only `other` has."""
    if max(len(claim.words), len(line.words)) > _MAX_ALIGNED:
        return False
    ones, others = [word.key for word in claim.words], [word.key for word in line.words]
    elsewhere = {word.key for word in other.words}
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, others, ones, autojunk=False).get_opcodes():
        if tag != "replace":
            continue
        gone = [w for w in line.words[a1:a2] if w.tells and w.key not in ones and not w.text[:1].isdigit()]
        new = [w for w in claim.words[b1:b2] if w.tells and w.key in elsewhere and w.key not in others]
        # More words than were there go on to say something else as well.
        if gone and 0 < len(new) <= len(gone) + 1:
            return True
    return False


def _is_another_clauses(claim: Statement, line: Statement) -> bool:
    """Whether a claim says of one thing what a clause says of another: "arteries carry it away and veins back".

    It begins with what a later clause begins with, says little else of that clause, and is nearly a copy of one
    before it. A list ("cats, dogs and foxes hunt") says the same of all: an item is said whole, or stands before what
    is said of it.
    """
    words = {word.key for word in claim.words}
    lead, *more = [word.key for word in claim.words if word.tells] or [""]
    said = {*more} - {lead}
    clauses = line.clause_words()
    for number, own in enumerate(clauses[:-1]):
        its_words, its = {word.key for word in own}, [word.key for word in own if word.tells]
        if not said or not its or its[0] in {lead, *said} or len(said.intersection(its)) < _COPY * len(said):
            continue
        for other in clauses[number + 1 :]:
            at = next((at for at, word in enumerate(other) if word.tells), len(other))
            if at == len(other) or other[at].key != lead or lead in its:
                continue
            # "And so does silver" says only who else.
            unsaid = {word.key: word.tells for word in other[at:] if word.key not in its_words | words}
            if len(unsaid) > 1 or any(unsaid.values()):
                return True
    return False


def _mixes_clauses(claim: Statement, line: Statement) -> bool:
    """Whether a clause of a claim has, of what two clauses of the line say, the one's verb and the other's subject.

    Each clause of the claim is held against the clause that it shares most with: every such one has a word of its own
    right where the claim has one of another clause.
    """
    clauses = [read_statement(text, line.language) for text in _verb_clauses(line.plain)]
    if not 1 < len(clauses) <= _MAX_CLAUSES:
        return False
    for text in _verb_clauses(claim.plain):
        said = read_statement(text, claim.language)
        keys = {word.key for word in said.words if word.tells}
        shared = [len(keys & {word.key for word in clause.words}) for clause in clauses]
        nearest = [clause for clause, count in zip(clauses, shared, strict=True) if count == max(shared) > 0]
        if nearest and all(
            other_ordinal(said, one)
            or any(takes_place(said, one, other) for other in clauses if other is not one)
            for one in nearest
        ):
            return True
    return False


def _verb_clauses(text: str) -> list[str]:
    return [clause for part in _VERB_CLAUSE.split(text) if (clause := _TO_IT.sub("", part).strip())]


def other_ordinal(claim: Statement, line: Statement) -> bool:
    """Whether both count something as first, second or the like, and not as the same."""
    ours, theirs = (
        {number for number, pattern in enumerate(ordinals(said.language)) if pattern.search(said.plain)}
        for said in (claim, line)
    )
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _swapped(claim: Statement, line: Statement) -> bool:
    """Whether the same words stand in each other's places: "A causes B" made of "B causes A".

    Where the order of words tells who does what, two words have changed sides of a third that stays between them; a
    phrase that only moves to the front changes sides of nothing so. Where endings tell, they have changed words.
    """
    keys, others = [w.key for w in claim.words], [w.key for w in line.words]
    # Articles and prepositions agree with what they stand before ("do coração", "dos tecidos").
    kept = [sorted(w.key for w in words if w.text not in noun_leads()) for words in (claim.words, line.words)]
    if kept[0] != kept[1] or len(keys) != len(others) or keys == others:
        return False
    if claim.language in _POSTPOSITIONS_TELL:
        ours, theirs = _roles(claim), _roles(line)
        return sum(ours[key] != theirs[key] for key in ours.keys() & theirs.keys()) > 1
    if claim.language in _ENDINGS_TELL:
        changed = [
            word.key for word in claim.words
            if word.tells and all(word.text != other.text for other in line.words if other.key == word.key)
        ]  # fmt: skip
        return len(changed) > 1
    once = [key for key in others if others.count(key) == keys.count(key) == 1]
    at = {key: keys.index(key) for key in once}
    order = [(key, at[key], _moved_alone(claim, at[key], line, others.index(key))) for key in once]
    for middle in range(1, len(order) - 1):
        key, place, _ = order[middle]
        if key in joining_words():
            continue
        before = max((where for _, where, alone in order[:middle] if alone), default=-1)
        after = min((where for _, where, alone in order[middle + 1 :] if alone), default=len(keys))
        if before > place > after:
            return True
    return False


def _roles(statement: Statement) -> dict[str, str]:
    """For each telling word what stands behind it and tells what it is in the sentence."""
    after = [word.text for word in statement.words[1:]] + [""]
    return {
        word.key: behind if behind in postpositions() else ""
        for word, behind in zip(statement.words, after, strict=True)
        if word.tells
    }


def _moved_alone(claim: Statement, at: int, line: Statement, there: int) -> bool:
    """Whether a word stands behind another word than in the line, and is none that leads a phrase."""
    if claim.words[at].text in noun_leads():
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
    articles = articles_of(statement.language)
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
    """Whether a number or a unit stands in the place of another one, be both somewhere in the line."""
    ours = [number.values for number in claim.numbers if b1 <= number.at < b2]
    theirs = [number.values for number in line.numbers if a1 <= number.at < a2]
    if ours and theirs:
        return all(a.isdisjoint(b) for a in ours for b in theirs)
    units = [
        {unit_of(word.text) for word in words} - {None} for words in (claim.words[b1:b2], line.words[a1:a2])
    ]
    return bool(units[0] and units[1]) and units[0].isdisjoint(units[1])


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
    near = copied >= _NEAR_COPY
    single = near and len(out) == len(into) == 1
    return not any(alike(a.forms, b.forms) for a in out for b in into) and (
        _known(into, vocabulary)
        or (_known(out, vocabulary) and len(out) <= len(into) + 1)
        or any(_opposed(a, b, claim.language) for a in out for b in into)
        or (near and len(out) <= 2 and len(into) <= 2 and any(word.capital for word in (*out, *into)))
        or (_of_a_people(out, claim.language) and _of_a_people(into, claim.language))
        or (single and _is_noun(claim, its[id(into[0])], same_length=len(claim.words) == len(line.words)))
    )


def _known(words: Collection[Word], vocabulary: Vocabulary) -> bool:
    return any(vocabulary.knows(word.forms) for word in words)


def _of_a_people(words: Collection[Word], language: str) -> bool:
    """Whether a word says of which people something is, where that has no capital: "francesa", "russe"."""
    return any(not word.forms.isdisjoint(names_of_peoples(language)) for word in words)


def _is_noun(statement: Statement, at: int, *, same_length: bool) -> bool:
    """Whether a word stands where things are named: behind an article or preposition, or anywhere where none tells."""
    if statement.language in _NO_ARTICLES:
        return same_length and at < len(statement.words) - 1
    return at > 0 and statement.words[at - 1].text in noun_leads()


def _opposed(one: Word, other: Word, language: str) -> bool:
    """Whether two words differ in an opposing prefix."""
    return name_evidence(one.text, language, other.text, language) is NameEvidence.OPPOSED
