"""A page as an agent writes it, from a revision that it names (WK-6).

Agents may write pages of their own, and the notes on compiled ones. What was written to a page since the named
revision is never overwritten: a write of a page that did not change is put onto the current revision, notes are put
onto the compiled page as it is by now, and anything else is refused with what is needed to try again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from anamnesis.domain.access import Role
from anamnesis.domain.errors import (
    Busy,
    GateRefused,
    HeadMoved,
    InvalidInput,
    NotFound,
    PageConflict,
    TooLarge,
)
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.gates import page_findings
from anamnesis.domain.wiki.gates.front_matter import is_agents
from anamnesis.domain.wiki.gates.trees import folded_path, kind_at
from anamnesis.domain.wiki.notes import notes_of, same_notes, with_notes_of, without_notes
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import MAX_PAGE_BYTES, PageKind, Tree, checked_path, without_ending
from anamnesis.domain.wiki.revisions import Revision
from anamnesis.domain.wiki.writing.agents import is_set_apart, own_pages
from anamnesis.ports import Backoff, Clock, WikiRepository
from anamnesis.service.deadline import Deadline
from anamnesis.service.read_wiki import ROOT
from anamnesis.service.wiki_evidence import LoadWikiEvidence

#: Times that a write is put onto a newer head. Ours: as many writers at once mostly get through.
TRIES: Final = 16
#: Longest notes on a compiled page, in bytes of UTF-8 with the addresses that they cite. Ours: a quarter of a page, so
#: that what is compiled above them always has room to grow.
MAX_NOTES_BYTES: Final = MAX_PAGE_BYTES // 4
#: Most pages of agents' own in one wiki. Ours: more than anybody reads, and far fewer than a tree holds.
MAX_OWN_PAGES: Final = 1_000
#: Kinds of pages that agents may write, or write notes on.
WRITABLE: Final = frozenset(
    {PageKind.CONCEPT, PageKind.ENTITY, PageKind.PROJECT, PageKind.LEARNING, PageKind.NOTE}
)


@dataclass(frozen=True, slots=True)
class WikiWrite:
    """What a write did.

    Attributes
    ----------
    revision
        That holds it; the current one when the page was as written already.
    changed
        Whether a revision was made.
    rebased
        Whether it was put onto another revision than the one that it named.
    """

    revision: Revision
    path: str
    changed: bool
    rebased: bool


@dataclass(frozen=True, slots=True)
class WriteWikiPage:
    """The use case; the same write again changes nothing."""

    repository: WikiRepository
    evidence: LoadWikiEvidence
    clock: Clock
    backoff: Backoff

    def __call__(
        self,
        scope: StudentScope,
        path: str,
        text: str,
        *,
        base: str | None,
        by: Role,
        deadline: Deadline | None = None,
    ) -> WikiWrite:
        """Write a page.

        Parameters
        ----------
        base
            The revision that the writer read; None when there was none.

        Raises
        ------
        InvalidInput
            If agents may not write there, or change more of a compiled page than its notes (fields ``path``, ``text``).
        GateRefused
            If the page does not pass the gates; names each finding.
        PageConflict
            If somebody changed the page since; names both revisions.
        Busy
            If other writers kept getting in between.
        """
        path = checked_path(path.removeprefix(ROOT))
        if kind_at(path) not in WRITABLE:
            raise InvalidInput("agents write below knowledge/ and notes/, no indexes", field="path")
        if path != folded_path(path) or ".md/" in path:
            # So are all compiled pages named: none of theirs can ever be kept out by one that differs in case alone.
            raise InvalidInput("must be in small letters, and no folder may end in .md", field="path")
        if len(text) > MAX_PAGE_BYTES or len(text.encode(errors="surrogatepass")) > MAX_PAGE_BYTES:
            raise TooLarge(f"must not be longer than {MAX_PAGE_BYTES} bytes", field="text")
        deadline = deadline or Deadline.never()
        for attempt in range(1, TRIES + 1):
            deadline.check()
            try:
                return self._once(scope, path, text, base, by, deadline)
            except HeadMoved:
                self.backoff.pause(attempt)
        raise Busy("this wiki keeps changing")

    def _once(
        self, scope: StudentScope, path: str, text: str, base: str | None, by: Role, deadline: Deadline
    ) -> WikiWrite:
        head = self.repository.head(scope)
        current: Tree = self.repository.tree(scope, head.id) if head is not None else {}
        before = self._before(scope, path, base, head)
        stands = current.get(path)
        if head is not None and stands == text:
            return WikiWrite(head, path, changed=False, rebased=False)
        _check_path_is_free(path, text, current, base, None if head is None else head.id)
        written = _joined(path, text, before, stands, base, None if head is None else head.id)
        if head is not None and stands == written:
            return WikiWrite(head, path, changed=False, rebased=True)
        staged = {**current, path: written}
        _check_room(path, written, current)
        loaded = self.evidence(scope, deadline)
        erased = [e.content.text for e in loaded.withheld if e.content is not None]
        refused = page_findings(path, staged, current, loaded.evidence, erased_texts=erased)
        if refused:
            raise GateRefused(tuple((f.path, f.line, f.rule.value, f.detail) for f in refused))
        if self.evidence.seen(scope) != loaded.seen:
            raise HeadMoved("something was erased meanwhile")
        now = self.clock.now().replace(microsecond=0)
        revision = self.repository.commit(
            scope,
            staged,
            parents=[head] if head is not None else [],
            expected=head,
            message=_message(path, written, stands),
            author=f"agent ({by.value})",
            at=max(now, head.at) if head is not None else now,
        )
        if self.evidence.seen(scope) != loaded.seen:
            # It may tell what was erased since it was judged: taken back, and judged again.
            self.repository.rewrite(scope, lambda where, what: (where, what) != (path, written))
            raise HeadMoved("something was erased meanwhile")
        return WikiWrite(
            revision, path, changed=True, rebased=head is not None and not head.id.startswith(base or "-")
        )

    def _before(self, scope: StudentScope, path: str, base: str | None, head: Revision | None) -> str | None:
        """The page as the writer read it."""
        if base is None:
            return None
        try:
            return self.repository.tree(scope, base).get(path)
        except NotFound:
            raise PageConflict(
                "the revision that this write started from is not there; read the page anew",
                base=base,
                current=None if head is None else head.id,
                paths=(path,),
            ) from None


def _check_path_is_free(path: str, text: str, tree: Tree, base: str | None, head: str | None) -> None:
    """Refuse an agent's own page where a compiled one is by now, and say where the agents' is that had this path."""
    stands = tree.get(path)
    if stands is None or is_agents(read(path, stands)) or not is_agents(read(path, text)):
        return
    moved = sorted((p for p in own_pages(tree) if is_set_apart(p, path)), key=lambda p: (len(p), p))
    if moved:
        raise PageConflict(
            f"a compiled page has this path by now, and what agents wrote here stands at {moved[0]}",
            base=base,
            current=head,
            paths=tuple(moved),
        )
    raise InvalidInput("there is a compiled page at this path; write notes on it", field="path")


def _check_room(path: str, written: str, current: Tree) -> None:
    """Refuse what would leave the compile no room: it may not be kept from committing by anything that agents wrote."""
    if not is_agents(read(path, written)):
        notes, cited = notes_of(written)
        size = len(notes.encode(errors="surrogatepass")) + sum(len(str(a)) + 8 for a in set(cited.values()))
        if size > MAX_NOTES_BYTES:
            raise TooLarge(f"notes must not be longer than {MAX_NOTES_BYTES} bytes", field="text")
    elif path not in current and len(own_pages(current)) >= MAX_OWN_PAGES:
        raise TooLarge(f"agents have {MAX_OWN_PAGES} pages of their own already", field="path")


def _joined(
    path: str, text: str, before: str | None, stands: str | None, base: str | None, current: str | None
) -> str:
    """What the page becomes: as written, or its notes on the compiled page as it is by now."""
    own = is_agents(read(path, text))
    compiled = stands is not None and not is_agents(read(path, stands))
    if not own and not compiled and before is None:
        raise InvalidInput('the front matter of an agent\'s page says "author": "agent"', field="text")
    if not own and before is not None and without_notes(text) != without_notes(before):
        raise InvalidInput("only the section Notes of a compiled page is an agent's to write", field="text")
    if stands == before:
        return text
    if not own and compiled and before is not None and stands is not None and same_notes(stands, before):
        return with_notes_of(stands, text)
    raise PageConflict(
        "somebody changed this page since the revision that this write started from",
        base=base,
        current=current,
        paths=(path,),
    )


def _message(path: str, text: str, stands: str | None) -> str:
    what = "Page" if is_agents(read(path, text)) else "Notes"
    verb = "Changed" if stands is not None else "New"
    return f"{what} by an agent\n\n- {verb}: {without_ending(path)} ({path})"
