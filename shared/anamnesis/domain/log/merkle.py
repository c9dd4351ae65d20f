"""Merkle trees of RFC 6962, section 2.1 (RFC 9162, section 2.1): a short hash of a log, and short proofs about it.

The hash of a leaf is SHA-256(0x00 || data), that of a node SHA-256(0x01 || left || right), so that no leaf can
pass for a node; the left part of a tree of n leaves holds the largest power of two below n. The root of no leaf
is SHA-256 of nothing. An inclusion proof shows that a leaf stands at its place of the tree with a given root, a
consistency proof that one tree only grew into another; both are some log2(n) hashes long.

Hashes are the 32 bytes of SHA-256 everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

HASH_BYTES: Final = 32
#: Root of the tree without leaves (RFC 6962, section 2.1).
EMPTY_ROOT: Final = hashlib.sha256(b"").digest()

_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"


def leaf_hash(data: bytes) -> bytes:
    """Hash a leaf's data."""
    return hashlib.sha256(_LEAF + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash a node of two hashes."""
    return hashlib.sha256(_NODE + left + right).digest()


class GrowingRoot:
    """The root of a tree at any size on the way, leaf by leaf: a "compact range" from the first leaf on.

    It keeps the roots of the largest whole subtrees from left to right, one for each binary digit 1 of the size,
    so that memory is O(log n); n leaves cost n - 1 node hashes altogether, and O(log n) more for each root.
    """

    def __init__(self) -> None:
        self._size = 0
        self._peaks: list[bytes] = []

    @property
    def size(self) -> int:
        """Number of leaves so far."""
        return self._size

    def append(self, leaf: bytes) -> None:
        """Add a leaf by its ``leaf_hash``."""
        peaks, rest = self._peaks, self._size
        while rest & 1:
            leaf = node_hash(peaks.pop(), leaf)
            rest >>= 1
        peaks.append(leaf)
        self._size += 1

    def root(self) -> bytes:
        """Return the root at the present size."""
        if not self._peaks:
            return EMPTY_ROOT
        *lower, root = self._peaks
        for peak in reversed(lower):
            root = node_hash(peak, root)
        return root


class Tree:
    """A whole tree in memory, for proofs about any of its sizes.

    Building it takes n - 1 node hashes and keeps them; each root or proof then takes O(log² n) steps, however many are
    asked for.

    Parameters
    ----------
    leaves
        ``leaf_hash`` of each leaf, in order.
    """

    def __init__(self, leaves: Iterable[bytes]) -> None:
        level = list(leaves)
        self._size = len(level)
        #: Roots of all whole, aligned subtrees: of 1 leaf, of 2, of 4, …
        self._levels = [level]
        while len(level) > 1:
            level = [node_hash(level[n], level[n + 1]) for n in range(0, len(level) - 1, 2)]
            self._levels.append(level)

    @property
    def size(self) -> int:
        """Number of leaves."""
        return self._size

    def root(self, size: int | None = None) -> bytes:
        """Return the root of the first `size` leaves; of all by default.

        Raises
        ------
        ValueError
            If there are not that many.
        """
        size = self._checked(self._size if size is None else size)
        return self._subtree(0, size) if size else EMPTY_ROOT

    def inclusion_proof(self, index: int, size: int | None = None) -> tuple[bytes, ...]:
        """Prove that a leaf is in the tree of the first `size` leaves (RFC 9162, section 2.1.3.1).

        Parameters
        ----------
        index
            From 0.

        Raises
        ------
        ValueError
            If there are not that many leaves, or the leaf is not one of them.
        """
        size = self._checked(self._size if size is None else size)
        if not 0 <= index < size:
            raise ValueError("no leaf of this tree")
        path: list[bytes] = []
        low, high = 0, size
        while high - low > 1:
            middle = low + _left_leaves(high - low)
            if index < middle:
                path.append(self._subtree(middle, high))
                high = middle
            else:
                path.append(self._subtree(low, middle))
                low = middle
        return tuple(reversed(path))

    def consistency_proof(self, first: int, second: int | None = None) -> tuple[bytes, ...]:
        """Prove that the first `second` leaves begin with the first `first` (RFC 9162, section 2.1.4.1).

        It is empty when both are equal or `first` is 0: nothing has to be shown then.

        Raises
        ------
        ValueError
            If there are not that many leaves, or fewer in the second tree than in the first.
        """
        second = self._checked(self._size if second is None else second)
        if not 0 <= first <= second:
            raise ValueError("no earlier size of this tree")
        if first in {0, second}:
            return ()
        proof: list[bytes] = []
        low, high = 0, second
        while high != first:
            middle = low + _left_leaves(high - low)
            if first <= middle:
                proof.append(self._subtree(middle, high))
                high = middle
            else:
                proof.append(self._subtree(low, middle))
                low = middle
        if low:  # else the old tree is a whole subtree of the new one, and whoever checks has its root
            proof.append(self._subtree(low, high))
        return tuple(reversed(proof))

    def _checked(self, size: int) -> int:
        if not 0 <= size <= self._size:
            raise ValueError("the tree has no such size")
        return size

    def _subtree(self, low: int, high: int) -> bytes:
        """Root of the leaves from `low` up to `high`, which begin where a whole subtree of their size does."""
        count = high - low
        if count & (count - 1) == 0:
            level = count.bit_length() - 1
            return self._levels[level][low >> level]
        middle = low + _left_leaves(count)
        return node_hash(self._subtree(low, middle), self._subtree(middle, high))


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Tell whether a proof shows that a leaf is in a tree; strict, and never raises.

    The way of RFC 9162, section 2.1.3.2.

    Parameters
    ----------
    leaf
        Its ``leaf_hash``.
    index
        From 0.
    size, root
        Of the tree.
    """
    if not 0 <= index < size or not _hashes(leaf, root, *proof):
        return False
    first, last, found = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if first & 1 or first == last:
            found = node_hash(sibling, found)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        first, last = first >> 1, last >> 1
    return last == 0 and found == root


def verify_consistency(
    first: int, second: int, first_root: bytes, second_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Tell whether a proof shows that one tree only grew into another; strict, and never raises.

    The way of RFC 9162, section 2.1.4.2.

    Parameters
    ----------
    first, first_root
        Size and root of the earlier tree. Of size 0 only ``EMPTY_ROOT`` is the root; everything grew out of it.
    second, second_root
        Of the later one.
    """
    if not 0 <= first <= second or not _hashes(first_root, second_root, *proof):
        return False
    if first == second:
        return not proof and first_root == second_root and (first > 0 or first_root == EMPTY_ROOT)
    if first == 0:
        return not proof and first_root == EMPTY_ROOT
    if not proof:
        return False
    # A whole subtree stands for itself: its root is known and is not sent.
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    old, new = first - 1, second - 1
    while old & 1:
        old, new = old >> 1, new >> 1
    old_found = new_found = path[0]
    for sibling in path[1:]:
        if new == 0:
            return False
        if old & 1 or old == new:
            old_found = node_hash(sibling, old_found)
            new_found = node_hash(sibling, new_found)
            while not old & 1 and old:
                old, new = old >> 1, new >> 1
        else:
            new_found = node_hash(new_found, sibling)
        old, new = old >> 1, new >> 1
    return new == 0 and old_found == first_root and new_found == second_root


def _left_leaves(count: int) -> int:
    """Leaves left of the top node: the largest power of two below `count`, which is above 1."""
    return 1 << ((count - 1).bit_length() - 1)


def _hashes(*values: bytes) -> bool:
    return all(len(value) == HASH_BYTES for value in values)
