"""Merkle trees: known roots, and proofs that hold for what they prove and for nothing else."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.log.merkle import (
    EMPTY_ROOT,
    GrowingRoot,
    Tree,
    leaf_hash,
    verify_consistency,
    verify_inclusion,
)

#: Leaves and roots that the tests of Certificate Transparency's implementations share (RFC 6962).
KNOWN_LEAVES = [
    bytes.fromhex(data)
    for data in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
KNOWN_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
#: From the same tests: leaf and size (both from 1 there), and the path.
KNOWN_PATHS = [
    (1, 1, []),
    (
        1,
        8,
        [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (3, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
]

SIZES = st.integers(1, 70)


def root_by_definition(leaves: list[bytes]) -> bytes:
    """The root as RFC 6962 defines it, of the leaves' data."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    parts = root_by_definition(leaves[:k]) + root_by_definition(leaves[k:])
    return hashlib.sha256(b"\1" + parts).digest()


def data(count: int) -> list[bytes]:
    """Data of that many leaves."""
    return [f"leaf {n}".encode() for n in range(count)]


def tree(count: int) -> Tree:
    """The tree of ``data``."""
    return Tree(map(leaf_hash, data(count)))


def flipped(value: bytes, bit: int) -> bytes:
    """The same bytes but for one bit."""
    bit %= 8 * len(value)
    changed = bytearray(value)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize("size", range(9))
def test_known_roots(size: int) -> None:
    """The roots of the leaves that Certificate Transparency's tests share are the known ones (EP-5)."""
    known = bytes.fromhex(KNOWN_ROOTS[size])
    whole, growing = Tree(map(leaf_hash, KNOWN_LEAVES)), GrowingRoot()
    for leaf in KNOWN_LEAVES[:size]:
        growing.append(leaf_hash(leaf))
    assert whole.root(size) == growing.root() == root_by_definition(KNOWN_LEAVES[:size]) == known
    assert growing.size == size


@pytest.mark.parametrize("number, size, path", KNOWN_PATHS)
def test_known_inclusion_proofs(number: int, size: int, path: list[str]) -> None:
    """Inclusion proofs are those that other implementations make of the same leaves (EP-5)."""
    whole = Tree(map(leaf_hash, KNOWN_LEAVES))
    assert [step.hex() for step in whole.inclusion_proof(number - 1, size)] == path


def test_proofs_of_the_rfcs_example() -> None:
    """The proofs within seven leaves are those that RFC 6962, section 2.1.3, spells out (EP-5)."""
    leaves = [leaf_hash(d) for d in data(7)]
    a, b, c, d, e, f, j = leaves

    def node(left: bytes, right: bytes) -> bytes:
        return hashlib.sha256(b"\1" + left + right).digest()

    g, h, i = node(a, b), node(c, d), node(e, f)
    k, l_ = node(g, h), node(i, j)
    whole = Tree(leaves)
    assert whole.root() == node(k, l_)
    assert whole.inclusion_proof(0) == (b, h, l_)
    assert whole.inclusion_proof(3) == (c, g, l_)
    assert whole.inclusion_proof(4) == (f, j, k)
    assert whole.inclusion_proof(6) == (i, k)
    assert whole.consistency_proof(3) == (c, d, g, l_)
    assert whole.consistency_proof(4) == (l_,)
    assert whole.consistency_proof(6) == (i, j, k)


@given(SIZES, st.data())
def test_inclusion_proofs_verify(size: int, draw: st.DataObject) -> None:
    """Every leaf's proof against every size of the tree that holds it verifies (EP-5)."""
    whole = tree(size)
    of = draw.draw(st.integers(1, size))
    index = draw.draw(st.integers(0, of - 1))
    root = root_by_definition(data(size)[:of])
    proof = whole.inclusion_proof(index, of)
    assert len(proof) <= (of - 1).bit_length()
    assert verify_inclusion(leaf_hash(data(size)[index]), index, of, proof, root)


@given(SIZES, st.data())
def test_consistency_proofs_verify(size: int, draw: st.DataObject) -> None:
    """The proof from every size of a tree to every later one verifies (EP-5)."""
    whole = tree(size)
    second = draw.draw(st.integers(0, size))
    first = draw.draw(st.integers(0, second))
    old, new = (root_by_definition(data(size)[:n]) for n in (first, second))
    assert verify_consistency(first, second, old, new, whole.consistency_proof(first, second))


@given(SIZES, st.data())
def test_a_growing_root_is_the_root_at_every_size(size: int, draw: st.DataObject) -> None:
    """A root that grows leaf by leaf is the whole tree's at any size on the way, asked for or not (EP-5)."""
    whole, growing = tree(size), GrowingRoot()
    asked = draw.draw(st.sets(st.integers(0, size)))
    for leaf in [leaf_hash(d) for d in data(size)]:
        if growing.size in asked:
            assert growing.root() == whole.root(growing.size)
        growing.append(leaf)
    assert growing.root() == whole.root()


