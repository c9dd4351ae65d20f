"""One pair's nightly cycle (NI-1): deterministic, without a model's opinion, the same however often it runs (NI-2)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from anamnesis.domain.beliefs.decay import decayed
from anamnesis.domain.errors import Busy, InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import checkpoint_of, roots_at
from anamnesis.domain.log.episodes import YEARS, Episode, Head, Kind
from anamnesis.domain.night.calibration import calibrate
from anamnesis.domain.night.consolidation import consolidate, days_to_sum_up_again, told_of
from anamnesis.domain.night.records import NightReport, SelfModel
from anamnesis.domain.night.self_model import compose
from anamnesis.domain.night.verification import choose_batch, verify_citations
from anamnesis.ports import BeliefStore, CheckpointStore, Clock, ConceptStore, EpisodeLog, RecordStore, Signer
from anamnesis.service.append_episodes import AppendEpisodes, Draft
from anamnesis.service.deadline import Deadline
from anamnesis.service.erase_memory import EraseMemory
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_layer import names_of
from anamnesis.service.project_log import ProjectLog
from anamnesis.service.refresh_working_set import RefreshWorkingSet
from anamnesis.service.verify_chain import LoadedLog, VerifyChain
from anamnesis.service.withheld import Withheld

#: How far ahead a service may run a night, to see what decay will do: a trial, not a typing error.
FURTHEST_AHEAD = timedelta(days=731)
#: Episodes of a day read at a time.
_PAGE = 500


#: Times that a day is summed up anew because something was erased while it was read.
TRIES = 5


class _ErasedMeanwhile(Exception):
    """What was read of the day may hold what is erased by now."""


@dataclass(frozen=True, slots=True)
class RunNight:
    """The use case; call it with a pair and the UTC day that ended."""

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

    def __call__(self, pair: Pair, night: date, deadline: Deadline | None = None) -> NightReport:
        """Consolidate, decay, verify, calibrate, rebuild the working set, checkpoint, compose the self-model.

        Where there is nothing, nothing is written.

        Parameters
        ----------
        deadline
            From which on no further step begins; by default none does.

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
        consolidation_id = self._consolidate(pair, night)
        decayed_count = self._decay(pair, night)
        # What takes longest, since it makes vectors that are missing, and what it made stays.
        segment = self.refresh(pair, deadline=deadline)
        loaded = self.verify.load(pair)
        if again := days_to_sum_up_again(loaded.episodes):
            for day in again:
                deadline.check()
                self._consolidate(pair, day)
            loaded = self.verify.load(pair)
            segment = self.refresh(pair, deadline=deadline)
        deadline.check()
        episodes = self.withheld.left_out(pair, loaded.episodes, self.log.head(pair))
        checked = self._verify_citations(pair, episodes, night)
        checkpoint_length, verified = self._checkpoint(pair, loaded)
        self_model = self._self_model(pair, episodes, night, verified=verified)
        if self_model.episodes:
            self.records.save_self_model(pair, self_model)
        return NightReport(
            night=night,
            consolidation_id=consolidation_id,
            beliefs_decayed=decayed_count,
            citations_checked=checked,
            working_set_position=segment.last_position,
            checkpoint_length=checkpoint_length,
            self_model=self_model,
        )

    def _consolidate(self, pair: Pair, night: date) -> str | None:
        first = key = f"night:{night.isoformat()}:consolidation"
        gone: Episode | None = None
        while (receipt := self.log.receipt(pair, key)) is not None:
            # Written by an earlier run; episodes that came in late since do not rewrite a day's record.
            [*written] = self.log.read(pair, [receipt.first_position], with_text=False)
            # A receipt or row that somebody changed is the chain's to name; the rest of the night goes on.
            if not receipt.vouches_for(written) or (gone and written[0].position <= gone.position):
                return None
            gone = written[0]
            if gone.content is not None:
                return gone.id
            # Erased: when it went with an episode of its day, what remains is summed up anew, once.
            key = f"{first}:after {gone.position}"
        if gone is not None and night not in days_to_sum_up_again(self._day(pair, night)):
            return gone.id
        for _ in range(TRIES):
            with suppress(_ErasedMeanwhile):
                return self._sum_up(pair, night, key)
        raise Busy("this log keeps being erased from")

    def _sum_up(self, pair: Pair, night: date, key: str) -> str | None:
        seen = self.log.head(pair)

        def recheck(head: Head) -> None:
            if head.erasures != seen.erasures:
                raise _ErasedMeanwhile

        names = names_of(self.maps.load(pair.scope), self.concepts.layer(pair))
        day = self.withheld.left_out(pair, list(self._day(pair, night)), seen)
        consolidation = consolidate(day, day=night, names=names)
        if consolidation is None:
            return None
        draft = Draft(
            Kind.CONSOLIDATION,
            # With the day's last event, so that it lies in the same local day as that in every time zone.
            max(episode.occurred_at for episode in told_of(day)),
            consolidation.text,
            summary=consolidation.summary,
            language=consolidation.language,
        )
        return self.append(pair, key, [draft], recheck=recheck)[0].id

    def _day(self, pair: Pair, night: date) -> Iterator[Episode]:
        start = datetime.combine(night, time.min, tzinfo=UTC)
        cursor: str | None = None
        while True:
            page, cursor = self.log.between(
                pair,
                start=start,
                end=start + timedelta(days=1),
                kind=None,
                cursor=cursor,
                limit=_PAGE,
                with_text=False,
            )
            yield from page
            if cursor is None:
                return

    def _decay(self, pair: Pair, night: date) -> int:
        projected_to = self.beliefs.projected_to(pair)
        changed = [d for b in self.beliefs.current(pair) if (d := decayed(b, night)) is not None]
        if changed:
            self.beliefs.save(
                pair, inserted=[], changed=changed, projected_to=projected_to, expected=projected_to
            )
        return len(changed)

    def _verify_citations(self, pair: Pair, episodes: list[Episode], night: date) -> int:
        subject_map = self.maps.load(pair.scope)
        by_position = {e.position: e for e in episodes if e.kind is Kind.ANSWER}
        citing = [position for position, episode in by_position.items() if episode.evidence]
        batch = choose_batch(citing, self.records.citation_checks(pair), on=night)
        checks = [verify_citations(by_position[p], subject_map.files, on=night) for p in batch]
        self.records.save_citation_checks(pair, checks)
        return len(checks)

    def _checkpoint(self, pair: Pair, loaded: LoadedLog) -> tuple[int | None, bool]:
        """Sign the root if the chain verifies: a broken chain must not be vouched for."""
        verdict = self.verify(pair, loaded, newest_only=True)
        if not verdict.verified or loaded.head.length == 0:
            return None, verdict.verified
        length = loaded.head.length
        root = roots_at(verdict.report.hashes, [length])[length]
        self.checkpoints.add(pair, checkpoint_of(pair, length, root, self.signer))
        return length, True

    def _self_model(self, pair: Pair, episodes: list[Episode], night: date, *, verified: bool) -> SelfModel:
        outcomes = [e.outcome for e in episodes if e.outcome is not None]
        return compose(
            episodes=episodes,
            beliefs=self.beliefs.current(pair),
            citation_checks=self.records.citation_checks(pair),
            calibration=calibrate([(o.predicted, o.correct) for o in outcomes if o.predicted is not None]),
            chain_verified=verified,
            on=night,
        )
