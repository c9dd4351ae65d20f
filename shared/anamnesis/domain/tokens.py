"""How many tokens a text may take, without any one model's tokeniser (BL-1)."""

from __future__ import annotations


def estimate_tokens(text: str) -> int:
    """Bound from above, in practice, what common tokenisers count for `text`; never more than its UTF-8 bytes."""
    letters = sum(
        1 for character in text if character.isascii() and (character.isalpha() or character == " ")
    )
    return letters // 2 + len(text.encode("utf-8", "surrogatepass")) - letters + letters % 2
