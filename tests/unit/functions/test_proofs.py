"""Checkpoints and proofs as the API gives them out, checked by the command line without any stack, and by hand."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from typer.testing import CliRunner, Result

from anamnesis.adapters.local_signing import LocalSigner, new_private_key_pem
from anamnesis.adapters.public_keys import PublicKey
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import Checkpoint, checkpoint_note, checkpoint_of
from anamnesis.domain.log.merkle import EMPTY_ROOT
from anamnesis.domain.log.proofs import public_key_of
from anamnesis_tools.cli import app
from anamnesis_tools.proof_files import checked, key_name_and_pem
from anamnesis_tools.verify_command import BROKEN
from support.aws_stores import AwsStores
from support.lambda_events import Answer, Api, record
from support.wired_memory import HashEmbedder

VERIFY_PAGE = Path(__file__).parents[3] / "docs" / "verify-a-log.md"
SUBJECT = "/v1/subjects/biology"
SERVICE = {"cognito:groups": "[service]", "custom:student": None}


def question(number: int, day: int = 1) -> dict[str, Any]:
    """An event."""
    at = f"2026-07-{day:02d}T09:00:00Z"
    return {
        "kind": "question",
        "occurred_at": at,
        "text": f"What is concept {number}? ¿Sí? 浸透",
        "session_id": "s",
    }


def night(api: Api, day: int) -> Answer:
    """Run the night of a day."""
    return api(
        "http_run_night", claims=SERVICE, query={"student": "ana"}, body={"date": f"2026-07-{day:02d}"}
    )


def recorded(api: Api, *numbers: int, day: int = 1) -> list[str]:
    """Record events and return their ids."""
    answer = record(api, *(question(n, day) for n in numbers), key=f"k{numbers}")
    return [episode["id"] for episode in answer.body["episodes"]]


def proof(api: Api, episode_id: str) -> Answer:
    """Ask for a proof."""
    return api("http_prove_episode", path=f"{SUBJECT}/episodes/{episode_id}/proof")


def checkpoints(api: Api, **query: str) -> dict[str, Any]:
    """Ask for checkpoints."""
    body: dict[str, Any] = api("http_list_checkpoints", query=query).body
    return body


def verified(tmp_path: Path, document: Any, *more: str) -> tuple[int, dict[str, Any]]:
    """Exit code and verdict of `anamnesis verify --proof`."""
    file = tmp_path / "file.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    result: Result = CliRunner().invoke(app, ["verify", "--proof", str(file), "--json", *more])
    return result.exit_code, json.loads(result.stdout)


def kinds(verdict: dict[str, Any]) -> list[str]:
    """Kinds of breaks."""
    return [found["kind"] for found in verdict["breaks"]]


def lived(api: Api) -> list[str]:
    """Record five episodes and return their ids; two nights signed the first three with theirs, and all."""
    ids = recorded(api, 1, 2, 3)
    assert night(api, 1).body["checkpoint_length"] == 4
    ids += recorded(api, 4, 5, day=2)
    assert night(api, 2).body["checkpoint_length"] == 7
    return ids


@pytest.fixture
def log(api: Api) -> list[str]:
    """A log of the test's own."""
    return lived(api)


@pytest.fixture(scope="module")
def proofs(stack: tuple[AwsStores, HashEmbedder]) -> list[dict[str, Any]]:
    """The proofs of one log's episodes, in order."""
    api = Api("school of proofs", *stack)
    return [proof(api, episode_id).body for episode_id in lived(api)]


def breaks_of(document: Any) -> list[str]:
    """Kinds of breaks in a file, without a command around; a file without a usable key is none of its business."""
    named = key_name_and_pem(document)
    if named is None:
        return ["no key"]
    try:
        key = PublicKey(named[1].encode(), name=named[0])
    except ValueError:
        return ["no key"]
    verdict = checked(document, key, key_from_file=True).document()
    assert verdict["verified"] is not bool(verdict["breaks"])
    return kinds(verdict)


def test_every_proof_verifies_offline(proofs: list[dict[str, Any]], tmp_path: Path) -> None:
    """The proof of every episode verifies without any stack, and says what it proves and whose word it takes (EP-5)."""
    for document, position in zip(proofs, (1, 2, 3, 5, 6), strict=True):
        code, verdict = verified(tmp_path, document)
        assert (code, verdict["verified"], verdict["breaks"]) == (0, True, [])
        assert (verdict["episode"], verdict["position"]) == (document["record"]["id"], position)
        assert (verdict["erased"], verdict["checkpoint"]["length"]) == (False, 7)
        assert ["came with the file" in said for said in verdict["not_checked"]] == [True]


