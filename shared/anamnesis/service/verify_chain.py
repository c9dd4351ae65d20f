"""Recompute a pair's chain and hold it against what is kept beside it: checkpoints, deletion records, annotations."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import Break, BreakKind, ChainReport, Weighed, verify_chain, weighed
from anamnesis.domain.log.checkpoints import Checkpoint, believed, check_against
from anamnesis.domain.log.episodes import Episode, Head
from anamnesis.domain.log.erasures import DeletedPositions, ErasureStage, check_erasures
from anamnesis.domain.night.verification import dangling_checks
from anamnesis.ports import CheckpointStore, EpisodeLog, ErasureStore, RecordStore, Signer

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
        What is wrong with deletion records and annotations.
    not_checked
        What could not be checked, in words (EP-5).
    covered
        The last position that a checkpoint to be believed vouches for.
    """

    report: ChainReport
    record_breaks: tuple[Break, ...]
    checkpoint_breaks: tuple[Break, ...]
    checkpoints_checked: int
    not_checked: tuple[str, ...]
    covered: int = 0

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
        Everything stored as its episodes, as ``EpisodeLog.rows`` gives it, long texts weighed.
    """

    head: Head
    rows: tuple[Episode | Weighed | Break, ...]

    @property
    def episodes(self) -> list[Episode]:
        """What can be read as episodes, in order; of a long text the beginning."""
        return [
            row.episode if isinstance(row, Weighed) else row
            for row in self.rows
            if not isinstance(row, Break)
        ]


@dataclass(frozen=True, slots=True)
class VerifyChain:
    """The use case; call it with a pair."""

    log: EpisodeLog
    records: RecordStore
    erasures: ErasureStore
    checkpoints: CheckpointStore
    signer: Signer

    def __call__(
        self, pair: Pair, loaded: LoadedLog | None = None, *, newest_only: bool = False
    ) -> ChainVerdict:
        """Verify the whole log as of now.

        Parameters
        ----------
        loaded
            What the caller loaded already.
        newest_only
            Whether to hold the log against its newest good checkpoint, and any that claims more, instead of all: what
            a night takes must not grow with the nights before it. The root covers every position up to there, and
            was signed when the ones before it had been checked in the same way.

        Notes
        -----
        Of annotations it is checked that they refer to episodes of this log, not what they say: results of citation
        checks are no evidence but looked up anew, night by night.
        """
        log = loaded or self.load(pair)
        head = log.head
        # After the rows: an erasure that went on meanwhile has its record before its first gap.
        kept_erasures, checks = self.erasures.all(pair), self.records.citation_checks(pair)
        kept = self._newest(pair, head.length) if newest_only else self.checkpoints.all(pair)
        # After those: they may tell of what was appended, signed or erased since the log was loaded.
        now = self.log.head(pair)
        kept = [c for c in kept if not head.length < c.length <= now.length]
        length = max(head.length, now.length)
        erasures, forged = check_erasures(kept_erasures, pair, length, self.signer)
        cleared = [erasure for erasure in erasures if erasure.stage is not ErasureStage.BEGUN]
        report = verify_chain(
            log.rows,
            head,
            pair,
            DeletedPositions(erasures),
            DeletedPositions(cleared if now.erasures == head.erasures else ()),
        )
        trusted = believed(kept, pair, self.signer)
        covered = max((checkpoint.length for checkpoint in trusted), default=0)
        return ChainVerdict(
            report=report,
            record_breaks=(
                *forged,
                *(() if now.erasures >= len(erasures) else (Break(0, BreakKind.HEAD_ERASURES),)),
                *dangling_checks(checks, {e.position: e.id for e in log.episodes}, length),
            ),
            checkpoint_breaks=tuple(check_against(kept, pair, report.hashes, head.length, self.signer)),
            checkpoints_checked=len(trusted),
            not_checked=(
                *_uncovered(head, covered),
                *((ERASING,) if len(cleared) < len(erasures) else ()),
            ),
            covered=covered,
        )

    def _newest(self, pair: Pair, length: int) -> list[Checkpoint]:
        """Checkpoints, longest log first, down to one that is to be believed and that a log so long can agree with."""
        newest: list[Checkpoint] = []
        for checkpoint in self.checkpoints.newest(pair):
            newest.append(checkpoint)
            if checkpoint.length <= length and believed([checkpoint], pair, self.signer):
                break
        return newest

    def load(self, pair: Pair) -> LoadedLog:
        """The head, and every stored row, without those that other writers appended while loading."""
        head = self.log.head(pair)
        rows = tuple(map(weighed, self.log.rows(pair)))
        if any(_position_of(row) > head.length for row in rows):
            # Rows beyond the head are a break unless the head has moved over them meanwhile.
            moved = range(head.length + 1, self.log.head(pair).length + 1)
            rows = tuple(row for row in rows if _position_of(row) not in moved)
        return LoadedLog(head, rows)


def _uncovered(head: Head, covered: int) -> tuple[str, ...]:
    """What no checkpoint can tell of a log, in words."""
    if not covered:
        # Of an empty log too: a whole one that was taken away before its first checkpoint looks the same.
        return (NO_CHECKPOINT,)
    if head.length <= covered:
        return ()
    return (SINCE_CHECKPOINT.format(first=covered + 1, last=head.length),)


def _position_of(row: Episode | Weighed | Break) -> int:
    """Position of an episode's row; 0 of a break, which no head moves over."""
    if isinstance(row, Break):
        return 0
    return row.episode.position if isinstance(row, Weighed) else row.position
