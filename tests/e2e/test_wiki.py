"""A wiki on the deployed service: routes, ordinary git, and the command line."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from typer.testing import CliRunner

from anamnesis.adapters.git.repository import GitWikiRepository
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.adapters.system import SystemIds
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.revisions import COMPILER, Revision
from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.cli import app
from anamnesis_tools.stack.local_stack import LocalStack
from support.git_server import ENVIRONMENT, git
from support.schools import School, check, event

PAGE = "knowledge/concepts/生物/浸透.md"


def written(stack: LocalStack, school: School, *trees: Tree, student: str = "ana") -> list[Revision]:
    """Commits of these trees, as a compile makes them."""
    content = ContentObjects(stack.client("s3"), stack.outputs["ContentBucketName"])
    repository = GitWikiRepository(content, SystemIds())
    scope = StudentScope(school.tenant, student)
    made: list[Revision] = []
    for number, tree in enumerate(trees):
        head = repository.head(scope)
        made.append(
            repository.commit(
                scope,
                tree,
                parents=[head] if head else [],
                expected=head,
                message=f"Revision {number}\n\n- {PAGE}",
                author=COMPILER,
                at=datetime(2026, 7, 3, tzinfo=UTC) + timedelta(days=number),
            )
        )
    return made


def page(title: str, *sentences: str) -> str:
    return f'---\ntitle: "{title}"\nkind: "concept"\n---\n\n# {title}\n\n' + "\n".join(sentences) + "\n"


def tree(*sentences: str) -> Tree:
    return {"knowledge/index.md": page("Index", f"[[{PAGE[:-3]}|浸透]]"), PAGE: page("浸透", *sentences)}


def remote(client: ApiClient, student: str = "") -> str:
    return f"{client.api_url}/v1/wiki/git{student and '/' + quote(student, safe='')}"


def as_caller(client: ApiClient, *arguments: str | Path, cwd: Path | None = None, check: bool = True) -> Any:
    """Git with a token, as docs/wiki.md says."""
    at = urlsplit(client.api_url)
    header = f"http.{at.scheme}://{at.netloc}/.extraHeader=Authorization: Bearer {client.token}"
    return git("-c", header, *arguments, cwd=cwd, check=check)


def test_an_ordinary_clone_tells_a_story(stack: LocalStack, tmp_path: Path) -> None:
    """With a token, git clones and pulls a wiki through the gateway, and a page's log reads as its story (WK-5)."""
    school = School(stack)
    written(
        stack, school, tree("Ana mixes it up. [cite:1]"), tree("Until 2026-07-03 she mixed it up. [cite:1]")
    )
    folder = tmp_path / "wiki"
    as_caller(school.student(), "clone", remote(school.student()), folder)
    assert (folder / PAGE).read_text() == tree("Until 2026-07-03 she mixed it up. [cite:1]")[PAGE]
    told = git("log", "-p", "--format=%an %as %s", "--", PAGE, cwd=folder).stdout
    assert "Anamnesis 2026-07-04 Revision 1" in told
    assert "-Ana mixes it up. [cite:1]" in told
    assert "+Until 2026-07-03 she mixed it up. [cite:1]" in told
    written(stack, school, tree("Now it is clear. [cite:2]"))
    as_caller(school.student(), "pull", "--ff-only", cwd=folder)
    assert "Now it is clear." in (folder / PAGE).read_text()
    git("fsck", "--full", "--strict", cwd=folder)
    # A long list of what a clone has comes compressed.
    as_caller(school.student(), "-c", "protocol.version=0", "fetch", cwd=folder)


