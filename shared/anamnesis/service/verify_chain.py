"""Recompute a pair's chain and compare it with its signed checkpoints (EP-4, EP-5)."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import Break, BreakKind, ChainReport, verify_chain
from anamnesis.domain.log.checkpoints import believed, check_against
from anamnesis.domain.log.episodes import Episode, Head
from anamnesis.domain.log.erasures import DeletedPositions, ErasureStage, check_erasures
from anamnesis.ports import CheckpointStore, EpisodeLog, ErasureStore, Signer

NO_CHECKPOINT = "truncation and full rewrite: no checkpoint of this log exists yet"
SINCE_CHECKPOINT = (
    "truncation and rewrite of positions {first}–{last}: they are newer than the latest checkpoint"
)

ERASING = "whether everything that was to be erased is gone: an erasure is under way"


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """What verification found.

    Attributes
    ----------
    record_breaks
        What is wrong with the deletion records.
    not_checked
        What could not be checked, in words (EP-5).
    """

    report: ChainReport
    record_breaks: tuple[Break, ...]
    checkpoint_breaks: tuple[Break, ...]
    checkpoints_checked: int
    not_checked: tuple[str, ...]

    @property
    def breaks(self) -> tuple[Break, ...]:
        """All breaks, by position; ``more`` comes last."""
        return tuple(
            sorted(
                (*self.report.breaks, *self.record_breaks, *self.checkpoint_breaks),
                key=lambda b: (b.kind == BreakKind.MORE, b.position, b.kind),
            )
        )

    @property
    def verified(self) -> bool:
        """Whether nothing is wrong."""
        return not self.breaks


@dataclass(frozen=True, slots=True)
class LoadedLog:
    """A pair's log as of its head.

    Attributes
    ----------
    rows
        Everything stored as its episodes, as ``EpisodeLog.rows`` gives it.
    """

    head: Head
    rows: tuple[Episode | Break, ...]

    @property
    def episodes(self) -> list[Episode]:
        """What can be read as episodes, in order."""
        return [row for row in self.rows if isinstance(row, Episode)]


@dataclass(frozen=True, slots=True)
class VerifyChain:
    """The use case; call it with a pair."""

    log: EpisodeLog
    erasures: ErasureStore
    checkpoints: CheckpointStore
    signer: Signer

    def __call__(self, pair: Pair, loaded: LoadedLog | None = None) -> ChainVerdict:
        """Verify the whole log as of now.

        Parameters
        ----------
        loaded
            What the caller loaded already.
        """
        log = loaded or self.load(pair)
        head = log.head
        # After the rows: an erasure that went on meanwhile has its record before its first gap.
        records, record_breaks = check_erasures(self.erasures.all(pair), pair, head.length, self.signer)
        report = verify_chain(log.rows, head, pair, DeletedPositions(records))
        kept = self.checkpoints.all(pair)
        trusted = believed(kept, pair, self.signer)
        covered = max((checkpoint.length for checkpoint in trusted), default=0)
        not_checked: tuple[str, ...] = ()
        if head.length > covered:
            unchecked = SINCE_CHECKPOINT.format(first=covered + 1, last=head.length)
            not_checked = (unchecked if covered else NO_CHECKPOINT,)
        if any(erasure.stage is ErasureStage.BEGUN for erasure in records):
            not_checked = (*not_checked, ERASING)
        return ChainVerdict(
            report=report,
            record_breaks=tuple(record_breaks),
            checkpoint_breaks=tuple(check_against(kept, pair, report.hashes, head.length, self.signer)),
            checkpoints_checked=len(trusted),
            not_checked=not_checked,
        )

    def load(self, pair: Pair) -> LoadedLog:
        """The head, and every stored row, without those that other writers appended while loading."""
        head = self.log.head(pair)
        rows = tuple(self.log.rows(pair))
        if any(isinstance(row, Episode) and row.position > head.length for row in rows):
            # Rows beyond the head are a break unless the head has moved over them meanwhile.
            moved = range(head.length + 1, self.log.head(pair).length + 1)
            rows = tuple(row for row in rows if isinstance(row, Break) or row.position not in moved)
        return LoadedLog(head, rows)
