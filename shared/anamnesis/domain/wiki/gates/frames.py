"""The words that a writer frames evidence with (``frames.toml``)."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any, Final

import regex

_TABLE: Final[dict[str, Any]] = tomllib.loads(
    (files(__package__) / "frames.toml").read_text(encoding="utf-8")
)
FRAMES: Final = frozenset(str(_TABLE["frames"]).split())
COUNTED: Final = frozenset(str(_TABLE["counted"]).split())
HARMLESS: Final = regex.compile("|".join(_TABLE["harmless"]), regex.IGNORECASE)
