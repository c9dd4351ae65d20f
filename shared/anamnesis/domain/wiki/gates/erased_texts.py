"""Whether a page repeats what is being erased, cited or not (WD-4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from anamnesis.domain.wiki.gates.findings import Findings, Rule
from anamnesis.domain.wiki.gates.letters import plain

#: Letters and digits in a row that are a repetition and no coincidence: some six words. Ours.
RUN: Final = 32
#: A shorter text counts as a whole, from this length on: three words. Ours.
SHORTEST: Final = 12
#: How far apart runs of an erased text are known by: any 48 of its letters in a row hold one of them.
_STEP: Final = 16
#: Letters of an erased text that are looked at.
_MAX_CHARS: Final = 200_000


class ErasedTexts:
    """Knows texts by runs of their letters.

    Parameters
    ----------
    erased
        What must not be repeated.
    standing
        What may be, whoever says it: equal words of something that stands are no repetition.
    """

    def __init__(self, erased: Iterable[str], standing: Iterable[str] = ()) -> None:
        runs: set[str] = set()
        for text in erased:
            letters = plain(text[:_MAX_CHARS])
            if SHORTEST <= len(letters) < RUN + _STEP:
                runs.add(letters)
            else:
                runs.update(letters[at : at + RUN] for at in range(0, len(letters) - RUN + 1, _STEP))
        allowed = "\n".join(plain(text[:_MAX_CHARS]) for text in standing) if runs else ""
        self._runs = frozenset(run for run in runs if run not in allowed)

    def __bool__(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self._runs)

    def repeated_in(self, text: str) -> bool:
        """Whether a text repeats one of them."""
        if not self._runs:
            return False
        letters = plain(text)
        return any(run in letters for run in self._runs)


def check_erased(path: str, text: str, erased: ErasedTexts, found: Findings) -> None:
    """Refuse a page that repeats what is being erased; the line is told when one line alone does."""
    if not erased.repeated_in(text):
        return
    line = next((n for n, line in enumerate(text.split("\n"), start=1) if erased.repeated_in(line)), 0)
    found.add(path, line, Rule.ERASED, "repeats what is being erased")
