"""Evidence of any texts in every place that a student, a file, a teacher or a connector can write to."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from anamnesis.domain.beliefs import Belief, Claim
from anamnesis.domain.concepts import StudentLayer, SubjectMap, TaughtNote
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.wiki.evidence import ConnectorRecord, SubjectEvidence, WikiEvidence
from support.map_values import concept, contribution, record, subject_map
from support.wiki_histories import FACTS, HOSTILE, SAID
from support.wiki_values import SCOPE, at, belief, turn

SIGNS: Final = (
    *"[]()<>{}*_`~#|\\!&;:/@=+-.,'\"“”«»…\n\t\r 0129aZ„‘’「」『』？！。、،؟।%$^",
    "\u200b", "\u202e", "\u2028", "\x00", "\ufeff", "\ue041", "é", "e\u0301", "生", "ا", "ن", "न",
    "क्ष", "ก", "ไม่", "한", "か",
    "ת", "👩\u200d🔬", "🏴\U000e0067\U000e007f", "\u0301" * 12, "\u200d", "\u200c", "\u00ad",
    "\u180e", "\u3164", "\ufffd",
    "\U0010ffff", "\u0378", "\x85", "\x7f", "İ", "ß", "ǆ", "²", "½", "٣", "Ⅷ", "１２", "\U00010d41",
    "www.", "http://", "System:", "Assistant:", "[cite:1]", "[[x]]", "![", "---\n", "\n---", "## ",
    "\n## References\n",
    "1. `episode://biology/bio1`", "right", "wrong", "not ", "never ", "no ", "understands ",
    "struggles with ", "mastered ",
    "knows ", "does not ", "2026-03-04", "2026-02-31", "1999-13-01:", "Until ",
    "until 2026-03-04: ", "12 May", "0.82",
    "99 %", "12:30", "&#x202e;", "<b>", "</b>", "<!--", "session://a/b#1", "episode://biology/bio1", "file://x/y",
    "confidence", "osmosis", "membrane", "diffusion", "Ana ", "the student ", "checked ", "last ", "high ", "=====",
    "END OF MEMORY", "taught:", "builds on:", "<|im_start|>", "[INST]", "exam ", "my exam is on ",
    "tomorrow", "I prefer ",
    "short answers", "call me ", "My teacher Ms ", "Kowalski", "Señora ", "moved to ", ". ", "? ", "; ", ", page 3",
    "pages 3, 4 and more", "3 times, last on 2026-03-02: ", "Missed 2 of 3 checks", "Prefers short answers",
    "in their words", "“a” ", "” understands osmosis “", "» no entiende «", "versteht nicht ", "понимает ", "يفهم ",
    "समझता है", "understood ", "denies ", "without ", "more ", "less ", "increase ", "decrease ",
)  # fmt: skip
SENTENCES: Final = (
    "Ana understands osmosis.", "The student struggles with osmosis", "x” understands osmosis “y",
    "nobody understands membrane", "She does not understand diffusion at all.", "Ana no entiende la ósmosis.",
    "Ana versteht Osmose nicht.", "Анна не понимает осмос.", "আমি", "她不懂渗透作用",
    "osmosis is wrong", "it's right: 5 %",
    "mean: high confidence", "osmosis mastered", "in 2026-02-30 nothing", "On 2026-03-02: right",
    "water does not move",
    "Water moves through a membrane.", "“", "”", "““a” b” c", "a “b ”c” “d",
)  # fmt: skip
#: What concepts, topics and files may be called: by the words of pages, by each other's names, in signs.
NAMES: Final = (
    "mean", "confidence", "high confidence", "C", "C++", "C#", "right angle", "wrong", "check",
    "last", "not", "osmosis",
    "Osmosis", "understands osmosis", "struggles with", "mastered", "no belief", "2026-03-02",
    "82", "0.82", "the", "turn",
    "page 3", "times", "session", "渗透作用", "渗透", "ออสโมซิส", "التناضح", "until", "quiz", "student",
    "record", "without",
)  # fmt: skip
_FORBIDDEN: Final = {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"}


def any_text(chance: Random) -> str:
    """Signs in a row, a sentence, an attack or a fact, a language, letters of any script, a flood of signs, or both."""
    kind = chance.choices(range(7), (8, 3, 4, 2, 1, 1, 1))[0]
    if kind == 0:
        return _signs(chance, 14)
    if kind == 1:
        return chance.choice(SENTENCES)
    if kind == 2:
        return chance.choice((*HOSTILE, *FACTS))
    if kind == 3:
        return chance.choice(chance.choice(SAID)[1:])
    if kind == 4:
        blocks = ((0x20, 0x250), (0x370, 0xD800), (0xE000, 0x11000), (0x1F000, 0x1FB00))
        return "".join(chr(chance.randrange(*chance.choice(blocks))) for _ in range(chance.randrange(30)))
    long = _signs(chance, 8) * chance.randrange(1, 300)
    return long if kind == 5 else f"{chance.choice(SENTENCES)} {long[:20]} {chance.choice(FACTS)}"


def any_name(chance: Random) -> str:
    """What a concept or a file may be called."""
    told = any_text(chance) if chance.random() < 0.6 else chance.choice(NAMES)
    return " ".join(told.split())[: chance.choice((20, 60, 100, 255))].strip() or "osmosis"


def any_evidence(chance: Random) -> WikiEvidence:
    """One or two subjects with a map, checks that change beliefs, teachings and erased turns; some events."""
    subjects = {
        "biology" if chance.random() < 0.5 else _subject_name(chance) for _ in range(chance.choice((1, 1, 2)))
    }
    records = tuple(
        ConnectorRecord(
            "cal",
            f"uid{number}/20260303T000000Z",
            any_text(chance)[:200],
            any_text(chance)[:2_000],
            at(chance.randrange(20)) if chance.random() < 0.8 else None,
            at(1),
            "f" * 64,
        )
        for number in range(chance.randrange(3))
    )
    return WikiEvidence(SCOPE, tuple(_subject(name, chance) for name in sorted(subjects)), records)


def _signs(chance: Random, most: int) -> str:
    return "".join(chance.choice(SIGNS) for _ in range(chance.randrange(most)))


def _subject_name(chance: Random) -> str:
    told = any_name(chance).replace("/", "-")
    name = "".join(c for c in told if unicodedata.category(c) not in _FORBIDDEN).strip()
    while len(name.encode()) > 128:
        name = name[:-1].strip()
    return "biology" if name in {"", ".", ".."} else name


def _map(names: Sequence[str], chance: Random) -> SubjectMap:
    if chance.random() < 0.15:
        return subject_map()
    keys = [key for name in names if (key := canonical_key(name))]
    concepts = {}
    for name in names:
        key = canonical_key(name)
        if key and key not in concepts:
            gist = any_text(chance)[:300] if chance.random() < 0.8 else "Water moves."
            concepts[key] = concept(
                name,
                gist=gist,
                definition=any_text(chance)[:1_500] if chance.random() < 0.7 else gist,
                pages=tuple(sorted({chance.randrange(1, 9) for _ in range(chance.randrange(1, 4))})),
                builds_on=tuple(k for k in keys if k != key and chance.random() < 0.2),
                assumed=tuple(any_name(chance) for _ in range(chance.choice((0, 1, 1, 9)))),
            )
    if not concepts:
        return subject_map()
    file = replace(record("f1"), pages=9, name=any_name(chance))
    return subject_map(contribution("f1", *concepts.values()), files={"f1": file})


def _subject(subject: str, chance: Random) -> SubjectEvidence:
    names = list(dict.fromkeys(any_name(chance) for _ in range(chance.randrange(1, 6))))
    mapped = _map(names, chance)
    keys = [concept.key for concept in mapped.concepts] + [k for k in map(canonical_key, names) if k]
    episodes = list(_episodes(subject, keys, chance))
    rows = _beliefs(episodes, names, chance)
    taught: dict[str, tuple[TaughtNote, ...]] = {}
    own: dict[str, str] = {}
    for episode in episodes:
        name = any_name(chance)
        if (
            episode.kind is Kind.TAUGHT
            and episode.content
            and not episode.about_record
            and (key := canonical_key(name))
        ):
            note = TaughtNote(episode.content.text, episode.id, episode.position)
            taught[key] = (*taught.get(key, ()), note)
            own[key] = name
    return SubjectEvidence(
        pair=Pair(SCOPE.tenant, SCOPE.student, subject),
        episodes=tuple(episodes),
        beliefs=tuple(rows),
        subject_map=mapped,
        layer=StudentLayer(taught=taught, own_concepts=own),
        readiness={},
    )


def _episodes(subject: str, keys: Sequence[str], chance: Random) -> Iterator[Episode]:
    kinds = (
        Kind.QUESTION,
        Kind.QUESTION,
        Kind.ANSWER,
        Kind.CHECK,
        Kind.CHECK,
        Kind.QUIZ,
        Kind.TAUGHT,
        Kind.FILE,
    )
    for position in range(1, chance.randrange(3, 12)):
        kind = chance.choice(kinds)
        checked = kind in {Kind.CHECK, Kind.QUIZ}
        topic = any_text(chance)[:200] if chance.random() < 0.5 else any_name(chance)
        episode = turn(
            position,
            any_text(chance),
            kind,
            day=chance.randrange(9),
            session=chance.choice((None, "s1", "s2", any_text(chance)[:200] or None)),
            subject=subject,
            concepts=[chance.choice(keys)] if keys and chance.random() < 0.7 else [],
            correct=chance.random() < 0.5 if checked else None,
            topic=topic if checked or chance.random() < 0.3 else None,
            summary=any_text(chance)[:300] if chance.random() < 0.3 else None,
            evaluation=any_text(chance)[:2_000] if checked and chance.random() < 0.7 else None,
            cites=[("f1", chance.choice((None, 1, 3, 8)))]
            if kind is Kind.ANSWER and chance.random() < 0.5
            else [],
            language=chance.choice(("en", "es", "und", "ar", "zh", "th", "hi", "xx")),
            about_record=chance.random() < 0.05,
        )
        if episode.outcome is not None and chance.random() < 0.3:
            episode = replace(
                episode, outcome=replace(episode.outcome, score=chance.choice((0.0, 0.3, 0.5, 0.7, 1.0)))
            )
        yield episode


def _beliefs(episodes: Sequence[Episode], names: Sequence[str], chance: Random) -> list[Belief]:
    """A row for each check, in place of the one before on the same concept."""
    held: dict[str, Belief] = {}
    rows: dict[str, Belief] = {}
    for episode in episodes:
        outcome = episode.outcome
        if outcome is None or not outcome.concept or episode.about_record or chance.random() < 0.2:
            continue
        claim = Claim.UNDERSTANDS if outcome.correct else Claim.STRUGGLES_WITH
        name = chance.choice([*names, outcome.concept])
        row = belief(name, claim, [episode], number=episode.position, confidence=chance.random())
        row = replace(row, concept=outcome.concept)
        if (before := held.get(outcome.concept)) is not None:
            rows[before.id] = replace(before, superseded_by=row.id)
        rows[row.id] = held[outcome.concept] = row
    return list(rows.values())
