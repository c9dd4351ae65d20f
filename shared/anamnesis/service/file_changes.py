"""Change a file's state without losing what others do to it at the same time (CM-8, SV-14)."""

from __future__ import annotations

from collections.abc import Callable

from anamnesis.domain.concepts import Contribution
from anamnesis.domain.errors import Busy, NotFound, RevisionMoved
from anamnesis.domain.files import FileRecord
from anamnesis.domain.identifiers import SubjectScope
from anamnesis.ports import ConceptStore

#: Tries to store a change. A file's state only moves forward, in four steps (reading, settled, replaced, deleted), so
#: that others can outrun one change at most four times.
TRIES = 5


def change_file(
    concepts: ConceptStore,
    record: FileRecord,
    decide: Callable[[FileRecord], FileRecord],
    *,
    contribution: Contribution | None = None,
) -> FileRecord:
    """Store what `decide` makes of a file, deciding again on the stored record when that has moved on.

    Parameters
    ----------
    record
        The file as read before.
    decide
        Gives the new state for a present one; the present one itself when nothing is to change.
    contribution
        What the file says, stored together with the new state, or not at all.

    Returns
    -------
    FileRecord
        The stored state, which may be another writer's.

    Raises
    ------
    NotFound
        If the file is gone.
    Busy
        If its state moved on at each of ``TRIES`` tries.
    """
    for _ in range(TRIES):
        changed = decide(record)
        if changed == record:
            return record
        try:
            if contribution is None:
                concepts.update_file(changed, expected=record)
            else:
                concepts.save_contribution(record.scope, contribution, changed, expected=record)
        except RevisionMoved:
            stored = concepts.get_file(record.scope, record.id)
            if stored is None:
                raise NotFound("no such file in this subject") from None
            record = stored
        else:
            return changed
    raise Busy("the file keeps changing")


def drop_pages(concepts: ConceptStore, scope: SubjectScope, fingerprint: str | None) -> None:
    """Remove the page texts of these bytes unless a current file of the subject has them; repeating it is safe.

    A reader stores its file's fingerprint first and then looks whether the page texts are there. One that did so while
    they were being removed is found by the second look and gets them back; a later one finds none and makes them.
    """
    if fingerprint is None or _is_current(concepts, scope, fingerprint):
        return
    pages = concepts.load_pages(scope, fingerprint)
    if not pages:
        return
    concepts.delete_pages(scope, fingerprint)
    if _is_current(concepts, scope, fingerprint):
        concepts.save_pages(scope, fingerprint, pages)


def _is_current(concepts: ConceptStore, scope: SubjectScope, fingerprint: str) -> bool:
    return any(record.current and record.fingerprint == fingerprint for record in concepts.files(scope))
