"""One pair's nightly cycle (NI-1): deterministic, without a model's opinion, the same however often it runs (NI-2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from anamnesis.domain.beliefs.decay import decayed
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import checkpoint_of, roots_at
from anamnesis.domain.log.episodes import YEARS, Episode, Kind
from anamnesis.domain.night.calibration import calibrate
from anamnesis.domain.night.consolidation import days_missed, days_to_sum_up_again
from anamnesis.domain.night.records import CitationCheck, Decay, NightChanges, NightReport, SelfModel
from anamnesis.domain.night.self_model import compose
from anamnesis.domain.night.verification import choose_batch, turned_since, verify_citations
from anamnesis.ports import (
    BeliefStore,
    CheckpointStore,
    Clock,
    ConceptStore,
    EpisodeLog,
    RecordStore,
    Signer,
    WikiQueue,
)
from anamnesis.service.append_episodes import AppendEpisodes
from anamnesis.service.deadline import Deadline
from anamnesis.service.erase_memory import EraseMemory
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_log import ProjectLog
from anamnesis.service.refresh_working_set import RefreshWorkingSet
from anamnesis.service.sum_up_days import DaySummary, SumUpDays
from anamnesis.service.verify_chain import ChainVerdict, LoadedLog, VerifyChain
from anamnesis.service.withheld import Withheld

#: How far ahead a service may run a night, to see what decay will do: a trial, not a typing error.
FURTHEST_AHEAD = timedelta(days=731)
#: Days that one night sums up for a pair at most, the latest, each some 0.4 s of a processor: of an imported history
#: the nights after it do the rest. Ours.
MOST_DAYS = 14


@dataclass(frozen=True, slots=True)
class _Days:
    """What summing up the days came to, and the log as it was read after it."""

    loaded: LoadedLog
    consolidation_id: str | None
    written: tuple[date, ...]
    left: int


@dataclass(frozen=True, slots=True)
class RunNight:
    """The use case; call it with a pair and the day that ended.

    What happened belongs to the day that the student's own clock showed (``Episode.day``). Run by hand, a night sums up
    the one day that it names, whether or not that is over where the student is. Run by the schedule, it sums up every
    day that was over by the end of the UTC day that it names and that no night has summed up: the student's yesterday,
    and what missed nights have left.
    """

    log: EpisodeLog
    beliefs: BeliefStore
    concepts: ConceptStore
    records: RecordStore
    maps: MapCache
    append: AppendEpisodes
    project: ProjectLog
    verify: VerifyChain
    refresh: RefreshWorkingSet
    erase: EraseMemory
    checkpoints: CheckpointStore
    signer: Signer
    clock: Clock
    withheld: Withheld
    wikis: WikiQueue

    def __call__(
        self, pair: Pair, night: date, deadline: Deadline | None = None, *, scheduled: bool = False
    ) -> NightReport:
        """Consolidate, decay, rebuild the working set, verify, calibrate, checkpoint, compose the self-model.

        Where there is nothing, nothing is written.

        Parameters
        ----------
        deadline
            From which on no further step begins; by default none does.
        scheduled
            Whether the schedule runs it, and not somebody by hand.

        Raises
        ------
        InvalidInput
            If the day lies outside all plausible time, or so far ahead that what it decays and composes would stand
            in the way of every real night.
        Unfinished
            If the time was too short: the same call again goes on where this one stopped.
        """
        deadline = deadline or Deadline.never()
        if night.year not in YEARS or night > self.clock.now().date() + FURTHEST_AHEAD:
            raise InvalidInput("lies outside all plausible time", field="date")
        # First what somebody asked to forget, so that nothing below is made from it.
        if not self.erase.resume(pair, deadline):
            deadline.check()
        self.project(pair)
        deadline.check()
        days = self._consolidate(pair, night, deadline, scheduled=scheduled)
        decays = self._decay(pair, night)
        # What takes longest, since it makes vectors that are missing; what it made stays.
        refreshed = self.refresh.run(pair, deadline=deadline)
        deadline.check()
        loaded = days.loaded
        episodes = self.withheld.left_out(pair, loaded.episodes, self.log.head(pair))
        checks, turned = self._verify_citations(pair, episodes, night)
        verdict = self.verify(pair, loaded, newest_only=True)
        length = self._checkpoint(pair, loaded, verdict)
        before = self.records.self_model(pair)
        model = self._self_model(pair, episodes, night, verified=verdict.verified)
        if model.episodes:
            self.records.save_self_model(pair, model)
        if loaded.head.length:
            # Last, so that the wiki is made of what this night left.
            self.wikis.send(pair.student_scope)
        return NightReport(
            night=night,
            consolidation_id=days.consolidation_id,
            working_set_position=refreshed.segment.last_position,
            checkpoint_length=length,
            self_model=model,
            changes=NightChanges(
                consolidated=days.written,
                days_left=days.left,
                decayed=decays,
                citations_checked=len(checks),
                citations_turned=turned,
                predictions_added=_predictions(model) - _predictions(before),
                indexed=refreshed.indexed,
                vectors_made=refreshed.vectors_made,
                checkpointed=length is not None and verdict.covered < length,
                statements_new=_not_said(model.statements, before),
                statements_gone=() if before is None else _not_said(before.statements, model),
            ),
        )

    def _consolidate(self, pair: Pair, night: date, deadline: Deadline, *, scheduled: bool) -> _Days:
        """Sum up the days that are due; what exceeds one night's share brings the pair back to the roster."""
        own = None if scheduled else self._sum_up(pair, night)
        loaded = self.verify.load(pair)
        again = days_to_sum_up_again(loaded.episodes)
        missed = days_missed(loaded.episodes, by=night) if scheduled else []
        written = [night] if own is not None and own.new else []
        for day in [*again, *missed[-MOST_DAYS:]]:
            deadline.check()
            if (summary := self._sum_up(pair, day)) is not None and summary.new:
                written.append(day)
        if len(missed) > MOST_DAYS:
            self.erase.roster.revisit(pair, self.clock.now())
        if again or missed:
            loaded = self.verify.load(pair)
        return _Days(
            loaded=loaded,
            consolidation_id=_summary_in(loaded, night) if scheduled else _id_of(own),
            written=tuple(sorted(written)),
            left=max(0, len(missed) - MOST_DAYS),
        )

    @property
    def _sum_up(self) -> SumUpDays:
        return SumUpDays(self.log, self.concepts, self.maps, self.append, self.withheld)

    def _decay(self, pair: Pair, night: date) -> tuple[Decay, ...]:
        projected_to = self.beliefs.projected_to(pair)
        faded = [(b, d) for b in self.beliefs.current(pair) if (d := decayed(b, night)) is not None]
        if faded:
            changed = [after for _, after in faded]
            self.beliefs.save(
                pair, inserted=[], changed=changed, projected_to=projected_to, expected=projected_to
            )
        return tuple(Decay(b.concept_name, b.confidence, after.confidence) for b, after in faded)

    def _verify_citations(
        self, pair: Pair, episodes: Sequence[Episode], night: date
    ) -> tuple[list[CitationCheck], tuple[CitationCheck, ...]]:
        """Look citations up; return what is kept of it, and what is found otherwise than last time."""
        files = self.maps.load(pair.scope).files
        # Looking up costs nothing: what is bounded is what is written.
        citing = (e for e in episodes if e.kind is Kind.ANSWER and e.evidence)
        found = {e.position: verify_citations(e, files, on=night) for e in citing}
        previous = self.records.citation_checks(pair)
        turned = turned_since(previous, found.values())
        batch = [found[position] for position in choose_batch(found, previous, turned=turned, on=night)]
        self.records.save_citation_checks(pair, batch)
        return batch, tuple(check for check in batch if check.position in turned)

    def _checkpoint(self, pair: Pair, loaded: LoadedLog, verdict: ChainVerdict) -> int | None:
        """Sign the root if the chain verifies: a broken chain must not be vouched for."""
        length = loaded.head.length
        if not verdict.verified or length == 0:
            return None
        root = roots_at(verdict.report.hashes, [length])[length]
        self.checkpoints.add(pair, checkpoint_of(pair, length, root, self.signer))
        return length

    def _self_model(
        self, pair: Pair, episodes: Sequence[Episode], night: date, *, verified: bool
    ) -> SelfModel:
        outcomes = [e.outcome for e in episodes if e.outcome is not None]
        return compose(
            episodes=episodes,
            beliefs=self.beliefs.current(pair),
            citation_checks=self.records.citation_checks(pair),
            calibration=calibrate([(o.predicted, o.correct) for o in outcomes if o.predicted is not None]),
            chain_verified=verified,
            on=night,
        )


def _id_of(summary: DaySummary | None) -> str | None:
    return None if summary is None else summary.episode_id


def _summary_in(loaded: LoadedLog, day: date) -> str | None:
    """The day's consolidation in the log."""
    summaries = (e for e in loaded.episodes if e.kind is Kind.CONSOLIDATION and e.day == day and e.content)
    return next((e.id for e in summaries), None)


def _predictions(model: SelfModel | None) -> int:
    return 0 if model is None else model.calibration.predictions


def _not_said(statements: Sequence[str], model: SelfModel | None) -> tuple[str, ...]:
    """Those that the model does not say."""
    return tuple(said for said in statements if model is None or said not in model.statements)
