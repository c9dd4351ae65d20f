"""A log's signed checkpoints, and the proofs that it only grew from each to the next (EP-5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import Checkpoint, believed, tree_of
from anamnesis.domain.log.merkle import Tree
from anamnesis.domain.log.proofs import ListedCheckpoint, PublicKey, public_key_of
from anamnesis.ports import CheckpointStore, EpisodeLog, Signer


@dataclass(frozen=True, slots=True)
class CheckpointPage:
    """A page of a log's checkpoints, shortest log first.

    Attributes
    ----------
    following
        What to give as `after` for the next page; None at the end.
    """

    checkpoints: tuple[ListedCheckpoint, ...]
    following: int | None
    key: PublicKey


@dataclass(frozen=True, slots=True)
class ListCheckpoints:
    """The use case; call it with a pair. It reads the log's hashes and nothing else of its episodes."""

    log: EpisodeLog
    checkpoints: CheckpointStore
    signer: Signer

    def __call__(self, pair: Pair, *, after: int, limit: int) -> CheckpointPage:
        """List the checkpoints of logs longer than `after` (0 for the first page), about `limit` of them.

        Every stored note is listed, forged ones too, since they are evidence. A proof starts at the last one before
        that can be trusted, or at `after`; a note that cannot be trusted has none.
        """
        kept = self.checkpoints.after(pair, after, limit=limit)
        trusted = set(believed(kept, pair, self.signer))
        longest = max((checkpoint.length for checkpoint in trusted), default=0)
        tree = tree_of(self.log.hashes(pair, last=longest) if trusted else ())
        return CheckpointPage(
            checkpoints=tuple(_listed(kept, trusted, tree, after)),
            following=kept[-1].length if len(kept) >= limit else None,
            key=public_key_of(self.signer),
        )


def _listed(
    kept: list[Checkpoint], trusted: set[Checkpoint], tree: Tree, after: int
) -> Iterable[ListedCheckpoint]:
    before = after
    for checkpoint in kept:
        proof = None
        if checkpoint in trusted:
            if checkpoint.length <= tree.size:
                proof = tree.consistency_proof(before, checkpoint.length)
            before = checkpoint.length
        yield ListedCheckpoint(checkpoint.length, checkpoint.note, proof)