def test_a_compiled_wiki_is_cloned(stack: LocalStack, tmp_path: Path) -> None:
    """What a compile made of a student's sessions is cloned with a token; a page's log tells what came when (WK-5)."""
    school = School(stack)
    client, service, folder = school.student(), school.service(), tmp_path / "wiki"
    for day, correct in (("2026-07-01", False), ("2026-07-02", True)):
        said = [
            event("question", "What is osmosis?", f"{day}T09:00:00Z", session_id=day),
            check("osmosis", correct=correct, at=f"{day}T09:01:00Z", session_id=day),
        ]
        client.record("biology", day, said)
        compiled = service.call("POST", "/v1/wiki/compile")
        assert compiled["findings"] == []
        assert compiled["revision"]["id"] == client.call("GET", "/v1/wiki/log")["revisions"][0]["id"]
    assert service.call("POST", "/v1/wiki/compile")["revision"] is None
    as_caller(client, "clone", "--quiet", remote(client), folder)
    assert git("rev-parse", "HEAD", cwd=folder).stdout.strip() == compiled["revision"]["id"]
    assert (folder / "sessions/2026-07-02-2026-07-02/transcript.md").exists()
    told = git("log", "-p", "--reverse", "--format=## %s", "--", "knowledge/index.md", cwd=folder).stdout
    first, _, second = told.partition("\n## ")
    assert "2026-07-01" in first
    assert "2026-07-02" not in first
    assert "2026-07-02" in second
    cited = client.call("GET", "/v1/wiki/pages/sessions/2026-07-02-2026-07-02/summary.md")["citations"]
    assert cited
    for citation in cited:
        found = client.call("GET", "/v1/wiki/evidence", params={"address": citation["address"]})
        assert found["episodes"], citation


def test_git_opens_nothing_to_others(stack: LocalStack, tmp_path: Path) -> None:
    """Without a token, with another student's or another tenant's, there is no wiki; a teacher's clones it (SV-11)."""
    school = School(stack)
    written(stack, school, tree("Ana's. [cite:1]"))
    clone = ("clone", "--quiet")
    refused = git(*clone, remote(school.student()), tmp_path / "none", check=False)
    assert refused.returncode
    ben = school.student("ben")
    assert as_caller(ben, *clone, remote(ben, "ana"), tmp_path / "ben", check=False).returncode
    as_caller(ben, *clone, remote(ben), tmp_path / "own")
    assert not (tmp_path / "own" / PAGE).exists()
    other = School(stack).teacher()
    as_caller(other, *clone, remote(other, "ana"), tmp_path / "other")
    assert not (tmp_path / "other" / PAGE).exists()
    teacher = school.teacher()
    as_caller(teacher, *clone, remote(teacher, "ana"), tmp_path / "teacher")
    assert "Ana's." in (tmp_path / "teacher" / PAGE).read_text()


def test_pushing_is_refused_in_words(stack: LocalStack, tmp_path: Path) -> None:
    """A push changes nothing and says how pages are written instead (WK-6)."""
    school = School(stack)
    written(stack, school, tree("Ana's. [cite:1]"))
    client, folder = school.student(), tmp_path / "wiki"
    as_caller(client, "clone", remote(client), folder)
    (folder / PAGE).write_text("mine")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-am", "mine", cwd=folder)
    pushed = as_caller(client, "push", cwd=folder, check=False)
    assert pushed.returncode
    assert "PUT /v1/wiki/pages" in pushed.stderr
    assert client.call("GET", "/v1/wiki/log")["revisions"][0]["message"].startswith("Revision 0")


