"""The wiki's routes as the functions answer them, on moto."""

from __future__ import annotations

import base64
import gzip
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest

from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.revisions import COMPILER, Revision
from support.aws_stores import AwsStores
from support.lambda_events import Answer, Api, record
from support.wired_memory import HashEmbedder

PAGE = "knowledge/concepts/biology/osmosis.md"
LESSON = "# Water\n\nOsmosis is the diffusion of water through a membrane.\n"


def page(title: str, *lines: str) -> str:
    return "\n".join(["---", f'title: "{title}"', 'kind: "concept"', "---", "", f"# {title}", "", *lines, ""])


def written(stores: AwsStores, api: Api, *trees: Tree) -> list[Revision]:
    """Commits of these trees for Ana."""
    scope, repository = StudentScope(api.tenant, "ana"), stores.wiki_repository
    made: list[Revision] = []
    for number, tree in enumerate(trees):
        head = repository.head(scope)
        made.append(
            repository.commit(
                scope,
                tree,
                parents=[head] if head else [],
                expected=head,
                message=f"Revision {number}",
                author=COMPILER,
                at=datetime(2026, 7, 3, tzinfo=UTC) + timedelta(days=number),
            )
        )
    return made


@pytest.fixture
def stores(stack: tuple[AwsStores, HashEmbedder]) -> AwsStores:
    return stack[0]


def get(api: Api, rest: str, claims: dict[str, Any] | None = None, **query: str) -> Answer:
    return api("http_read_wiki_log", path=f"/v1/wiki/{rest}", query=query, claims=claims or {})


def git(api: Api, path: str, *, body: bytes | None = None, **more: Any) -> dict[str, Any]:
    """The raw answer to a request of git's."""
    name = "http_git_references" if body is None else "http_git_upload_pack"
    event = api.event(name, path=f"/v1/wiki/git/{path}", query=more.pop("query", {}))
    event["headers"].update({"git-protocol": "version=0"} | more.pop("headers", {}))
    event["requestContext"]["authorizer"]["jwt"]["claims"].update(more.pop("claims", {}))
    if body is not None:
        event["body"] = base64.b64encode(body).decode()
    return api.raw(event)


def test_before_the_first_night_there_is_no_wiki(api: Api) -> None:
    """Until the first compile every page and index is not found, and the history is empty (SV-7, WU-1)."""
    for rest in ("index", "pages", "pages/knowledge/index.md", "diff"):
        assert get(api, rest).problem == "not-found"
    assert get(api, "log").body == {"revisions": [], "cursor": None}


def test_an_index_fits_its_budget(stores: AwsStores, api: Api) -> None:
    """The index says what exists within the tokens asked for, and less than any index has is refused (WU-1)."""
    written(
        stores,
        api,
        {f"knowledge/concepts/biology/c{n}.md": page(f"Concept {n}", "It is.") for n in range(80)},
    )
    small, large = (get(api, "index", budget_tokens=budget).body for budget in ("300", "4000"))
    assert small["tokens"] <= 300 < large["tokens"] <= 4_000
    assert "Concept 79" in large["text"]
    refused = get(api, "index", budget_tokens="10")
    assert (refused.status, refused.body["field"]) == (422, "budget_tokens")


def test_pages_are_listed_in_order(stores: AwsStores, api: Api) -> None:
    """Pages below a prefix come by path with their front matter, page by page, none twice (WU-2)."""
    tree = {f"knowledge/{n}.md": page(f"T{n}") for n in range(5)} | {"notes/a.md": "no front matter"}
    written(stores, api, tree)
    first = get(api, "pages", prefix="memory/knowledge/", limit="3").body
    rest = get(api, "pages", prefix="knowledge/", limit="3", cursor=first["cursor"]).body
    assert [p["path"] for p in first["pages"] + rest["pages"]] == [f"knowledge/{n}.md" for n in range(5)]
    assert first["pages"][0]["title"] == "T0"
    assert first["pages"][0]["front"] == {"title": "T0", "kind": "concept"}
    assert rest["cursor"] is None
    assert get(api, "pages", prefix="notes/").body["pages"][0]["front"] == {}
    for wrong in ("x", "MQ"):
        refused = get(api, "pages", cursor=wrong)
        assert (refused.status, refused.body["field"]) == (422, "cursor")


def test_a_page_is_taken_apart(stores: AwsStores, api: Api) -> None:
    """A page comes as text with its links and citations, each with its line and address (WU-2)."""
    text = page(
        "Osmosis",
        "Water moves. [cite:1] See [[knowledge/concepts/biology/water|water]]. [cite:2]",
        "",
        "## References",
        "",
        "1. `episode://biology/E1` · asked",
        "2. `nonsense`",
    )
    (revision,) = written(stores, api, {PAGE: text})
    found = get(api, f"pages/{PAGE}").body
    assert found["text"] == text
    assert found["path"] == PAGE
    assert found["revision"]["id"] == revision.id
    assert found["links"] == [{"path": "knowledge/concepts/biology/water", "line": 8, "section": ""}]
    assert found["citations"] == [
        {"number": 1, "address": "episode://biology/E1", "lines": [8]},
        {"number": 2, "address": None, "lines": [8]},
    ]


