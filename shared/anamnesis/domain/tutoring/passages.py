"""Short passages of files and of earlier work that a model may answer from, and that are shown beside the answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from anamnesis.domain.grounding.indexed_files import FileText
from anamnesis.domain.text.containment import contained
from anamnesis.domain.text.terms import index_terms

#: Longest passage in characters, and most of each kind. Ours: some 1,200 tokens of a prompt in all.
MAX_PASSAGE_CHARS: Final = 600
MAX_FILE_PASSAGES: Final = 5
MAX_MEMORY_PASSAGES: Final = 5
#: Pages of a file that are looked at line by line, and characters of a question whose words are looked for.
_PAGES_A_FILE: Final = 4
_LOOKED_FOR_CHARS: Final = 2_000
#: What a piece must share of what the best one shares. Ours: one that shares a common word alone tells nothing.
_LEAST: Final = 0.5
#: How much more a page counts that explains a concept which the question is about. Ours.
_EXPLAINS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a file's page, or of an episode.

    Attributes
    ----------
    id
        Of the file or the episode.
    name
        The file's name; what kind of episode it is.
    page
        Of a file, from 1.
    at
        When an episode happened.
    text
        One line that can fake no structure (``contained``).
    """

    kind: Literal["file", "episode"]
    id: str
    name: str
    page: int | None
    at: datetime | None
    text: str


def file_passages(
    files: Sequence[FileText], question: str, names: Sequence[str], explained_on: Collection[tuple[str, int]]
) -> tuple[Passage, ...]:
    """The pieces of pages that share most with a question, the best first, at most one of each page.

    Parameters
    ----------
    names
        Of the concepts that the question is about.
    explained_on
        File and page where these are explained.
    """
    about = "\n".join([question[:_LOOKED_FOR_CHARS], *names])
    found: list[tuple[float, int, int, str]] = []
    for number, file in enumerate(files):
        wanted = frozenset(index_terms(about, file.language))
        scores: dict[int, float] = {}
        for form in wanted:
            pages = file.holding(form)
            for page in pages.tolist():
                # A word on few pages tells more than one on many.
                scores[page] = scores.get(page, 0.0) + 1.0 / (1.0 + len(pages) / len(file.pages))
        for page in sorted(scores, key=lambda p: (-scores[p], p))[:_PAGES_A_FILE]:
            explains = (file.file_id, file.pages[page].number) in explained_on
            score, text = _best_piece(file, page, wanted)
            if text:
                found.append((scores[page] + score + _EXPLAINS * explains, number, page, text))
    found.sort(key=lambda piece: (-piece[0], piece[1:3]))
    least = found[0][0] * _LEAST if found else 0.0
    return tuple(
        Passage(
            "file",
            files[number].file_id,
            files[number].name,
            files[number].pages[page].number,
            None,
            text,
        )
        for score, number, page, text in found[:MAX_FILE_PASSAGES]
        if score >= least
    )


def _best_piece(file: FileText, page: int, wanted: frozenset[str]) -> tuple[float, str]:
    """The line of a page that shares most with what is wanted, and the lines behind it that still fit."""
    lines, forms = file.lines(page), file.forms(page)
    shared = [0 if line.is_heading else len(wanted & held) for line, held in zip(lines, forms, strict=True)]
    if not any(shared):
        return 0.0, ""
    first = max(range(len(shared)), key=lambda at: (shared[at], -at))
    taken, chars = [lines[first].text], len(lines[first].text)
    for line in lines[first + 1 :]:
        if line.is_heading or chars + 1 + len(line.text) > MAX_PASSAGE_CHARS:
            break
        taken.append(line.text)
        chars += 1 + len(line.text)
    return float(shared[first]), contained(" ".join(taken), max_chars=MAX_PASSAGE_CHARS)
