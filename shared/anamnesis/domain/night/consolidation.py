"""Consolidation: one day of a pair's work in one episode (NI-1).

The labels are English, as the labels of the memory block are; titles and concept names stay in the student's
language, and the language of the most episodes is named, so that the episode is indexed as what it mostly
holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final

from anamnesis.domain.log.episodes import MAX_SUMMARY_CHARS, Episode, Kind
from anamnesis.domain.log.summaries import first_sentence
from anamnesis.domain.text.normalisation import normalised_sentence

#: Titles in a consolidation (NI-1).
MAX_TITLES: Final = 5
#: Topics named in its text, and in its one-line summary. Ours.
MAX_TOPICS: Final = 12
MAX_SUMMARY_TOPICS: Final = 3
#: Concepts that the episode is indexed under. Ours: more say nothing about a day.
MAX_CONCEPTS: Final = 50
_MAX_TITLE_CHARS: Final = 160
_MAX_TOPIC_CHARS: Final = 80

#: Kinds that make no work day by themselves: the night's own episodes, and files, each of which has an
#: episode already.
_QUIET: Final = frozenset({Kind.CONSOLIDATION, Kind.FILE})
#: Singular and plural of each kind counted, in the order in which they are told.
_NOUNS: Final[Mapping[Kind, tuple[str, str]]] = MappingProxyType(
    {
        Kind.QUESTION: ("question", "questions"),
        Kind.ANSWER: ("answer", "answers"),
        Kind.CHECK: ("check", "checks"),
        Kind.QUIZ: ("quiz", "quizzes"),
        Kind.TAUGHT: ("taught fact", "taught facts"),
        Kind.FILE: ("file event", "file events"),
    }
)


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What a night writes about a day.

    Attributes
    ----------
    summary
        One line, at most ``MAX_SUMMARY_CHARS`` characters.
    concepts
        Canonical keys, those touched by the most episodes first.
    language
        BCP 47 language of the most episodes.
    """

    summary: str
    text: str
    concepts: tuple[str, ...]
    language: str


def consolidate(
    episodes: Iterable[Episode], *, day: date, names: Mapping[str, str] | None = None
) -> Consolidation | None:
    """Sum up a day, or None when it was quiet.

    A day is quiet without questions, answers, checks, quizzes or teaching; files alone make no work day.
    Nothing that a night wrote is counted. A narration of the student's record counts as a turn but lends no
    title, or the memory would remember having remembered (RC-6). Erased episodes neither count nor say
    anything: the result is that of a day on which they never were. The same episodes in any order give the
    same result.

    Parameters
    ----------
    episodes
        The pair's episodes of the student's own day (``Episode.day``).
    names
        Name to show by canonical key; a key without one is shown itself.
    """
    of_day = sorted(told_of(episodes), key=lambda e: (e.occurred_at, e.position))
    if not _is_work(of_day):
        return None
    touched = Counter(key for e in of_day for key in dict.fromkeys(e.concepts))
    concepts = tuple(sorted(touched, key=lambda key: (-touched[key], key))[:MAX_CONCEPTS])
    topics = [first_sentence((names or {}).get(key, key), max_chars=_MAX_TOPIC_CHARS) for key in concepts]
    counts, tally = _counts(of_day), _tally(of_day)
    languages = Counter(e.language for e in of_day)
    return Consolidation(
        summary=_summary(day, counts, tally, topics),
        text=_text(day, counts, tally, topics, _titles(of_day)),
        concepts=concepts,
        language=min(languages, key=lambda language: (-languages[language], language)),
    )


def told_of(episodes: Iterable[Episode]) -> list[Episode]:
    """The episodes that a consolidation of them tells of: neither what nights wrote nor what was erased."""
    return [e for e in episodes if e.kind is not Kind.CONSOLIDATION and e.content is not None]


