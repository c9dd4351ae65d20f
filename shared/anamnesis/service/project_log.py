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
from anamnesis.domain.beliefs.revision import CheckResult, revise
from anamnesis.domain.concepts import StudentLayer, SubjectMap, TaughtNote
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.errors import AnamnesisError, RevisionMoved
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Content, Episode, Kind
from anamnesis.domain.messages.statements import taught_by
from anamnesis.ports import Backoff, BeliefStore, ConceptStore, EpisodeLog
from anamnesis.service.map_cache import MapCache

#: Episodes projected between two saves: bounds memory, and the work lost to a crash. Each check changes at most two
#: belief rows and their pointers, which keeps a save under the 100 items of a transaction.
CHUNK = 20
#: Tries against other projectors of the same pair; each success of theirs is progress of ours.
MAX_TRIES = 8
#: Longest taught note, in characters.
MAX_NOTE_CHARS = 300

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProjectLog:
    """The use case; call it with a pair."""

    log: EpisodeLog
    beliefs: BeliefStore
    concepts: ConceptStore
    maps: MapCache
    backoff: Backoff

    def quietly(self, pair: Pair, *, up_to: int | None = None) -> bool:
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

    def __call__(self, pair: Pair, *, up_to: int | None = None) -> None:
        """Bring beliefs and layer up to the end of the log.

        Parameters
        ----------
        up_to
            A position that is enough: where many write, each waits for its own episodes only, whoever projects them.

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

    def _step(self, pair: Pair, up_to: int | None) -> bool:
        """Project one chunk; return whether there may be more."""
        believed_to = self.beliefs.projected_to(pair)
        layered_to = self.concepts.layer_position(pair)
        after = min(believed_to, layered_to)
        if up_to is not None and after >= up_to:
            return False
        # Rows beyond the head are no part of the log: following one would skip all that is appended before it.
        length = self.log.head(pair).length
        if after >= length:
            return False
        chunk = [
            e for e in islice(self.log.scan(pair, after=after, limit=CHUNK), CHUNK) if e.position <= length
        ]
        if not chunk:
            return False
        subject_map = self.maps.load(pair.scope)
        layer = self.concepts.layer(pair)
        last = chunk[-1].position
        new_layer = project_layer(layer, [e for e in chunk if e.position > layered_to], subject_map)
        if last > layered_to:
            self.concepts.save_layer(pair, new_layer, projected_to=last, expected=layered_to)
        checks = [e for e in chunk if e.position > believed_to and e.outcome is not None]
        if last > believed_to:
            current = {b.concept: b for b in self.beliefs.current(pair)} if checks else {}
            inserted, changed = project_beliefs(pair, current, checks, names_of(subject_map, new_layer))
            self.beliefs.save(
                pair, inserted=inserted, changed=changed, projected_to=last, expected=believed_to
            )
        return len(chunk) == CHUNK


def names_of(subject_map: SubjectMap, layer: StudentLayer) -> dict[str, str]:
    """Display name by canonical key, of the map's and the student's own concepts."""
    return {**dict(layer.own_concepts), **{concept.key: concept.name for concept in subject_map.concepts}}


def project_layer(layer: StudentLayer, episodes: Sequence[Episode], subject_map: SubjectMap) -> StudentLayer:
    """`layer` after `episodes`: teachings attach to the concept they name or make one, passed checks confirm.

    An episode that was projected before is not applied twice.
    """
    for episode in episodes:
        if episode.kind is Kind.TAUGHT and episode.content is not None:
            layer = _taught(layer, episode, episode.content, subject_map)
        elif episode.outcome is not None and episode.outcome.correct and episode.outcome.concept is not None:
            layer = replace(layer, confirmed=layer.confirmed | {episode.outcome.concept})
    return layer


def _taught(layer: StudentLayer, episode: Episode, content: Content, subject_map: SubjectMap) -> StudentLayer:
    teaching = taught_by(content.text, language=episode.language)
    note = (teaching.statement if teaching else content.text)[:MAX_NOTE_CHARS].strip()
    named = NameIndex(subject_map, layer).first_named_in(note, episode.language)
    if named is None:
        name = teaching.short_name if teaching else content.summary
        named = canonical_key(name)
    else:
        name = names_of(subject_map, layer).get(named, named)
    # Named even where a file explains it: when that file goes, what the student taught stays (CM-8).
    own = {named: name, **dict(layer.own_concepts)}
    earlier = layer.taught.get(named, ())
    if any(known.episode_id == episode.id for known in earlier):
        return layer
    added = TaughtNote(note, episode.id, episode.position)
    return replace(layer, own_concepts=own, taught={**dict(layer.taught), named: (*earlier, added)})


def project_beliefs(
    pair: Pair, current: dict[str, Belief], checks: Sequence[Episode], names: dict[str, str]
) -> tuple[list[Belief], list[Belief]]:
    """Rows to insert and rows to change after `checks`, in order.

    A row inserted and superseded within the same batch is inserted with its pointer already set.
    """
    inserted: dict[str, Belief] = {}
    changed: dict[str, Belief] = {}
    for episode in checks:
        outcome = episode.outcome
        if outcome is None or outcome.concept is None:
            continue
        check = CheckResult(
            episode_id=episode.id,
            occurred_at=episode.occurred_at,
            concept=outcome.concept,
            concept_name=names.get(outcome.concept, outcome.concept),
            correct=outcome.correct,
            score=outcome.score,
        )
        # The id follows from the check, so that projecting again after a crash makes the same row.
        revision = revise(current.get(outcome.concept), check, new_id=f"belief-{episode.id}", pair=pair)
        if revision.changed is not None:
            (inserted if revision.changed.id in inserted else changed)[revision.changed.id] = revision.changed
            current[outcome.concept] = revision.changed
        if revision.inserted is not None:
            inserted[revision.inserted.id] = revision.inserted
            current[outcome.concept] = revision.inserted
    return list(inserted.values()), list(changed.values())
