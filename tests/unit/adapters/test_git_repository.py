"""What the wiki's repository on S3 promises beyond the port: costs, crashes, damage, nothing left of the erased."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random
from threading import Barrier
from typing import Any

import pytest
from dulwich.pack import apply_delta

from anamnesis.adapters.git import repository
from anamnesis.adapters.git.deltas import delta
from anamnesis.adapters.git.manifest import head_key, load, owner_prefix
from anamnesis.adapters.git.packs import PackMap
from anamnesis.adapters.git.repository import MAX_PACKS, GitWikiRepository
from anamnesis.adapters.git.snapshots import MAX_SINGLE_READS, PackCache
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.adapters.system import SystemIds
from anamnesis.domain.errors import HeadMoved, InvalidInput, NotFound, StoreUnavailable
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.revisions import COMPILER, Revision
from contracts.wiki_repository import AT, fresh_student, history, put
from support.aws_faults import RequestPlan, Strike
from support.aws_stores import AwsStores
from support.port_faults import Crash

LATER = datetime.now(UTC) + timedelta(hours=1)


class Meddling(ContentObjects):
    """The bucket, where something happens before or instead of a request."""

    def __init__(self, aws: AwsStores) -> None:
        super().__init__(aws.s3, f"{aws.prefix}-content")
        self.before_put_if: Callable[[], None] = lambda: None
        self.before_range: Callable[[], None] = lambda: None
        self.answer_is_lost = False

    def put_if(self, key: str, data: bytes, tag: str | None, *, media_type: str) -> bool:
        self.before_put_if()
        stored = super().put_if(key, data, tag, media_type=media_type)
        return stored and not self.answer_is_lost

    def get_ranges(self, parts: Any) -> list[bytes | None]:
        self.before_range()
        return super().get_ranges(parts)


def keys(aws: AwsStores, scope: StudentScope) -> set[str]:
    return set(aws.content.keys(owner_prefix(scope)))


def lived(
    store: GitWikiRepository, scope: StudentScope, commits: int, *, pages: int = 30
) -> list[tuple[Revision, Tree]]:
    """Commits that each add a session and change two pages, with an index that grows."""
    tree = {f"knowledge/{n}.md": f"# {n}\n" + Random(n).randbytes(150).hex() for n in range(pages)}
    made = []
    for number in range(commits):
        tree = {
            **tree,
            f"sessions/{number:04}/transcript.md": Random(number).randbytes(300).hex(),
            f"knowledge/{number % pages}.md": f"# {number}\n" + Random(number).randbytes(150).hex(),
            "knowledge/index.md": "".join(
                f"- [[sessions/{n:04}/transcript]] on day {n}\n" for n in range(number)
            ),
        }
        made.append((put(store, scope, tree, minutes=number), tree))
    return made


def test_the_same_inputs_make_the_same_commit(aws: AwsStores) -> None:
    """Author, time, message, parents and tree decide the id, so that a compile can be repeated (NI-2, WK-5)."""
    one, other = fresh_student(), fresh_student()
    for number in range(3):
        trees = {"b.md": "1", "a/c.md": str(number)}, {"a/c.md": str(number), "b.md": "1"}
        first = put(aws.wiki_repository, one, trees[0], minutes=number)
        second = put(aws.wiki_repository, other, trees[1], minutes=number)
        assert first == second
    # What git itself says of such a tree and commit: `git commit-tree` with these names and times.
    scope = fresh_student()
    made = aws.wiki_repository.commit(
        scope, {}, parents=[], expected=None, message="m", author="A", at=datetime.fromtimestamp(0, UTC)
    )
    data = b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <> 0 +0000\ncommitter A <> 0 +0000\n\nm"
    assert made.id == hashlib.sha1(b"commit %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def test_a_long_history_is_read_in_a_bounded_number_of_requests(aws: AwsStores) -> None:
    """However many commits there were, a page costs two requests warm and three more than the packs cold (WK-5)."""
    scope = fresh_student()
    made = lived(aws.wiki_repository, scope, 5 * MAX_PACKS)
    packs = load(aws.content, scope).packs
    assert len(packs) <= MAX_PACKS
    # No garbage is left of the packs that were made into others.
    assert len(keys(aws, scope)) == 2 * len(packs) + 1
    store = aws.wiki_repository
    (revision, tree), path = made[-1], "sessions/0000/transcript.md"
    with aws.meter.measure() as cold:
        assert store.read(scope, revision.id, path) == tree[path]
    with aws.meter.measure() as warm:
        assert store.read(scope, revision.id, "knowledge/3.md") == tree["knowledge/3.md"]
    with aws.meter.measure() as looked:
        assert store.head(scope) == revision
    assert cold.total.requests <= 2 + MAX_PACKS
    assert warm.total.requests == 2
    assert looked.total.requests == 1
    # Nor is the whole of it downloaded for one page.
    assert warm.total.received_bytes < sum(pack.pack_bytes for pack in packs) / 10
    fresh = aws.wiki_repository
    with aws.meter.measure() as whole:
        assert fresh.tree(scope, revision.id) == tree
    assert whole.total.requests <= 1 + 2 * MAX_PACKS + MAX_SINGLE_READS


def test_old_versions_cost_little_and_are_the_same(aws: AwsStores) -> None:
    """After packs were made into one, every revision reads as it did, and versions are kept as differences (WK-5)."""
    scope = fresh_student()
    made = lived(aws.wiki_repository, scope, 2 * MAX_PACKS)
    store = aws.wiki_repository
    for revision, tree in made[:: MAX_PACKS // 2]:
        assert store.tree(scope, revision.id) == tree
        assert store.read(scope, revision.id, "knowledge/index.md") == tree["knowledge/index.md"]
    assert [r.id for r in history(store, scope)] == [r.id for r, _ in reversed(made)]
    assert len(history(store, scope, path="knowledge/index.md")) == 2 * MAX_PACKS
    snapshot_maps = [
        PackMap(aws.content.get(f"{owner_prefix(scope)}packs/{p.name}.map") or b"", pack_bytes=p.pack_bytes)
        for p in load(aws.content, scope).packs
    ]
    oldest = max(snapshot_maps, key=lambda map_: len(map_.ids))
    assert sum(base >= 0 for base in oldest.bases) > MAX_PACKS


def test_one_of_two_committers_wins(aws: AwsStores) -> None:
    """Of those that commit on one head at the same moment exactly one succeeds, the others change nothing (WK-6)."""
    scope, barrier = fresh_student(), Barrier(4)
    first = put(aws.wiki_repository, scope, {"a.md": "0"})

    def commit(number: int) -> Revision | None:
        store = aws.wiki_repository
        barrier.wait()
        try:
            return store.commit(
                scope,
                {"a.md": str(number)},
                parents=[first],
                expected=first,
                message="m",
                author=COMPILER,
                at=AT,
            )
        except HeadMoved:
            return None

    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(commit, range(1, 5)))
    (won,) = [revision for revision in done if revision is not None]
    assert aws.wiki_repository.head(scope) == won
    assert history(aws.wiki_repository, scope) == [won, first]
    # The others took their packs away again.
    assert len(keys(aws, scope)) == 2 * 2 + 1


def test_what_dies_before_the_head_moves_leaves_nothing_that_counts(aws: AwsStores) -> None:
    """A writer killed before its last request leaves objects that nobody reads, and that are swept (SV-14)."""
    scope, content = fresh_student(), Meddling(aws)
    store = GitWikiRepository(content, SystemIds())
    first = put(store, scope, {"a.md": "1"})
    before = keys(aws, scope)

    def die() -> None:
        raise KeyboardInterrupt

    content.before_put_if = die
    with pytest.raises(KeyboardInterrupt):
        put(store, scope, {"a.md": "secret"}, minutes=1)
    left = keys(aws, scope) - before
    assert len(left) == 2
    assert history(aws.wiki_repository, scope) == [first]
    aws.wiki_repository.sweep(scope, until=LATER - timedelta(days=1))
    assert keys(aws, scope) == before | left
    aws.wiki_repository.sweep(scope, until=LATER)
    assert keys(aws, scope) == before
    assert aws.wiki_repository.tree(scope, first.id) == {"a.md": "1"}
    aws.wiki_repository.sweep(fresh_student(), until=LATER)


@pytest.mark.parametrize("strike", Strike)
def test_every_request_of_a_commit_may_fail(
    aws: AwsStores, monkeypatch: pytest.MonkeyPatch, strike: Strike
) -> None:
    """Killed, throttled or unanswered at any request, a commit that makes packs into one is there or not (SV-14)."""
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr(repository, "MAX_PACKS", 2)
    monkeypatch.setattr(repository, "KEPT_PACKS", 1)
    trees = [{"a.md": str(number), "b/c.md": "same"} for number in range(3)]
    # Every third request by each way to fail, so that all requests have their turn.
    call = list(Strike).index(strike) % 3 + 1 - 3
    while True:
        scope, call = fresh_student(), call + 3
        before = [put(aws.wiki_repository, scope, tree, minutes=n) for n, tree in enumerate(trees[:2])]
        plan = RequestPlan(call, strike)
        with plan.attached(aws.s3):
            plan.armed = True
            with suppress(Crash, StoreUnavailable):
                put(aws.wiki_repository, scope, trees[2], minutes=2)
            plan.disarm()
        found = history(aws.wiki_repository, scope)
        assert found[-2:] == before[::-1], (call, plan.failed)
        if len(found) == 2:
            # What a writer does that was told nothing, or was begun again.
            put(aws.wiki_repository, scope, trees[2], minutes=2)
        found = history(aws.wiki_repository, scope)
        assert [aws.wiki_repository.tree(scope, r.id) for r in reversed(found)] == trees, (call, plan.failed)
        aws.wiki_repository.sweep(scope, until=LATER)
        assert len(keys(aws, scope)) == 1 + 2 * len(load(aws.content, scope).packs), (call, plan.failed)
        if not plan.failed:
            break
    assert call > (8 if strike is not Strike.PARTIAL else 1)


def test_a_commit_whose_answer_was_lost_is_made(aws: AwsStores) -> None:
    """When the last request was done but not answered, and its next try is refused, the commit stands (EP-7, SV-14)."""
    scope, content = fresh_student(), Meddling(aws)
    store = GitWikiRepository(content, SystemIds())
    content.answer_is_lost = True
    first = put(store, scope, {"a.md": "1"})
    second = put(store, scope, {"a.md": "2"}, minutes=1)
    assert history(aws.wiki_repository, scope) == [second, first]
    assert aws.wiki_repository.tree(scope, second.id) == {"a.md": "2"}
    store.rewrite(scope, lambda path, text: text != "1")
    assert aws.wiki_repository.tree(scope, history(aws.wiki_repository, scope)[0].id) == {"a.md": "2"}
    store.rewrite(scope, lambda path, text: False)
    assert aws.wiki_repository.head(scope) is None


def test_a_reader_goes_on_when_its_packs_are_replaced(aws: AwsStores) -> None:
    """Packs that are made into one, or rewritten, under a reader's hands make it read anew, not fail (WK-6)."""
    scope, content = fresh_student(), Meddling(aws)
    made = lived(aws.wiki_repository, scope, MAX_PACKS)
    reader = GitWikiRepository(content, SystemIds(), PackCache(1))

    def replaced() -> None:
        content.before_range = lambda: None
        tree = made[-1][1]
        for number in range(MAX_PACKS):
            put(aws.wiki_repository, scope, {**tree, "new.md": str(number)}, minutes=100 + number)

    content.before_range = replaced
    first, tree = made[0]
    assert reader.read(scope, first.id, "knowledge/7.md") == tree["knowledge/7.md"]


