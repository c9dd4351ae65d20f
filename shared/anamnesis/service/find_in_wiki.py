"""Find one's way in a wiki: search its pages, and the files that a session starts with (WU-2, WU-3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from anamnesis.domain.errors import NotFound
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.finding.search import Corpus, Hit
from anamnesis.domain.wiki.finding.start_files import Handed, hand_out, start_files
from anamnesis.domain.wiki.finding.written_turns import is_transcript
from anamnesis.domain.wiki.pages import KNOWLEDGE, NOTES, SESSIONS, Tree
from anamnesis.domain.wiki.revisions import Revision
from anamnesis.ports import WikiRepository
from anamnesis.recently_used import RecentlyUsed

#: Levels of the wiki that can be searched; transcripts are found by recall, which reads the log itself (WK-1).
LEVELS: Final = (KNOWLEDGE, NOTES, SESSIONS)
#: Characters of corpora kept ready in a warm process, over all students: about as many bytes, twice.
MAX_KEPT_CHARS: Final = 24_000_000


@dataclass(frozen=True, slots=True)
class WikiHits:
    """Pages that a search found, best first."""

    revision: Revision
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class WikiFiles:
    """Files handed out of a revision."""

    revision: Revision
    handed: Handed


def _kept() -> RecentlyUsed[tuple[str, str, tuple[str, ...]], Corpus]:
    return RecentlyUsed(MAX_KEPT_CHARS, lambda corpus: corpus.chars)


@dataclass(frozen=True, slots=True)
class FindInWiki:
    """The use case; ask it to search, or for the files of a new session.

    A corpus is made ready once for a revision and kept, so that an agent's next searches take little.
    """

    repository: WikiRepository
    corpora: RecentlyUsed[tuple[str, str, tuple[str, ...]], Corpus] = field(default_factory=_kept)

    def search(self, scope: StudentScope, query: str, *, levels: Collection[str], limit: int) -> WikiHits:
        """Pages that hold the words of `query`.

        Parameters
        ----------
        levels
            Of ``LEVELS``; all of them when empty.

        Raises
        ------
        NotFound
            If there is no wiki yet.
        """
        revision = _current(self.repository, scope)

        def tree() -> Tree:
            return self.repository.tree(scope, revision.id)

        return WikiHits(revision, self.hits(scope, revision, tree, query, levels=levels, limit=limit))

    def hits(
        self,
        scope: StudentScope,
        revision: Revision,
        tree: Callable[[], Tree],
        query: str,
        *,
        levels: Collection[str],
        limit: int,
    ) -> tuple[Hit, ...]:
        """As ``search``, of a revision that is known; `tree` gives its files and is asked only where none are ready."""
        wanted = tuple(level for level in LEVELS if level in levels or not levels)
        key = (scope.key, revision.id, wanted)
        corpus = self.corpora.get(key)
        if corpus is None:
            corpus = Corpus({path: text for path, text in tree().items() if _is_searched(path, wanted)})
            self.corpora.keep(key, corpus)
        return tuple(corpus.search(query, limit=limit))

    def start_files(self, scope: StudentScope, *, have: Mapping[str, str], max_bytes: int) -> WikiFiles:
        """The files that a session starts with, as many as there is room for, without those that the caller has.

        Raises
        ------
        NotFound
            If there is no wiki yet.
        """
        revision = _current(self.repository, scope)
        tree = self.repository.tree(scope, revision.id)
        return WikiFiles(revision, hand_out(tree, start_files(tree), have=have, max_bytes=max_bytes))


def _current(repository: WikiRepository, scope: StudentScope) -> Revision:
    head = repository.head(scope)
    if head is None:
        raise NotFound("there is no wiki yet: the night compiles it")
    return head


def _is_searched(path: str, levels: Collection[str]) -> bool:
    level, _, rest = path.partition("/")
    return level in levels and not is_transcript(path) and not rest.endswith("index.md")
