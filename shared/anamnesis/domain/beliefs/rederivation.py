"""Beliefs as today's rules make them from the recorded checks, and what that changes about the rows there are (BE-4).

A check appended strengthens or supersedes one row (``revision``). Here all of a student's checks are known at once: for
each concept one row comes out, and it either says what the current row says, or takes its place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from anamnesis.domain.beliefs import Belief, ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.beliefs.revision import CheckResult, judged, mastery_behind
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import canonical_hash

#: What a row points to when nothing took its place: no check is tied to its concept any more. No row has this id.
RETIRED: Final = "retired"

#: Hex digits of the hash in the id of a row that was derived anew; 128 bits. Ours.
_ID_DIGITS: Final = 32


@dataclass(frozen=True, slots=True)
class Erased:
    """What must not stay in any row (EP-8).

    Attributes
    ----------
    episodes
        Ids of the erased episodes.
    names
        Name by concept key of every concept that an erased teaching had named.
    """

    episodes: Collection[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)


#: The usual case.
NOTHING: Final = Erased()


@dataclass(frozen=True, slots=True)
class Rederivation:
    """What to store so that the beliefs are those of a replay.

    Attributes
    ----------
    inserted, changed
        New rows, and rows that are to point to another one or to lose a name.
    removed
        Ids of the rows to delete, current ones first.
    retired, unchanged
        How many current rows others took the place of, and how many say already what the replay says.
    """

    inserted: tuple[Belief, ...]
    changed: tuple[Belief, ...]
    removed: tuple[str, ...]
    retired: int
    unchanged: int

    @property
    def made(self) -> int:
        """How many rows are new."""
        return len(self.inserted)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to store."""
        return not (self.inserted or self.changed or self.removed)


@dataclass(frozen=True, slots=True)
class _Run:
    """The checks since a claim was last made, the first of which is `first`."""

    first: CheckResult
    claim: Claim
    history: list[ConfidenceChange]

    def belief(self, pair: Pair) -> Belief:
        return Belief(
            id="",
            pair=pair,
            concept=self.first.concept,
            concept_name=self.first.concept_name,
            claim=self.claim,
            confidence=self.history[-1].confidence,
            needs_confirmation=False,
            evidence=tuple(entry.episode_id for entry in self.history if entry.episode_id is not None),
            created_at=self.first.occurred_at,
            history=tuple(self.history),
        )


def replay(pair: Pair, checks: Iterable[CheckResult]) -> dict[str, Belief]:
    """What `checks`, in the order of the log, leave to be believed: one row without an id for each concept.

    A row begins at the latest change of its claim: its evidence and history are those of the checks from there on.
    """
    runs: dict[str, _Run] = {}
    for check in checks:
        run = runs.get(check.concept)
        before = None
        if run is not None:
            last = run.history[-1]
            before = mastery_behind(run.claim, last.confidence, last.at)
        claim, entry = judged(before, check)
        if run is None or run.claim is not claim:
            run = runs[check.concept] = _Run(check, claim, [])
        run.history.append(entry)
    return {concept: run.belief(pair) for concept, run in runs.items()}


def agree(one: Belief, other: Belief) -> bool:
    """Whether two rows are alike in all that checks decide: claim, evidence, confidence after the last check.

    Decay is none of that: a row that only time has weakened says the same.
    """
    return (one.claim, one.evidence, _checked_confidence(one)) == (
        other.claim,
        other.evidence,
        _checked_confidence(other),
    )


