"""Recompute a pair's chain and compare it with its signed checkpoints (EP-4, EP-5)."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import Break, ChainReport, verify_chain
from anamnesis.domain.log.checkpoints import believed, check_against
from anamnesis.domain.log.episodes import Episode, Head
from anamnesis.ports import CheckpointStore, EpisodeLog, Signer

NO_CHECKPOINT = "truncation and full rewrite: no checkpoint of this log exists yet"
SINCE_CHECKPOINT = (
    "truncation and rewrite of positions {first}–{last}: they are newer than the latest checkpoint"
)


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """What verification found.

    Attributes
    ----------
    not_checked
        What could not be checked, in words (EP-5).
    """

    report: ChainReport
    checkpoint_breaks: tuple[Break, ...]
    checkpoints_checked: int
    not_checked: tuple[str, ...]

    @property
    def breaks(self) -> tuple[Break, ...]:
        """All breaks, by position."""
        return tuple(
            sorted((*self.report.breaks, *self.checkpoint_breaks), key=lambda b: (b.position, b.kind))
        )

    @property
    def verified(self) -> bool:
        """Whether nothing is wrong."""
        return not self.breaks


@dataclass(frozen=True, slots=True)
class VerifyChain:
    """The use case; call it with a pair."""

    log: EpisodeLog
    checkpoints: CheckpointStore
    signer: Signer

    def __call__(
        self, pair: Pair, episodes: list[Episode] | None = None, head: Head | None = None
    ) -> ChainVerdict:
        """Verify the whole log as of now.

        Parameters
        ----------
        episodes, head
            What the caller loaded already: the head first, then every episode up to it.
        """
        if episodes is None or head is None:
            head, episodes = self.load(pair)
        report = verify_chain(episodes, head, pair)
        kept = self.checkpoints.all(pair)
        trusted = believed(kept, pair, self.signer)
        covered = max((checkpoint.length for checkpoint in trusted), default=0)
        not_checked: tuple[str, ...] = ()
        if head.length > covered:
            unchecked = SINCE_CHECKPOINT.format(first=covered + 1, last=head.length)
            not_checked = (unchecked if covered else NO_CHECKPOINT,)
        return ChainVerdict(
            report=report,
            checkpoint_breaks=tuple(check_against(kept, pair, report.hashes, head.length, self.signer)),
            checkpoints_checked=len(trusted),
            not_checked=not_checked,
        )

    def load(self, pair: Pair) -> tuple[Head, list[Episode]]:
        """The head, and every episode, without those that other writers appended while loading."""
        head = self.log.head(pair)
        episodes = list(self.log.scan(pair))
        if episodes and episodes[-1].position > head.length:
            # Rows beyond the head are a break unless the head has moved over them meanwhile.
            moved = self.log.head(pair)
            episodes = [e for e in episodes if e.position <= head.length or e.position > moved.length]
        return head, episodes
