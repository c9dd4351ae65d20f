"""Questions out of a history's own record, with what an answer must rest on (EV-3).

Nothing here looks at a block. What was answered wrong, when something happened, what was taught and how a topic's
latest checks went stands in the events; what builds on what, and which pages explain a concept, stands in the map that
the files gave. Wording is drawn from ``wording.toml``.
"""

from __future__ import annotations

import random
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from anamnesis.bootstrap import Draft
from anamnesis.domain.concepts import Concept, StudentLayer, SubjectMap
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.log.episodes import PASS_SCORE, Kind
from anamnesis.domain.messages.statements import taught_by
from anamnesis.domain.text.languages import primary_tag
from anamnesis_tools.bench.histories.values import History

#: Wrong answers that a good reply names: all of them, of more at least so many. Ours: as many as one reads out.
MOST_WRONG = 10
#: Days of a month that a good reply draws on: all of them, of more at least so many. Ours.
MOST_DAYS = 5
#: What a topic that is asked about builds on, all the way down: of more it is not clear what a good reply leaves out.
MOST_PREREQUISITES = 6
#: Topics that a good reply names of those that go well, or badly: all of them, of more at least so many. Ours.
MOST_STANDING = 6
#: Of a concept's gist, which is a sentence of its file, so much stands for it: a prompt may cut the rest.
GIST_CHARS = 60
#: Equal results in a row from which a record speaks clearly of a topic.
CLEAR_RUN = 2


class Category(StrEnum):
    """What a question asks for."""

    WRONG = "wrong answers"
    REVISE = "what to revise before"
    MONTH = "an active month"
    EMPTY = "an empty month"
    EXPLAIN = "explain a concept"
    BELIEVED = "taught or believed"


#: Questions of a history in a category at most.
MOST_ASKED: Mapping[Category, int] = {
    Category.WRONG: 3,
    Category.REVISE: 3,
    Category.MONTH: 2,
    Category.EMPTY: 2,
    Category.EXPLAIN: 2,
    Category.BELIEVED: 4,
}


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that an answer rests on; any of these shows it.

    Attributes
    ----------
    events
        Numbers of events of the history, from 0.
    phrases
        Words that say it, as they stand.
    names
        Names of it, in any inflection.
    pages
        File and page that explain it.
    spoken
        What an answer says that rests on it.
    """

    events: tuple[int, ...] = ()
    phrases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    pages: tuple[tuple[str, int], ...] = ()
    spoken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what its answer must rest on.

    Attributes
    ----------
    history
        Name of the history it is asked of.
    items, needed
        So many of the items must be in the prompt.
    nothing
        Whether instead the prompt must say that there is no record, and list none.
    understood
        What an answer must say of whether the student understands the topic; None where that is not asked.
    """

    history: str
    category: Category
    text: str
    language: str
    items: tuple[Item, ...] = ()
    needed: int = 0
    nothing: bool = False
    understood: bool | None = None

    def as_record(self) -> dict[str, Any]:
        """JSON form, for the hash that registers the set."""
        return asdict(self)


def asked_of(history: History, subject_map: SubjectMap, *, seed: int) -> list[Question]:
    """Make the questions of one history, the same for the same seed.

    Parameters
    ----------
    subject_map
        As the files give it, without the student's layer.
    """
    return list(_Asker(history, subject_map, random.Random(f"{seed}:{history.name}")).all())  # noqa: S311 repeatable


@cache
def _wording() -> Mapping[str, Mapping[str, Sequence[str]]]:
    path = Path(__file__).parent / "wording.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


