"""What teachings and passed checks make of the student's own layer over the map (TE-1, TE-2, CM-6, CM-9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anamnesis.domain.concepts import StudentLayer, SubjectMap, TaughtNote
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.log.episodes import Content, Episode, Kind
from anamnesis.domain.messages.statements import taught_by

#: Longest taught note, in characters.
MAX_NOTE_CHARS = 300


def names_of(subject_map: SubjectMap, layer: StudentLayer) -> dict[str, str]:
    """Display name by canonical key, of the map's and the student's own concepts."""
    return {**dict(layer.own_concepts), **{concept.key: concept.name for concept in subject_map.concepts}}


def project_layer(layer: StudentLayer, episodes: Sequence[Episode], subject_map: SubjectMap) -> StudentLayer:
    """`layer` after `episodes`: teachings attach to the concept they name or make one, passed checks confirm.

    An episode that was projected before is not applied twice.
    """
    index: NameIndex | None = None
    for episode in episodes:
        if episode.kind is Kind.TAUGHT and episode.content is not None:
            index = index or NameIndex(subject_map, layer)
            known, layer = layer, _taught(layer, episode, episode.content, index, subject_map)
            if layer.own_concepts.keys() != known.own_concepts.keys():
                index = None  # it is about the names from before
        elif episode.outcome is not None and episode.outcome.correct and episode.outcome.concept is not None:
            layer = replace(layer, confirmed=layer.confirmed | {episode.outcome.concept})
    return layer


def _taught(
    layer: StudentLayer, episode: Episode, content: Content, index: NameIndex, subject_map: SubjectMap
) -> StudentLayer:
    teaching = taught_by(content.text, language=episode.language)
    note = (teaching.statement if teaching else content.text)[:MAX_NOTE_CHARS].strip()
    named = index.first_named_in(note, episode.language)
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
