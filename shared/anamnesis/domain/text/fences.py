"""Somebody else's text between fences that it cannot contain, so that nothing in it passes for what is around it."""

from __future__ import annotations

from hashlib import sha256


def fence_code(text: str) -> str:
    """A code that is made of the text that it fences, so that the text cannot hold it: 24 hexadecimal digits.

    The same text has the same code, so that the same question is asked in the same words at every try.
    """
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


def sendable(text: str) -> str:
    """The text without lone halves of character pairs, which cannot be sent."""
    return text.encode("utf-8", "replace").decode("utf-8")


def fenced(text: str) -> str:
    """The text between two fence lines with its code."""
    code = fence_code(text)
    return f"FENCE {code}\n{sendable(text)}\nFENCE {code}"


def labelled(name: str, text: str) -> str:
    """The text between fences, under a line with our name for it."""
    return f"{name}:\n{fenced(text)}"


def joined_halves(text: str) -> str:
    """The text with halves of a character pair that stand side by side as that character, and lone ones replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
