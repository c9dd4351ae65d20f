"""Checkpoints as signed notes, and what they show about a chain."""

from __future__ import annotations

import base64
import hashlib
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.adapters.local_signing import LocalSigner, new_private_key_pem
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import Break
from anamnesis.domain.log.checkpoints import (
    Checkpoint,
    believed,
    check_against,
    checkpoint_note,
    checkpoint_of,
    filing_name,
    leaf_of,
    origin_of,
    parse_note,
    roots_at,
    verify_note,
)
from anamnesis.domain.log.merkle import EMPTY_ROOT, Tree, leaf_hash
from anamnesis.domain.log.signed_notes import key_id
from support.night_values import PAIR

NAME = "anamnesis.example/checkpoints"
SIGNER = LocalSigner(new_private_key_pem(), name=NAME)
OTHER = LocalSigner(new_private_key_pem(), name=NAME)
BEN = Pair("school", "ben", "biology")


def hash_of(position: int) -> str:
    """Make the hash of a position up."""
    return hashlib.sha256(str(position).encode()).hexdigest()


def hashes(length: int) -> dict[int, str]:
    """Make the hashes of a chain up."""
    return {n: hash_of(n) for n in range(1, length + 1)}


def root_of(length: int) -> str:
    """The root of the made-up chain at a length, by way of the whole tree."""
    return Tree(leaf_hash(bytes.fromhex(hash_of(n))) for n in range(1, length + 1)).root().hex()


def taken(position: int, signer: LocalSigner = SIGNER, pair: Pair = PAIR) -> Checkpoint:
    """Take a checkpoint of the made-up chain."""
    return checkpoint_of(pair, position, root_of(position), signer)


NOTE = taken(7).note
_, _, SIGNATURE_LINE = NOTE.rstrip("\n").rpartition("\n")


def test_note_has_the_shape_of_a_signed_checkpoint() -> None:
    """A checkpoint is origin, decimal size and base64 root, an empty line and one signature line (EP-5)."""
    origin, length, root, empty, signature, end = NOTE.split("\n")
    assert (origin, length, empty, end) == (origin_of(PAIR), "7", "", "")
    assert base64.b64decode(root).hex() == root_of(7)
    dash, name, signed = signature.split(" ")
    assert (dash, name) == ("—", NAME)
    assert base64.b64decode(signed)[:4] == hashlib.sha256(SIGNER.public_key_der).digest()[:4]


