"""Prove to an outsider that an episode is in its log as it was recorded (EP-5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final

from anamnesis.domain.errors import LogBroken, NotCheckpointed, NotFound
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import committed_record, hashed_record
from anamnesis.domain.log.checkpoints import Checkpoint, believed, tree_of
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.log.proofs import (
    EpisodeProof,
    InclusionProof,
    check_episode,
    proof_text,
    public_key_of,
)
from anamnesis.ports import CheckpointStore, EpisodeLog, Signer
from anamnesis.service.withheld import Withheld

#: Newest checkpoints looked at for one to be trusted that the log agrees with; the first is one unless somebody
#: tampered. Ours.
MOST_TRIED: Final = 20


@dataclass(frozen=True, slots=True)
class ProveEpisode:
    """The use case; call it with a pair and an episode's id.

    Besides the episode itself it reads the log's hashes and nothing else, and fetches one checkpoint as a rule.
    """

    log: EpisodeLog
    checkpoints: CheckpointStore
    signer: Signer
    withheld: Withheld

    def __call__(self, pair: Pair, episode_id: str) -> EpisodeProof:
        """Make the proof against the newest checkpoint that covers the episode.

        Raises
        ------
        NotFound
            If this pair has no such episode.
        NotCheckpointed
            If no checkpoint covers it yet.
        LogBroken
            If the log is not what was signed, so that nothing can be proved of it.
        """
        position = self.log.position_of(pair, episode_id)
        if position is None:
            raise NotFound("no such episode", field="episode_id")
        covering = list(self._covering(pair, position))
        if not covering:
            raise NotCheckpointed(
                "no signed checkpoint covers this episode yet; each night signs one", field="episode_id"
            )
        found = self.withheld.left_out(pair, self.log.read(pair, [position]), self.log.head(pair))
        proof = self._proof(pair, found[0], covering) if found else None
        if proof is None:
            raise LogBroken(
                "this log is not what was signed, so that nothing can be proved of it", field="episode_id"
            )
        return proof

    def _covering(self, pair: Pair, position: int) -> Iterator[Checkpoint]:
        newest = takewhile(lambda checkpoint: checkpoint.length >= position, self.checkpoints.newest(pair))
        for checkpoint in islice(newest, MOST_TRIED):
            if believed([checkpoint], pair, self.signer):
                yield checkpoint

    def _proof(self, pair: Pair, episode: Episode, covering: list[Checkpoint]) -> EpisodeProof | None:
        tree = tree_of(self.log.hashes(pair, last=covering[0].length))
        for checkpoint in covering:
            if checkpoint.length > tree.size or tree.root(checkpoint.length).hex() != checkpoint.root_hash:
                continue
            index = episode.position - 1
            path = tree.inclusion_proof(index, checkpoint.length)
            inclusion = InclusionProof(index, path, checkpoint.note)
            if self._holds(episode, inclusion):
                return EpisodeProof(episode, inclusion, public_key_of(self.signer))
        return None

    def _holds(self, episode: Episode, inclusion: InclusionProof) -> bool:
        """Whether the proof is good, as whoever receives it will find."""
        content = None if episode.content is None else (episode.salt or "", committed_record(episode))
        return not check_episode(
            hashed_record(episode), episode.hash, content, proof_text(inclusion), self.signer
        )