class _Asker:
    def __init__(self, history: History, subject_map: SubjectMap, chance: random.Random) -> None:
        self._history = history
        self._chance = chance
        self._language = primary_tag(history.language)
        known = _wording()
        self._words = known.get(self._language, known["en"])
        self._concepts = {concept.key: concept for concept in subject_map.concepts}
        self._files = subject_map.files
        self._names = NameIndex(subject_map, StudentLayer())
        zone = ZoneInfo(history.zone)
        self._local = [event.occurred_at.astimezone(zone) for event in history.events]
        self._asked_at = history.asked_at.astimezone(zone)

    def all(self) -> Iterator[Question]:
        for category, asked in (
            (Category.WRONG, self._wrong()),
            (Category.REVISE, self._revise()),
            (Category.MONTH, self._month()),
            (Category.EMPTY, self._empty()),
            (Category.EXPLAIN, self._explain()),
            (Category.BELIEVED, self._believed()),
        ):
            yield from islice(asked, MOST_ASKED[category])

    def _question(
        self, category: Category, wording: str, items: Sequence[Item] = (), **more: Any
    ) -> Question:
        told = {name: more.pop(name) for name in ("topic", "month") if name in more}
        text = self._chance.choice(self._words[wording]).format(**told)
        needed = more.pop("needed", len(items))
        return Question(self._history.name, category, text, self._language, tuple(items), needed, **more)

    def _shuffled(self, values: Sequence[Any]) -> list[Any]:
        return self._chance.sample(values, len(values))

    # ------------------------------------------------------------------ wrong answers
    def _wrong(self) -> Iterator[Question]:
        missed = self._missed(range(len(self._history.events)))
        if missed:
            yield self._about_wrong("wrong", missed)
        for month in self._shuffled(sorted(self._months())):
            inside = self._missed(self._months()[month])
            if inside:
                yield self._about_wrong("wrong_month", inside, month=self._words["months"][month[1] - 1])
                break
        for name, items in self._shuffled(sorted(self._missed_by_concept().items())):
            yield self._about_wrong("wrong_topic", items, topic=name)
            break

    def _about_wrong(self, wording: str, missed: Mapping[str, Item], **told: str) -> Question:
        items = tuple(missed.values())
        return self._question(Category.WRONG, wording, items, needed=min(len(items), MOST_WRONG), **told)

    def _missed(self, numbers: Sequence[int]) -> dict[str, Item]:
        """Return what was answered wrong, by topic: any of its missed checks shows it, or the belief that says so."""
        by_topic: dict[str, list[int]] = defaultdict(list)
        for number in numbers:
            event = self._history.events[number]
            if _result(event) is False:
                by_topic[_topic_key(event)].append(number)
        return {
            topic: Item(tuple(of), self._struggles(of[0]), spoken=self._spoken(of[:1]))
            for topic, of in by_topic.items()
        }

    def _missed_by_concept(self) -> dict[str, dict[str, Item]]:
        """Return what was answered wrong by the concept that its topic is the name of."""
        by_concept: dict[str, dict[str, Item]] = {}
        for topic, item in self._missed(range(len(self._history.events))).items():
            concept = self._concept_of(self._history.events[item.events[0]])
            if concept is not None:
                by_concept.setdefault(concept.name, {})[topic] = item
        return by_concept

    def _struggles(self, number: int) -> tuple[str, ...]:
        concept = self._concept_of(self._history.events[number])
        return () if concept is None else (f"struggles with {concept.name}",)

    def _spoken(self, numbers: Sequence[int]) -> tuple[str, ...]:
        events = [self._history.events[number] for number in numbers]
        return tuple(dict.fromkeys(event.topic or event.text for event in events))

    def _concept_of(self, event: Draft) -> Concept | None:
        key = self._names.exact(event.topic or "")
        return None if key is None else self._concepts.get(key)

    # ------------------------------------------------------------------ prerequisites and explanations
    def _revise(self) -> Iterator[Question]:
        """Ask for everything that a concept builds on, first where that is more than its own prerequisites."""
        below = {concept.key: self._below(concept) for concept in self._concepts.values()}
        asked = self._shuffled([key for key, keys in below.items() if 0 < len(keys) <= MOST_PREREQUISITES])
        for key in sorted(asked, key=lambda key: len(below[key]) == len(self._concepts[key].builds_on)):
            names = [self._concepts[under].name for under in below[key]]
            items = [Item(names=(name,), spoken=(name,)) for name in names]
            yield self._question(Category.REVISE, "revise", items, topic=self._concepts[key].name)

    def _below(self, concept: Concept) -> list[str]:
        """Return the keys of what a concept builds on, directly or not."""
        found: dict[str, None] = {}
        waiting = list(concept.builds_on)
        while waiting:
            key = waiting.pop(0)
            if key not in found and key != concept.key:
                found[key] = None
                waiting += self._concepts[key].builds_on
        return list(found)

    def _explain(self) -> Iterator[Question]:
        for concept in self._shuffled(list(self._concepts.values())):
            pages = tuple(
                (self._files[source.file_id].name, page)
                for source in concept.sources
                for page in source.pages
            )
            if pages:
                gist = concept.gist[:GIST_CHARS].rpartition(" ")[0] or concept.gist
                item = Item(phrases=(gist,), pages=pages, spoken=(concept.gist,))
                yield self._question(Category.EXPLAIN, "explain", [item], topic=concept.name)

    # ------------------------------------------------------------------ months
    def _months(self) -> dict[tuple[int, int], list[int]]:
        """Return the events of each month, of those within a year: a month's name alone means the latest one."""
        months: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number, local in enumerate(self._local):
            if self._named_alone(local):
                months[local.year, local.month].append(number)
        return months

    def _named_alone(self, local: datetime) -> bool:
        ago = 12 * (self._asked_at.year - local.year) + self._asked_at.month - local.month
        return 0 <= ago < 12

    def _month(self) -> Iterator[Question]:
        for month, numbers in self._shuffled(sorted(self._months().items())):
            days: dict[Any, list[int]] = defaultdict(list)
            for number in numbers:
                days[self._local[number].date()].append(number)
            items = [Item(tuple(of), spoken=self._spoken(of)) for of in days.values()]
            yield self._question(
                Category.MONTH,
                "month",
                items,
                needed=min(len(items), MOST_DAYS),
                month=self._words["months"][month[1] - 1],
            )

    def _empty(self) -> Iterator[Question]:
        busy = {month for _, month in self._months()}
        earlier = [(self._asked_at.month - ago - 1) % 12 + 1 for ago in range(1, 12)]
        free = [month for month in earlier if month not in busy]
        for month in self._shuffled(free):
            yield self._question(
                Category.EMPTY, "month", month=self._words["months"][month - 1], nothing=True
            )

    # ------------------------------------------------------------------ what was taught or is believed
    def _believed(self) -> Iterator[Question]:
        """Ask for something taught, for what goes well and badly, and for one topic; where checks are clear."""
        yield from islice(self._taught(), 1)
        runs = {
            key: run
            for key, numbers in self._checked().items()
            if len(run := self._latest_run(numbers)) >= CLEAR_RUN
        }
        for wording, passed in (("struggling", False), ("understood", True)):
            items = [
                self._believed_item(key, run) for key, run in runs.items() if self._passed(run) is passed
            ]
            if items:
                needed = min(len(items), MOST_STANDING)
                yield self._question(Category.BELIEVED, wording, items, needed=needed)
        for key, run in self._shuffled(sorted(runs.items())):
            yield self._question(
                Category.BELIEVED,
                "believed",
                [self._believed_item(key, run)],
                topic=self._concepts[key].name,
                understood=self._passed(run),
            )

    def _checked(self) -> dict[str, list[int]]:
        """Return the checks of each concept that is their topic's name."""
        checked: dict[str, list[int]] = defaultdict(list)
        for number, event in enumerate(self._history.events):
            concept = self._concept_of(event) if event.kind in {Kind.CHECK, Kind.QUIZ} else None
            if concept is not None:
                checked[concept.key].append(number)
        return checked

    def _believed_item(self, key: str, run: Sequence[int]) -> Item:
        name = self._concepts[key].name
        claim = "understands" if self._passed(run) else "struggles with"
        return Item(tuple(run), (f"{claim} {name}",), spoken=(name,))

    def _passed(self, run: Sequence[int]) -> bool:
        return bool(_result(self._history.events[run[0]]))

    def _latest_run(self, numbers: Sequence[int]) -> list[int]:
        """Return the latest checks that all went the same way."""
        run: list[int] = []
        for number in reversed(numbers):
            if run and _result(self._history.events[number]) != _result(self._history.events[run[0]]):
                break
            run.append(number)
        return run

    def _taught(self) -> Iterator[Question]:
        for number in self._shuffled(range(len(self._history.events))):
            event = self._history.events[number]
            teaching = taught_by(event.text, language=event.language) if event.kind is Kind.TAUGHT else None
            if teaching is None:
                continue
            name = self._history.told_about.get(number) or self._first_named(event)
            if name is not None:
                item = Item((number,), (teaching.statement,), spoken=(teaching.statement,))
                yield self._question(Category.BELIEVED, "taught", [item], topic=name)

    def _first_named(self, event: Draft) -> str | None:
        key = self._names.first_named_in(event.text, event.language)
        return self._concepts[key].name if key in self._concepts else None


def _result(event: Draft) -> bool | None:
    """Return whether a check or quiz was passed; None for what is neither."""
    if event.kind not in {Kind.CHECK, Kind.QUIZ}:
        return None
    if event.correct is not None:
        return event.correct
    return (event.score or 0.0) >= PASS_SCORE


def _topic_key(event: Draft) -> str:
    return canonical_key(event.topic or event.text) or event.text
