"""What a file lacks that was read all the same, in words a student can act on (CM-1)."""

from __future__ import annotations

from collections.abc import Sequence

from anamnesis.domain.files import Shortcoming

#: Runs of pages that are named; of a longer list its beginning is.
_NAMED_RUNS = 5


def shortcoming(concepts: int, pictures: Sequence[int]) -> tuple[Shortcoming | None, str | None]:
    """The code and the words for it; None and None for a file that lacks nothing.

    Parameters
    ----------
    concepts
        How many concepts the file gave.
    pictures
        Numbers of its pages that are pictures without text, ascending.
    """
    unread = ""
    if pictures:
        unread = (
            f"Not read, since they are pictures without text: {_named(pictures)}. Run text recognition (OCR) on the "
            "file and upload the result."
        )
    if not concepts:
        found_none = (
            "No concept was found in this file, so that the map does not show it; its pages can be cited. If it should "
            "teach something, upload a text that explains it."
        )
        return Shortcoming.NO_CONCEPTS, f"{found_none} {unread}".strip()
    return (Shortcoming.PICTURE_PAGES, unread) if pictures else (None, None)


def _named(pages: Sequence[int]) -> str:
    """Return "page 3", "pages 1–4, 9", and so on."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    named = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs[:_NAMED_RUNS])
    left = sum(map(len, runs[_NAMED_RUNS:]))
    return ("page " if len(pages) == 1 else "pages ") + named + (f" and {left} more" if left else "")
