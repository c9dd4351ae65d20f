"""Beliefs with what changed and why: the chains of supersession, with the episodes behind each change (BE-2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from anamnesis.domain.beliefs import Belief, ChangeReason, Claim
from anamnesis.domain.report.cuts import first_of, last_of
from anamnesis.domain.report.values import BeliefsNow, Cut, Stage, ToldBelief, ToldEpisode

#: Beliefs told in a report, stages of each and episodes behind each stage. Ours: what a teacher reads in a quarter of
#: an hour; all of it is at ``GET …/beliefs?history=true``. Together they bound the episodes that are fetched.
MAX_STANDINGS: Final = 60
MAX_STAGES: Final = 4
MAX_EVIDENCE: Final = 3
#: Steps of a row's confidence that are told, the latest ones.
MAX_STEPS: Final = 12
#: Current struggles told as open misconceptions.
MAX_MISCONCEPTIONS: Final = 20


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which beliefs a report tells of, before the episodes behind them are known.

    Attributes
    ----------
    chains
        The rows that led to each told belief, oldest first; it is the last of them.
    struggles
        Current struggles, those that began last first; cut to what is told.
    """

    rows: tuple[Belief, ...]
    current: tuple[Belief, ...]
    chains: tuple[tuple[Belief, ...], ...]
    struggles: tuple[Belief, ...]

    def evidence_ids(self) -> list[str]:
        """Ids of the episodes that the report will tell of, without repeats."""
        wanted: dict[str, None] = {}
        for chain in self.chains:
            for row in chain[-MAX_STAGES:]:
                wanted.update(dict.fromkeys(row.evidence[-MAX_EVIDENCE:]))
                if (cause := cause_of(row)) is not None:
                    wanted[cause] = None
        return list(wanted)

    def tied_ids(self) -> set[str]:
        """Ids of every check that is behind something believed now, or behind what led there."""
        kept = {row.id for chain in self._all_chains() for row in chain}
        return {found for row in self.rows if row.id in kept for found in row.evidence}

    def _all_chains(self) -> list[tuple[Belief, ...]]:
        return chains_of(self.rows, self.current)


def choose(rows: Sequence[Belief]) -> Chosen:
    """Choose what a report tells of: of more beliefs than it has room for the latest checked.

    Parameters
    ----------
    rows
        Every row of the pair, superseded ones included.
    """
    current = [row for row in rows if row.superseded_by is None]
    struggles = sorted(
        (row for row in current if row.claim is Claim.STRUGGLES_WITH),
        key=lambda row: (row.created_at, row.concept),
        reverse=True,
    )[:MAX_MISCONCEPTIONS]
    latest = sorted(current, key=lambda row: (last_check(row) or row.created_at, row.concept), reverse=True)
    # An open misconception is always told.
    told = list({row.id: row for row in (*struggles, *latest)}.values())[:MAX_STANDINGS]
    told.sort(key=lambda row: (row.claim is Claim.UNDERSTANDS, -row.confidence, row.concept))
    return Chosen(tuple(rows), tuple(current), tuple(chains_of(rows, told)), tuple(struggles))


def chains_of(rows: Iterable[Belief], ends: Iterable[Belief]) -> list[tuple[Belief, ...]]:
    """The rows that led to each of `ends`, oldest first, however often one was superseded, and by whatever circle."""
    before: dict[str, list[Belief]] = defaultdict(list)
    for row in rows:
        if row.superseded_by is not None:
            before[row.superseded_by].append(row)
    return [_chain(end, before) for end in ends]


def _chain(end: Belief, before: Mapping[str, Sequence[Belief]]) -> tuple[Belief, ...]:
    found, waiting = {end.id: end}, [end]
    while waiting:
        for row in before.get(waiting.pop().id, ()):
            if row.id not in found:
                found[row.id] = row
                waiting.append(row)
    earlier = sorted((r for r in found.values() if r is not end), key=lambda r: (r.created_at, r.id))
    return (*earlier, end)


def beliefs_now(chosen: Chosen, evidence: Callable[[str], ToldEpisode]) -> tuple[BeliefsNow, Cut[ToldBelief]]:
    """The beliefs of a report and, of the same, the open misconceptions.

    Parameters
    ----------
    evidence
        The episode of an id, as far as it is known.
    """
    standings = [_standing(chain, evidence) for chain in chosen.chains]
    by_id = {standing.belief_id: standing for standing in standings}
    current = chosen.current
    struggling = sum(row.claim is Claim.STRUGGLES_WITH for row in current)
    claims = {row.id: row.claim for row in chosen.rows}
    # What led to a struggle is told with the beliefs.
    told = tuple(_without_past(by_id[row.id]) for row in chosen.struggles if row.id in by_id)
    return (
        BeliefsNow(
            standings=Cut(tuple(standings), len(current) - len(standings)),
            understood=len(current) - struggling,
            struggling=struggling,
            to_confirm=sum(row.needs_confirmation for row in current),
            changes_of_mind=sum(
                claims.get(row.superseded_by or "", row.claim) is not row.claim for row in chosen.rows
            ),
        ),
        Cut(told, struggling - len(told)),
    )


def _without_past(standing: ToldBelief) -> ToldBelief:
    return replace(standing, stages=last_of(standing.stages.shown, 1, standing.stages.total))


def _standing(chain: Sequence[Belief], evidence: Callable[[str], ToldEpisode]) -> ToldBelief:
    now = chain[-1]
    return ToldBelief(
        belief_id=now.id,
        concept=now.concept,
        name=now.concept_name,
        claim=now.claim,
        confidence=now.confidence,
        needs_confirmation=now.needs_confirmation,
        since=now.created_at,
        last_check=last_check(now),
        stages=last_of([_stage(row, evidence) for row in chain[-MAX_STAGES:]], MAX_STAGES, len(chain)),
    )


def _stage(row: Belief, evidence: Callable[[str], ToldEpisode]) -> Stage:
    cause = cause_of(row)
    newest = [evidence(found) for found in reversed(row.evidence[-MAX_EVIDENCE:])]
    return Stage(
        claim=row.claim,
        since=row.created_at,
        confidence=row.confidence,
        steps=row.history[-MAX_STEPS:],
        because=None if cause is None else evidence(cause),
        evidence=first_of(newest, MAX_EVIDENCE, len(row.evidence)),
        decays=sum(entry.reason is ChangeReason.DECAY for entry in row.history),
    )


def cause_of(row: Belief) -> str | None:
    """Id of the check that made a row; the first of its evidence where its history does not say."""
    for entry in row.history:
        if entry.reason is ChangeReason.CHECK and entry.episode_id is not None:
            return entry.episode_id
    return row.evidence[0] if row.evidence else None


def last_check(row: Belief) -> datetime | None:
    """When the last check behind a row came in."""
    return next((e.at for e in reversed(row.history) if e.reason is ChangeReason.CHECK), None)