def test_the_key_can_be_named(proofs: list[dict[str, Any]], tmp_path: Path) -> None:
    """A key named by its file is the one trusted: the log's own verifies the proof and any other does not (EP-5)."""
    document, pem = proofs[0], tmp_path / "key.pem"
    pem.write_text(document["public_key"]["pem"])
    code, verdict = verified(tmp_path, document, "--public-key", str(pem))
    assert (code, verdict["not_checked"]) == (0, [])
    pem.write_text(public_key_of(LocalSigner(new_private_key_pem(), name="other")).pem)
    code, verdict = verified(tmp_path, document, "--public-key", str(pem))
    assert (code, kinds(verdict)) == (BROKEN, ["unknown_key"])


def leaves_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to every value of a JSON document that holds no other."""
    if isinstance(value, dict | list) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves_of(inner, (*path, key))
    else:
        yield path


def with_change(document: Any, path: tuple[Any, ...], change: Any) -> Any:
    """The same document with the value at a path changed by a function; None removes it."""
    changed = copy.deepcopy(document)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    if change is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = change(inner[path[-1]])
    return changed


def other(value: Any) -> Any:
    """A value of the same type that is another one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        middle = len(value) // 2
        return f"{value[:middle]}{'B' if value[middle : middle + 1] == 'A' else 'A'}{value[middle + 1 :]}"
    return (
        "something"
        if value is None
        else [*value, "more"]
        if isinstance(value, list)
        else {**value, "more": 1}
    )


#: What names the algorithm for people; nothing is decided by it.
SAID_ONLY = ("public_key", "algorithm"), ("public_key", "id")


def test_any_change_of_a_proof_shows(proofs: list[dict[str, Any]]) -> None:
    """Whatever value of a proof is changed or removed, the proof does not verify any more (EP-5)."""
    tried = 0
    for path in leaves_of(proofs[3]):
        if path not in SAID_ONLY:
            for change in (other, None):
                assert breaks_of(with_change(proofs[3], path, change)), path
                tried += 1
    assert tried > 50


def test_any_changed_character_of_the_signed_part_shows(proofs: list[dict[str, Any]]) -> None:
    """Each single character of place, path and checkpoint is held by the proof (EP-5)."""
    text = proofs[2]["proof"]
    assert breaks_of(proofs[2]) == []
    for place in range(len(text)):
        assert breaks_of({**proofs[2], "proof": flipped(text, place)}), place


def flipped(text: str, place: int) -> str:
    """The text with one character changed."""
    return text[:place] + ("B" if text[place] == "A" else "A") + text[place + 1 :]


@pytest.mark.parametrize(
    "path, change, kind",
    [
        (("record", "kind"), lambda _: "answer", "altered"),
        (("record", "occurred_at"), lambda _: "2026-07-01T09:00:00.000001Z", "altered"),
        (("record", "student"), lambda _: "ben", "foreign_origin"),
        (("record", "position"), lambda p: p + 1, "position"),
        (("hash",), lambda _: "ab" * 32, "not_included"),
        (("hash",), lambda _: "no hash", "not_included"),
        (("content", "record", "text"), lambda _: "Something else", "content_altered"),
        (("content", "record", "extra"), lambda _: "Something else", "content_altered"),
        (("content", "salt"), lambda _: "00" * 16, "content_altered"),
        (("content", "salt"), lambda _: "no hex", "content_altered"),
        (("proof",), lambda p: p.replace("index 1", "index 0"), "not_included"),
        (("proof",), lambda p: p.replace("\n7\n", "\n8\n"), "bad_signature"),
        (("proof",), lambda p: p.replace("\nindex", "\nextra AAAA\nindex"), "malformed_proof"),
        (("proof",), lambda _: "", "malformed_proof"),
        (("proof",), lambda _: 5, "malformed_proof"),
        (("public_key", "name"), lambda _: "another", "unknown_key"),
        (("record",), lambda _: [], "malformed_proof"),
        (("record", "tenant"), lambda _: {"deep": 1}, "foreign_origin"),
        (("record", "tenant"), lambda _: "a/b", "foreign_origin"),
    ],
)
def test_what_is_wrong_with_a_proof_is_named(
    proofs: list[dict[str, Any]], tmp_path: Path, path: tuple[str, ...], change: Any, kind: str
) -> None:
    """A proof that fails says of what it is that it fails (EP-5)."""
    document = proofs[1]
    if path[-1] == "extra":
        document = with_change(document, path[:-1], lambda content: {**content, "extra": None})
    code, verdict = verified(tmp_path, with_change(document, path, change))
    assert code == BROKEN
    assert kind in kinds(verdict)
    text = CliRunner().invoke(app, ["verify", "--proof", str(tmp_path / "file.json")]).stdout
    assert "BROKEN" in text
    assert kind in text