@given(st.integers(2, 70), st.data())
def test_a_changed_inclusion_proof_fails(size: int, draw: st.DataObject) -> None:
    """With one bit of leaf, proof or root changed, or another place or length, an inclusion proof fails (EP-5)."""
    whole = tree(size)
    index = draw.draw(st.integers(0, size - 1))
    leaf, root, proof = leaf_hash(data(size)[index]), whole.root(), whole.inclusion_proof(index)
    bit, place = draw.draw(st.integers(0, 255)), draw.draw(st.integers(0, len(proof) - 1))
    assert verify_inclusion(leaf, index, size, proof, root)
    assert not verify_inclusion(flipped(leaf, bit), index, size, proof, root)
    assert not verify_inclusion(leaf, index, size, proof, flipped(root, bit))
    changed = [*proof[:place], flipped(proof[place], bit), *proof[place + 1 :]]
    assert not verify_inclusion(leaf, index, size, changed, root)
    other = draw.draw(st.integers(-2, size + 1).filter(lambda n: n != index))
    assert not verify_inclusion(leaf, other, size, proof, root)
    for wrong in (proof[:-1], proof[1:], (*proof, root), (leaf, *proof), (proof[0][:31], *proof[1:])):
        assert not verify_inclusion(leaf, index, size, wrong, root)


@given(st.integers(2, 70), st.data())
def test_a_changed_consistency_proof_fails(size: int, draw: st.DataObject) -> None:
    """With one bit of proof or roots changed, or another length, a consistency proof fails (EP-5)."""
    whole = tree(size)
    first = draw.draw(st.integers(1, size - 1))
    old, new, proof = whole.root(first), whole.root(), whole.consistency_proof(first)
    bit, place = draw.draw(st.integers(0, 255)), draw.draw(st.integers(0, len(proof) - 1))
    assert verify_consistency(first, size, old, new, proof)
    assert not verify_consistency(first, size, flipped(old, bit), new, proof)
    assert not verify_consistency(first, size, old, flipped(new, bit), proof)
    changed = [*proof[:place], flipped(proof[place], bit), *proof[place + 1 :]]
    assert not verify_consistency(first, size, old, new, changed)
    for wrong in ((), proof[:-1], proof[1:], (*proof, new), (old, *proof), (proof[0] + b"x", *proof[1:])):
        assert not verify_consistency(first, size, old, new, wrong)


@given(st.integers(2, 40), st.data())
def test_a_rewritten_tree_is_no_growth(size: int, draw: st.DataObject) -> None:
    """A tree with one earlier leaf changed has no consistency proof that it would make of itself (EP-5)."""
    first = draw.draw(st.integers(1, size - 1))
    place = draw.draw(st.integers(0, first - 1))
    leaves = [leaf_hash(d) for d in data(size)]
    leaves[place] = leaf_hash(b"rewritten")
    forged = Tree(leaves)
    proof = forged.consistency_proof(first)
    assert not verify_consistency(first, size, tree(size).root(first), forged.root(), proof)


def test_trees_of_nothing() -> None:
    """Every tree grew out of the empty one, which holds no leaf (EP-5)."""
    root = tree(3).root()
    assert verify_consistency(0, 3, EMPTY_ROOT, root, ())
    assert verify_consistency(0, 0, EMPTY_ROOT, EMPTY_ROOT, ())
    assert not verify_consistency(0, 0, root, root, ())
    assert not verify_consistency(0, 3, root, root, ())
    assert not verify_consistency(0, 3, EMPTY_ROOT, root, (root,))
    assert not verify_consistency(3, 3, root, root, (root,))
    assert not verify_consistency(3, 3, root, EMPTY_ROOT, ())
    assert not verify_consistency(3, 2, root, root, ())
    assert not verify_consistency(-1, 2, root, root, ())
    assert not verify_inclusion(EMPTY_ROOT, 0, 0, (), EMPTY_ROOT)


@pytest.mark.parametrize("index, size", [(-1, 3), (3, 3), (0, 0), (0, 4), (0, -1)])
def test_there_is_no_proof_of_a_leaf_that_is_not_there(index: int, size: int) -> None:
    """A proof about a leaf or size that the tree has not is refused (EP-5)."""
    with pytest.raises(ValueError, match="tree"):
        tree(3).inclusion_proof(index, size)


@pytest.mark.parametrize("first, second", [(-1, 3), (3, 2), (1, 4), (0, -1)])
def test_there_is_no_proof_between_sizes_that_are_not_there(first: int, second: int) -> None:
    """A proof between sizes that the tree never had, or in the wrong order, is refused (EP-5)."""
    with pytest.raises(ValueError, match="tree"):
        tree(3).consistency_proof(first, second)
