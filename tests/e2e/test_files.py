"""A course file's way over the deployed stack: pre-signed upload, S3 event, reader, map, teaching order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.demo.story import COURSE
from anamnesis_tools.stack.local_stack import LocalStack
from support import pdf_samples
from support.schools import CELLS, School, asked, check, event, eventually, given, offered, put

SUBJECT = "biology"

LATER_CELLS = """# Cells

**Osmosis** is the diffusion of water through a cell membrane, told anew.

A **vacuole** is a large bubble in plant cells that stores water.
"""


def map_of(client: ApiClient) -> dict[str, dict[str, Any]]:
    """The subject's concepts by key."""
    return {c["key"]: c for c in client.call("GET", f"/v1/subjects/{SUBJECT}/map")["concepts"]}


def file_events(client: ApiClient) -> list[str]:
    """Texts of the file episodes, oldest first."""
    path, kind = f"/v1/subjects/{SUBJECT}/episodes", {"kind": "file"}
    return [e["text"] for e in client.call("GET", path, params=kind)["episodes"]]


@pytest.fixture(scope="module")
def course(stack: LocalStack) -> tuple[ApiClient, dict[str, dict[str, Any]]]:
    """A student who uploaded both course files, and the files by name."""
    client = School(stack).student()
    files = {
        path.name: given(client, SUBJECT, path.name, path.read_bytes()) for path in sorted(COURSE.iterdir())
    }
    return client, files


def test_an_uploaded_file_becomes_concepts(course: tuple[ApiClient, dict[str, dict[str, Any]]]) -> None:
    """Putting a file at the address given is all it takes for its concepts to be in the map, with pages (CM-1)."""
    client, files = course
    markdown, pdf = files["cell-biology.md"], files["fotosintesis.pdf"]
    assert [(f["status"], f["language"], f["reason"]) for f in (markdown, pdf)] == [
        ("read", "en", None),
        ("read", "es", None),
    ]
    assert pdf["media_type"] == "application/pdf"
    assert pdf["pages"] == 3
    concepts = map_of(client)
    assert {"osmosis", "diffusion", "fotosintesis"} <= set(concepts)
    for file in (markdown, pdf):
        assert len(file["concepts"]) >= 5
        for key in file["concepts"]:
            source = next(s for s in concepts[key]["sources"] if s["file_id"] == file["file_id"])
            assert source["pages"]
            assert all(1 <= page <= file["pages"] for page in source["pages"])
    assert all(c["gist"] and c["definition"] for c in concepts.values() if c["sources"])


def test_the_teaching_order_puts_prerequisites_first(
    course: tuple[ApiClient, dict[str, dict[str, Any]]],
) -> None:
    """Every concept stands once in the order, in a later layer than what it builds on (CM-7)."""
    client, _ = course
    layers = client.call("GET", f"/v1/subjects/{SUBJECT}/teaching-order")["layers"]
    concepts, view = map_of(client), client.call("GET", f"/v1/subjects/{SUBJECT}/map")
    layer_of = {key: number for number, layer in enumerate(layers) for key in layer}
    assert sorted(key for layer in layers for key in layer) == sorted(concepts)
    edges = [(key, built_on) for key, c in concepts.items() for built_on in c["builds_on"]]
    together = [set(cycle) for cycle in view["cycles"]]
    assert edges
    for key, built_on in edges:
        if not any({key, built_on} <= cycle for cycle in together):
            assert layer_of[built_on] < layer_of[key], (key, built_on)
    for layer in layers:
        centralities = [concepts[key]["centrality"] for key in layer]
        assert centralities == sorted(centralities, reverse=True)


def test_what_much_builds_on_is_central(course: tuple[ApiClient, dict[str, dict[str, Any]]]) -> None:
    """The concept that most others build on is more central than one that nothing builds on (CM-5)."""
    client, _ = course
    concepts = map_of(client)
    uses = dict.fromkeys(concepts, 0)
    for concept in concepts.values():
        for built_on in concept["builds_on"]:
            uses[built_on] += 1
    hub = max(uses, key=lambda key: uses[key])
    leaves = [key for key, count in uses.items() if count == 0]
    assert uses[hub] >= 2
    assert leaves
    assert concepts[hub]["centrality"] > max(concepts[key]["centrality"] for key in leaves)
    assert abs(sum(c["centrality"] for c in concepts.values()) - 1.0) < 0.01


def test_readiness_is_about_the_material(course: tuple[ApiClient, dict[str, dict[str, Any]]]) -> None:
    """A concept that a file explains has 0.6, and the block says that the share is not mastery (CM-6, CM-10)."""
    client, _ = course
    view = client.call("GET", f"/v1/subjects/{SUBJECT}/map")
    assert {c["readiness"] for c in view["concepts"] if c["sources"]} == {0.6}
    assert 0.35 <= view["readiness"] <= 0.6
    block = asked(client, SUBJECT, "What is osmosis?")["block"]
    assert "this is about the material, NOT the student's mastery" in block
    assert f"SUBJECT MAP ({len(view['concepts'])} concepts" in block


