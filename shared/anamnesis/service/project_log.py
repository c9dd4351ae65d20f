"""Turn what the log says into beliefs and the student's own layer, each up to a stored position.

A projection, not a side effect of appending: whatever crashed in between, the next call catches up from the position
stored with the result, and a second call with nothing new changes nothing (BE-2, CM-9, SV-14).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.beliefs.revision import revise, tied_result
from anamnesis.domain.errors import AnamnesisError, RevisionMoved
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.log.progress import Progress
from anamnesis.ports import Backoff, BeliefStore, ConceptStore, EpisodeLog
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_layer import names_of, project_layer
from anamnesis.service.rederive_beliefs import RederiveBeliefs
from anamnesis.service.withheld import Withheld

#: Episodes projected between two saves: bounds memory, and the work lost to a crash. Each check changes at most two
#: belief rows and their pointers, which keeps a save under the 100 items of a transaction.
CHUNK = 20
#: Tries against other projectors of the same pair; each success of theirs is progress of ours.
MAX_TRIES = 8

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProjectLog:
    """The use case; call it with a pair."""

    log: EpisodeLog
    beliefs: BeliefStore
    concepts: ConceptStore
    maps: MapCache
    backoff: Backoff
    withheld: Withheld

    def quietly(self, pair: Pair, *, up_to: Progress | None = None) -> bool:
        """Project, and leave the rest to the next call when a store fails: the log already holds the truth.

        Parameters
        ----------
        up_to
            As for a call.

        Returns
        -------
        bool
            Whether the projections are up to date now.
        """
        try:
            self(pair, up_to=up_to)
        except AnamnesisError as error:
            logger.warning("projection_behind", extra={"error": type(error).__name__})
            return False
        return True

    def __call__(self, pair: Pair, *, up_to: Progress | None = None) -> None:
        """Bring beliefs and layer up to the end of the log.

        Where something was erased since they were projected, both are made from the log anew (``RederiveBeliefs``
        says what becomes of the rows), which reads all of it.

        Parameters
        ----------
        up_to
            What is enough. Where many write at once, the last of them projects for all: a call that finds more in the
            log than this leaves it to the writer of that, unless projections are more than ``CHUNK`` behind.

        Raises
        ------
        RevisionMoved
            If other projectors kept getting in between.
        """
        for attempt in range(1, MAX_TRIES + 1):
            try:
                while self._step(pair, up_to):
                    pass
                return
            except RevisionMoved:
                if attempt == MAX_TRIES:
                    raise
                self.backoff.pause(attempt)

    def _step(self, pair: Pair, up_to: Progress | None) -> bool:
        """Project one chunk, or everything anew after an erasure; return whether there may be more."""
        believed = self.beliefs.projected_to(pair)
        layered = self.concepts.layer_position(pair)
        if up_to is not None and believed.covers(up_to) and layered.covers(up_to):
            return False
        # Rows beyond the head are no part of the log: following one would skip all that is appended before it.
        head = self.log.head(pair)
        if min(believed.erasures, layered.erasures) < head.erasures:
            anew = RederiveBeliefs(
                self.log, self.beliefs, self.concepts, self.maps, self.backoff, self.withheld
            )
            anew.once(pair, tie_anew=False)
            return True
        after = min(believed.position, layered.position)
        if after >= head.length:
            return False
        if up_to is not None and head.length > up_to.position and head.length - after <= CHUNK:
            return False
        scanned = islice(self.log.scan(pair, after=after, limit=CHUNK), CHUNK)
        chunk = [e for e in scanned if e.position <= head.length]
        if not chunk:
            return False
        subject_map = self.maps.load(pair.scope)
        layer = self.concepts.layer(pair)
        last = chunk[-1].position
        new_layer = project_layer(layer, [e for e in chunk if e.position > layered.position], subject_map)
        if last > layered.position:
            to = replace(layered, position=last)
            self.concepts.save_layer(pair, new_layer, projected_to=to, expected=layered)
        checks = [e for e in chunk if e.position > believed.position and e.outcome is not None]
        if last > believed.position:
            current = {b.concept: b for b in self.beliefs.current(pair)} if checks else {}
            inserted, changed = project_beliefs(pair, current, checks, names_of(subject_map, new_layer))
            to = replace(believed, position=last)
            self.beliefs.save(pair, inserted=inserted, changed=changed, projected_to=to, expected=believed)
        return len(chunk) == CHUNK


def project_beliefs(
    pair: Pair, current: dict[str, Belief], checks: Sequence[Episode], names: dict[str, str]
) -> tuple[list[Belief], list[Belief]]:
    """Rows to insert and rows to change after `checks`, in order.

    A row inserted and superseded within the same batch is inserted with its pointer already set.
    """
    inserted: dict[str, Belief] = {}
    changed: dict[str, Belief] = {}
    for episode in checks:
        check = tied_result(episode, episode.tied_to, names)
        if check is None:
            continue
        # The id follows from the check, so that projecting again after a crash makes the same row.
        revision = revise(current.get(check.concept), check, new_id=f"belief-{episode.id}", pair=pair)
        if revision.changed is not None:
            (inserted if revision.changed.id in inserted else changed)[revision.changed.id] = revision.changed
            current[check.concept] = revision.changed
        if revision.inserted is not None:
            inserted[revision.inserted.id] = revision.inserted
            current[check.concept] = revision.inserted
    return list(inserted.values()), list(changed.values())
