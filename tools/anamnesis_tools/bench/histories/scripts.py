"""The order of work in a history, as units of what is said and checked together."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from anamnesis.domain.log.episodes import Kind
from anamnesis_tools.bench.histories.material import HERE, Course, Dialogue, Term, Trial

#: Terms that one student meets: so many are asked again and again, as in a real course.
_TERMS = (6, 24)
#: Trials done in a row.
_TRIALS_IN_A_ROW = (5, 12)
#: How often something is taught, a quiz is written, a chat comes in between, an exercise of the book is done.
_TAUGHT, _QUIZ, _CHAT, _EXERCISE = 0.06, 0.05, 0.3, 0.2
#: How likely a term's check is passed at first, and how much more with every time.
_ABILITY, _LEARNT = (0.15, 0.85), 0.12


@dataclass(frozen=True, slots=True)
class Said:
    """One event without its time.

    Attributes
    ----------
    about
        The term that a teaching is about; the event itself does not tell.
    """

    kind: Kind
    text: str
    topic: str | None = None
    evaluation: str | None = None
    correct: bool | None = None
    score: float | None = None
    cites: tuple[str, ...] = ()
    about: str | None = None


Unit = tuple[Said, ...]


@cache
def phrases(language: str) -> Mapping[str, Sequence[str]]:
    """How people of a language talk in generated histories."""
    found: dict[str, Mapping[str, Sequence[str]]] = tomllib.loads(
        (HERE / "phrases.toml").read_text(encoding="utf-8")
    )
    return found[language]


def book_script(chance: random.Random, course: Course, length: int) -> list[Unit]:
    """Lessons on a book's terms with checks, exercises, quizzes and teachings, `length` episodes of them."""
    return _taken(_lessons(chance, course, length), length)


def practice_script(
    chance: random.Random, trials: Sequence[Trial], chats: Sequence[tuple[str, str]], length: int
) -> list[Unit]:
    """A learner's trials in their order with talk in between; of a short history the first trials only."""
    return _taken(_practice(chance, trials, chats, length), length)


def maths_script(
    chance: random.Random, dialogues: Sequence[Dialogue], chats: Sequence[tuple[str, str]], length: int
) -> list[Unit]:
    """Dialogues about problems, each with its outcome, and chats."""
    return _taken(_dialogues(chance, dialogues, chats), length)


def _taken(units: Iterator[Unit], length: int) -> list[Unit]:
    """Return units until they hold about `length` episodes, or as many as there are."""
    script, held = [], 0
    for unit in units:
        if held and held + len(unit) > length:
            break
        script.append(unit)
        held += len(unit)
    return script


