"""The subject map in the words of the memory block (CM-10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import regex

from anamnesis.domain.concepts import Concept, StudentLayer, SubjectMap
from anamnesis.domain.concepts.readiness import subject_readiness, taught_notes, with_layer
from anamnesis.domain.concepts.subject_map import resolved_keys
from anamnesis.domain.messages.contradictions import standing
from anamnesis.domain.text.containment import contained, without_map_labels

#: Most concept lines made: more than any budget has room for. The heading says how many concepts there are.
MAX_LINES = 80
MAX_NOTES = 2
MAX_NOTE_CHARS = 200
MAX_LISTED_NAMES = 6
MAX_LISTED_CHARS = 160
#: Names and gists kept as they are shown, which a turn shows some 300 of: 8 ms to make them anew. About 2 MB.
MAX_KEPT = 8_192

#: What a line says about a concept in brackets; in a file's own words the whole bracket goes.
_OWN_BRACKETS = regex.compile(
    r"\s*[\[(（［【]\s*(?:taught|builds on|assumes)\s*[:：–][^\[\](){}（）［］【】]*[\])）］】]?",
    flags=regex.IGNORECASE,
)


def map_heading(concepts: int, readiness: float, *, has_files: bool = True) -> str:
    """Return the heading of the map.

    Parameters
    ----------
    concepts
        How many there are.
    readiness
        Of the subject, 0–1. Shown as a whole percentage that is 100 or 0 only when it is so exactly.
    has_files
        Whether any file explains any of it; without one there is no share to speak of, whatever the student taught.
    """
    percent = min(99, max(1, round(100 * readiness))) if 0 < readiness < 1 else round(100 * readiness)
    counted = "1 concept" if concepts == 1 else f"{concepts} concepts"
    explained = f"the files explain {percent}% of it" if has_files else "no file explains any of it yet"
    return f"SUBJECT MAP ({counted}; {explained}; this is about the material, NOT the student's mastery):"


def map_lines(subject_map: SubjectMap, layer: StudentLayer, *, focus: Sequence[str] = ()) -> list[str]:
    """Return the heading and a line for each concept, most wanted first, so that it can be cut from the end.

    A question that was routed gets what has to do with it and nothing else, as recall's gate has it (RC-3): a list of
    everything that the subject holds reads as if all of it bore on the question.

    Parameters
    ----------
    subject_map, layer
        The shared map, and the student's own layer over it.
    focus
        Keys the question was routed to: these come first, then all that they stand on, the nearest first, then what
        builds on them. Without any that the map has, every concept stands there by its centrality.

    Returns
    -------
    list of str
        Heading first, which counts every concept of the map; at most ``MAX_LINES`` concepts; empty without a map.
    """
    seen = with_layer(subject_map, layer)
    if not seen.concepts:
        return []
    concepts = {concept.key: concept for concept in seen.concepts}
    has_files = any(concept.sources for concept in seen.concepts)
    heading = map_heading(len(concepts), subject_readiness(seen, layer), has_files=has_files)
    ordered = _ordered(seen, concepts, focus)[:MAX_LINES]
    return [heading, *(_line(concepts[key], concepts, layer) for key in ordered)]


def _ordered(subject_map: SubjectMap, concepts: Mapping[str, Concept], focus: Sequence[str]) -> list[str]:
    resolved = resolved_keys(subject_map)
    focused = dict.fromkeys(resolved[key] for key in focus if key in resolved)
    ranked = sorted(concepts, key=lambda key: (-concepts[key].centrality, key))
    if not focused:
        return ranked
    wanted, level = dict.fromkeys(focused), list(focused)
    while level:  # ends in a cycle too (CM-7)
        level = [below for key in level for below in concepts[key].builds_on if below not in wanted]
        wanted |= dict.fromkeys(level)
    above = (key for key in ranked if not focused.keys().isdisjoint(concepts[key].builds_on))
    return list(wanted | dict.fromkeys(above))


def _line(concept: Concept, concepts: Mapping[str, Concept], layer: StudentLayer) -> str:
    line = f"- {_shown(concept.name)}"
    if gist := _shown(concept.gist):
        line += f": {gist}"
    notes = [note.note for note in taught_notes(concept, layer)]
    if shown := [notes[place] for place in standing(notes)[-MAX_NOTES:]]:
        line += f" [taught: {'; '.join(_safe(note, MAX_NOTE_CHARS) for note in shown)}]"
    if concept.builds_on:
        line += f" (builds on: {_listed([concepts[key].name for key in concept.builds_on])})"
    if concept.assumed:
        line += f" (assumes: {_listed(concept.assumed)})"
    return line


def _listed(names: Sequence[str]) -> str:
    """Join names while they stay short; the first one is always there."""
    joined = _shown(names[0])
    for name in names[1:MAX_LISTED_NAMES]:
        longer = f"{joined}, {_shown(name)}"
        if len(longer) > MAX_LISTED_CHARS:
            break
        joined = longer
    return joined


@lru_cache(maxsize=MAX_KEPT)
def _shown(text: str) -> str:
    """Return a concept's name or gist as a line has it: the same at every turn, unlike a student's notes."""
    return _safe(text)


def _safe(text: str, max_chars: int | None = None) -> str:
    """Return content of a file or a student fit for a part of a line."""
    bounded = contained(text) if max_chars is None else contained(text, max_chars=max_chars)
    plain: str = _OWN_BRACKETS.sub("", bounded)
    return without_map_labels(plain)