@pytest.mark.parametrize(
    "document", ["", "no json", "[" * 100_000, "{}", "[]", '{"public_key": {"name": 1, "pem": 2}}']
)
def test_what_is_no_proof_is_a_wrong_call(tmp_path: Path, document: str) -> None:
    """A file that is no proof at all is refused as a wrong call, like one that cannot be read (SV-8)."""
    code, verdict = verified(tmp_path, document)
    assert (code, verdict["error"]["type"]) == (2, "Usage")
    missing = CliRunner().invoke(app, ["verify", "--proof", str(tmp_path / "none.json"), "--json"])
    assert missing.exit_code == 2


@pytest.mark.parametrize(
    "call",
    [[], ["biology", "--proof", "file.json"], ["biology", "--public-key", "key.pem"]],
)
def test_a_subject_or_a_file_is_verified(call: list[str]) -> None:
    """Verifying takes a subject or a file, and a key only with a file (SV-8)."""
    assert CliRunner().invoke(app, ["verify", *call, "--json"]).exit_code == 2


def test_other_keys_than_p256_are_refused(proofs: list[dict[str, Any]], tmp_path: Path) -> None:
    """A key of another kind, or none at all, is a wrong call (SV-8)."""
    document = proofs[0]
    other_curve = ec.generate_private_key(ec.SECP384R1()).public_key()
    pem = tmp_path / "key.pem"
    for written in (
        other_curve.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
        b"no key",
        b"",
    ):
        pem.write_bytes(written)
        assert verified(tmp_path, document, "--public-key", str(pem))[0] == 2
        changed = with_change(document, ("public_key", "pem"), lambda _, w=written: w.decode())
        assert verified(tmp_path, changed)[0] == 2


# ------------------------------------------------------------------ by other means
def by_hand(document: dict[str, Any]) -> None:
    """Check a proof with a library for RFC 8785, one for ECDSA, and SHA-256; nothing of this service."""
    assert hashlib.sha256(rfc8785.dumps(document["record"])).hexdigest() == document["hash"]
    salted = bytes.fromhex(document["content"]["salt"]) + rfc8785.dumps(document["content"]["record"])
    assert hashlib.sha256(salted).hexdigest() == document["record"]["commitment"]
    head, _, note = document["proof"].partition("\n\n")
    text, _, signature_line = note.rpartition("\n\n")
    _, _, signature = signature_line.strip().split(" ")
    key = serialization.load_pem_public_key(document["public_key"]["pem"].encode())
    assert isinstance(key, ec.EllipticCurvePublicKey)
    key.verify(base64.b64decode(signature)[4:], f"{text}\n".encode(), ec.ECDSA(hashes.SHA256()))
    _, index, *path = head.split("\n")
    at, last = int(index.removeprefix("index ")), int(text.split("\n")[1]) - 1
    node = hashlib.sha256(b"\0" + bytes.fromhex(document["hash"])).digest()
    for step in map(base64.b64decode, path):
        if at % 2 or at == last:
            node = hashlib.sha256(b"\1" + step + node).digest()
            while at and at % 2 == 0:
                at, last = at // 2, last // 2
        else:
            node = hashlib.sha256(b"\1" + node + step).digest()
        at, last = at // 2, last // 2
    assert base64.b64encode(node).decode() == text.split("\n")[2]


def test_a_proof_verifies_by_other_libraries(proofs: list[dict[str, Any]]) -> None:
    """A proof can be checked with SHA-256 and public libraries alone, and a changed one cannot (EP-5)."""
    for document in proofs:
        by_hand(document)
        with pytest.raises((AssertionError, InvalidSignature)):
            by_hand(with_change(document, ("proof",), lambda t: t.replace("\n7\n", "\n6\n")))


