"""A map in replies that Lambda can give: as many concepts as fit, and a cursor for the rest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate

from anamnesis.bootstrap import MapView
from anamnesis.domain import cursors
from anamnesis.domain.errors import InvalidInput
from anamnesis.schemas.subject_map import ConceptOut

#: Most bytes of a reply's JSON. Lambda's replies are 6 MiB at most with the JSON inside a JSON string, which makes two
#: bytes of each quote and seven of the six that escape a letter: this leaves room for both.
MAX_REPLY_BYTES = 4_500_000
#: Bytes of one concept beside its texts, at most: names of fields, numbers, quotes. Ours, from the schema.
_FIELDS = 400


def that_fit(concepts: Sequence[ConceptOut], *, beside: object) -> int:
    """How many of the first concepts fit into a reply that holds `beside` too; one at least, if there are any.

    Parameters
    ----------
    beside
        A JSON value.
    """
    room = MAX_REPLY_BYTES - len(json.dumps(beside))
    if sum(_at_most(concept) for concept in concepts) <= room:
        return len(concepts)
    sizes = accumulate(
        len(json.dumps(concept.model_dump(), separators=(",", ":"))) + 1 for concept in concepts
    )
    return max(min(1, len(concepts)), sum(size <= room for size in sizes))


def _at_most(concept: ConceptOut) -> int:
    """An upper bound of the bytes of a concept, for a fraction of the time of writing it."""
    said = (*concept.taught, *concept.taught_superseded)
    texts = (concept.key, concept.name, concept.gist, concept.definition, *concept.aliases, *said)
    names = (*concept.builds_on, *concept.assumed)
    pages = sum(60 + 8 * len(source.pages) for source in concept.sources)
    return _FIELDS + pages + sum(_escaped(text) + 3 for text in (*texts, *names))


def _escaped(text: str) -> int:
    """An upper bound of the bytes that a text takes: two of a letter of ASCII, up to twelve of any other."""
    return 2 * len(text) if text.isascii() else 12 * len(text)


def first_after(cursor: str | None, view: MapView) -> int:
    """The place of the first concept after a cursor; the map may have changed since it was given out.

    Raises
    ------
    InvalidInput
        If it is no cursor of ours.
    """
    if cursor is None:
        return 0
    problem = InvalidInput("is not a cursor that was given out for a map", field="cursor")
    try:
        value = cursors.decoded(cursor)
    except ValueError:
        raise problem from None
    match value:
        case [bool(own), str(key)]:
            seen = (own, key)
        case _:
            raise problem
    return sum(_place(row, view) <= seen for row in range(len(view.subject_map.concepts)))


def cursor_before(row: int, view: MapView) -> str | None:
    """The cursor of the page that begins with concept number `row`; None when that is the end."""
    if row >= len(view.subject_map.concepts):
        return None
    return cursors.encoded(_place(row - 1, view))


def _place(row: int, view: MapView) -> tuple[bool, str]:
    """What orders concepts: those of files by key, then those that only the student taught."""
    concepts = view.subject_map.concepts
    return row >= len(concepts) - view.own, concepts[row].key