@pytest.mark.parametrize(
    "name", ["浸透", "الخلية", "परासरण सीखना", "Größe", "การออสโมซิส", "삼투", "צמח", "50% a+b"]
)
def test_a_path_of_any_script(stores: AwsStores, api: Api, name: str) -> None:
    """A page of any script is found, with signs that paths escape and with memory/ in front too (WK-1, SV-6)."""
    path = f"notes/{name}/{name}.md"
    written(stores, api, {path: name})
    # As API Gateway hands paths over: every escape undone but that of the percent sign.
    sent = path.replace("%", "%25")
    for spelled in (sent, f"memory/{sent}"):
        assert get(api, f"pages/{spelled}").body["text"] == name


def test_what_is_no_page_is_not_found(stores: AwsStores, api: Api) -> None:
    """A folder, a path that climbs and a revision that is not there are not found; the answer names which (SV-13)."""
    written(stores, api, {PAGE: "x"})
    for path in ("knowledge", "knowledge/../secret.md", "../head.json", "%2e%2e/x", "a\x00b"):
        refused = get(api, f"pages/{path}")
        assert (refused.status, refused.body.get("field")) == (404, "path")
    refused = get(api, f"pages/{PAGE}", rev="0" * 7)
    assert (refused.status, refused.body["field"]) == (404, "rev")
    refused = get(api, f"pages/{PAGE}", rev="HEAD~1")
    assert (refused.status, refused.body["field"]) == (422, "rev")


def test_history_and_differences(stores: AwsStores, api: Api) -> None:
    """The log of a page has the revisions that changed it, and a diff what changed between any two (WK-5)."""
    first, second, third = written(
        stores,
        api,
        {PAGE: "a\nb\nc\n", "notes/x.md": "1"},
        {PAGE: "a\nB\nc\n", "notes/x.md": "1"},
        {PAGE: "a\nB\nc\n", "notes/y.md": "2\n"},
    )
    assert [r["id"] for r in get(api, "log", path=f"memory/{PAGE}").body["revisions"]] == [
        second.id,
        first.id,
    ]
    assert [r["id"] for r in get(api, "log", path="notes/").body["revisions"]] == [third.id, first.id]
    page_one = get(api, "log", limit="2").body
    assert [r["message"] for r in page_one["revisions"]] == ["Revision 2", "Revision 1"]
    assert [r["id"] for r in get(api, "log", cursor=page_one["cursor"]).body["revisions"]] == [first.id]
    changed = get(api, "diff").body
    assert changed["pages"] == [
        {"path": "notes/x.md", "change": "removed"},
        {"path": "notes/y.md", "change": "added"},
    ]
    whole = get(api, "diff", **{"from": first.id[:8], "to": third.id, "path": PAGE}).body
    assert whole["diff"] == (
        f"diff --git a/{PAGE} b/{PAGE}\n--- a/{PAGE}\n+++ b/{PAGE}\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
    )
    assert get(api, "diff", to=first.id).body["from"] is None
    for name in ("from", "to"):
        refused = get(api, "diff", **{name: "0" * 40})
        assert (refused.status, refused.body["field"]) == (404, name)


def test_a_citation_is_followed(api: Api) -> None:
    """An address leads to the episode, to the turns of a session by number, and to a page of a file (WU-2, WK-3)."""
    said = [
        {
            "kind": "question",
            "occurred_at": f"2026-07-03T09:0{n}:00Z",
            "text": f"What is {n}?",
            "session_id": "s/1 #",
        }
        for n in range(3)
    ]
    ids = [e["id"] for e in record(api, *said).body["episodes"]]
    session = f"session://biology/{quote('s/1 #', safe='')}"
    one = get(api, "evidence", address=f"episode://biology/{ids[1]}").body
    assert [(t["turn"], t["episode"]["text"]) for t in one["episodes"]] == [(None, "What is 1?")]
    turn = get(api, "evidence", address=f"{session}#3").body
    assert [(t["turn"], t["episode"]["id"]) for t in turn["episodes"]] == [(3, ids[2])]
    whole = get(api, "evidence", address=session, from_turn="2").body
    assert [(t["turn"], t["episode"]["id"]) for t in whole["episodes"]] == [(2, ids[1]), (3, ids[2])]
    assert whole["next_turn"] is None
    for nothing in (
        f"episode://chemistry/{ids[1]}",
        "episode://biology/none",
        f"{session}#4",
        "session://biology/other",
        "file://biology/none#1",
        "connector://calendar/x",
        f"episode://biology/{ids[1]}#1",
        f"episode://{quote('a' * 200)}/x",
    ):
        refused = get(api, "evidence", address=nothing)
        assert (refused.status, refused.body["field"]) == (404, "address"), nothing
    for wrong in (
        "",
        "episode://biology",
        "http://biology/x",
        "episode://biology/%zz",
        "episode://biology/%C3",
    ):
        refused = get(api, "evidence", address=wrong)
        assert (refused.status, refused.body["field"]) == (422, "address"), wrong


