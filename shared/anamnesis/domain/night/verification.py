"""Verification of citations by look-up, never a model call (VE-1), and labels of changed sources (RC-8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Final, Literal

from anamnesis.domain.files import FileRecord
from anamnesis.domain.log.chain import Break
from anamnesis.domain.log.episodes import Citation, Episode
from anamnesis.domain.night.records import CitationCheck, Verification

SourceLabel = Literal["replaced", "deleted"]

#: Most citations that one night verifies for a pair. Ours: bounded work, and 20,000 episodes come round in
#: 100 nights.
NIGHTLY_CITATIONS: Final = 200
#: Kind of break of an annotation that refers to nothing. Stable: clients may branch on it.
DANGLING_ANNOTATION: Final = "dangling_annotation"


def label_of(citation: Citation, files: Mapping[str, FileRecord]) -> SourceLabel | None:
    """Tell what became of a cited file: replaced, deleted, or None when the cited bytes still stand.

    Bytes that any current file of the subject has still stand, whatever that file is called and whichever way they came
    back. A file that the subject does not know (any more) counts as deleted.

    Parameters
    ----------
    files
        Every file of the subject by id, replaced and deleted ones included.
    """
    record = files.get(citation.file_id)
    seen: set[str] = set()
    # A replacement may itself be replaced: what counts is the file that stands at the end. A circle has no
    # such file.
    while record is not None and record.replaced_by is not None:
        if record.id in seen:
            return "replaced"
        seen.add(record.id)
        record = files.get(record.replaced_by)
    if record is not None and record.deleted_at is None and record.fingerprint == citation.fingerprint:
        return None
    if any(_is_current(file) and file.fingerprint == citation.fingerprint for file in files.values()):
        return None
    return "deleted" if record is None or record.deleted_at is not None else "replaced"


def _is_current(file: FileRecord) -> bool:
    return file.replaced_by is None and file.deleted_at is None


def verify_citations(episode: Episode, files: Mapping[str, FileRecord], *, on: date) -> CitationCheck:
    """Look up whether what an episode cited still stands (VE-1).

    Returns
    -------
    CitationCheck
        ``holds`` when every cited file is there with the bytes it was cited with; ``changed`` with the ids of
        those that are not; ``unverifiable`` when it cites no file: nothing about a conversation or a check
        can be looked up.
    """
    changed = tuple(dict.fromkeys(c.file_id for c in episode.evidence if label_of(c, files) is not None))
    if not episode.evidence:
        result = Verification.UNVERIFIABLE
    else:
        result = Verification.CHANGED if changed else Verification.HOLDS
    return CitationCheck(episode.id, episode.position, result, changed, on)


def dangling_checks(
    checks: Iterable[CitationCheck], episode_ids: Mapping[int, str], length: int
) -> list[Break]:
    """Name the annotations that refer to nothing: to another episode than stands at their position, or to none (EP-3).

    Parameters
    ----------
    episode_ids
        Ids by position, of the episodes that can be read.
    length
        Length of the log; a position up to it without an id is the chain's to name.

    Returns
    -------
    list
        ``dangling_annotation`` by position.
    """
    return [
        Break(check.position, DANGLING_ANNOTATION)
        for check in sorted(checks, key=lambda check: check.position)
        if check.position > length or episode_ids.get(check.position, check.episode_id) != check.episode_id
    ]


def turned_since(previous: Iterable[CitationCheck], found: Iterable[CitationCheck]) -> set[int]:
    """The positions whose citations are found otherwise than they were; of those never checked, the changed ones."""
    known = {check.position: (check.result, check.changed) for check in previous}
    return {
        check.position
        for check in found
        if known.get(check.position, (Verification.HOLDS, ())) != (check.result, check.changed)
    }


def choose_batch(
    citing: Iterable[int],
    previous: Iterable[CitationCheck],
    limit: int = NIGHTLY_CITATIONS,
    *,
    turned: Collection[int] = (),
    on: date,
) -> list[int]:
    """Choose the positions whose verification a night keeps (NI-1).

    First those never checked, then those that are not as they were last time, so that a changed file shows the next
    night however long the log is, then those checked longest ago.

    What was checked on this night already counts towards the limit, so that a night run twice, or again after
    a crash half-way, verifies what one run would have (NI-2). What a later night checked is left alone.

    Parameters
    ----------
    citing
        Positions of the pair's episodes with evidence.
    previous
        Latest result per episode.
    turned
        Positions that are found otherwise than last time.
    """
    checked_on = {check.position: check.checked_on for check in previous}
    places = limit - sum(day == on for day in checked_on.values())
    waiting = [p for p in set(citing) if p not in checked_on or checked_on[p] < on]
    waiting.sort(key=lambda p: (p in checked_on, p not in turned, checked_on.get(p, date.min), p))
    return waiting[: max(0, places)]
