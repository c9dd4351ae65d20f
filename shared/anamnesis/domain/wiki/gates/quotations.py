"""What a claim quotes, told from what it says itself: quotation marks may stand in what is quoted, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import regex

from anamnesis.domain.text.containment import JOINER
from anamnesis.domain.wiki.gates.letters import bare, plain
from anamnesis.domain.wiki.gates.lines import PLACE
from anamnesis.domain.wiki.gates.sources import Witness

#: Ends of a quotation that are tried for one beginning: quotations stand in quotations.
_MAX_ENDS: Final = 8
#: Letters that a quotation has at least. Ours.
_SHORTEST: Final = 4
_QUOTES: Final = {"“": "”", "«": "»", "„": "“", "「": "」", "『": "』"}
QUOTATION_MARKS: Final = "".join(sorted({*_QUOTES, *_QUOTES.values()}))
_CUT: Final = regex.compile(r"…\s*$")


def without_quotations(text: str, said: Sequence[Witness]) -> str | None:
    """The claim with a place holder for each quotation; None when one is not in the evidence `said`."""
    kept: list[str] = []
    at = 0
    while at < len(text):
        closing = _QUOTES.get(text[at])
        if closing is None:
            kept.append(text[at])
            at += 1
            continue
        ends = [i for i in range(at + 1, len(text)) if text[i] == closing]
        # The farthest end first: what is quoted may hold quotations itself.
        end = next((e for e in ends[-_MAX_ENDS:][::-1] if _is_said(text[at + 1 : e], said)), None)
        if end is None:
            end = next((e for e in ends[:_MAX_ENDS] if _is_said(text[at + 1 : e], said)), None)
        if end is None:
            if ends:
                return None
            kept.append(text[at])
            at += 1
            continue
        kept.append(f" {PLACE} ")
        at = end + 1
    return "".join(kept)


def _is_said(quoted: str, said: Sequence[Witness]) -> bool:
    # Names that were taken out of it are known already.
    return all(_stands(part, said) for part in _CUT.sub("", quoted).split(PLACE))


def _stands(cut: str, said: Sequence[Witness]) -> bool:
    wanted = plain(cut)
    # A sign or a code in quotation marks is nobody's words.
    if len(wanted) < _SHORTEST or any(wanted in each.plain for each in said):
        return True
    # Words that were joined so that they are no label of ours have lost the marks on their letters.
    return JOINER in cut and any(bare(cut) in bare(each.plain) for each in said)