COMMANDS = re.search(r"```sh\n(.*?)```", VERIFY_PAGE.read_text(encoding="utf-8"), re.DOTALL)
TOOLS = ("bash", "openssl", "jq", "xxd", "sha256sum", "base64")


@pytest.mark.skipif(
    missing := [tool for tool in TOOLS if shutil.which(tool) is None],
    reason=f"the commands of docs/verify-a-log.md need {', '.join(missing)}, which is not on this machine",
)
def test_the_docs_commands_verify_a_proof(proofs: list[dict[str, Any]], tmp_path: Path) -> None:
    """The commands that the docs give to outsiders verify a proof, and find a changed one (EP-5)."""
    assert COMMANDS is not None
    script = "\n".join(line for line in COMMANDS[1].splitlines() if not line.startswith("anamnesis"))

    def run(document: dict[str, Any]) -> list[str]:
        (tmp_path / "proof.json").write_text(json.dumps(document), encoding="utf-8")
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        return done.stdout.split()

    for document in proofs:
        said, ok, committed, hashed, computed, signed = run(document)
        assert (said, ok) == ("Verified", "OK")
        assert committed == document["record"]["commitment"]
        assert hashed == document["hash"]
        assert computed == signed
    assert run(with_change(document, ("proof",), lambda t: t.replace("\n7\n", "\n6\n")))[:2] != [
        "Verified",
        "OK",
    ]
    *_, computed, signed = run(with_change(document, ("hash",), lambda _: "ab" * 32))
    assert computed != signed


# ------------------------------------------------------------------ what cannot be proved
def test_unknown_episodes_have_no_proof(api: Api, log: list[str]) -> None:
    """An id that is none of this log's is not found, whoever else may have it (SV-11)."""
    for unknown in ("nothing", "01JZ6E0000000000000000000A", "%00", "x" * 128):
        answer = proof(api, unknown)
        assert (answer.status, answer.problem, answer.body["field"]) == (404, "not-found", "episode_id")
    foreign = api("http_prove_episode", path=f"/v1/subjects/physics/episodes/{log[0]}/proof")
    assert (foreign.status, foreign.problem) == (404, "not-found")
    assert proof(api, "x" * 129).status == 422


def test_an_episode_before_its_night_is_not_checkpointed(api: Api, log: list[str]) -> None:
    """An episode that no checkpoint covers yet is told apart from one that is not there (EP-5)."""
    [late] = recorded(api, 9, day=3)
    answer = proof(api, late)
    assert (answer.status, answer.problem, answer.body["field"]) == (409, "not-checkpointed", "episode_id")
    night(api, 3)
    assert proof(api, late).status == 200


def test_an_erased_episode_is_proved_without_its_contents(api: Api, log: list[str], tmp_path: Path) -> None:
    """Of an erased episode it is still proved when and as what it was recorded, and nothing of what it said (EP-8)."""
    erased = api("http_delete_episode", path=f"{SUBJECT}/episodes/{log[1]}")
    assert erased.status == 200
    document = proof(api, log[1]).body
    assert document["content"] is None
    assert "concept 2" not in json.dumps(document)
    code, verdict = verified(tmp_path, document)
    assert (code, verdict["position"], verdict["erased"]) == (0, 2, True)
    assert any("erased" in said for said in verdict["not_checked"])
    assert verified(tmp_path, checkpoints(api))[0] == 0


def test_a_changed_log_proves_nothing(api: Api, log: list[str]) -> None:
    """Of an episode that was changed, or a log that is not what was signed, no proof is given out (EP-5)."""
    pair = Pair(api.tenant, "ana", "biology")
    table, store = f"{api.stores.prefix}-episodes", api.stores.dynamodb

    def changed(position: int, name: str, value: str) -> dict[str, Any]:
        key = {"pk": {"S": pair.key}, "sk": {"S": f"E#{position:012d}"}}
        row: dict[str, Any] = store.get_item(TableName=table, Key=key)["Item"]
        store.put_item(TableName=table, Item={**row, name: {"S": value}})
        return row

    for position, name, value in (
        (2, "text", "Edited."),
        (2, "salt", "00" * 16),
        (2, "recorded_at", "2026-01-01T00:00:00.000000Z"),
        (2, "recorded_at", "never"),
        (1, "hash", "ab" * 32),
        (6, "hash", "no hash"),
    ):
        row = changed(position, name, value)
        answer = proof(api, log[1])
        # A log that still leads to the first night's root proves what that night covered.
        assert (answer.status, answer.problem if answer.status == 409 else None) in (
            [(409, "log-broken")] if position < 5 else [(200, None)]
        ), name
        store.put_item(TableName=table, Item=row)
    assert proof(api, log[1]).status == 200


