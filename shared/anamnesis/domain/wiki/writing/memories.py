"""Turns as evidence of pages: repeats folded into one memory, each memory one cited sentence (RC-4, WK-3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.text.normalisation import normalised_sentence
from anamnesis.domain.wiki.addresses import Address, episode_address
from anamnesis.domain.wiki.pages import Statement
from anamnesis.domain.wiki.sessions import Session, Turn
from anamnesis.domain.wiki.writing.wording import MAX_QUOTE_CHARS, day_of, told, words_of

#: What happened in it is cited by the episode, which says the outcome; what was said by the turn, for its surroundings.
_BY_EPISODE = frozenset({Kind.CHECK, Kind.QUIZ, Kind.TAUGHT})


@dataclass(frozen=True, slots=True)
class Said:
    """A turn, the session that it is of, and what makes two turns the same memory."""

    session: Session
    turn: Turn
    fold: tuple[str, ...]

    @property
    def episode(self) -> Episode:
        """What was recorded."""
        return self.turn.episode

    @property
    def at(self) -> datetime:
        """When it happened."""
        return self.turn.episode.occurred_at

    @property
    def order(self) -> tuple[datetime, str, int]:
        """Place among all turns, the earlier first."""
        return (self.at, self.session.subject, self.episode.position)

    @property
    def turn_address(self) -> Address:
        """Of the turn in its session."""
        return self.session.address(self.turn.number)

    @property
    def address(self) -> Address:
        """As pages other than the session's own cite it."""
        if self.episode.kind in _BY_EPISODE:
            return episode_address(self.session.subject, self.episode.id)
        return self.turn_address


@dataclass(frozen=True, slots=True)
class Memory:
    """Equal turns, the latest of which stands for all (RC-4)."""

    latest: Said
    first: Said
    times: int


def remembered(said: Iterable[Said]) -> list[Memory]:
    """Fold repeats: one memory for each thing that happened, the latest first."""
    memories: dict[tuple[str, ...], Memory] = {}
    for each in sorted(said, key=lambda s: s.order):
        key = each.fold
        known = memories.get(key)
        memories[key] = Memory(each, each, 1) if known is None else Memory(each, known.first, known.times + 1)
    return sorted(memories.values(), key=lambda memory: memory.latest.order, reverse=True)


def said_of(session: Session) -> list[Said]:
    """Its turns that are evidence, in the order in which they happened: narrations of the record are none (RC-6)."""
    said = [
        Said(session, turn, _fold(turn.episode)) for turn in session.said if not turn.episode.about_record
    ]
    return sorted(said, key=lambda each: each.order)


def _fold(episode: Episode) -> tuple[str, ...]:
    """What makes two episodes the same memory: kind, outcome, sentence, and the topic of a check."""
    outcome = "" if episode.outcome is None else str(episode.outcome.correct)
    topic = (episode.content.topic or "") if episode.content and episode.outcome is not None else ""
    return (
        episode.kind.value,
        outcome,
        normalised_sentence(topic) if topic else "",
        normalised_sentence(words_of(episode)),
    )


def dated(memory: Memory, *, by_turn: bool = False, most: int = MAX_QUOTE_CHARS) -> Statement:
    """One sentence with its day, such as ``2026-03-04: the student asked “…”``.

    Parameters
    ----------
    by_turn
        Whether to cite the turn even where another page would cite the episode.
    """
    latest, first = memory.latest, memory.first
    text = f"{day_of(latest.at).isoformat()}: {told(latest.episode, most=most)}"
    cites = [latest.turn_address if by_turn else latest.address]
    if memory.times > 1:
        text = f"{text} ({memory.times} times, first on {day_of(first.at).isoformat()})"
        cites.append(first.turn_address if by_turn else first.address)
    return Statement(text, tuple(cites))


def listed(
    memories: Sequence[Memory], most: int, what: str, *, by_turn: bool = False
) -> tuple[Statement, ...]:
    """The latest memories as sentences, and one that says how many earlier ones are left out.

    Parameters
    ----------
    what
        What is listed, in the plural: "questions".
    """
    statements = [dated(memory, by_turn=by_turn) for memory in memories[:most]]
    if len(memories) > most:
        left = memories[most:]
        first = left[-1].first.at if left else memories[0].latest.at
        statements.append(
            Statement(
                f"{len(left)} earlier {what}, from {day_of(first).isoformat()} on, are left out here.",
                (left[0].latest.address, left[-1].latest.address)
                if len(left) > 1
                else (left[0].latest.address,),
            )
        )
    return tuple(statements)
