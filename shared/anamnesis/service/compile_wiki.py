"""Compile a student's wiki: evidence → staged tree → gates → one commit, or none (WD-1, WD-2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from anamnesis.domain.errors import Busy, HeadMoved, NotFound
from anamnesis.domain.identifiers import Pair, StudentScope
from anamnesis.domain.wiki.cleaning import is_of_agents
from anamnesis.domain.wiki.gates import MAX_FINDINGS, Finding, findings
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.links import without_lines_to
from anamnesis.domain.wiki.pages import CHANGELOG_PATH, INDEX_PATH, Tree
from anamnesis.domain.wiki.retiring import with_standing_pages, without_dangling_links
from anamnesis.domain.wiki.revisions import COMPILER, Revision, delta
from anamnesis.domain.wiki.writing.changelog import commit_message
from anamnesis.ports import Clock, WikiRepository, WikiWriter
from anamnesis.service.deadline import Deadline
from anamnesis.service.wiki_evidence import LoadedEvidence, LoadWikiEvidence

#: Times that a compile begins anew because another writer committed, or something was erased, in between. Ours.
TRIES = 6
#: Times that a tree is made smaller by what a gate refuses of it. Ours.
MAX_LEAVING_OUT = 4
#: Without these it is no wiki.
ROOTS = frozenset({INDEX_PATH, CHANGELOG_PATH})


@dataclass(frozen=True, slots=True)
class CompileReport:
    """What a compile did.

    Attributes
    ----------
    revision
        The new one; None when nothing changed, or when a gate refused the tree.
    findings
        Why a gate refused; nothing else has changed then.
    written, removed
        Paths that the revision changed, in order; without a revision, none.
    pages
        Files of the tree that stands.
    empty
        Whether there is nothing that a wiki could be made of.
    held_back
        Pages whose text by the writer a gate refused, so that the fallback's stands.
    left_out
        Why a gate refused pages that are left out, or agents' words on them: whoever had written them.
    """

    revision: Revision | None
    findings: tuple[Finding, ...]
    written: tuple[str, ...]
    removed: tuple[str, ...]
    pages: int
    empty: bool = False
    held_back: int = 0
    left_out: tuple[Finding, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether a gate refused the tree."""
        return bool(self.findings)


