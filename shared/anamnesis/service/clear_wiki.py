"""Take what is being erased out of a wiki and of its whole history (EP-8, WD-4).

First the wiki is compiled without it, so that its head is clean and keeps what agents wrote of other things; then every
earlier revision is rewritten. Both may be repeated. While this is under way readers are told to come again
(``ShownWikis``), as no block shows what is withheld.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

from anamnesis.domain.errors import Busy, ModelUnavailable, NotFound, Unfinished
from anamnesis.domain.identifiers import Pair, StudentScope
from anamnesis.domain.log.erasures import DeletedPositions
from anamnesis.domain.wiki.cleaning import Taint
from anamnesis.domain.wiki.gates.erased_texts import ErasedTexts
from anamnesis.ports import Clock, EpisodeLog, WikiRepository
from anamnesis.service.compile_wiki import CompileWiki
from anamnesis.service.deadline import Deadline
from anamnesis.service.erased_events import CHUNK

#: Ids read at once. Ours.
_IDS_AT_ONCE = 1_000
#: Erased texts that agents' words are held against, in characters over all of them. Ours.
MAX_TEXT_CHARS = 2_000_000
#: Age of what writers left behind from which nobody can be at it any more.
_LITTER_AGE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class ClearWiki:
    """The use case; call it with a pair and the positions that are erased, or about to be."""

    repository: WikiRepository
    log: EpisodeLog
    compile: CompileWiki
    clock: Clock

    def __call__(self, pair: Pair, deleted: DeletedPositions, deadline: Deadline) -> bool:
        """Clear the wiki of the pair's student; return whether there was time for it."""
        scope = pair.student_scope
        if not deleted or self.repository.head(scope) is None:
            return True
        if not deadline.left():
            return False
        self.repository.sweep(scope, until=self.clock.now() - _LITTER_AGE)
        taint = Taint.of(pair.subject, list(self._ids(pair, deleted)))
        try:
            report = self.compile(scope, deadline)
        except Unfinished:
            return False
        except (Busy, ModelUnavailable):
            report = None
        if report is not None and report.empty:
            # Nothing is left that a wiki could be made of.
            self.repository.erase(scope)
            return True
        self.repository.rewrite(scope, taint.look)
        if not deadline.left():
            return False
        clean = report is not None and not report.refused
        self._rewrite(pair, deleted, taint, clean=clean)
        return clean or self._made_whole(scope, deadline)

    def _made_whole(self, scope: StudentScope, deadline: Deadline) -> bool:
        """Compile once more what lost pages of its head; whether there was time for it."""
        try:
            self.compile(scope, deadline)
        except Unfinished:
            return False
        except (Busy, ModelUnavailable):
            # Nothing of what is erased is left; the next compile brings indexes and pages back.
            return True
        return True

    def _rewrite(self, pair: Pair, deleted: DeletedPositions, taint: Taint, *, clean: bool) -> None:
        """Take out what is tainted; all of the head stays when it was compiled without what is erased."""
        texts = ErasedTexts(self._texts(pair, deleted) if taint.agents else ())
        if taint.found or texts:
            kept = self._head(pair.student_scope) if clean else frozenset()
            self.repository.rewrite(pair.student_scope, taint.judge(kept, texts).keeps)

    def _ids(self, pair: Pair, deleted: DeletedPositions) -> Iterator[str]:
        positions = iter(deleted)
        while chunk := list(islice(positions, _IDS_AT_ONCE)):
            yield from (episode.id for episode in self.log.read(pair, chunk, with_text=False))

    def _texts(self, pair: Pair, deleted: DeletedPositions) -> Iterator[str]:
        """What is still there of the texts that go, as far as the bound allows."""
        positions = iter(deleted)
        left = MAX_TEXT_CHARS
        while left > 0 and (chunk := list(islice(positions, CHUNK))):
            for episode in self.log.read(pair, chunk):
                if episode.content is not None:
                    left -= len(episode.content.text)
                    yield episode.content.text

    def _head(self, scope: StudentScope) -> frozenset[tuple[str, str]]:
        head = self.repository.head(scope)
        try:
            return frozenset(self.repository.tree(scope, head.id).items()) if head else frozenset()
        except NotFound:
            return frozenset()
