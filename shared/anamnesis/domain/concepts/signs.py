"""Signs that are part of a name: the + of C++, the charge of an ion, the prime of a derivative, set operators.

All other punctuation goes from a key. What is kept here is kept in one written form, so that a key read again is
the same key. A hyphen inside a word stays a space ("p-value", "carbon-14"): only a minus that stands free between
operands, or Unicode's own minus, is one.
"""

from __future__ import annotations

from typing import Final

import regex

#: A single letter or a number, as the operands of formulas in names are.
_OPERAND: Final = r"(?<![\p{L}\p{M}\p{N}])(?:\p{L}\p{M}{0,4}|\p{N}{1,9})"
_AFTER: Final = r"(?![\p{L}\p{M}\p{N}])"
#: Kept while punctuation goes: private stand-ins for signs that count only in their place.
_PRIME, _FACTORIAL, _PLUS, _MINUS, _HASH, _HYPHEN, _BAR = (chr(0xE000 + number) for number in range(7))
_RESTORED: Final = str.maketrans(
    {_PRIME: "'", _FACTORIAL: "!", _PLUS: "+", _MINUS: "-", _HASH: "#", _HYPHEN: "-", _BAR: "|"}
)

_ANY = regex.compile(r"['!+#%^_|\-]|\p{Sm}")
_RULES: Final = tuple(
    (regex.compile(pattern), replacement)
    for pattern, replacement in (
        # x^2, CO_2: what is set above or below the line belongs to what it stands at.
        (r"(?<=[\p{L}\p{N})])\^\{?(?=[\p{N}+\-−])", ""),
        (r"(?<=(?<![\p{L}\p{M}\p{N}])\p{L}{1,2})_\{?(?=\p{N})", ""),
        # A-DNA is not "a DNA"; o-ring, not Portuguese "o ring".
        (r"^([^\p{L}\p{M}\p{N}]{0,9}[ao])-(?=\p{L}{2})", rf"\1{_HYPHEN}"),
        # f′, n!
        (rf"({_OPERAND})('{{1,3}}){_AFTER}", lambda found: found[1] + _PRIME * len(found[2])),
        (rf"({_OPERAND})!{_AFTER}", rf"\1{_FACTORIAL}"),
        # C++, C#, Na+, Cl⁻
        (r"(?<=[\p{L}\p{M}\p{N}])\+{2,}", f"{_PLUS}{_PLUS} "),
        (rf"(?<=[\p{{L}}\p{{M}}\p{{N}}])\+{_AFTER}(?!\+)", _PLUS),
        (r"(?<=\p{L})#+(?![\p{L}\p{M}\p{N}])", _HASH),
        (rf"(?<=(?<![\p{{L}}\p{{M}}\p{{N}}])[\p{{Latin}}\p{{N}}]{{1,4}})[-−]{_AFTER}(?![-−])", _MINUS),
        # between operands, as in a + b or P(A|B)
        (rf"({_OPERAND}) ?\+ ?(?={_OPERAND}{_AFTER})", rf"\1 {_PLUS} "),
        (rf"({_OPERAND}) - (?={_OPERAND}{_AFTER})", r"\1 − "),
        (rf"({_OPERAND}) ?\| ?(?={_OPERAND}{_AFTER})", rf"\1 {_BAR} "),
        # (+)-glucose, "iron + oxygen"
        (r"(?<![^\s(\[])\+(?![^\s)\]])", f" {_PLUS} "),
        (r"(?<=[(\[])-(?=[)\]])", " − "),
    )
)
#: What remains of mathematical signs, and the percent sign, are words of their own.
_WORDS = regex.compile(r"([\p{Sm}%--[+|~]])", flags=regex.VERSION1)
_PUNCTUATION = regex.compile(rf"[^\p{{L}}\p{{M}}\p{{N}}\p{{Sm}}%{_PRIME}-{_BAR}]+|[+|~]+")


def without_punctuation(text: str) -> str:
    """Put a space for everything that is neither a letter, a mark, a number nor a sign that belongs to the name.

    Parameters
    ----------
    text
        Folded as in a key (lower case, NFKC, apostrophes one character); time is linear in its length.
    """
    if _ANY.search(text) is None:
        return str(_PUNCTUATION.sub(" ", text))
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    text = _PUNCTUATION.sub(" ", _WORDS.sub(r" \1 ", text))
    return text.translate(_RESTORED)
