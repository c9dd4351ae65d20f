"""Messages that teach, and messages that only look like it, by language (TE-1 … TE-3): `anamnesis bench teachings`.

The sentences lie beside this file in ``labels/teachings.toml``. A message is read as one sent as a question is, without
being told its language. Beside it stands a baseline: that a word for "remember" of any language is in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table

from anamnesis.domain.messages.teachings import read_teaching
from anamnesis_tools.bench.beliefs.labelled_cases import PARTS, languages, scored, share

#: Stems of "remember", "keep in mind" and "note" in the languages of the set.
_REMEMBER = re.compile(
    "remember|in mind|note|recuerd|acuérd|lembr|souviens|retiens|rappelle|merk|denk daran|ricord|ingat|याद|تذك|"
    "hatırla|unutma|помни|запомн|记住|記住|覚えて|기억|nhớ|pamięta|onthoud|זכור|пам'ята|จำ",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Read:
    """One message and what it was taken for; a name is short when it is not the whole of what was taught."""

    language: str
    half: str
    kind: str
    text: str
    teaches: bool
    taught: bool
    name: str
    short: bool
    by_word: bool


@dataclass(frozen=True, slots=True)
class TeachingScore:
    """Messages of one kind or language: how many teach, were taken to, and rightly; the baseline's; short names."""

    name: str
    messages: int
    teach: int
    taken: int
    right: int
    word_taken: int
    word_right: int
    short_names: int


@dataclass(frozen=True, slots=True)
class TeachingScores:
    """Scores by part, then by language and by kind, and the messages that went wrong."""

    languages: dict[str, list[TeachingScore]]
    kinds: dict[str, list[TeachingScore]]
    misses: list[Read]


def measure() -> TeachingScores:
    """Read every labelled message."""
    cases = list(read_cases())
    return TeachingScores(
        languages=scored(cases, "language", _score),
        kinds=scored(cases, "kind", _score),
        misses=[case for case in cases if case.teaches != case.taught or (case.taught and not case.short)],
    )


def read_cases() -> Iterator[Read]:
    """Yield every labelled message with what it was taken for."""
    for language in languages("teachings"):
        for half in PARTS:
            for kind, said, teaches in language[half]:
                teaching = read_teaching(said)
                name = teaching.short_name if teaching else ""
                whole = teaching.statement if teaching else ""
                yield Read(
                    language=language["code"],
                    half=half,
                    kind=kind,
                    text=said,
                    teaches=teaches,
                    taught=teaching is not None,
                    name=name,
                    short=bool(name) and len(name.split()) <= 5 and len(name) <= 0.8 * len(whole),
                    by_word=_REMEMBER.search(said) is not None,
                )


def shown(scores: TeachingScores, *, as_json: bool) -> None:
    """Print the scores, as tables for people or as JSON."""
    if as_json:
        print(json.dumps(asdict(scores), indent=1, ensure_ascii=False))
        return
    console = Console(width=130)
    for what, by_half in (("language", scores.languages), ("kind", scores.kinds)):
        for half in PARTS:
            columns = ("messages", "teach", "taken", "precision", "recall", "a word: precision", "recall")
            table = Table(what, *columns, "short names", title=f"Teachings, {half} part")
            for score in by_half[half]:
                table.add_row(
                    score.name,
                    *map(str, (score.messages, score.teach, score.taken)),
                    share(score.right, score.taken),
                    share(score.right, score.teach),
                    share(score.word_right, score.word_taken),
                    share(score.word_right, score.teach),
                    f"{score.short_names}/{score.taken}",
                )
            console.print(table)
    for miss in scores.misses:
        taken = f"taken, named {miss.name!r}" if miss.taught else "not taken"
        console.print(
            f"{miss.half} {miss.language} {miss.kind}: {miss.text!r}: {taken}", markup=False, highlight=False
        )


def _score(name: str, cases: Sequence[Read]) -> TeachingScore:
    return TeachingScore(
        name=name,
        messages=len(cases),
        teach=sum(case.teaches for case in cases),
        taken=sum(case.taught for case in cases),
        right=sum(case.taught and case.teaches for case in cases),
        word_taken=sum(case.by_word for case in cases),
        word_right=sum(case.by_word and case.teaches for case in cases),
        short_names=sum(case.taught and case.short for case in cases),
    )
