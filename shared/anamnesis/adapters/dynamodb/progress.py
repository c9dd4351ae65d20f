"""What a stored projection covers of the log, as attributes of its row and as the condition on saving over it."""

from __future__ import annotations

from typing import Any

from anamnesis.adapters.dynamodb.models import BlobRow, ProjectionRow
from anamnesis.domain.log.progress import Progress


def progress_of(row: BlobRow | ProjectionRow) -> Progress:
    """Return what a row says; attributes that it does not have yet stand for 0."""
    return Progress(
        position=int(row.position or 0),
        erasures=int(row.erasures or 0),
        tied_anew=bool(row.tied_anew),
        revision=int(row.revision or 0),
    )


def attributes_of(progress: Progress, *, revision: int) -> dict[str, Any]:
    """Return the attributes of a row that states `progress` at another revision."""
    return {
        "position": progress.position,
        "erasures": progress.erasures,
        "revision": revision,
        "tied_anew": progress.tied_anew or None,
    }


def still(model: type[BlobRow | ProjectionRow], expected: Progress) -> Any:
    """Return the condition that a row states what was read from it, and that nobody has saved it since."""
    condition = None
    for attribute, value in (
        (model.position, expected.position),
        (model.erasures, expected.erasures),
        (model.revision, expected.revision),
    ):
        same = attribute == value
        same = same if value else same | attribute.does_not_exist()
        condition = same if condition is None else condition & same
    return condition
