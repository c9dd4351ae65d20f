"""Sessions: which episodes belong together, and the number of each turn (WK-1).

A session is what has one ``session_id`` in one subject; what came without one is grouped by pauses. Turns are
numbered in the order of the log, which only ever grows at its end: a turn's address stays what it is, whatever is
recorded later.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final
from urllib.parse import quote

from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.wiki.addresses import Address, session_address
from anamnesis.domain.wiki.evidence import SubjectEvidence, WikiEvidence
from anamnesis.domain.wiki.pages import SESSIONS
from anamnesis.domain.wiki.slugs import hashed, slug

#: A longer time without any episode ends a session that nobody named: a break, but no lesson, fits in. Ours.
PAUSE: Final = timedelta(minutes=90)
#: Longest id of a session in an address, percent-encoded; with a subject beside it an address stays below its limit.
MAX_ENCODED_ID: Final = 384
_ID_HASH_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class Turn:
    """One episode of a session and its number, from 1."""

    number: int
    episode: Episode


@dataclass(frozen=True, slots=True)
class Session:
    """Turns that belong together, erased ones included; at least one is not erased.

    Attributes
    ----------
    id
        As in ``session://subject/id``: the caller's, cut when it is very long, or the id of the first episode.
    name
        Of its folder, such as ``2026-03-04-s1``.
    turns
        By number.
    """

    subject: str
    id: str
    name: str
    turns: tuple[Turn, ...]

    @property
    def folder(self) -> str:
        """Path of its folder."""
        return f"{SESSIONS}/{self.name}"

    @property
    def summary_page(self) -> str:
        """Path of its summary, without ``.md``."""
        return f"{self.folder}/summary"

    @property
    def transcript_page(self) -> str:
        """Path of (the first part of) its transcript, without ``.md``."""
        return f"{self.folder}/transcript"

    def address(self, turn: int | None = None) -> Address:
        """Of the session or of one of its turns."""
        return session_address(self.subject, self.id, turn)

    @property
    def said(self) -> tuple[Turn, ...]:
        """The turns that are not erased."""
        return tuple(turn for turn in self.turns if turn.episode.content is not None)

    @property
    def started(self) -> datetime:
        """When the first of what is left of it happened, in UTC."""
        return min(turn.episode.occurred_at for turn in self.said).astimezone(UTC)

    @property
    def ended(self) -> datetime:
        """When the last of what is left of it happened, in UTC."""
        return max(turn.episode.occurred_at for turn in self.said).astimezone(UTC)

    @property
    def day(self) -> date:
        """UTC day on which it began."""
        return self.started.date()


def sessions_of(evidence: WikiEvidence) -> tuple[Session, ...]:
    """Every session of a student, by subject, start and id.

    What nights wrote is no turn of any; a session of which everything was erased is none.
    """
    grouped: list[tuple[str, str, list[Episode]]] = []
    for subject in evidence.subjects:
        grouped.extend((subject.pair.subject, *group) for group in _groups(subject))
    names = _names(grouped)
    found = [
        Session(
            subject,
            session_id,
            names[subject, session_id],
            tuple(Turn(number, episode) for number, episode in enumerate(episodes, start=1)),
        )
        for subject, session_id, episodes in grouped
    ]
    return tuple(sorted(found, key=lambda session: (session.subject, session.started, session.id)))


def _groups(subject: SubjectEvidence) -> list[tuple[str, list[Episode]]]:
    """Id and episodes, by position, of each session of a subject."""
    episodes = sorted(
        (e for e in subject.episodes if e.kind is not Kind.CONSOLIDATION), key=lambda e: e.position
    )
    named: dict[str, list[Episode]] = {}
    unnamed: list[Episode] = []
    for episode in episodes:
        if episode.content is None:
            continue
        if episode.session_id:
            named.setdefault(_address_id(episode.session_id), []).append(episode)
        else:
            unnamed.append(episode)
    groups: list[tuple[str | None, list[Episode]]] = [*named.items()]
    groups += [(None, group) for group in _by_pauses(unnamed)]
    _put_back([group for _, group in groups], episodes)
    found: dict[str, list[Episode]] = {}
    for name, group in groups:
        session_id = name or group[0].id
        while name is None and session_id in named:  # a caller may call a session after an episode
            session_id += "~"
        found[session_id] = group
    return list(found.items())


def _address_id(session_id: str) -> str:
    """The id as it stands in addresses."""
    text = session_id.encode("utf-8", "replace").decode()
    if len(quote(text, safe="")) <= MAX_ENCODED_ID and text == session_id:
        return text
    digits = hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_HASH_DIGITS]
    kept = text
    while len(quote(f"{kept}~{digits}", safe="")) > MAX_ENCODED_ID:
        kept = kept[: len(kept) * 3 // 4]
    return f"{kept}~{digits}"


def _by_pauses(episodes: Iterable[Episode]) -> list[list[Episode]]:
    groups: list[list[Episode]] = []
    for episode in sorted(episodes, key=lambda e: (e.occurred_at, e.position)):
        if groups and episode.occurred_at - groups[-1][-1].occurred_at <= PAUSE:
            groups[-1].append(episode)
        else:
            groups.append([episode])
    return [sorted(group, key=lambda e: e.position) for group in groups]


def _put_back(groups: Sequence[list[Episode]], episodes: Sequence[Episode]) -> None:
    """Give erased episodes, which have lost their session, the place that the log and the clock leave them.

    Between two turns of one session an erased episode was most likely a turn of it, and then the turns behind it keep
    their numbers; else it goes to a neighbour in the log that it was no pause away from, and else nowhere.
    """
    owner = {episode.position: group for group in groups for episode in group}
    for index, before, after in _erased_between(episodes):
        lost = episodes[index]
        homes = [owner[e.position] for e in (before, after) if e is not None]
        if not (len(homes) == 2 and homes[0] is homes[1]):
            homes = [
                owner[e.position]
                for e in (before, after)
                if e is not None and abs(e.occurred_at - lost.occurred_at) <= PAUSE
            ]
        if homes:
            homes[0].append(lost)
    for group in groups:
        group.sort(key=lambda e: e.position)


def _erased_between(episodes: Sequence[Episode]) -> list[tuple[int, Episode | None, Episode | None]]:
    """Index of each erased episode, and the nearest ones that are not, by position."""
    following: list[Episode | None] = [None] * len(episodes)
    after: Episode | None = None
    for index in range(len(episodes) - 1, -1, -1):
        following[index] = after
        if episodes[index].content is not None:
            after = episodes[index]
    found: list[tuple[int, Episode | None, Episode | None]] = []
    before: Episode | None = None
    for index, episode in enumerate(episodes):
        if episode.content is None:
            found.append((index, before, following[index]))
        else:
            before = episode
    return found


def _names(grouped: Sequence[tuple[str, str, list[Episode]]]) -> dict[tuple[str, str], str]:
    """Name of each session's folder; of several that would have one, the one recorded first has it."""
    names: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for subject, session_id, episodes in sorted(grouped, key=lambda g: (g[2][0].recorded_at, g[0], g[1])):
        # The day of what was recorded first: what comes later about an earlier time moves no folder.
        day = episodes[0].occurred_at.astimezone(UTC).date().isoformat()
        name = f"{day}-{slug(session_id)}"
        if name in taken:
            name = f"{day}-{_told_apart(session_id, subject)}"
        taken.add(name)
        names[subject, session_id] = name
    return names


def _told_apart(session_id: str, subject: str) -> str:
    """A slug with a hash of subject and id, of which only the id is shown."""
    digits = hashed(f"{subject}/{session_id}").rsplit("-", 1)[-1]
    shown = hashed(session_id).rsplit("-", 1)
    return "-".join([*shown[:-1], digits])
