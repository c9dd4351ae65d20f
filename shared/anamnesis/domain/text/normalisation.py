"""Normal forms of text: what must be equal for two sentences to count as the same one (RC-4)."""

from __future__ import annotations

import unicodedata

import regex

#: Characters that a normal form is made from. Texts that agree in this many are the same memory for every reader.
MAX_NORMALISED_CHARS = 4_000

#: Latin letters that Unicode does not decompose into a base letter and a mark.
_UNDECOMPOSED_LATIN = str.maketrans({"ı": "i", "ł": "l", "đ": "d", "ð": "d", "ø": "o", "ħ": "h", "ŧ": "t"})
_LATIN_MARKS = regex.compile(r"(?<=\p{Latin}\p{Mn}*)\p{Mn}")
#: Format characters (zero-width, bidi, soft hyphen) and controls; line ends and tabs are white space.
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Cs}]|(?!\s)\p{Cc}")
_APOSTROPHE = regex.compile(r"(?<=\p{L})['’ʼ‘`´](?=\p{L})")
#: A sign that calculates rather than punctuates stands before or after a digit, a bracket or a lone letter.
_OPERAND_BEFORE = r"(?<=(?:[\p{N}()\[\]]|(?<![\p{L}\p{M}])\p{L})\s*)"
_OPERAND_AFTER = r"(?=\s*(?:[\p{N}()\[\]]|\p{L}(?![\p{L}\p{M}])))"
_OPERATOR = regex.compile(
    rf"{_OPERAND_BEFORE}([-*/%!^()\[\]])|(?<![\p{{L}}\p{{M}}])([-*/%^()\[\]]){_OPERAND_AFTER}"
)
_SYMBOL = regex.compile(r"[\p{Sm}\p{Sc}]")
_SEPARATORS = regex.compile(r"[\p{P}\p{Z}\s\p{So}\p{Sk}]+")
#: Private-use stand-ins keep operators from being read as punctuation while that is removed.
_KEPT = {sign: chr(0xE000 + i) for i, sign in enumerate("-*/%!^()[]")}
_RESTORED = str.maketrans({stand_in: f" {sign} " for sign, stand_in in _KEPT.items()})
_DASHES = str.maketrans({"−": "-", "–": "-"})


def without_latin_diacritics(text: str) -> str:
    """Take the marks off Latin letters; marks of other scripts carry meaning and stay (й, が, ज़, ي).

    Parameters
    ----------
    text
        Any text; the result is in NFC.
    """
    if text.isascii():
        return text
    bare = _LATIN_MARKS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare).translate(_UNDECOMPOSED_LATIN)


def without_invisible(text: str) -> str:
    """Remove zero-width, bidirectional and control characters; white space stays."""
    return str(_INVISIBLE.sub("", text))


def normalised_sentence(text: str) -> str:
    """Reduce a sentence to the form by which repeats fold: equal forms are the same one (RC-4).

    Case, width, white space, punctuation and Latin diacritics do not count. Signs between operands do, so that
    "3 - 2" and "3 + 2" stay two questions; so do the marks of every other script.

    Parameters
    ----------
    text
        Any text; the first ``MAX_NORMALISED_CHARS`` characters are read.

    Returns
    -------
    str
        Words separated by single spaces. Text that is punctuation only is returned as written, without white space, so
        that "?!" and "…" do not become the same empty sentence.
    """
    folded = unicodedata.normalize("NFKC", text[:MAX_NORMALISED_CHARS]).casefold()
    visible = without_latin_diacritics(without_invisible(folded))
    joined = _APOSTROPHE.sub("", visible).translate(_DASHES)
    marked = _OPERATOR.sub(lambda match: _KEPT[match.group(1) or match.group(2)], joined)
    spaced = _SYMBOL.sub(r" \g<0> ", marked)
    sentence = " ".join(_SEPARATORS.sub(" ", spaced).translate(_RESTORED).split())
    return sentence or "".join(visible.split())