def _lessons(chance: random.Random, course: Course, length: int) -> Iterator[Unit]:
    words = phrases(course.language)
    met = chance.sample(course.terms, min(len(course.terms), chance.randint(*_TERMS)))
    ability = {term.name: chance.uniform(*_ABILITY) for term in met}
    teachings = _teachings(chance, met, words)
    cites = tuple(file.name for file in course.files)
    # Something is taught early and half-way, and at other times by chance.
    turn, due = 0, [length // 5, length // 2]
    said = 0
    while True:
        term = met[turn % len(met)] if turn < len(met) else chance.choice(met)
        other = chance.choice([one for one in met if one is not term])
        unit = _lesson(chance, term, other, words, cites)
        if chance.random() < 0.8:  # not every lesson ends with a check
            unit = (*unit, _check(chance, term, other, ability, words))
        yield unit
        said += len(unit)
        if (due and said >= due[0]) or chance.random() < _TAUGHT:
            due = due[1:]
            if taught := next(teachings, None):
                yield (taught,)
                said += 1
        if course.exercises and chance.random() < _EXERCISE:
            question, answer = chance.choice(course.exercises)
            exercise = (Said(Kind.QUESTION, question), Said(Kind.ANSWER, answer, cites=cites))
            yield exercise if answer else exercise[:1]
        if chance.random() < _QUIZ:
            asked = chance.sample(met, 2)
            score = chance.choice((0.2, 0.4, 0.6, 0.8, 1.0))
            names = ", ".join(one.name for one in asked)
            yield (Said(Kind.QUIZ, names, topic=asked[0].name, score=score),)
        turn += 1


def _lesson(
    chance: random.Random, term: Term, other: Term, words: Mapping[str, Sequence[str]], cites: tuple[str, ...]
) -> Unit:
    def told(key: str) -> str:
        chosen = chance.choice(words[key])
        return chosen.format(topic=term.name, other=other.name, definition=term.definition)

    unit: Unit = (Said(Kind.QUESTION, told("ask")), Said(Kind.ANSWER, told("told"), cites=cites))
    if chance.random() < 0.4:
        unit = (*unit, Said(Kind.QUESTION, told("again")), Said(Kind.ANSWER, told("told"), cites=cites))
    return unit


def _check(
    chance: random.Random,
    term: Term,
    other: Term,
    ability: dict[str, float],
    words: Mapping[str, Sequence[str]],
) -> Said:
    passed = chance.random() < ability[term.name]
    ability[term.name] = min(0.95, ability[term.name] + _LEARNT)
    text, evaluation = (
        chance.choice(words[key]).format(topic=term.name, other=other.name)
        for key in ("check", "right" if passed else "wrong")
    )
    return Said(Kind.CHECK, text, topic=term.name, evaluation=evaluation, correct=passed)


def _teachings(
    chance: random.Random, terms: Sequence[Term], words: Mapping[str, Sequence[str]]
) -> Iterator[Said]:
    """Teach what the class calls a term, no term and no name twice."""
    names = chance.sample(words["names"], len(words["names"]))
    for term, name in zip(chance.sample(terms, len(terms)), names, strict=False):
        text = chance.choice(words["taught"]).format(topic=term.name, name=name)
        yield Said(Kind.TAUGHT, text, about=term.name)


def _practice(
    chance: random.Random, trials: Sequence[Trial], chats: Sequence[tuple[str, str]], length: int
) -> Iterator[Unit]:
    # So that a longer history holds all of the trials, and talk beside them.
    rest = iter(trials)
    names = iter(chance.sample(phrases("en")["names"], 4))
    taught = ["the standard deviation", "the variance"]
    held = 0
    while row := tuple(islice(rest, chance.randint(*_TRIALS_IN_A_ROW))):
        yield tuple(_tried(trial) for trial in row)
        held += len(row)
        fact = chance.choice(row)
        yield (
            Said(Kind.QUESTION, f"I keep mixing this up: {fact.item} What goes there?"),
            Said(Kind.ANSWER, f"It is “{fact.answer}”: {fact.fact}"),
        )
        if taught and held >= min(length, len(trials)) // 4:
            topic = taught.pop(0)
            text = phrases("en")["taught"][0].format(topic=topic, name=next(names))
            yield (Said(Kind.TAUGHT, text, about=topic),)
        for _ in range(2 if length > len(trials) else 1):
            if chance.random() < _CHAT or length > len(trials):
                yield from _chats(chance, chats)


def _tried(trial: Trial) -> Said:
    if trial.correct is None:
        return Said(Kind.ANSWER, f"To study: {trial.fact}")
    return Said(
        Kind.CHECK, trial.item, topic=trial.fact, evaluation=trial.feedback or None, correct=trial.correct
    )


def _chats(chance: random.Random, chats: Sequence[tuple[str, str]]) -> Iterator[Unit]:
    """A few exchanges of one person on one day."""
    start = chance.randrange(len(chats))
    for asked, answered in chats[start : start + chance.randint(1, 4)]:
        yield (Said(Kind.QUESTION, asked), Said(Kind.ANSWER, answered))


def _dialogues(
    chance: random.Random, dialogues: Sequence[Dialogue], chats: Sequence[tuple[str, str]]
) -> Iterator[Unit]:
    for dialogue in chance.sample(dialogues, len(dialogues)):
        spoken = tuple(
            Said(Kind.QUESTION if role == "student" else Kind.ANSWER, text) for role, text in dialogue.turns
        )
        problem = Said(Kind.ANSWER, dialogue.problem)
        check = Said(
            Kind.CHECK,
            dialogue.problem,
            topic=dialogue.problem.split(". ")[0][:200],
            evaluation=dialogue.confusion or None,
            correct=dialogue.solved,
        )
        yield (problem, *spoken, check)
        if chance.random() < _CHAT:
            yield from _chats(chance, chats)
