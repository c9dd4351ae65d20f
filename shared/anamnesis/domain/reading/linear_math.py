"""Formulas on one line, as they are typed: a/b, x^2, a_(i+1), √(x), ∑_(i=1)^n i, [a, b; c, d].

The order and the signs follow Unicode's nearly plain-text encoding of mathematics (UTN 28), without its invisible ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

_ATOM = re.compile(r"[\w.,′″∞ℏ]+|[^\W\d_][\u0300-\u036f]+|\([^()]*\)|\[[^\[\]]*\]|.", re.DOTALL)
_RELATIONS = frozenset("=≠≈≡<>≤≥→⇒⇔↔∈⊂⊆")
#: Ends in a script or a denominator without brackets, looked for in the last characters.
_NEAR = 40
_OPEN_END = re.compile(r"[\^_/][\w.,∞]+$")
#: Invisible times, separator and plus; zero-width characters. The application of a function stays until ``tidied``.
_INVISIBLE = re.compile(r"[\u2062-\u2064\u200b\u2060]")
_APPLICATION = re.compile(r"\u2061(?=\s*[(\[{])|\u2061$")
#: Letters in bold, italic, script … of their own code points (U+1D400 to U+1D7FF, and ℎ that was there before).
_STYLED = re.compile(r"[\U0001d400-\U0001d7ff\u210e]")
_ACCENTS = {
    "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "¯": "\u0304", "‾": "\u0304", "_": "\u0332",
    "→": "\u20d7", "⃗": "\u20d7", "˙": "\u0307", ".": "\u0307", "¨": "\u0308", "ˇ": "\u030c", "´": "\u0301",
    "`": "\u0300",
    "˘": "\u0306",
}  # fmt: skip


def symbols(text: str) -> str:
    """Characters of a formula with letters in their plain form and without invisible signs."""
    plain = _STYLED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return _INVISIBLE.sub("", plain)


def tidied(formula: str) -> str:
    """Return a whole formula with one space around relations outside brackets and none at its ends."""
    depth = 0
    written = []
    for sign in _APPLICATION.sub("", formula).replace("\u2061", " "):
        depth += (sign in "([{") - (sign in ")]}")
        written.append(f" {sign} " if sign in _RELATIONS and depth <= 0 else sign)
    return " ".join("".join(written).split())


def row(parts: Iterable[str]) -> str:
    """Return parts one after the other; a space ends a script or denominator that the next letter would lengthen."""
    written = ""
    for part in parts:
        apart = part[:1].isalnum() and _OPEN_END.search(written[-_NEAR:]) is not None
        written += f" {part}" if apart else part
    return written


def fraction(numerator: str, denominator: str, *, bar: bool = True) -> str:
    """Return a/b, or "(n over k)" without a bar, as binomials are written."""
    if not bar:
        return f"({numerator.strip()} over {denominator.strip()})"
    return f"{_grouped(numerator)}/{_grouped(denominator)}"


def scripts(base: str, *, sub: str = "", sup: str = "") -> str:
    """Return x_i^2."""
    base = base.strip()
    if not sub.strip() and sup.strip() in {"′", "″", "'", "*"}:
        return f"{base}{sup.strip()}"
    lower = f"_{_grouped(sub)}" if sub.strip() else ""
    upper = f"^{_grouped(sup)}" if sup.strip() else ""
    return f"{base}{lower}{upper}"


def root(radicand: str, degree: str = "") -> str:
    """Return √(x), or √[3](x)."""
    degree = degree.strip()
    index = f"[{degree}]" if degree and degree != "2" else ""
    return f"√{index}({radicand.strip()})"


def operator(sign: str, body: str, *, sub: str = "", sup: str = "") -> str:
    """Return ∑_(i=1)^n body."""
    return f"{scripts(sign, sub=sub, sup=sup)} {body.strip()}"


def applied(function: str, argument: str) -> str:
    """Return "sin(x)" or "sin x"."""
    argument = argument.strip()
    return f"{function.strip()}{'' if argument.startswith('(') else ' '}{argument}"


def fenced(parts: Sequence[str], *, begin: str = "(", end: str = ")", separator: str = "|") -> str:
    """Return parts in brackets."""
    gap = f"{separator} " if separator in {",", ";"} else separator
    return f"{begin}{gap.join(part.strip() for part in parts)}{end}"


def matrix(rows: Iterable[Sequence[str]]) -> str:
    """Return a, b; c, d."""
    return "; ".join(", ".join(cell.strip() for cell in row) for row in rows)


def accented(base: str, accent: str) -> str:
    """Return a letter with its accent, or an expression in brackets with it."""
    mark = accent if unicodedata.combining(accent[:1] or " ") else _ACCENTS.get(accent.strip(), "")
    base = base.strip()
    if not mark:
        return f"{base}{accent}" if accent.strip() else base
    return unicodedata.normalize("NFC", f"{base}{mark}") if len(base) == 1 else f"({base}){mark}"


def _grouped(text: str) -> str:
    """Return the text as it is if it is one thing, else in brackets."""
    text = text.strip()
    if not text or _ATOM.fullmatch(text):
        return text
    return f"({text})"