def test_the_same_bytes_are_read_once(stack: LocalStack) -> None:
    """The same bytes under another name add no concept and are listed as a source beside the first (CM-1, CM-3)."""
    client = School(stack).student()
    first = given(client, SUBJECT, "cells.md", CELLS)
    before = map_of(client)
    second = given(client, SUBJECT, "the same cells.md", CELLS)
    after = map_of(client)
    assert first["fingerprint"] == second["fingerprint"]
    assert set(after) == set(before)
    assert second["concepts"] == first["concepts"] != []
    for key in second["concepts"]:
        assert {s["file_id"] for s in after[key]["sources"]} == {first["file_id"], second["file_id"]}


def test_a_second_arrival_of_the_same_object_does_nothing(stack: LocalStack) -> None:
    """Sending the bytes twice to the same address leaves one file, one map and one event in the log (CM-1)."""
    client = School(stack).student()
    offer = offered(client, SUBJECT, "cells.md", CELLS.encode())
    for _ in range(2):
        put(offer["upload"], CELLS.encode()).raise_for_status()
    client.wait_until_read(SUBJECT, offer["file_id"])
    revision = client.call("GET", f"/v1/subjects/{SUBJECT}/map")["revision"]
    put(offer["upload"], CELLS.encode()).raise_for_status()
    # A file sent after it has been read, and so has the repeated event before it, or at the same time.
    given(client, SUBJECT, "other.md", LATER_CELLS)
    assert [f["status"] for f in client.call("GET", f"/v1/subjects/{SUBJECT}/files")["files"]] == ["read"] * 2
    assert len(file_events(client)) == 2
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/map")["revision"] >= revision
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/chain")["verified"]