def test_nobody_reads_anothers_wiki(stores: AwsStores, api: Api) -> None:
    """Another student finds nothing, a student who names one is refused, teachers and services name one (SV-11)."""
    written(stores, api, {PAGE: "x"})
    ids = [
        e["id"]
        for e in record(api, {"kind": "question", "occurred_at": "2026-07-03T09:00:00Z", "text": "q"}).body[
            "episodes"
        ]
    ]
    ben = {"custom:student": "ben"}
    assert get(api, f"pages/{PAGE}", ben).status == 404
    assert get(api, "log", ben).body["revisions"] == []
    assert get(api, "evidence", ben, address=f"episode://biology/{ids[0]}").status == 404
    assert get(api, "log", ben, student="ana").problem == "forbidden"
    for role in ("teacher", "service"):
        claims = {"custom:student": None, "cognito:groups": f"[{role}]"}
        assert get(api, f"pages/{PAGE}", claims, student="ana").body["text"] == "x"
        assert get(api, "log", claims).body["field"] == "student"
    other = Api(f"{api.tenant} 2", stores, api.embedder)
    assert get(other, f"pages/{PAGE}").status == 404


def test_git_is_answered_in_bytes(stores: AwsStores, api: Api) -> None:
    """What git asks for, compressed or not, is answered as bytes under its own media types (WK-5)."""
    (revision,) = written(stores, api, {PAGE: "x\xff\n" * 9})
    told = git(api, "info/refs", query={"service": "git-upload-pack"})
    assert told["statusCode"] == 200
    assert told["headers"]["Content-Type"] == "application/x-git-upload-pack-advertisement"
    assert revision.id in base64.b64decode(told["body"]).decode()
    asked = f"0032want {revision.id}\n00000009done\n".encode()
    for body, headers in ((asked, {}), (gzip.compress(asked), {"content-encoding": "gzip"})):
        answer = git(api, "git-upload-pack", body=body, headers=headers)
        assert answer["statusCode"] == 200, answer
        assert answer["isBase64Encoded"]
        assert base64.b64decode(answer["body"]).startswith(b"0008NAK\nPACK")
    version2 = git(
        api, "info/refs", query={"service": "git-upload-pack"}, headers={"git-protocol": "version=2"}
    )
    assert b"version 2" in base64.b64decode(version2["body"])


def test_git_requests_that_are_none_are_refused(api: Api) -> None:
    """What is not git's, not compressed as it says or for a service that there is not is refused by name (SV-7)."""
    for query in ({}, {"service": "x"}):
        answer = git(api, "info/refs", query=query)
        assert answer["statusCode"] == 422
        assert '"field":"service"' in answer["body"]
    assert b"PUT /v1/wiki/pages" in base64.b64decode(
        git(api, "info/refs", query={"service": "git-receive-pack"})["body"]
    )
    assert git(api, "git-receive-pack", body=b"0000")["statusCode"] in {404, 405}
    for body, headers in ((b"zzzz", {}), (b"\xff", {"content-encoding": "gzip"}), (b"\xfe\xff", {})):
        answer = git(api, "git-upload-pack", body=body, headers=headers)
        assert answer["statusCode"] == 422
        assert '"field":"body"' in answer["body"]


def test_git_keeps_students_apart(stores: AwsStores, api: Api) -> None:
    """A student clones their own wiki only, a teacher the one that the path names, another tenant's none (SV-11)."""
    (revision,) = written(stores, api, {PAGE: "x"})
    service = {"service": "git-upload-pack"}
    assert git(api, "ana/info/refs", query=service)["statusCode"] == 403
    assert git(api, "ana/git-upload-pack", body=b"0000")["statusCode"] == 403
    ben = git(api, "info/refs", query=service, claims={"custom:student": "ben"})
    assert revision.id not in base64.b64decode(ben["body"]).decode()
    teacher = {"cognito:groups": "[teacher]", "custom:student": "zoe"}
    assert (
        revision.id
        in base64.b64decode(git(api, "ana/info/refs", query=service, claims=teacher)["body"]).decode()
    )
    other = git(Api(f"{api.tenant} 3", stores, api.embedder), "ana/info/refs", query=service, claims=teacher)
    assert revision.id not in base64.b64decode(other["body"]).decode()
