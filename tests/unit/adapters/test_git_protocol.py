"""Ordinary clients of git against the repository's answers, on moto."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from anamnesis.adapters.git.repository import GitWikiRepository
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.wiki.revisions import COMPILER
from anamnesis.ports import WikiRepository
from contracts.wiki_repository import PATHS, TEXTS, fresh_student, history, put
from support.aws_stores import AwsStores
from support.git_server import GitServer, git, serving
from support.memory_platform import CountingIds

VERSIONS = ("0", "2")


@pytest.fixture
def store(aws: AwsStores) -> WikiRepository:
    return aws.wiki_repository


def clone(server: GitServer, folder: Path, *options: str, version: str = "2", check: bool = True) -> Any:
    return git(
        "-c",
        f"protocol.version={version}",
        "clone",
        *options,
        f"{server.url}/wiki",
        folder,
        check=check,
    )


def ids(folder: Path) -> list[str]:
    return git("log", "--format=%H", cwd=folder).stdout.split()


def files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_an_ordinary_clone(store: WikiRepository, tmp_path: Path, version: str) -> None:
    """A clone has every file and the whole history, and git finds nothing wrong with it (WK-5)."""
    scope = fresh_student()
    tree = dict(zip(PATHS, TEXTS, strict=True))
    put(store, scope, tree, message="Osmosis · 浸透\n\n- new: biology")
    put(store, scope, {**tree, "CHANGELOG.md": "two\n"}, minutes=1, author="Zoë's agent")
    with serving(store, scope) as server:
        clone(server, tmp_path / "wiki", version=version)
    assert ids(tmp_path / "wiki") == [revision.id for revision in history(store, scope)]
    assert files(tmp_path / "wiki") == {**tree, "CHANGELOG.md": "two\n"}
    git("fsck", "--full", "--strict", cwd=tmp_path / "wiki")
    shown = git("log", "--format=%an %s", cwd=tmp_path / "wiki").stdout.splitlines()
    assert shown == ["Zoë's agent Something new", f"{COMPILER} Osmosis · 浸透"]
    assert git("branch", "--show-current", cwd=tmp_path / "wiki").stdout == "main\n"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_fetch_brings_only_what_is_new(store: WikiRepository, tmp_path: Path, version: str) -> None:
    """A pull after many commits gets these and not the wiki again; another one gets nothing (WK-5)."""
    scope = fresh_student()
    bulk = {f"notes/{n}.md": Random(n).randbytes(2_000).hex() for n in range(40)}
    put(store, scope, bulk)
    with serving(store, scope) as server:
        clone(server, tmp_path / "wiki", version=version)
        whole = max(server.sent)
        for number in range(14):
            bulk = {**bulk, "notes/3.md": f"changed {number}\n", f"notes/new-{number}.md": "new\n"}
            put(store, scope, bulk, minutes=number + 1)
        del server.sent[:]
        git("-c", f"protocol.version={version}", "pull", "--ff-only", cwd=tmp_path / "wiki")
        assert max(server.sent) < whole
        del server.sent[:]
        git("-c", f"protocol.version={version}", "pull", "--ff-only", cwd=tmp_path / "wiki")
        assert max(server.sent) < 1_000
    assert ids(tmp_path / "wiki") == [revision.id for revision in history(store, scope)]
    assert files(tmp_path / "wiki") == bulk
    git("fsck", "--full", "--strict", cwd=tmp_path / "wiki")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_shallow_clone_deepens(store: WikiRepository, tmp_path: Path, version: str) -> None:
    """A clone of some depth has so many revisions; it can be deepened, fetched into and completed (WK-5)."""
    scope = fresh_student()
    for number in range(6):
        put(store, scope, {"a.md": str(number), f"b/{number}.md": "x"}, minutes=number)
    folder = tmp_path / "wiki"
    with serving(store, scope) as server:
        clone(server, folder, "--depth", "2", version=version)
        made = [revision.id for revision in history(store, scope)]
        assert ids(folder) == made[:2]
        assert files(folder) == {"a.md": "5", "b/5.md": "x"}
        git("-c", f"protocol.version={version}", "fetch", "--deepen", "2", cwd=folder)
        assert ids(folder) == made[:4]
        put(store, scope, {"a.md": "6"}, minutes=7)
        git("-c", f"protocol.version={version}", "pull", "--ff-only", cwd=folder)
        assert len(ids(folder)) == 5
        git("-c", f"protocol.version={version}", "fetch", "--unshallow", cwd=folder)
    assert ids(folder) == [revision.id for revision in history(store, scope)]
    git("fsck", "--full", "--strict", cwd=folder)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_merge_is_fetched(store: WikiRepository, tmp_path: Path, version: str) -> None:
    """A history with merges arrives whole (WK-5, WK-6)."""
    scope = fresh_student()
    base = put(store, scope, {"a.md": "1"})
    put(store, scope, {"a.md": "2"}, minutes=1)
    put(store, scope, {"a.md": "3"}, minutes=2, merged=base)
    with serving(store, scope) as server:
        clone(server, tmp_path / "wiki", version=version)
        put(store, scope, {"a.md": "4"}, minutes=3, merged=base)
        git("-c", f"protocol.version={version}", "pull", "--ff-only", cwd=tmp_path / "wiki")
    assert set(ids(tmp_path / "wiki")) == {revision.id for revision in history(store, scope)}
    git("fsck", "--full", "--strict", cwd=tmp_path / "wiki")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_clone_follows_a_rewrite(store: WikiRepository, tmp_path: Path, version: str) -> None:
    """After an erasure a clone can be set to the new history, and what it fetches holds nothing of the old (EP-8)."""
    scope = fresh_student()
    put(store, scope, {"a.md": "1", "secret.md": "x"})
    put(store, scope, {"a.md": "2", "secret.md": "x"}, minutes=1)
    folder = tmp_path / "wiki"
    with serving(store, scope) as server:
        clone(server, folder, version=version)
        store.rewrite(scope, lambda path, text: path != "secret.md")
        git("-c", f"protocol.version={version}", "fetch", cwd=folder)
        git("reset", "--hard", "origin/main", cwd=folder)
    assert ids(folder) == [revision.id for revision in history(store, scope)]
    assert files(folder) == {"a.md": "2"}
    git("fsck", "--full", "--strict", cwd=folder)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_new_student_has_an_empty_clone(store: WikiRepository, tmp_path: Path, version: str) -> None:
    """A clone before the first compile works and is empty (WK-5)."""
    with serving(store, fresh_student()) as server:
        clone(server, tmp_path / "wiki", version=version)
    assert files(tmp_path / "wiki") == {}


def test_a_big_wiki_is_cloned_from_the_stored_packs(aws: AwsStores, tmp_path: Path) -> None:
    """A wiki larger than one answer says how to clone it, and then comes from the packs themselves (WK-5)."""
    scope = fresh_student()
    store = GitWikiRepository(aws.content, CountingIds(), most_answer_bytes=20_000)
    tree = {f"{n}.md": Random(n).randbytes(2_000).hex() for n in range(20)}
    put(store, scope, tree)
    put(store, scope, {**tree, "a.md": "1"}, minutes=1)
    with serving(store, scope) as server:
        content = store._content

        def signed_url(key: str, *, seconds: int) -> str:
            name = key.rpartition("/")[2]
            server.packs[name] = content.get(key) or b""
            return f"{server.url}/packs/{name}"

        content.signed_url = signed_url  # type: ignore[method-assign]
        refused = clone(server, tmp_path / "refused", check=False)
        assert refused.returncode
        assert "fetch.uriProtocols" in refused.stderr
        assert "fetch.uriProtocols" in clone(server, tmp_path / "old", version="0", check=False).stderr
        git("-c", "fetch.uriProtocols=http", "clone", f"{server.url}/wiki", tmp_path / "wiki")
        assert any(path.startswith("/packs/") for path, _ in server.asked)
        put(store, scope, {**tree, "a.md": "2"}, minutes=2)
        git("pull", "--ff-only", cwd=tmp_path / "wiki")
    assert ids(tmp_path / "wiki") == [revision.id for revision in history(store, scope)]
    assert files(tmp_path / "wiki") == {**tree, "a.md": "2"}
    git("fsck", "--full", "--strict", cwd=tmp_path / "wiki")


@pytest.mark.parametrize(
    "request_",
    [
        b"",
        b"zzzz",
        b"0003",
        b"ffff",
        b"0032want " + b"x" * 40 + b"\n",
        b"0009push\n0000",
        b"0011command=push\n0000",
        b"0012command=fetch\n00010014deepen-not x\n0000",
        b"\xff" * 100,
        b"0004" * 100_001,
    ],
)
def test_what_is_no_request_is_refused(store: WikiRepository, request_: bytes) -> None:
    """Bytes that are no request of git's are refused, whatever they are, or ask for nothing (SV-13)."""
    scope = fresh_student()
    put(store, scope, {"a.md": "1"})
    for version in (0, 2):
        try:
            answer = store.upload_pack(scope, request_, version=version)
        except InvalidInput:
            continue
        # Nothing, a list of two references, or what git shows as an error.
        assert len(answer) < 200
        assert b"PACK" not in answer