def test_note_verifies_with_openssl(tmp_path: Path) -> None:
    """Anybody with the public key can verify a checkpoint with openssl alone (EP-5)."""
    text, _, signature = NOTE.rpartition("\n\n")
    (tmp_path / "text").write_text(f"{text}\n", encoding="utf-8")
    (tmp_path / "signature").write_bytes(base64.b64decode(signature.split(" ")[2])[4:])
    (tmp_path / "key.der").write_bytes(SIGNER.public_key_der)
    command = [
        "openssl",
        "dgst",
        "-sha256",
        "-keyform",
        "DER",
        "-verify",
        "key.der",
        "-signature",
        "signature",
    ]
    good = subprocess.run([*command, "text"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (good.returncode, good.stdout) == (0, "Verified OK\n")
    (tmp_path / "text").write_text(f"{text}x\n", encoding="utf-8")
    bad = subprocess.run([*command, "text"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert bad.returncode != 0


NAMES = st.text("ab#%/", min_size=1, max_size=3).filter(lambda name: "/" not in name)


@given(st.tuples(NAMES, NAMES, NAMES), st.tuples(NAMES, NAMES, NAMES))
def test_origins_of_two_pairs_differ(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    """No choice of names gives two pairs the same origin (EP-5)."""
    assert (origin_of(Pair(*one)) == origin_of(Pair(*other))) == (one == other)


def test_origin_shows_no_names() -> None:
    """An origin shows neither tenant, student nor subject, and is a schema-less URL without spaces (SV-11)."""
    pair = Pair("north school", "zoë", "physics+")
    assert not any(part in origin_of(pair) for part in (pair.tenant, pair.student, pair.subject))
    assert not set(origin_of(pair)) & set(" +:")
    assert origin_of(pair) == f"anamnesis/log/{filing_name(pair)}"


def test_roots_are_computed_at_any_length_on_the_way() -> None:
    """One pass over the hashes gives the root of every length asked for, the empty log's included (EP-5)."""
    asked = [9, 0, 4, 4, 1]
    assert roots_at(hashes(9), asked) == {n: root_of(n) for n in asked}
    assert root_of(0) == EMPTY_ROOT.hex()


@pytest.mark.parametrize("unusable", ["", "no hex", "ab" * 31, "ab" * 33, "é" * 64, "AB" * 32, " ab" * 32])
def test_there_is_no_root_over_what_is_no_hash(unusable: str) -> None:
    """Where a hash is missing or is none, the lengths before it have roots and those after it have not (EP-5)."""
    assert leaf_of(unusable) is None
    assert set(roots_at(hashes(9) | {5: unusable}, range(10))) == set(range(5))


@given(st.integers(0, 10**15), st.binary(min_size=32, max_size=32))
def test_notes_read_back(length: int, root: bytes) -> None:
    """What was signed is what is read, for any length and hash (EP-5)."""
    note = parse_note(checkpoint_note(PAIR, length, root.hex(), SIGNER))
    assert (note.origin, note.length, note.root_hash) == (origin_of(PAIR), length, root.hex())
    assert verify_note(note, [SIGNER]) is None


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "\n\n",
        NOTE.rstrip("\n"),
        NOTE.replace("\n\n", "\n"),
        NOTE.replace("—", "-"),
        NOTE.replace("\n7\n", "\n07\n"),
        NOTE.replace("\n7\n", "\n-7\n"),
        NOTE.replace("\n7\n", "\n٧\n"),
        NOTE.replace("\n7\n", "\n7\r\n"),
        NOTE.replace("\n7\n", "\n\n"),
        NOTE.replace("\n\n—", "\nextension\n\n—"),
        NOTE.replace("=\n", "\n", 1),
        NOTE + "\n",
        NOTE + "— name not-base64\n",
        NOTE + "— name AAAA\n",
        "x" + "\n" * 200_000 + NOTE,
        NOTE + f"{SIGNATURE_LINE}\n" * 20,
    ],
)
def test_what_is_no_checkpoint_is_not_read(broken: str) -> None:
    """Anything but a checkpoint in its one spelling is refused, endless input included (EP-5)."""
    with pytest.raises(ValueError, match=r".+"):
        parse_note(broken)
    assert check_against([Checkpoint(7, root_of(7), broken)], PAIR, hashes(9), 9, SIGNER) == [
        Break(7, "malformed_checkpoint")
    ]


@given(st.integers(0, len(NOTE) - 1), st.characters(min_codepoint=32, max_codepoint=126))
def test_any_changed_character_shows(place: int, character: str) -> None:
    """Changing any one character of a checkpoint makes it disbelieved (EP-5)."""
    changed = NOTE[:place] + character + NOTE[place + 1 :]
    found = check_against([Checkpoint(7, root_of(7), changed)], PAIR, hashes(9), 9, SIGNER)
    assert bool(found) == (changed != NOTE)


def test_intact_chain_agrees_with_its_checkpoints() -> None:
    """A chain that only grew disagrees with none of its checkpoints (EP-5)."""
    kept = [taken(n) for n in (1, 4, 9)]
    assert check_against([taken(0), *kept], PAIR, hashes(9), 9, SIGNER) == []
    assert check_against([taken(0)], PAIR, {}, 0, SIGNER) == []


@pytest.mark.parametrize("cut", range(9))
def test_cut_tail_shows(cut: int) -> None:
    """Every checkpoint longer than the chain shows that the tail was cut off (EP-5)."""
    kept = [taken(n) for n in (3, 6, 9)]
    expected = [Break(n, "truncated") for n in (3, 6, 9) if n > cut]
    assert check_against(kept, PAIR, hashes(cut), cut, SIGNER) == expected


@pytest.mark.parametrize("position", range(1, 10))
def test_one_other_hash_shows(position: int) -> None:
    """A single hash replaced anywhere shows at every checkpoint that covers it (EP-5)."""
    replaced = hashes(9) | {position: hash_of(-1)}
    expected = [Break(n, "rewritten") for n in (3, 6, 9) if n >= position]
    assert check_against([taken(n) for n in (3, 6, 9)], PAIR, replaced, 9, SIGNER) == expected


@pytest.mark.parametrize("first", range(1, 10))
def test_rewrite_shows(first: int) -> None:
    """A chain rewritten from a position on disagrees with every checkpoint from there on (EP-5)."""
    rewritten = {n: h if n < first else hash_of(-n) for n, h in hashes(9).items()}
    expected = [Break(n, "rewritten") for n in (3, 6, 9) if n >= first]
    assert check_against([taken(n) for n in (3, 6, 9)], PAIR, rewritten, 9, SIGNER) == expected


@pytest.mark.parametrize("hole", range(1, 7))
def test_hole_before_a_checkpoint_shows(hole: int) -> None:
    """A checkpoint of positions of which one has no row is not passed over (EP-5)."""
    holed = {n: h for n, h in hashes(9).items() if n != hole}
    assert check_against([taken(6)], PAIR, holed, 9, SIGNER) == [Break(6, "unknown_position")]


def test_a_checkpoint_of_a_trillion_costs_nothing() -> None:
    """A checkpoint longer than the log is named without counting up to it (EP-5)."""
    far = checkpoint_of(PAIR, 10**12, root_of(1), SIGNER)
    assert check_against([far], PAIR, hashes(3), 3, SIGNER) == [Break(10**12, "truncated")]
    assert check_against([far], PAIR, hashes(3), 10**13, SIGNER) == [Break(10**12, "unknown_position")]


def test_forged_checkpoints_are_named() -> None:
    """Checkpoints of another pair, another key, or with other words in their record are named as such (EP-5)."""
    forged = [
        taken(2, pair=BEN),
        taken(3, OTHER),
        replace(taken(4), length=5),
        replace(taken(6), root_hash=root_of(1)),
    ]
    found = check_against(forged, PAIR, hashes(9), 9, SIGNER)
    assert found == [
        Break(2, "foreign_origin"),
        Break(3, "unknown_key"),
        Break(5, "mislabelled_checkpoint"),
        Break(6, "mislabelled_checkpoint"),
    ]
    genuine = taken(7)
    assert believed([*forged, genuine], PAIR, SIGNER) == [genuine]


def test_signature_over_other_text_is_bad() -> None:
    """A signature of the right key over another text condemns the checkpoint (EP-5)."""
    moved = NOTE.replace("\n7\n", "\n8\n")
    assert check_against([Checkpoint(8, root_of(7), moved)], PAIR, hashes(9), 9, SIGNER) == [
        Break(8, "bad_signature")
    ]


def test_replaced_key_stays_trusted_while_it_is_named() -> None:
    """After a change of keys, checkpoints of both verify as long as both are trusted (EP-5)."""
    kept = [taken(3, OTHER), taken(5, SIGNER)]
    assert check_against(kept, PAIR, hashes(9), 9, SIGNER, OTHER) == []
    assert check_against(kept, PAIR, hashes(9), 9, SIGNER) == [Break(3, "unknown_key")]


def test_unknown_cosignatures_are_ignored() -> None:
    """A signature of a key that is not trusted neither helps nor harms a note (EP-5)."""
    _, _, stranger = taken(7, LocalSigner(new_private_key_pem(), name="witness.example")).note.rpartition(
        "\n\n"
    )
    assert verify_note(parse_note(NOTE + stranger), [SIGNER]) is None
    lone = parse_note(NOTE.rpartition("\n\n")[0] + "\n\n" + stranger)
    assert verify_note(lone, [SIGNER]) == "unknown_key"


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "a\u2003b", "a\x01b"])
def test_impossible_key_names_are_refused(name: str) -> None:
    """A key name that could break a signature line signs nothing (EP-5)."""
    with pytest.raises(ValueError, match="key name"):
        checkpoint_note(PAIR, 0, root_of(0), LocalSigner(new_private_key_pem(), name=name))


def test_key_id_is_that_of_the_specification() -> None:
    """The key id of an ECDSA key is the first four bytes of the SHA-256 of its DER public key (EP-5)."""
    assert key_id(b"") == bytes.fromhex("e3b0c442")