# ------------------------------------------------------------------ checkpoints
def test_checkpoints_are_listed_with_proofs_of_growth(api: Api, log: list[str], tmp_path: Path) -> None:
    """Every checkpoint comes with the proof that the log grew into it, which verifies offline (EP-5)."""
    document = checkpoints(api)
    assert [listed["length"] for listed in document["checkpoints"]] == [4, 7]
    assert [listed["consistency"] is None for listed in document["checkpoints"]] == [False, False]
    assert document["following"] is None
    code, verdict = verified(tmp_path, document)
    assert (code, verdict["verified"], verdict["checkpoints"]) == (0, True, 2)
    assert verdict["checkpoint"]["length"] == 7
    assert "after 7" in verdict["not_checked"][0]
    for path in leaves_of(document):
        if path in SAID_ONLY or path == ("following",):
            continue
        for change in (other, None):
            if change is None and path[-1] == "length":
                continue
            assert breaks_of(with_change(document, path, change)), path


def test_pages_of_checkpoints_join(api: Api, log: list[str], tmp_path: Path) -> None:
    """Pages of checkpoints put together verify as the whole, and one with a page left out does not (EP-5)."""
    recorded(api, 8, day=3)
    night(api, 3)
    whole = checkpoints(api)
    first, second = checkpoints(api, limit="1"), checkpoints(api, limit="1", after="4")
    assert (first["following"], second["following"]) == (4, 7)
    third = checkpoints(api, limit="1", after="7")
    assert checkpoints(api, limit="1", after=str(third["following"])) == {**whole, "checkpoints": []}
    assert [*first["checkpoints"], *second["checkpoints"], *third["checkpoints"]] == whole["checkpoints"]
    left_out = {**whole, "checkpoints": [*first["checkpoints"], *third["checkpoints"]]}
    code, verdict = verified(tmp_path, left_out)
    assert (code, kinds(verdict)) == (BROKEN, ["inconsistent"])


def test_no_checkpoint_is_no_break(api: Api, tmp_path: Path) -> None:
    """A log without checkpoints lists none, and verifying that list claims nothing (EP-5)."""
    document = checkpoints(api)
    assert document["checkpoints"] == []
    code, verdict = verified(tmp_path, document)
    assert (code, verdict["checkpoints"], verdict["verified"], verdict["breaks"]) == (1, 0, False, [])
    assert any("there is no checkpoint" in said for said in verdict["not_checked"])
    for nothing in ({}, "", None, 0):
        assert verified(tmp_path, {**document, "checkpoints": nothing})[0] == BROKEN


def test_a_file_proves_all_that_it_says_or_nothing(
    proofs: list[dict[str, Any]], api: Api, log: list[str], tmp_path: Path
) -> None:
    """A file that holds more than is proved, a proof and a list at once or a name twice, does not verify (EP-5)."""
    listed = checkpoints(api)
    forged = with_change(proofs[1], ("record", "kind"), lambda _: "answer")
    for document in (
        {**forged, "checkpoints": []},
        {**forged, **listed},
        {**proofs[1], "text": "Something else"},
        {**proofs[1], "content": {**proofs[1]["content"], "text": "Something else"}},
        {**listed, "student": "ben"},
        with_change(listed, ("checkpoints", 0), lambda c: {**c, "student": "ben"}),
    ):
        assert verified(tmp_path, document)[0] == BROKEN
    twice = json.dumps(proofs[1]).replace('"content":', '"content": null, "content":', 1)
    assert verified(tmp_path, twice)[0] == 2
    _, verdict = verified(tmp_path, listed)
    assert any("left checkpoints out" in said for said in verdict["not_checked"])


def test_a_file_is_held_to_the_log_that_was_asked_for(api: Api, log: list[str], tmp_path: Path) -> None:
    """The proof or the checkpoints of another log than the one named do not verify, and the log is shown (EP-5)."""
    for document in (checkpoints(api), proof(api, log[0]).body):
        origin = verified(tmp_path, document)[1]["checkpoint"]["origin"]
        assert verified(tmp_path, document, "--origin", origin)[0] == 0
        code, verdict = verified(tmp_path, document, "--origin", "anamnesis/log/another")
        assert (code, kinds(verdict)) == (BROKEN, ["foreign_origin"])
        assert origin in CliRunner().invoke(app, ["verify", "--proof", str(tmp_path / "file.json")]).stdout