def test_pages_history_and_evidence(stack: LocalStack) -> None:
    """Through the gateway a page of any script is read as it is and as it was, and its citation is followed (WU-2)."""
    school = School(stack)
    client = school.student()
    recorded = client.record(
        "生物",
        "k",
        [{"kind": "question", "occurred_at": "2026-07-03T09:00:00Z", "text": "浸透?", "session_id": "s #1"}],
    )
    address = f"session://{quote('生物')}/{quote('s #1')}#1"
    first, second = written(
        stack,
        school,
        tree("One. [cite:1]", "", "## References", "", f"1. `{address}`"),
        tree("Two. [cite:1]", "", "## References", "", f"1. `{address}`"),
    )
    found = client.call("GET", f"/v1/wiki/pages/{quote(PAGE)}")
    assert found["revision"]["id"] == second.id
    assert found["title"] == "浸透"
    assert found["citations"] == [{"number": 1, "address": address, "lines": [8]}]
    assert (
        client.call("GET", f"/v1/wiki/pages/memory/{quote(PAGE, safe='')}", params={"rev": first.id[:9]})[
            "text"
        ]
        == tree("One. [cite:1]", "", "## References", "", f"1. `{address}`")[PAGE]
    )
    followed = client.call("GET", "/v1/wiki/evidence", params={"address": address})
    assert [(t["turn"], t["episode"]["id"]) for t in followed["episodes"]] == [(1, recorded[0]["id"])]
    changed = client.call("GET", "/v1/wiki/diff")
    assert (changed["from"]["id"], changed["to"]["id"]) == (first.id, second.id)
    assert "-One. [cite:1]\n+Two. [cite:1]\n" in changed["diff"]
    with pytest.raises(ApiProblem, match="404") as stale:
        client.call("GET", f"/v1/wiki/pages/{quote(PAGE)}", params={"rev": "0" * 40})
    assert stale.value.problem["field"] == "rev"
    for stranger in (school.student("ben"), School(stack).student()):
        with pytest.raises(ApiProblem, match="404"):
            stranger.call("GET", f"/v1/wiki/pages/{quote(PAGE)}")
        with pytest.raises(ApiProblem, match="404"):
            stranger.call("GET", "/v1/wiki/evidence", params={"address": address})
    with pytest.raises(ApiProblem, match="403"):
        school.student("ben").call("GET", "/v1/wiki/log", params={"student": "ana"})


def test_a_checkout_is_kept_up_to_date(
    stack: LocalStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``anamnesis wiki checkout`` clones, updates, never overwrites a change, and follows an erasure (SV-8, EP-8)."""
    if not os.environ.get("PATH") or git("--version").returncode:
        pytest.skip("NO GIT ON THIS MACHINE: the checkout was not tested")
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    school = School(stack)
    client, folder = school.student(), tmp_path / "wiki"
    caller = ["--api-url", client.api_url, "--token", client.token, "--json"]

    def run(*arguments: str) -> tuple[int, Any]:
        done = CliRunner().invoke(app, ["wiki", *arguments, *caller])
        return done.exit_code, json.loads(done.stdout)

    assert run("checkout", str(folder))[1]["revision"] is None
    written(stack, school, tree("One."))
    code, done = run("checkout", str(folder))
    assert (code, done["changed"]) == (0, sorted(tree()))
    assert run("checkout", str(folder))[1]["changed"] == []
    (folder / "mine.md").write_text("kept")
    (folder / PAGE).write_text("changed by hand")
    written(stack, school, {**tree("Two."), "new.md": "x"})
    code, done = run("checkout", str(folder))
    assert code == 1
    assert done["error"]["type"] == "CheckoutFailed"
    assert (folder / PAGE).read_text() == "changed by hand"
    git("checkout", "--", PAGE, cwd=folder)
    code, done = run("checkout", str(folder))
    assert (code, done["changed"], done["rewritten"]) == (0, sorted([PAGE, "new.md"]), False)
    assert (folder / "mine.md").read_text() == "kept"
    content = ContentObjects(stack.client("s3"), stack.outputs["ContentBucketName"])
    GitWikiRepository(content, SystemIds()).rewrite(
        StudentScope(school.tenant, "ana"), lambda path, text: "One." not in text
    )
    assert run("checkout", str(folder))[1]["rewritten"] is True
    assert git("log", "--all", "-p", cwd=folder).stdout.count("One.") == 0
    assert git("cat-file", "--batch-all-objects", "--batch", cwd=folder).stdout.count("One.") == 0
    assert run("show", PAGE)[1]["text"] == tree("Two.")[PAGE]
    assert len(run("log")[1]["revisions"]) == 2
    assert [p["path"] for p in run("list", "knowledge/")[1]["pages"]] == sorted(tree())
    assert "+Two." in run("diff")[1]["diff"]
    assert run("checkout", str(tmp_path))[1]["error"]["type"] == "CheckoutFailed"
