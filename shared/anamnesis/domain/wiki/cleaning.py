"""Which files of earlier revisions tell of what was erased (EP-8, WD-4).

What a page stands on is in its addresses, so that a page is judged by them and not by its words: whoever cites an
erased episode, or any turn of the session that it was a turn of, may tell it. A transcript says which session that was:
it names each of its episodes. Indexes and the changelog cite nothing and list everything, so that they go from every
revision in which something else goes. What agents wrote without citing it is judged by its words, as long as those
are known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container
from dataclasses import dataclass, field
from typing import Final

from anamnesis.domain.wiki.addresses import episode_address
from anamnesis.domain.wiki.gates.erased_texts import ErasedTexts
from anamnesis.domain.wiki.gates.trees import kind_at
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import PageKind
from anamnesis.domain.wiki.writing.agents import AGENT, AUTHOR, has_notes

_ADDRESS: Final = re.compile(r"(?:episode|session)://[^\s`\"#]+")
_LISTING: Final = frozenset({PageKind.INDEX, PageKind.CHANGELOG, None})
#: How a message names pages that it has no room for.
_MORE: Final = re.compile(r": \d+ more$", re.MULTILINE)
_NAMED: Final = re.compile(r"\(([^()\n]+\.md)\)$", re.MULTILINE)
_HEAD_CHARS: Final = 60_000


@dataclass(slots=True)
class Taint:
    """What is found in a history while it is looked through.

    Attributes
    ----------
    episodes
        Addresses of erased episodes.
    sessions
        Addresses of sessions that one of them was a turn of.
    paths
        Of pages that may tell of them.
    agents
        Whether there is anything that agents wrote.
    """

    episodes: frozenset[str]
    sessions: set[str] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)
    agents: bool = False

    @classmethod
    def of(cls, subject: str, episode_ids: Collection[str]) -> Taint:
        """Nothing found yet."""
        return cls(frozenset(str(episode_address(subject, id_)) for id_ in episode_ids))

    def look(self, path: str, text: str) -> bool:
        """Note what a file tells of; always true, so that a rewrite which asks it changes nothing."""
        if not path:
            return True
        addresses = set(_ADDRESS.findall(text))
        if not addresses.isdisjoint(self.episodes):
            self.paths.add(path)
            if kind_at(path) is PageKind.TRANSCRIPT:
                self.sessions.update(a for a in addresses if a.startswith("session://"))
        self.agents = self.agents or is_of_agents(path, text)
        return True

    def judge(
        self,
        clean: Container[tuple[str, str]],
        texts: ErasedTexts,
    ) -> Judge:
        """What keeps the rest, once all was looked at."""
        return Judge(self.episodes | self.sessions, clean, texts, self.paths)

    @property
    def found(self) -> bool:
        """Whether anything has to go, as far as addresses tell."""
        return bool(self.paths)


@dataclass(slots=True)
class Judge:
    """Tells what may stay.

    Attributes
    ----------
    addresses
        What may not be cited.
    clean
        Files that were made without what is erased.
    texts
        What may not be repeated.
    paths
        Of pages that go in some revision.
    """

    addresses: Collection[str]
    clean: Container[tuple[str, str]]
    texts: ErasedTexts
    paths: set[str]

    def keeps(self, path: str, text: str) -> bool:
        """Whether a file, or a message (with an empty path), may stay."""
        if not path:
            return self._keeps_message(text)
        if (path, text) in self.clean:
            return True
        if kind_at(path) in _LISTING:
            return False
        if any(address in self.addresses for address in _ADDRESS.findall(text)):
            self.paths.add(path)
            return False
        if is_of_agents(path, text) and self.texts.repeated_in(text):
            self.paths.add(path)
            return False
        return True

    def _keeps_message(self, message: str) -> bool:
        named = _NAMED.findall(message)
        return not (_MORE.search(message) or any(name in self.paths for name in named))


def is_of_agents(path: str, text: str) -> bool:
    """Whether agents wrote a page, or on it."""
    if has_notes(text):
        return True
    front = read(path, text[:_HEAD_CHARS]).front if f"\n{AUTHOR}: " in text[:_HEAD_CHARS] else None
    return front is not None and front.get(AUTHOR) == AGENT