def days_to_sum_up_again(episodes: Iterable[Episode]) -> list[date]:
    """The student's days, in order, whose consolidation went with an episode that it summed up, and that are not quiet.

    A day with another consolidation since is none of them, nor one whose consolidation somebody erased for its
    own sake.
    """
    return sorted(day for day, of_day in _by_day(episodes).items() if _is_due_again(of_day))


def days_missed(episodes: Iterable[Episode], *, by: date) -> list[date]:
    """The student's days, in order, that were over by the end of this UTC day, are not quiet, and were never summed up.

    An event counts to the day that it had where it happened; one day is over when it is over wherever in it something
    happened.
    """
    return sorted(
        day
        for day, of_day in _by_day(episodes).items()
        if all(e.day_over <= by for e in of_day)
        and all(e.kind is not Kind.CONSOLIDATION for e in of_day)
        and _is_work(of_day)
    )


def _by_day(episodes: Iterable[Episode]) -> dict[date, list[Episode]]:
    days: dict[date, list[Episode]] = {}
    for episode in episodes:
        days.setdefault(episode.day, []).append(episode)
    return days


def _is_work(of_day: Iterable[Episode]) -> bool:
    return any(e.kind not in _QUIET for e in told_of(of_day))


def _is_due_again(of_day: Sequence[Episode]) -> bool:
    summaries = [e for e in of_day if e.kind is Kind.CONSOLIDATION]
    if not summaries or any(e.content is not None for e in summaries):
        return False
    last = max(e.position for e in summaries)
    erased_before = any(
        e.kind is not Kind.CONSOLIDATION and e.content is None and e.position < last for e in of_day
    )
    return erased_before and _is_work(of_day)


def _counts(episodes: Sequence[Episode]) -> str:
    held = Counter(e.kind for e in episodes)
    return ", ".join(f"{held[kind]} {nouns[held[kind] > 1]}" for kind, nouns in _NOUNS.items() if held[kind])


def _tally(episodes: Sequence[Episode]) -> str | None:
    outcomes = [e.outcome for e in episodes if e.outcome is not None]
    right = sum(outcome.correct for outcome in outcomes)
    return f"{right} right, {len(outcomes) - right} wrong" if outcomes else None


def _titles(episodes: Sequence[Episode]) -> list[str]:
    """List the most salient titles, repeats once (RC-4), the earlier of equally salient ones first."""
    titles: dict[str, str] = {}
    for episode in sorted(episodes, key=lambda e: -e.salience):
        if episode.content is None or episode.about_record:
            continue
        title = first_sentence(episode.content.summary, max_chars=_MAX_TITLE_CHARS)
        if title:
            titles.setdefault(f"{episode.kind.value} {normalised_sentence(title)}", title)
        if len(titles) == MAX_TITLES:
            break
    return list(titles.values())


def _summary(day: date, counts: str, tally: str | None, topics: Sequence[str]) -> str:
    """Fit the summary into its one line by leaving topics out, the rarest first."""
    start = f"{day.isoformat()}: {counts}" + (f" ({tally})" if tally else "")
    for shown in range(min(MAX_SUMMARY_TOPICS, len(topics)), 0, -1):
        summary = f"{start}; on {', '.join(topics[:shown])}"
        if len(summary) <= MAX_SUMMARY_CHARS:
            return summary
    return start[:MAX_SUMMARY_CHARS]


def _text(day: date, counts: str, tally: str | None, topics: Sequence[str], titles: Sequence[str]) -> str:
    lines = [f"Day {day.isoformat()}: {counts}."]
    if tally:
        lines.append(f"Checks and quizzes: {tally}.")
    if topics:
        more = f" and {len(topics) - MAX_TOPICS} more" if len(topics) > MAX_TOPICS else ""
        lines.append(f"Topics: {', '.join(topics[:MAX_TOPICS])}{more}.")
    lines.extend(f"- {title}" for title in titles)
    return "\n".join(lines)
