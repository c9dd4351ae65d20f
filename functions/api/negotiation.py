"""What a request's Accept and Accept-Language like best (RFC 9110, 12.5; RFC 4647, 3.4 for languages)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")

#: Preferences that are read of one header; the rest says nothing.
MAX_PREFERENCES = 50
_WEIGHT = re.compile(r"\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*", re.IGNORECASE)


def best_of(header: str | None, offered: Mapping[str, T], default: T) -> T:
    """What is offered under the media type that the header likes best; `default` when it says nothing usable.

    Of equally liked ones the first offered. A header that accepts none of them gets the default, as RFC 9110 (12.5.1)
    allows: a form that can be read is more use than a refusal.
    """
    liked = list(_preferences(header))
    best, best_weight = default, 0.0
    for media, value in offered.items():
        weight = _weight_of(media, liked)
        if weight > best_weight:
            best, best_weight = value, weight
    return best


def _weight_of(media: str, liked: list[tuple[str, float]]) -> float:
    """The weight that the most specific range matching `media` gives it; 0 without any."""
    for accepted in (media, f"{media.partition('/')[0]}/*", "*/*"):
        for name, weight in liked:
            if name == accepted:
                return weight
    return 0.0


def best_language(header: str | None, offered: Collection[str], default: str = "en") -> str:
    """The offered primary tag that the header likes best: ``es-MX`` is served by ``es``."""
    best, best_weight = default, 0.0
    for tag, weight in _preferences(header):
        primary = tag.partition("-")[0]
        # Indonesian's former code is what some browsers still send.
        primary = {"in": "id"}.get(primary, primary)
        if primary in offered and weight > best_weight:
            best, best_weight = primary, weight
    return best


def _preferences(header: str | None) -> Iterator[tuple[str, float]]:
    for part in (header or "").lower().split(",", MAX_PREFERENCES)[:MAX_PREFERENCES]:
        name, *parameters = part.split(";")
        weights = [found for parameter in parameters if (found := _WEIGHT.fullmatch(parameter))]
        yield name.strip(), min(1.0, float(weights[0][1])) if weights else 1.0