@dataclass(frozen=True, slots=True)
class CompileWiki:
    """The use case; call it with a student. Calling it again does nothing new (NI-2).

    Parameters
    ----------
    fallback
        A deterministic writer, whose pages stand in place of those of `writer` that a gate refuses; None where `writer`
        is one itself, and a refusal is of what anybody would write of the evidence.
    """

    repository: WikiRepository
    evidence: LoadWikiEvidence
    writer: WikiWriter
    clock: Clock
    fallback: WikiWriter | None = None

    def __call__(self, scope: StudentScope, deadline: Deadline | None = None) -> CompileReport:
        """Bring the wiki up to what the memory holds.

        Parameters
        ----------
        deadline
            From which on no further step begins; by default none does.

        Raises
        ------
        Busy
            If other writers, or erasures, kept getting in between.
        Unfinished
            If the time was too short; nothing has changed then.
        ModelUnavailable
            If a model that the writer needs does not answer; nothing has changed then.
        """
        deadline = deadline or Deadline.never()
        taken_back: Tree = {}
        for _ in range(TRIES):
            with suppress(HeadMoved, NotFound):
                # Else somebody committed, or rewrote the history, while this one was made: begin with what stands now.
                report, taken_back = self._once(scope, deadline, taken_back)
                if report is not None:
                    return report
        raise Busy("this wiki keeps changing")

    def _once(
        self, scope: StudentScope, deadline: Deadline, taken_back: Tree
    ) -> tuple[CompileReport | None, Tree]:
        """Compile from the head as it is; without a report when something was erased meanwhile.

        Parameters
        ----------
        taken_back
            What the try before had to take back; agents' notes on it are carried over as on what stands.
        """
        head = self.repository.head(scope)
        current: Tree = self.repository.tree(scope, head.id) if head is not None else {}
        loaded = self.evidence(scope, deadline)
        deadline.check()
        if not _says_anything(loaded):
            return CompileReport(None, (), (), (), len(current), empty=True), {}
        standing = Standing.of(loaded.evidence)
        before = with_standing_pages({**taken_back, **current}, standing)
        staged = without_dangling_links(
            self.writer.write(loaded.evidence, before, seconds_left=deadline.left)
        )
        if not delta(current, staged):
            return CompileReport(None, (), (), (), len(current)), {}
        deadline.check()
        passed = self._passed(staged, current, before, loaded, deadline)
        staged, refused, left_out = passed.tree, passed.refused, passed.left_out
        changed = delta(current, staged)
        told = partial(CompileReport, held_back=passed.held_back, left_out=left_out)
        if refused or not changed:
            return told(None, refused, (), (), len(current)), {}
        deadline.check()
        # What was erased since it was read may be in the tree, so that it is not committed; and what came between this
        # look and the commit is taken back.
        if self._erased_since(scope, loaded.seen):
            return None, taken_back
        message = commit_message(current, staged)
        revision = self.repository.commit(
            scope,
            staged,
            parents=[head] if head is not None else [],
            expected=head,
            message=message,
            author=COMPILER,
            at=self._now_after(head),
        )
        if self._erased_since(scope, loaded.seen):
            new = frozenset(changed.written.items()) | {("", message)}
            self.repository.rewrite(scope, lambda path, text: (path, text) not in new)
            return None, changed.written
        written, removed = tuple(sorted(changed.written)), tuple(sorted(changed.removed))
        return told(revision, (), written, removed, len(staged)), {}

    def _passed(
        self, staged: Tree, current: Tree, before: Tree, loaded: LoadedEvidence, deadline: Deadline
    ) -> _Passed:
        """The tree that may stand: as the writer has it, else with pages of the fallback's, else without some."""
        erased = [e.content.text for e in loaded.withheld if e.content is not None]
        gate = partial(findings, base=current, evidence=loaded.evidence, erased_texts=erased)
        refused = gate(staged)
        if not refused or self.fallback is None:
            return _Passed(staged, refused)
        plain = without_dangling_links(self.fallback.write(loaded.evidence, before))
        others = {path for path in plain if staged.get(path) != plain[path]}
        # First without the pages that are at fault alone, then without all that the writer wrote otherwise.
        for back in ({finding.path for finding in refused} & others, others):
            if not back:
                continue
            staged = {**staged, **{path: plain[path] for path in back}}
            refused = gate(staged)
            if not refused:
                return _Passed(staged, (), held_back=len(back))
        return self._without_what_is_refused(self.fallback, plain, before, loaded, gate, refused, deadline)

    @staticmethod
    def _without_what_is_refused(
        writer: WikiWriter,
        plain: Tree,
        before: Tree,
        loaded: LoadedEvidence,
        gate: Callable[[Tree], tuple[Finding, ...]],
        refused: tuple[Finding, ...],
        deadline: Deadline,
    ) -> _Passed:
        """The tree without agents' words on the pages at fault, then without these pages themselves.

        Nothing that anybody says should get here; if something does, it must not keep all else from being compiled.
        """
        left_out = refused
        for _ in range(MAX_LEAVING_OUT):
            deadline.check()
            fault = {finding.path for finding in refused}
            if not fault <= plain.keys() or fault & ROOTS:
                break
            if fault & before.keys() and (words := fault & _with_agents_words(before)):
                before = {path: text for path, text in before.items() if path not in words}
                plain = without_dangling_links(writer.write(loaded.evidence, before))
            else:
                kept = {path: text for path, text in plain.items() if path not in fault}
                plain = {path: without_lines_to(path, text, kept) for path, text in kept.items()}
            refused = gate(plain)
            if not refused:
                return _Passed(plain, (), left_out=left_out)
            left_out = (*left_out, *refused)[:MAX_FINDINGS]
        return _Passed(plain, refused, left_out=())

    def _erased_since(self, scope: StudentScope, seen: Mapping[Pair, int]) -> bool:
        now = self.evidence.seen(scope)
        return any(now.get(pair) != count for pair, count in seen.items())

    def _now_after(self, head: Revision | None) -> datetime:
        """The time to the second, and never before that of the revision that it follows."""
        now = self.clock.now().replace(microsecond=0)
        return max(now, head.at) if head is not None else now


@dataclass(frozen=True, slots=True)
class _Passed:
    """A tree held to the gates, why it may not stand, and what was done that it may."""

    tree: Tree
    refused: tuple[Finding, ...]
    held_back: int = 0
    left_out: tuple[Finding, ...] = ()


def _with_agents_words(tree: Tree) -> set[str]:
    return {path for path, text in tree.items() if is_of_agents(path, text)}


def _says_anything(loaded: LoadedEvidence) -> bool:
    """Whether there is anything to make a wiki of."""
    evidence = loaded.evidence
    return bool(evidence.records) or any(
        episode.content is not None for subject in evidence.subjects for episode in subject.episodes
    )
