"""Characters of the Symbol font, which keeps Greek letters and mathematical signs at places of Latin letters.

The table is Adobe's encoding of the font (PDF 1.7, annex D.5), letters and mathematical signs.
"""

from __future__ import annotations

_LOWER = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_UPPER = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈"  # fmt: skip
_TABLE = dict(zip(range(0x20, 0x7F), _LOWER, strict=True)) | dict(zip(range(0xA0, 0xE2), _UPPER, strict=True))
_TABLE |= {0xE5: "∑", 0xF1: "〉", 0xF2: "∫"}


def from_symbol_font(text: str) -> str:
    """Return the Unicode text of characters set in the Symbol font, at their own or at private places (U+F0xx)."""
    return "".join(_TABLE.get(ord(c) - 0xF000 if "\uf000" <= c <= "\uf0ff" else ord(c), c) for c in text)
