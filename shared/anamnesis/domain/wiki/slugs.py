"""Names of files for what has a name in any script: readable, safe, and the same as long as the thing is (WK-1).

A slug is the name in its own script, case-folded (so that no two differ in case alone, which some file systems cannot
tell apart), with one hyphen for whatever is neither letter, mark nor digit. Where that would lose more than how words
are parted, a hash of the whole name follows.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

import regex

#: Longest slug, in bytes of UTF-8: with a date before it and an ending behind it still a name (``MAX_NAME_BYTES``).
MAX_SLUG_BYTES: Final = 96
#: Hex digits of a hash that tells names apart: 32 bits are enough for the names of one folder. Ours.
HASH_DIGITS: Final = 8

_PARTS: Final = regex.compile(r"[^\p{L}\p{M}\p{Nd}\p{Nl}\p{No}]+")
#: Marks without a letter before them would stick to whatever the path has there.
_LOOSE_MARKS: Final = regex.compile(r"(?<![\p{L}\p{M}\p{N}])\p{M}+")
#: What tells names apart without being a letter: "C", "C++" and "C#" are three things.
_MEANS_SOMETHING: Final = regex.compile(r"[\p{S}#%&*@]")
#: Names that a writer uses itself (``index``, ``index-2``), and those that Windows keeps for devices.
_RESERVED: Final = regex.compile(r"(?:index|readme|con|prn|aux|nul|(?:com|lpt)\p{Nd}|index-\p{Nd}+)")


def slug(name: str) -> str:
    """The slug of one name; never empty, whatever the name.

    Parameters
    ----------
    name
        Any text; the work is linear in it.

    Returns
    -------
    str
        At most ``MAX_SLUG_BYTES`` bytes of UTF-8, in NFC.
    """
    kept = _plain(name)
    cut = _cut(kept)
    if cut and cut == kept and not _MEANS_SOMETHING.search(name) and not _RESERVED.fullmatch(cut):
        return cut
    return hashed(name)


def hashed(name: str) -> str:
    """The slug of a name followed by its hash."""
    digits = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_DIGITS]
    return "-".join(part for part in (_cut(_plain(name)), digits) if part)


def slugs(names: Iterable[str], *, taken: Collection[str] = ()) -> dict[str, str]:
    """A slug of each name, all of them different, whatever the order of the names.

    Where several names have one slug, the name that is spelt like it keeps it, so that what was there first mostly
    stays where it is; all others are told apart by their hashes.

    Parameters
    ----------
    taken
        Slugs that none of the names may have.
    """
    wanted = {name: slug(name) for name in set(names)}
    count = Counter(wanted.values())
    given: dict[str, str] = {}
    for name, short in wanted.items():
        alone = count[short] == 1 or name.replace(" ", "-") == short
        given[name] = short if alone and short not in taken else hashed(name)
    if len(set(given.values())) < len(given):  # "a b" and "a-b" are both spelt like it
        again = Counter(given.values())
        given = {name: short if again[short] == 1 else hashed(name) for name, short in given.items()}
    return given


def _plain(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold()
    if not folded.isascii():
        # Letters that one table of Unicode knows already and the other, by which paths are judged, does not.
        folded = "".join(c if unicodedata.category(c) != "Cn" else "-" for c in folded)
    parted = _PARTS.sub("-", unicodedata.normalize("NFC", folded))
    return unicodedata.normalize("NFC", _LOOSE_MARKS.sub("", parted)).strip("-")


def _cut(text: str) -> str:
    """The beginning that leaves room for a hash, cut between graphemes; all of it when it is short."""
    if len(text.encode()) <= MAX_SLUG_BYTES - HASH_DIGITS - 1:
        return text
    kept, size = [], 0
    for grapheme in regex.findall(r"\X", text[:MAX_SLUG_BYTES]):
        size += len(grapheme.encode())
        if size > MAX_SLUG_BYTES - HASH_DIGITS - 1:
            break
        kept.append(grapheme)
    return "".join(kept).strip("-")
