"""What every ``WikiRepository`` promises."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from anamnesis.domain.errors import HeadMoved, NotFound
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.revisions import COMPILER, ERASED_MESSAGE, PageChange, Revision
from anamnesis.ports import WikiRepository

AT = datetime(2026, 7, 3, 9, 30, 15, tzinfo=UTC)
#: Paths of many scripts, depths and lengths.
PATHS = (
    "knowledge/index.md",
    "knowledge/concepts/biology/osmosis.md",
    "knowledge/concepts/生物学/浸透.md",
    "knowledge/concepts/أحياء/الخلية.md",
    "knowledge/learnings/परासरण सीखना.md",
    "sessions/2026-07-03-s1/transcript.md",
    f"notes/biology/{'x' * 100}.md",
    "CHANGELOG.md",
)
TEXTS = (
    "What is osmosis?\n",
    "¿Qué es la ósmosis?",
    "ماذا أخطأت حتى الآن؟\r\n",
    "浸透とは何ですか。\n\n\n",
    "",
    "👩‍🔬 \u202e nul \u0000 tab\t",
    "Ё" * 20_000,
    "---\ntitle: 1\n---\n",
)
NO_REVISION = "0" * 40
_numbers = count(1)


def fresh_student() -> StudentScope:
    """A student that no other test uses, with characters that keys must escape."""
    return StudentScope("école #1", f"Zoë %2F {next(_numbers)}")


def put(
    store: WikiRepository,
    scope: StudentScope,
    tree: Tree,
    *,
    message: str = "Something new",
    author: str = COMPILER,
    minutes: int = 0,
    merged: Revision | None = None,
) -> Revision:
    """Commit on the head as it is."""
    head = store.head(scope)
    return store.commit(
        scope,
        tree,
        parents=[r for r in (head, merged) if r is not None],
        expected=head,
        message=message,
        author=author,
        at=AT + timedelta(minutes=minutes),
    )


def history(store: WikiRepository, scope: StudentScope, **options: Any) -> list[Revision]:
    """The log, as far as it goes."""
    return store.log(scope, **{"path": None, "before": None, "limit": 100, **options})


def trees(store: WikiRepository, scope: StudentScope) -> list[Tree]:
    """Every tree of the history, newest first."""
    return [store.tree(scope, revision.id) for revision in history(store, scope)]


class WikiRepositoryContract:
    """Subclasses give the fixture ``store``."""

    # ------------------------------------------------------------------ commits
    def test_a_new_student_has_no_wiki(self, store: WikiRepository) -> None:
        """Before the first compile there is no head, no history and nothing to read (WK-5)."""
        scope = fresh_student()
        assert store.head(scope) is None
        assert history(store, scope) == []
        with pytest.raises(NotFound):
            store.tree(scope, NO_REVISION)
        with pytest.raises(NotFound):
            store.read(scope, NO_REVISION, PATHS[0])

    def test_a_tree_comes_back_as_it_was(self, store: WikiRepository) -> None:
        """Files of every script and size come back to the character, whole and one by one (WK-5)."""
        scope = fresh_student()
        tree = dict(zip(PATHS, TEXTS, strict=True))
        revision = put(store, scope, tree, message="Osmosis · 浸透\n\n- new: biology")
        assert store.head(scope) == revision
        assert store.tree(scope, revision.id) == tree
        assert {path: store.read(scope, revision.id, path) for path in tree} == tree

    def test_a_revision_says_who_when_and_why(self, store: WikiRepository) -> None:
        """A commit keeps its parents, author, time and whole message, under an id of 40 hex digits (WK-5)."""
        scope = fresh_student()
        first = put(store, scope, {"a.md": "1"}, message="One\n\n- a.md: new", author="Zoë's agent")
        second = put(store, scope, {"a.md": "2"}, minutes=1)
        assert (first.parents, first.author, first.at) == ((), "Zoë's agent", AT)
        assert first.message == "One\n\n- a.md: new"
        assert (second.parents, second.author) == ((first.id,), COMPILER)
        assert all(len(r.id) == 40 and int(r.id, 16) >= 0 for r in (first, second))
        assert history(store, scope) == [second, first]

    def test_earlier_revisions_stay_readable(self, store: WikiRepository) -> None:
        """What a commit changed or removed is still there in the one before it (WK-5)."""
        scope = fresh_student()
        first = put(store, scope, {"a.md": "1", "b/c.md": "2"})
        second = put(store, scope, {"a.md": "3"}, minutes=1)
        assert store.tree(scope, first.id) == {"a.md": "1", "b/c.md": "2"}
        assert store.read(scope, first.id, "b/c.md") == "2"
        with pytest.raises(NotFound):
            store.read(scope, second.id, "b/c.md")

    def test_a_revision_goes_by_a_unique_prefix(self, store: WikiRepository) -> None:
        """Seven digits name a revision, fewer or others do not (WK-5)."""
        scope = fresh_student()
        revision = put(store, scope, {"a.md": "1"})
        for digits in (7, 12, 40):
            assert store.tree(scope, revision.id[:digits]) == {"a.md": "1"}
            assert store.revision(scope, revision.id[:digits]) == revision
        for unknown in (
            revision.id[:6],
            "",
            NO_REVISION,
            "../../head",
            "HEAD",
            revision.id[:7] + "zz",
            "é" * 7,
        ):
            with pytest.raises(NotFound):
                store.tree(scope, unknown)
            with pytest.raises(NotFound):
                store.read(scope, unknown, "a.md")
            with pytest.raises(NotFound):
                store.revision(scope, unknown)

    def test_a_path_that_is_no_file_is_not_found(self, store: WikiRepository) -> None:
        """A folder, a longer path and one that climbs are no files (WK-5, SV-13)."""
        scope = fresh_student()
        revision = put(store, scope, {"b/c.md": "2"})
        for path in ("b", "b/", "b/c.md/d", "", "/b/c.md", "b/../b/c.md", ".git/config", "B/c.md"):
            with pytest.raises(NotFound):
                store.read(scope, revision.id, path)

    # ------------------------------------------------------------------ concurrency
    def test_a_stale_commit_changes_nothing(self, store: WikiRepository) -> None:
        """A commit that expects another head than there is fails, and no reader sees anything of it (WK-6)."""
        scope = fresh_student()
        first = put(store, scope, {"a.md": "1"})
        second = put(store, scope, {"a.md": "2"}, minutes=1)
        for stale in (None, first):
            with pytest.raises(HeadMoved):
                store.commit(scope, {}, parents=[], expected=stale, message="late", author=COMPILER, at=AT)
        assert history(store, scope) == [second, first]
        assert store.tree(scope, second.id) == {"a.md": "2"}
        with pytest.raises(HeadMoved):
            store.commit(
                fresh_student(), {}, parents=[first], expected=first, message="m", author=COMPILER, at=AT
            )

    def test_no_commit_is_lost(self, store: WikiRepository) -> None:
        """However many commit at once and try again, every one of them is in the history and in the tree (WK-6)."""
        scope = fresh_student()

        def add(number: int) -> None:
            while True:
                head = store.head(scope)
                tree = {} if head is None else dict(store.tree(scope, head.id))
                try:
                    store.commit(
                        scope,
                        {**tree, f"{number}.md": str(number)},
                        parents=[] if head is None else [head],
                        expected=head,
                        message=f"number {number}",
                        author=COMPILER,
                        at=AT,
                    )
                except HeadMoved:
                    continue
                return

        with ThreadPoolExecutor(max_workers=4) as threads:
            list(threads.map(add, range(8)))
        revisions = history(store, scope)
        assert sorted(r.message for r in revisions) == sorted(f"number {n}" for n in range(8))
        assert store.tree(scope, revisions[0].id) == {f"{n}.md": str(n) for n in range(8)}
        assert [r.parents for r in revisions] == [*((r.id,) for r in revisions[1:]), ()]

    def test_a_merge_has_both_histories(self, store: WikiRepository) -> None:
        """A commit of two parents is followed by everything of both, each once (WK-6)."""
        scope = fresh_student()
        base = put(store, scope, {"a.md": "1"})
        ours = put(store, scope, {"a.md": "2"}, minutes=1)
        merge = put(store, scope, {"a.md": "2", "b.md": "3"}, minutes=2, merged=base)
        assert merge.parents == (ours.id, base.id)
        assert history(store, scope) == [merge, ours, base]

    # ------------------------------------------------------------------ history
    def test_the_log_is_read_on_from_any_revision(self, store: WikiRepository) -> None:
        """Pages of the log follow each other without a gap; a revision that there is not is not found (WK-5)."""
        scope = fresh_student()
        made = [put(store, scope, {"a.md": str(n)}, minutes=n) for n in range(5)][::-1]
        assert history(store, scope, limit=2) == made[:2]
        assert history(store, scope, before=made[1].id, limit=2) == made[2:4]
        assert history(store, scope, before=made[-1].id) == []
        with pytest.raises(NotFound):
            history(store, scope, before=NO_REVISION)

    def test_the_log_of_a_page_tells_its_changes(self, store: WikiRepository) -> None:
        """With a path, revisions that made, changed or removed the file, and no others (WK-5)."""
        scope = fresh_student()
        made = put(store, scope, {"a/b.md": "1", "c.md": "1"})
        put(store, scope, {"a/b.md": "1", "c.md": "2"}, minutes=1)
        changed = put(store, scope, {"a/b.md": "2", "c.md": "2"}, minutes=2)
        removed = put(store, scope, {"c.md": "2"}, minutes=3)
        put(store, scope, {"c.md": "3"}, minutes=4)
        assert history(store, scope, path="a/b.md") == [removed, changed, made]
        assert history(store, scope, path="a/b.md", before=removed.id, limit=1) == [changed]
        assert history(store, scope, path="never.md") == []

    def test_changes_are_files_by_path(self, store: WikiRepository) -> None:
        """What differs between any two revisions, in order of paths, with both texts (WK-5)."""
        scope = fresh_student()
        first = put(store, scope, {"a.md": "1", "b/c.md": "1", "d.md": "1"})
        put(store, scope, {}, minutes=1)
        last = put(store, scope, {"a.md": "1", "b/c.md": "2", "生.md": "3"}, minutes=2)
        assert store.changes(scope, first.id, last.id) == [
            PageChange("b/c.md", "1", "2"),
            PageChange("d.md", "1", None),
            PageChange("生.md", None, "3"),
        ]
        assert store.changes(scope, last.id, last.id) == []
        assert store.changes(scope, None, first.id) == [
            PageChange(path, None, "1") for path in ("a.md", "b/c.md", "d.md")
        ]
        with pytest.raises(NotFound):
            store.changes(scope, NO_REVISION, last.id)

    # ------------------------------------------------------------------ erasing
    def test_a_rewrite_takes_a_file_out_of_every_revision(self, store: WikiRepository) -> None:
        """What is refused stands in no revision any more, and everything else where it stood (EP-8, WD-4)."""
        scope = fresh_student()
        put(store, scope, {"a.md": "1", "b.md": "1"})
        put(store, scope, {"a.md": "1", "b.md": "2", "s/secret.md": "x"}, minutes=1, message="two")
        put(store, scope, {"a.md": "2", "s/secret.md": "y", "s/other.md": "z"}, minutes=2, message="three")
        before = history(store, scope)
        store.rewrite(scope, lambda path, text: path != "s/secret.md")
        after = history(store, scope)
        assert trees(store, scope) == [
            {"a.md": "2", "s/other.md": "z"},
            {"a.md": "1", "b.md": "2"},
            {"a.md": "1", "b.md": "1"},
        ]
        assert [(r.message, r.author, r.at) for r in after] == [(r.message, r.author, r.at) for r in before]
        assert store.head(scope) == after[0]
        assert [r.parents for r in after] == [(after[1].id,), (after[2].id,), ()]
        assert history(store, scope, path="s/secret.md") == []

    def test_old_ids_lead_nowhere_after_a_rewrite(self, store: WikiRepository) -> None:
        """A revision that held what was erased is gone, and who started from it is refused (EP-8, WK-6)."""
        scope = fresh_student()
        kept = put(store, scope, {"a.md": "1"})
        held = put(store, scope, {"a.md": "1", "b.md": "1", "secret.md": "x"}, minutes=1)
        last = put(store, scope, {"a.md": "2", "b.md": "1"}, minutes=2)
        store.rewrite(scope, lambda path, text: path != "secret.md")
        for gone in (held, last):
            with pytest.raises(NotFound):
                store.tree(scope, gone.id)
            with pytest.raises(NotFound):
                store.read(scope, gone.id, "a.md")
            with pytest.raises(HeadMoved):
                store.commit(scope, {}, parents=[gone], expected=gone, message="m", author=COMPILER, at=AT)
        assert store.tree(scope, kept.id) == {"a.md": "1"}

    def test_a_rewrite_goes_by_text_too(self, store: WikiRepository) -> None:
        """Of a page only those versions go that are refused (EP-8)."""
        scope = fresh_student()
        for minutes, text in enumerate(("plain", "a secret", "plain again")):
            put(store, scope, {"a.md": text, "b.md": str(minutes)}, minutes=minutes)
        store.rewrite(scope, lambda path, text: "secret" not in text)
        assert trees(store, scope) == [
            {"a.md": "plain again", "b.md": "2"},
            {"b.md": "1"},
            {"a.md": "plain", "b.md": "0"},
        ]

    def test_a_commit_that_is_left_without_a_change_goes(self, store: WikiRepository) -> None:
        """A revision that only added what was erased is not in the history any more (EP-8)."""
        scope = fresh_student()
        put(store, scope, {"secret.md": "0"}, message="only a secret")
        put(store, scope, {"a.md": "1", "secret.md": "0"}, minutes=1, message="stays")
        put(store, scope, {"a.md": "1", "secret.md": "1"}, minutes=2, message="more of it")
        put(store, scope, {"a.md": "2", "secret.md": "1"}, minutes=3, message="stays too")
        put(store, scope, {"a.md": "2"}, minutes=4, message="removed it")
        store.rewrite(scope, lambda path, text: path != "secret.md")
        assert [r.message for r in history(store, scope)] == ["stays too", "stays"]
        assert trees(store, scope) == [{"a.md": "2"}, {"a.md": "1"}]

    def test_a_refused_message_is_replaced(self, store: WikiRepository) -> None:
        """A message that names what was erased goes as well; its commit stays if it changed something else (EP-8)."""
        scope = fresh_student()
        put(store, scope, {"a.md": "1"}, message="First")
        put(store, scope, {"a.md": "2"}, minutes=1, message="Second\n\n- of the secret")
        store.rewrite(scope, lambda path, text: "secret" not in text)
        assert [r.message for r in history(store, scope)] == [ERASED_MESSAGE, "First"]

    def test_a_rewrite_that_refuses_nothing_changes_nothing(self, store: WikiRepository) -> None:
        """Every file of every revision and every message is asked about; ids stay when all are kept (EP-8)."""
        scope = fresh_student()
        put(store, scope, {"a.md": "1", "b.md": "1"}, message="one")
        put(store, scope, {"a.md": "1"}, minutes=1, message="two")
        put(store, scope, {"a.md": "2"}, minutes=2, message="three")
        before = history(store, scope)
        asked: set[tuple[str, str]] = set()

        def keep(path: str, text: str) -> bool:
            asked.add((path, text))
            return True

        store.rewrite(scope, keep)
        assert history(store, scope) == before
        assert asked == {
            *(("a.md", "1"), ("b.md", "1"), ("a.md", "2")),
            *(("", "one"), ("", "two"), ("", "three")),
        }
        store.rewrite(fresh_student(), lambda path, text: False)

    def test_a_rewrite_may_leave_nothing(self, store: WikiRepository) -> None:
        """When all is refused there is no head; a new wiki may begin (EP-8)."""
        scope = fresh_student()
        old = put(store, scope, {"secret.md": "1"})
        put(store, scope, {"secret.md": "2"}, minutes=1)
        store.rewrite(scope, lambda path, text: False)
        assert store.head(scope) is None
        assert history(store, scope) == []
        with pytest.raises(NotFound):
            store.tree(scope, old.id)
        assert store.tree(scope, put(store, scope, {"a.md": "1"}).id) == {"a.md": "1"}

    def test_a_rewrite_may_be_repeated(self, store: WikiRepository) -> None:
        """Rewriting again by the same rule changes nothing (EP-8, NI-2)."""
        scope = fresh_student()
        for minutes in range(3):
            put(store, scope, {"a.md": str(minutes), "secret.md": str(minutes)}, minutes=minutes)
        keeps: Callable[[str, str], bool] = lambda path, text: path != "secret.md"  # noqa: E731
        store.rewrite(scope, keeps)
        once = history(store, scope)
        store.rewrite(scope, keeps)
        assert history(store, scope) == once

    def test_what_is_committed_during_a_rewrite_is_rewritten_or_refused(self, store: WikiRepository) -> None:
        """A commit from an old head never brings back what a rewrite takes out, and none is lost (EP-8, WK-6)."""
        scope = fresh_student()
        put(store, scope, {"a.md": "0", "secret.md": "x"})

        def write(number: int) -> None:
            while True:
                head = store.head(scope)
                try:
                    tree = {} if head is None else dict(store.tree(scope, head.id))
                    store.commit(
                        scope,
                        {**tree, f"{number}.md": "new"},
                        parents=[] if head is None else [head],
                        expected=head,
                        message=str(number),
                        author=COMPILER,
                        at=AT,
                    )
                except (HeadMoved, NotFound):
                    continue
                return

        with ThreadPoolExecutor(max_workers=4) as threads:
            writing = [threads.submit(write, number) for number in range(4)]
            threads.submit(store.rewrite, scope, lambda path, text: path != "secret.md").result()
            for done in writing:
                done.result()
        assert trees(store, scope)[0] == {"a.md": "0", **{f"{n}.md": "new" for n in range(4)}}
        assert all("secret.md" not in tree for tree in trees(store, scope))

    def test_erasing_leaves_nothing(self, store: WikiRepository) -> None:
        """An erased wiki has no head, history or revision; a new one may begin, and others are untouched (EP-8)."""
        scope, other = fresh_student(), fresh_student()
        old = put(store, scope, {"a.md": "1"})
        kept = put(store, other, {"a.md": "1"})
        store.erase(scope)
        store.erase(scope)
        assert store.head(scope) is None
        assert history(store, scope) == []
        with pytest.raises(NotFound):
            store.tree(scope, old.id)
        assert store.head(other) == kept
        assert store.tree(scope, put(store, scope, {"b.md": "2"}).id) == {"b.md": "2"}

    # ------------------------------------------------------------------ isolation
    def test_students_do_not_meet(self, store: WikiRepository) -> None:
        """A student whose names look like another's has a wiki of their own (SV-11)."""
        scope = fresh_student()
        alike = [
            StudentScope(scope.tenant, scope.student + "2"),
            StudentScope(scope.tenant, scope.student.replace("%2F", "%252F")),
            StudentScope(scope.tenant + " #", scope.student),
            StudentScope("e\u0301cole #1", scope.student),
        ]
        mine = put(store, scope, {"a.md": "mine"})
        for number, other in enumerate(alike):
            assert store.head(other) is None
            with pytest.raises(NotFound):
                store.tree(other, mine.id)
            put(store, other, {"a.md": str(number)})
        for number, other in enumerate(alike):
            assert trees(store, other) == [{"a.md": str(number)}]
        store.erase(alike[0])
        assert trees(store, scope) == [{"a.md": "mine"}]
