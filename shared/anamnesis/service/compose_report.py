"""A report on one student in one subject (BE-2, BE-6, GR-3, VE-1, NI-3, NI-4), in bounded time and requests.

The log is read as its working set, so that the number of requests does not depend on the length of the history; of the
episodes only those that the report quotes are fetched. A short log is verified on the spot; of a long one the report
says what the latest night found, and when.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Head
from anamnesis.domain.log.erasures import Erasure
from anamnesis.domain.night.records import SelfModel
from anamnesis.domain.report import Report
from anamnesis.domain.report.activity import checks_in, erased_in, positions_of
from anamnesis.domain.report.beliefs import choose
from anamnesis.domain.report.composition import (
    MAX_UNANSWERED,
    MAX_UNTIED,
    ReportMaterial,
    compose,
    lacking,
)
from anamnesis.domain.report.cuts import first_of
from anamnesis.domain.report.values import Chain, CheckedWhen, NotChecked
from anamnesis.domain.working_set import Segment
from anamnesis.ports import BeliefStore, Clock, EpisodeLog, ErasureStore, RecordStore
from anamnesis.service.deadline import Deadline
from anamnesis.service.history import HistoryReader
from anamnesis.service.sources import Sources
from anamnesis.service.verify_chain import ERASING, NO_CHECKPOINT, SINCE_CHECKPOINT, ChainVerdict, VerifyChain
from anamnesis.service.view_map import ViewMap
from anamnesis.service.withheld import Withheld

#: Longest log that a report verifies by itself, in episodes: about a second of work and eight requests. Ours.
MAX_VERIFIED: Final = 5_000
#: Breaks of the chain told one by one. Ours.
MAX_BREAKS: Final = 50

_SINCE: Final = re.compile(
    re.escape(SINCE_CHECKPOINT).replace(r"\{first\}", r"(\d+)").replace(r"\{last\}", r"(\d+)")
)


@dataclass(frozen=True, slots=True)
class ComposeReport:
    """The use case; call it with a pair."""

    log: EpisodeLog
    beliefs: BeliefStore
    records: RecordStore
    erasures: ErasureStore
    histories: HistoryReader
    view_map: ViewMap
    verify: VerifyChain
    withheld: Withheld
    clock: Clock
    executor: Executor

    def __call__(self, pair: Pair, *, zone: ZoneInfo, deadline: Deadline) -> Report:
        """The report as of now; catches up with the log before it tells of beliefs.

        Parameters
        ----------
        zone
            In which days, weeks and months are told apart.
        deadline
            Until when the log may be verified; what takes longer is told as the latest night found it.
        """
        view = self.view_map(pair)
        head = self.log.head(pair)
        sources = Sources(self.executor, deadline)
        verifying = sources.start("chain", lambda: self.verify(pair)) if head.length <= MAX_VERIFIED else None
        self_model = self.records.self_model(pair)
        chosen = choose(self.beliefs.history(pair))
        segments = self.histories.load(pair).segments
        checks = checks_in(segments)
        untied = checks.behind_nothing(chosen.tied_ids())
        groundings = self.records.groundings(pair)
        quoted = set(positions_of(segments, chosen.evidence_ids()).values()) | set(untied[:MAX_UNTIED])
        quoted |= {found.question for found in lacking(groundings)[:MAX_UNANSWERED] if found.question}
        material = ReportMaterial(
            pair=pair,
            composed_at=self.clock.now(),
            zone=zone,
            time_zone=zone.key,
            segments=segments,
            chosen=chosen,
            episodes=self._quoted(pair, sorted(quoted)),
            checks=checks,
            untied=untied,
            citation_checks=self.records.citation_checks(pair),
            subject_map=view.subject_map,
            readiness=view.readiness,
            readiness_of=view.readiness_of,
            self_model=self_model,
            groundings=groundings,
            chain=chain_state(
                head,
                self.erasures.all(pair) if head.erasures else (),
                segments,
                verdict=None if verifying is None else verifying.take(reserve=0.0),
                self_model=self_model,
            ),
        )
        return compose(material)

    def _quoted(self, pair: Pair, positions: Sequence[int]) -> list[Episode]:
        if not positions:
            return []
        episodes = self.log.read(pair, positions, with_text=False)
        # The head as of now: an erasure may have begun since the report was.
        return self.withheld.left_out(pair, episodes, self.log.head(pair))


def chain_state(
    head: Head,
    erasures: Sequence[Erasure],
    segments: Sequence[Segment],
    *,
    verdict: ChainVerdict | None,
    self_model: SelfModel | None,
) -> Chain:
    """The state of the log: as verified now, or as the latest night found it, or never verified."""
    erased = erased_in(segments)
    if verdict is not None:
        return Chain(
            verified=verdict.verified,
            when=CheckedWhen.NOW,
            night=None,
            length=head.length,
            checkpoints=verdict.checkpoints_checked,
            breaks=first_of(verdict.breaks, MAX_BREAKS),
            not_checked=tuple(map(_not_checked, verdict.not_checked)),
            erasures=len(erasures),
            erased=erased,
        )
    verified = None if self_model is None else self_model.chain_verified
    return Chain(
        verified=verified,
        when=CheckedWhen.NEVER if verified is None else CheckedWhen.NIGHT,
        night=None if verified is None or self_model is None else self_model.composed_on,
        length=head.length,
        checkpoints=None,
        breaks=None,
        not_checked=(NotChecked("since-night"),) if verified is not None else (NotChecked("everything"),),
        erasures=len(erasures),
        erased=erased,
    )


def _not_checked(text: str) -> NotChecked:
    """What verification said of what it could not check, by a code that can be said in other languages."""
    if text in {NO_CHECKPOINT, ERASING}:
        return NotChecked("no-checkpoint" if text == NO_CHECKPOINT else "erasing")
    if (since := _SINCE.fullmatch(text)) is not None:
        return NotChecked("since-checkpoint", int(since[1]), int(since[2]))
    return NotChecked(None, text=text)