@pytest.mark.parametrize(
    "name, data, media_type, reason",
    [
        ("blank.md", b" \n\n\t ", "text/markdown", "empty"),
        ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(64), "image/png", "unsupported-type"),
        ("locked.pdf", pdf_samples.locked(), "application/pdf", "encrypted"),
        ("scan.pdf", pdf_samples.picture_only(), "application/pdf", "no-text-layer"),
        ("broken.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog", "application/pdf", "malformed"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(
    stack: LocalStack, name: str, data: bytes, media_type: str, reason: str
) -> None:
    """A refused file carries a stable reason and an advice, adds nothing, and is told in the log (CM-1)."""
    client = School(stack).student()
    file = given(client, SUBJECT, name, data, media_type)
    assert (file["status"], file["reason"], file["concepts"]) == ("refused", reason, [])
    assert file["detail"]
    assert map_of(client) == {}
    told = eventually(lambda: file_events(client), lambda texts: len(texts) == 1)
    assert len(told) == 1
    assert "could not be read" in told[0]


def test_names_in_any_script_and_sign_find_their_way(stack: LocalStack) -> None:
    """Tenant, subject and file may be named with signs and scripts that S3 and URLs each quote in their way (SV-14)."""
    client = School(stack, "Lycée n° 1 & +100%").student("étudiant #1")
    subject, name = "physique+chimie 100% #1 %2F 化学", "Übung „1“ +%20 & 練習.md"
    data = CELLS.encode()
    offer = client.call(
        "POST",
        client.subject(subject, "files"),
        {"name": name, "media_type": "text/markdown", "bytes": len(data)},
    )
    put(offer["upload"], data).raise_for_status()
    file = client.wait_until_read(subject, offer["file_id"])
    assert (file["status"], file["name"]) == ("read", name)
    shown = client.call("GET", client.subject(subject, "map"))["concepts"]
    assert "osmosis" in {concept["key"] for concept in shown}


def test_files_that_arrive_at_once_all_reach_the_map(stack: LocalStack) -> None:
    """Files of one subject that are read at the same time all have their part of the published map (SV-14)."""
    client = School(stack).student()
    names = ("Lysosome", "Ribosome")
    texts = {
        name: f"# {name}\n\nA **{name.lower()}** is a part of the cell that has its own work to do.\n"
        for name in names
    }
    offers = {name: offered(client, SUBJECT, f"{name}.md", text.encode()) for name, text in texts.items()}
    with ThreadPoolExecutor(len(names)) as threads:
        list(threads.map(lambda name: put(offers[name]["upload"], texts[name].encode()), names))
    for offer in offers.values():
        assert client.wait_until_read(SUBJECT, offer["file_id"])["status"] == "read"
    concepts = map_of(client)
    for name in names:
        assert [s["file_id"] for s in concepts[name.lower()]["sources"]] == [offers[name]["file_id"]]
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/chain")["verified"]


def test_another_size_or_type_is_refused_at_the_door(stack: LocalStack) -> None:
    """S3 itself refuses bytes of another number or type than announced, and the file goes on waiting (SV-12)."""
    client, data = School(stack).student(), CELLS.encode()
    offer = offered(client, SUBJECT, "cells.md", data)
    assert put(offer["upload"], data + b"!", **{"Content-Length": str(len(data) + 1)}).status_code == 403
    assert put(offer["upload"], data, **{"Content-Type": "text/html"}).status_code == 403
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/files/{offer['file_id']}")["status"] == "waiting"
    put(offer["upload"], data).raise_for_status()
    assert client.wait_until_read(SUBJECT, offer["file_id"])["status"] == "read"


def test_a_replaced_file_labels_the_memories_that_cite_it(stack: LocalStack) -> None:
    """A newer file of the same name takes the old one's place in the map, and what cites the old says so (RC-8)."""
    client = School(stack).student()
    old = given(client, SUBJECT, "cells.md", CELLS)
    cited = [{"file_id": old["file_id"], "page": 1}]
    client.record(SUBJECT, "1", [event("answer", "A lysosome digests what is left over.", evidence=cited)])
    label = "cites cells.md, which was replaced since"
    assert label not in asked(client, SUBJECT, "What does a lysosome do?")["block"]
    new = given(client, SUBJECT, "cells.md", LATER_CELLS)
    reply = eventually(
        lambda: asked(client, SUBJECT, "What does a lysosome do?"),
        lambda reply: label in reply["block"],
        seconds=20,
    )
    line = next(line for line in reply["block"].split("\n") if "digests" in line)
    assert line.endswith(f"[{label}]")
    path = f"/v1/subjects/{SUBJECT}/files/{old['file_id']}"
    assert client.call("GET", path)["replaced_by"] == new["file_id"]
    assert any("was replaced" in text for text in file_events(client))


def test_a_replaced_file_renews_the_map(stack: LocalStack) -> None:
    """What only the old file said goes, what both said stays, and another file's part is not touched (CM-8)."""
    client = School(stack).student()
    other = given(client, SUBJECT, "more.md", "A **ribosome** is a small machine that builds proteins.\n")
    given(client, SUBJECT, "cells.md", CELLS)
    assert {"lysosome", "osmosis", "ribosome"} <= set(map_of(client))
    new = given(client, SUBJECT, "cells.md", LATER_CELLS)
    concepts = map_of(client)
    assert "lysosome" not in concepts
    assert {"osmosis", "vacuole"} <= set(concepts)
    assert [s["file_id"] for s in concepts["osmosis"]["sources"]] == [new["file_id"]]
    assert [s["file_id"] for s in concepts["ribosome"]["sources"]] == [other["file_id"]]


def test_a_deleted_file_leaves_the_map_and_a_label(stack: LocalStack) -> None:
    """Deleting takes the file's concepts, keeps what cites it with a label, and twice is as once (CM-8, RC-8)."""
    client = School(stack).student()
    file = given(client, SUBJECT, "cells.md", CELLS)
    client.record(
        SUBJECT,
        "1",
        [
            event("answer", "Particles spread out.", evidence=[{"file_id": file["file_id"], "page": 1}]),
            event("taught", "Remember that in our class we call osmosis the water walk."),
        ],
    )
    path = f"/v1/subjects/{SUBJECT}/files/{file['file_id']}"
    deleted = client.call("DELETE", path)["deleted_at"]
    assert client.call("DELETE", path)["deleted_at"] == deleted
    assert not any(c["sources"] for c in map_of(client).values())
    # What the student taught is not the file's.
    assert "water walk" in str(client.call("GET", f"/v1/subjects/{SUBJECT}/map"))
    block = asked(client, SUBJECT, "How do particles spread out?")["block"]
    assert "cites cells.md, which was deleted since" in block
    assert sum("was deleted" in text for text in file_events(client)) == 1


def test_a_concept_of_two_files_lists_both(stack: LocalStack) -> None:
    """A file that explains a known concept again adds itself to the one node (CM-3)."""
    client = School(stack).student()
    first = given(client, SUBJECT, "a.md", CELLS)
    second = given(client, SUBJECT, "b.md", LATER_CELLS)
    osmosis = [c for c in map_of(client).values() if "osmosis" in c["name"].lower()]
    assert len(osmosis) == 1
    assert [s["file_id"] for s in osmosis[0]["sources"]] == [first["file_id"], second["file_id"]]


def test_citing_a_file_that_is_not_there_writes_nothing(stack: LocalStack) -> None:
    """A citation of another tenant's file or of a page that a file lacks is refused by name (SV-11)."""
    client, stranger = School(stack).student(), School(stack).student()
    file = given(client, SUBJECT, "cells.md", CELLS)
    for caller, page, field in ((stranger, 1, "file_id"), (client, 999, "page")):
        cited = [{"file_id": file["file_id"], "page": page}]
        with pytest.raises(ApiProblem) as caught:
            caller.record(
                SUBJECT, "x", [check("osmosis", correct=True), event("answer", "See.", evidence=cited)]
            )
        assert caught.value.problem["field"] == f"episodes[1].evidence[0].{field}"
    assert stranger.call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"] == 0
