"""The whole tree: every page, the indexes over them and the changelog (WK-1, WD-3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Final

from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.facts import fact_pages
from anamnesis.domain.wiki.links import without_lines_to
from anamnesis.domain.wiki.pages import CHANGELOG_PATH, INDEX_PATH, Page, Related, Tree
from anamnesis.domain.wiki.resolution import Resolver
from anamnesis.domain.wiki.sessions import sessions_of
from anamnesis.domain.wiki.slugs import slugs
from anamnesis.domain.wiki.writing.agents import has_notes, own_pages, set_apart, with_notes
from anamnesis.domain.wiki.writing.changelog import changelog
from anamnesis.domain.wiki.writing.concept_pages import concept_page, with_pages
from anamnesis.domain.wiki.writing.fitting import fitted, shortened
from anamnesis.domain.wiki.writing.index_pages import entries_of, main_index, session_indexes, subject_indexes
from anamnesis.domain.wiki.writing.note_pages import note_pages
from anamnesis.domain.wiki.writing.room import beyond_room
from anamnesis.domain.wiki.writing.session_pages import session_title, summary_page
from anamnesis.domain.wiki.writing.subjects import SubjectView, view_of
from anamnesis.domain.wiki.writing.synthesis import Synthesis, with_synthesis
from anamnesis.domain.wiki.writing.transcripts import transcript_files

#: Name and version: another version may make other pages of the same evidence.
NAME: Final = "deterministic/1"

_Builder = Callable[[int], Page]


class DeterministicWriter:
    """Fulfils ``ports.WikiWriter`` without a model: the same evidence and agents' words always give the same bytes."""

    @property
    def name(self) -> str:
        """Name and version."""
        return NAME

    def write(
        self,
        evidence: WikiEvidence,
        current: Tree,
        *,
        seconds_left: Callable[[], float] | None = None,  # noqa: ARG002 - it waits for nobody
    ) -> Tree:
        """The whole tree as it should be now.

        Parameters
        ----------
        evidence
            In any order.
        current
            What stands; only agents' notes and agents' own pages are taken from it.
        """
        return Draft.of(evidence, current).tree({})


class Draft:
    """A staged tree whose pages may still be given a synthesis.

    Attributes
    ----------
    plain
        All pages without synthesis, those that stand with the notes that agents wrote on them.
    """

    def __init__(
        self,
        compiled: Mapping[str, _Builder],
        bare: Tree,
        plain: Tree,
        noted: Callable[[_Builder], _Builder],
        with_notes_on: AbstractSet[str],
        *,
        cut: bool,
    ) -> None:
        self._compiled = compiled
        self._bare = bare
        self._noted = noted
        self._with_notes_on = with_notes_on
        self._cut = cut
        self.plain = plain

    @classmethod
    def of(cls, evidence: WikiEvidence, current: Tree) -> Draft:
        """Make all pages of the evidence; parameters as of ``DeterministicWriter.write``."""
        sessions = sessions_of(evidence)
        names = slugs(subject.pair.subject for subject in evidence.subjects)
        subjects = sorted(
            (with_pages(view_of(s, sessions, names[s.pair.subject])) for s in evidence.subjects),
            key=lambda view: view.name,
        )
        facts = sorted(fact_pages(evidence, sessions, _concept_links(subjects)), key=lambda page: page.path)
        tree: dict[str, str] = {}
        compiled: dict[str, _Builder] = {}
        builders: list[_Builder] = [*_compiled(subjects), *(partial(shortened, page) for page in facts)]
        for build in builders:
            page, text = fitted(build)
            tree[page.path] = text
            compiled[page.path] = build
        tree.update(part for subject in subjects for part in _transcripts(subject))
        left_out = beyond_room(tree)
        if left_out:
            tree = {path: text for path, text in tree.items() if path not in left_out}
            compiled = {path: build for path, build in compiled.items() if path not in left_out}
        bare = {path: tree[path] for path in compiled}
        own = own_pages(current)
        tree.update(set_apart(own, tree.keys()))
        tree.update(_indexes(tree, subjects, facts))
        paths = frozenset(tree)
        standing = Resolver(evidence, sessions)

        def noted(build: _Builder) -> _Builder:
            return partial(_with_notes, build, current, paths, standing)

        noted_on = (compiled.keys() & current.keys()) - own.keys()
        with_notes_on = {path for path in noted_on if has_notes(current[path])}
        for path in with_notes_on:
            tree[path] = fitted(noted(compiled[path]))[1]
        return cls(
            compiled, bare, _linked(tree) if left_out else tree, noted, with_notes_on, cut=bool(left_out)
        )

    def compiled(self) -> Mapping[str, str]:
        """Every page that a compile writes and that lists no others, without agents' notes."""
        return {path: self._bare[path] for path in self._compiled}

    def text(self, path: str, synthesis: Synthesis, told: Mapping[Address, str]) -> str:
        """A page of ``compiled`` with a synthesis, and with its notes."""
        build: _Builder = partial(_with_synthesis, self._compiled[path], synthesis, told)
        return fitted(self._noted(build) if path in self._with_notes_on else build)[1]

    def tree(self, texts: Tree) -> Tree:
        """The whole tree, with these texts in place of plain ones."""
        tree = {**self.plain, **texts}
        return _linked(tree) if self._cut and texts else tree


def _linked(tree: Tree) -> dict[str, str]:
    """The tree without links to what it has no room for."""
    return {path: without_lines_to(path, text, tree) for path, text in tree.items()}


def _with_synthesis(build: _Builder, synthesis: Synthesis, told: Mapping[Address, str], most: int) -> Page:
    return with_synthesis(build(most), synthesis, told)


def _concept_links(subjects: Iterable[SubjectView]) -> dict[tuple[str, str], Related]:
    """What leads to each concept's page, by subject and key."""
    return {
        (subject.name, key): Related(view.page, view.name, "where the student stands on it")
        for subject in subjects
        for key, view in subject.concepts.items()
    }


def _compiled(subjects: Iterable[SubjectView]) -> Iterator[_Builder]:
    """Makers of the pages of concepts, sessions and notes, each given how long its lists may be."""
    for subject in subjects:
        for view in subject.concepts.values():
            yield partial(concept_page, view, subject)
        for session in subject.sessions:
            yield partial(summary_page, session, subject)
        for page in note_pages(subject):
            yield partial(_as_is, page)


def _as_is(page: Page, most: int) -> Page:  # noqa: ARG001 - a page of notes is parted beforehand
    return page


def _with_notes(
    build: _Builder, current: Tree, paths: AbstractSet[str], standing: Resolver, most: int
) -> Page:
    return with_notes(build(most), current, paths, standing)


def _transcripts(subject: SubjectView) -> Iterator[tuple[str, str]]:
    for session in subject.sessions:
        yield from transcript_files(session, session_title(session, subject))


def _indexes(tree: Tree, subjects: Sequence[SubjectView], facts: Sequence[Page]) -> dict[str, str]:
    entries = entries_of(tree)
    order = {subject.slug: [view.page for view in subject.concepts.values()] for subject in subjects}
    return {
        **subject_indexes(entries, order),
        **session_indexes(entries),
        INDEX_PATH: main_index(entries),
        CHANGELOG_PATH: changelog(subjects, facts),
    }
