"""Letters of fonts whose glyphs have no names but stand at the codes of TeX's text fonts.

Where TeX embeds pictures of its letters (Type 3 fonts) the file says nothing of what they are; the codes are those of
the encodings T1 ("Cork": TUGboat 11(4), 1990, pp. 514-516) or OT1 (Knuth, The TeXbook, appendix F). Letters and figures
stand where ASCII has them, so that only ligatures, accents, quotes and dashes are wrong or lost.
"""

from __future__ import annotations

from collections.abc import Sequence

_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
_CORK_SIGNS = "`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—\u2060\u2060ıȷ"
_CORK_LETTERS = (
    "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£"
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖŒØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöœøùúûüýþß"
)
_QUOTES = {"'": "’", "`": "‘"}
_CORK: dict[str, str] = {
    **{chr(code): sign for code, sign in enumerate(_CORK_SIGNS)},
    **{chr(27 + place): letters for place, letters in enumerate(_LIGATURES)},
    **{chr(128 + place): letter for place, letter in enumerate(_CORK_LETTERS)},
    **_QUOTES,
    "\x7f": "-",
}
_OLD: dict[str, str] = {
    **{chr(11 + place): letters for place, letters in enumerate(_LIGATURES)},
    **{chr(16 + place): sign for place, sign in enumerate("ıȷ`´ˇ˘¯˚¸ßæœøÆŒØ")},
    **_QUOTES,
    '"': "”", "\\": "“", "<": "¡", ">": "¿", "{": "–", "|": "—", "}": "˝", "~": "˜", "^": "ˆ", "_": "˙", "\x7f": "¨",
}  # fmt: skip
_CORK_LIGATURES, _OLD_LIGATURES = range(27, 32), range(11, 16)
#: Share of letters in a font that writes text (English has 0.96 without spaces); those of formulae have fewer.
_LEAST_LETTERS = 0.75
#: Fewest letters that tell it.
_FEWEST = 10


def spelt(fonts: Sequence[Sequence[str]]) -> list[list[str]]:
    """What the codes of nameless fonts of one page stand for.

    Parameters
    ----------
    fonts
        For each font its codes in the order of drawing, each as the character of that number.

    Returns
    -------
    list of list of str
        The same, with ligatures as their letters; unchanged for a font that writes no text by TeX's codes.
    """
    writing = [codes for codes in fonts if _writes(codes)]
    old, cork = (
        any(ord(code) in ligatures for codes in writing for code in codes)
        for ligatures in (_OLD_LIGATURES, _CORK_LIGATURES)
    )
    high = any(code >= "\x80" for codes in writing for code in codes)
    if not (old or cork or high):
        return [list(codes) for codes in fonts]
    table = _OLD if old and not cork and not high else _CORK
    return [[table.get(code, code) for code in codes] if _writes(codes) else list(codes) for codes in fonts]


def _writes(codes: Sequence[str]) -> bool:
    """Whether a font writes text by codes of one byte of which most are letters."""
    inked = [code for code in codes if code != " "]
    if len(inked) < _FEWEST or max(inked) > "\xff":
        return False
    letters = sum(1 for code in inked if code.isascii() and code.isalpha())
    return letters >= _LEAST_LETTERS * len(inked)
