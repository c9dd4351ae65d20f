"""Which names a course file may have (SV-12)."""

from __future__ import annotations

import regex

#: A letter, digit or symbol that shows: not a filler, which is a letter by its category, nor the empty Braille cell.
_SHOWN = regex.compile(r"(?V1)[[\p{L}\p{N}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]")
#: What words and emoji are joined with: Persian and Indic spelling needs it, and it shows in what it joins.
_JOINER = regex.compile(r"(?V1)(?<=[\p{L}\p{M}\p{So}\p{Sk}])[\u200C\u200D](?=[\p{L}\p{M}\p{So}])")
#: Controls, line ends, what turns the direction of writing, and whatever else does not show; marks belong to letters.
_HIDDEN = regex.compile(
    r"(?V1)[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]"
    r"--[\p{M}\p{Prepended_Concatenation_Mark}]]"
)


def is_file_name(name: str) -> bool:
    """Whether a name shows something, and shows all of itself.

    Names are quoted in logs, lists and blocks: one that is blank, only dots, or hides characters deceives its readers.
    """
    return _SHOWN.search(name) is not None and _HIDDEN.search(_JOINER.sub("", name)) is None
