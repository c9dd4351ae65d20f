"""The words that a writer frames evidence with (``frames.toml``)."""

from __future__ import annotations

from typing import Any, Final

import regex

from anamnesis.domain.text.tables import read_table

_TABLE: Final[dict[str, Any]] = read_table(__package__, "frames")
FRAMES: Final = frozenset(str(_TABLE["frames"]).split())
COUNTED: Final = frozenset(str(_TABLE["counted"]).split())
HARMLESS: Final = regex.compile("|".join(_TABLE["harmless"]), regex.IGNORECASE)