def rederive(
    rows: Sequence[Belief],
    replayed: Mapping[str, Belief],
    *,
    names: Mapping[str, str],
    erased: Erased = NOTHING,
) -> Rederivation:
    """Compare the rows there are with a replay.

    Afterwards each concept of the replay has exactly one current row, and no other concept has any. A concept that
    neither is known now nor has a row that stays counts as no concept: a check may carry a name that only an erased
    teaching had given.

    Parameters
    ----------
    rows
        All rows of the pair, superseded ones included.
    replayed
        From ``replay``.
    names
        Name by key of every concept that is known now.
    erased
        Rows that rest on an erased episode, or are about a concept that only an erased teaching named, go for good. The
        law asks for that; it is the one exception to BE-2. Rows that had pointed to them point to what took their
        place in the end.

    Notes
    -----
    A new row's id follows from what it says: made again after a crash, or by two at once, it is the same row. When a
    claim comes back that an older row made, the new row has the next id: an old row stays as it was.
    """
    by_id = {row.id: row for row in rows}
    removed = {row.id for row in rows if _must_go(row, erased, names)}
    kept = [row for row in rows if row.id not in removed]
    in_force, inserted = _in_force(kept, replayed, names, taken=by_id)
    changed: list[Belief] = []
    retired = 0
    for row in kept:
        successor = in_force.get(row.concept, RETIRED)
        if row.superseded_by is not None:
            standing = _standing(row.superseded_by, by_id, removed)
            if standing is not None and standing != row.id:
                successor = standing
        after = replace(
            row,
            superseded_by=None if successor == row.id else successor,
            concept_name=_name_left(row, erased, names),
        )
        retired += row.superseded_by is None and after.superseded_by is not None
        if after != row:
            changed.append(after)
    return Rederivation(
        inserted=tuple(inserted),
        changed=tuple(changed),
        removed=tuple(sorted(removed, key=lambda row_id: (by_id[row_id].superseded_by is not None, row_id))),
        retired=retired,
        unchanged=len(in_force) - len(inserted),
    )


def _in_force(
    kept: Sequence[Belief],
    replayed: Mapping[str, Belief],
    names: Mapping[str, str],
    *,
    taken: Collection[str],
) -> tuple[dict[str, str], list[Belief]]:
    """For each concept of the replay the id of the row that is current from now on, and those of them that are new.

    Parameters
    ----------
    kept
        The rows that stay; a current one that says what the replay says stays current.
    taken
        Ids that no new row may have.
    """
    about = {row.concept for row in kept}
    current: dict[str, list[Belief]] = {}
    for row in kept:
        if row.superseded_by is None:
            current.setdefault(row.concept, []).append(row)
    in_force: dict[str, str] = {}
    inserted: list[Belief] = []
    for concept, wanted in sorted(replayed.items()):
        if concept not in names and concept not in about:
            continue
        same = next((row for row in current.get(concept, ()) if agree(row, wanted)), None)
        if same is None:
            inserted.append(replace(wanted, id=_fresh_id(wanted, taken)))
        in_force[concept] = inserted[-1].id if same is None else same.id
    return in_force, inserted


def _must_go(row: Belief, erased: Erased, names: Mapping[str, str]) -> bool:
    behind = {*row.evidence, *(entry.episode_id for entry in row.history)}
    return not behind.isdisjoint(erased.episodes) or (
        row.concept in erased.names and row.concept not in names
    )


def _name_left(row: Belief, erased: Erased, names: Mapping[str, str]) -> str:
    """The row's name for its concept, unless only the erased teaching called it so."""
    if row.concept_name == erased.names.get(row.concept):
        return names.get(row.concept, row.concept_name)
    return row.concept_name


def _standing(row_id: str | None, by_id: Mapping[str, Belief], removed: Collection[str]) -> str | None:
    """The first row from `row_id` on, along the pointers, that stays; None when the chain breaks off before."""
    for _ in range(len(by_id) + 1):
        if row_id == RETIRED or row_id is None or row_id not in by_id:
            return row_id if row_id == RETIRED else None
        if row_id not in removed:
            return row_id
        row_id = by_id[row_id].superseded_by
    return None


def _checked_confidence(row: Belief) -> float:
    checks = (e.confidence for e in reversed(row.history) if e.reason is ChangeReason.CHECK)
    return next(checks, row.confidence)


def _fresh_id(row: Belief, taken: Collection[str]) -> str:
    number = 0
    while True:
        said = [row.concept, row.claim.value, list(row.evidence), row.confidence, number]
        row_id = f"belief-{canonical_hash(said)[:_ID_DIGITS]}"
        if row_id not in taken:
            return row_id
        number += 1