@pytest.mark.parametrize(
    "said",
    ["\x1b[2K\x1b[1Gverified: everything\x1b[8m", "\u202e", "\ud800", "[green]verified", "x" * 9_999, [1]],
)
def test_what_a_broken_file_says_paints_nothing(
    proofs: list[dict[str, Any]], tmp_path: Path, said: object
) -> None:
    """Words of a broken proof reach a terminal as plain characters in one line, and programs as valid JSON (EP-5)."""
    for name in ("id", "recorded_at", "position"):
        changed = with_change(proofs[1], ("record", name), lambda _: said)
        code, _ = verified(tmp_path, changed)
        assert code == BROKEN
        shown = CliRunner().invoke(app, ["verify", "--proof", str(tmp_path / "file.json")])
        assert shown.exit_code == BROKEN
        assert shown.stdout.startswith("BROKEN: ")
        assert all(character.isprintable() for line in shown.stdout.splitlines() for character in line)
        assert len(shown.stdout) < 1_500


@pytest.mark.parametrize(
    "query", [{"after": "-1"}, {"limit": "0"}, {"limit": "501"}, {"after": "x"}, {"after": "1" * 13}]
)
def test_impossible_pages_are_refused(api: Api, query: dict[str, str]) -> None:
    """A page that cannot be is refused by the name of its parameter (SV-7)."""
    answer = api("http_list_checkpoints", query=query)
    assert (answer.status, answer.body["field"]) == (422, next(iter(query)))


def test_forged_checkpoints_are_listed_and_named(api: Api, log: list[str], tmp_path: Path) -> None:
    """Checkpoints that cannot be trusted are listed, for they are evidence, and checking names them (EP-5)."""
    pair = Pair(api.tenant, "ana", "biology")
    stranger = LocalSigner(new_private_key_pem(), name="anamnesis-checkpoints")
    root = EMPTY_ROOT.hex()
    api.stores.checkpoint_store.add(pair, checkpoint_of(pair, 5, root, stranger))
    api.stores.checkpoint_store.add(pair, Checkpoint(6, root, "no note"))
    document = checkpoints(api)
    assert [(c["length"], c["consistency"] is None) for c in document["checkpoints"]] == [
        (4, False),
        (5, True),
        (6, True),
        (7, False),
    ]
    code, verdict = verified(tmp_path, document)
    assert code == BROKEN
    assert [(b["position"], b["kind"]) for b in verdict["breaks"]] == [
        (5, "unknown_key"),
        (6, "malformed_checkpoint"),
    ]
    # A proof is still given out, and against a checkpoint that can be trusted.
    assert proof(api, log[1]).status == 200


def test_a_list_from_two_logs_or_a_rewritten_one_is_named(tmp_path: Path) -> None:
    """Checkpoints of two logs, of a rewritten log, or without a proof between them are named as such (EP-5)."""
    signer = LocalSigner(new_private_key_pem(), name="k")
    key = public_key_of(signer)
    pair, foreign = Pair("school", "ana", "biology"), Pair("school", "ben", "biology")

    def listed(of: Pair, length: int, root: str, consistency: list[str] | None) -> dict[str, Any]:
        return {
            "length": length,
            "note": checkpoint_note(of, length, root, signer),
            "consistency": consistency,
        }

    def found(*entries: dict[str, Any]) -> list[str]:
        document = {
            "checkpoints": list(entries),
            "public_key": {"name": key.name, "id": key.id, "algorithm": key.algorithm, "pem": key.pem},
        }
        return kinds(verified(tmp_path, document)[1])

    one, two = "aa" * 32, "bb" * 32
    first = listed(pair, 1, one, [])
    assert found(first) == []
    assert found(first, listed(pair, 1, two, [])) == ["inconsistent"]
    assert found(first, listed(pair, 2, two, [])) == ["inconsistent"]
    assert found(first, listed(pair, 2, two, None)) == ["unproved"]
    assert found(first, listed(foreign, 2, two, [])) == ["foreign_origin"]
    assert found(first, {**listed(pair, 2, two, []), "length": 3}) == ["mislabelled_checkpoint"]