def read_or_none(
    aws: AwsStores, scope: StudentScope, revision: Revision, path: str, whole_head: bytes | None
) -> str | None:
    """The page; None when a process that keeps nothing cannot read it."""
    try:
        return aws.wiki_repository.read(scope, revision.id, path)
    except StoreUnavailable:
        return None
    except NotFound:
        # What a head that was tampered with leads to may well not be there; whatever else is damaged must show.
        assert aws.content.get(head_key(scope)) != whole_head
        return None


@pytest.mark.parametrize("suffix", [".pack", ".map", "head.json"])
def test_damage_is_never_a_wrong_page(aws: AwsStores, suffix: str) -> None:
    """Whatever byte of whatever object is changed, cut or missing, a page is right or the store unavailable (EP-6)."""
    scope = fresh_student()
    trees = [{"a.md": "one\n" * 50, "b/c.md": "two"}, {"a.md": "one\n" * 50 + "x", "b/c.md": "three"}]
    made = [(put(aws.wiki_repository, scope, tree, minutes=n), tree) for n, tree in enumerate(trees)]
    head = aws.content.get(head_key(scope))
    where, bucket = Random(suffix), f"{aws.prefix}-content"
    for key in [key for key in keys(aws, scope) if key.endswith(suffix)]:
        good = aws.content.get(key) or b""
        damaged = [b"", good[: len(good) // 2], good + b"x"]
        for _ in range(8):
            at = where.randrange(len(good))
            damaged.append(good[:at] + bytes([good[at] ^ 1 << where.randrange(8)]) + good[at + 1 :])
        for data in damaged:
            aws.s3.put_object(Bucket=bucket, Key=key, Body=data)
            for revision, tree in made:
                for path, text in tree.items():
                    assert read_or_none(aws, scope, revision, path, head) in {text, None}
        if suffix != "head.json":
            aws.content.delete(key)
            assert None in [read_or_none(aws, scope, r, path, head) for r, tree in made for path in tree]
        aws.s3.put_object(Bucket=bucket, Key=key, Body=good)
    assert aws.wiki_repository.tree(scope, made[-1][0].id) == trees[-1]


def test_nothing_erased_is_left_in_the_bucket(aws: AwsStores) -> None:
    """After a rewrite no object of the wiki holds what was refused, in any form that git or we can read (EP-8)."""
    scope = fresh_student()
    for number in range(MAX_PACKS + 3):
        secret = {"secret.md": f"hidden {number}"} if number % 2 else {}
        put(
            aws.wiki_repository, scope, {"a.md": str(number), **secret}, minutes=number, message=f"n {number}"
        )
    old = keys(aws, scope)
    aws.wiki_repository.rewrite(scope, lambda path, text: "hidden" not in text)
    left = keys(aws, scope)
    assert len(left) == 3
    assert not left & old - {head_key(scope)}
    (record,) = load(aws.content, scope).packs
    map_ = PackMap(
        aws.content.get(next(k for k in left if k.endswith(".map"))) or b"", pack_bytes=record.pack_bytes
    )
    objects = list(map_.objects_in(aws.content.get(next(k for k in left if k.endswith(".pack"))) or b""))
    assert not any(b"hidden" in item.data or b"secret" in item.data for item in objects)
    assert any(item.data == b"14" for item in objects)
    aws.wiki_repository.erase(scope)
    assert keys(aws, scope) == set()


@pytest.mark.parametrize(
    "tree, field",
    [
        ({"a.md": "1", "a.md/b.md": "2"}, "a.md"),
        ({"../a.md": "1"}, "../a.md"),
        ({".git/config.md": "1"}, ".git/config.md"),
        ({"a.md": "\ud800"}, "a.md"),
    ],
)
def test_what_git_cannot_keep_is_refused(aws: AwsStores, tree: Tree, field: str) -> None:
    """A path that is a file and a folder, one that leaves the tree and a text that is none are refused (SV-13)."""
    scope = fresh_student()
    with pytest.raises(InvalidInput) as refused:
        put(aws.wiki_repository, scope, tree)
    assert refused.value.field == field
    assert keys(aws, scope) == set()


def test_no_commit_cuts_the_history(aws: AwsStores) -> None:
    """A commit that does not build on the head, or whose author is nobody, is refused (WK-5)."""
    scope = fresh_student()
    first = put(aws.wiki_repository, scope, {"a.md": "1"})
    with pytest.raises(InvalidInput) as refused:
        aws.wiki_repository.commit(scope, {}, parents=[], expected=first, message="m", author=COMPILER, at=AT)
    assert refused.value.field == "parents"
    with pytest.raises(InvalidInput) as nobody:
        put(aws.wiki_repository, scope, {}, author=" <> ")
    assert nobody.value.field == "author"


def test_a_warm_process_keeps_a_bounded_number_of_bytes(aws: AwsStores) -> None:
    """Packs are kept up to a bound; beyond it the longest unused are forgotten and fetched again (SV-9)."""
    cache = PackCache(40_000)
    store = GitWikiRepository(aws.content, SystemIds(), cache)
    scopes = [fresh_student() for _ in range(6)]
    made = [
        put(
            store,
            scope,
            {
                f"{page}.md": Random(10 * n + page).randbytes(200).hex()
                for page in range(MAX_SINGLE_READS + 1)
            },
        )
        for n, scope in enumerate(scopes)
    ]
    for scope, revision in zip(scopes, made, strict=True):
        for _ in range(2):
            store.tree(scope, revision.id)
            store.rewrite(scope, lambda path, text: True)
    kept = cache.packs._kept.values()
    assert 0 < sum(map(len, kept)) <= 40_000
    assert all(len(store.tree(s, r.id)) == MAX_SINGLE_READS + 1 for s, r in zip(scopes, made, strict=True))


def test_the_head_s_object_names_nobody(aws: AwsStores) -> None:
    """Beside its key, which names the owner, a wiki's head holds ids, sizes and hashes alone (EP-8)."""
    scope = fresh_student()
    put(aws.wiki_repository, scope, {"a.md": "1"}, message="Zoë")
    value = json.loads(aws.content.get(head_key(scope)) or b"")
    assert set(value) == {"format", "head", "packs"}
    assert set(value["packs"][0]) == {"name", "checksum", "map", "bytes", "objects"}


@pytest.mark.parametrize("seed", range(20))
def test_deltas_are_git_s(seed: int) -> None:
    """What a delta says, applied by git's rules, gives the text that it was made for, whatever the two are (WK-5)."""
    random = Random(seed)
    base = b"".join(
        random.choice((b"water ", b"\n", "浸透".encode(), b"\0", b"-"))
        for _ in range(random.randrange(3_000))
    )
    target = bytearray(base)
    for _ in range(random.randrange(6)):
        at = random.randrange(len(target) + 1)
        target[at : at + random.randrange(80)] = random.randbytes(random.randrange(120))
    if seed == 0:
        base, target = b"x" * 1_000_000, bytearray(b"x" * 999_999 + b"y")
    made = delta(base, bytes(target))
    assert b"".join(apply_delta(base, made)) == target
    if seed == 0:
        assert len(made) < 200
