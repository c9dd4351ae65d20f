"""Tables of words and patterns: TOML beside the code that reads it, where languages differ in a file each."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any, Final

_FOLDER: Final = "tables"
_ENDING: Final = ".toml"


def read_table(package: str, name: str) -> dict[str, Any]:
    """The table ``name.toml`` in the folder of a package.

    Parameters
    ----------
    package
        The reader's own ``__package__``.
    """
    return tomllib.loads(files(package).joinpath(f"{name}{_ENDING}").read_text(encoding="utf-8"))


def read_language(package: str, language: str) -> dict[str, Any]:
    """The table of a language, one of ``tabled_languages``, in the folder ``tables`` of a package."""
    return read_table(package, f"{_FOLDER}/{language}")


def tabled_languages(package: str) -> tuple[str, ...]:
    """The languages that have a table in the folder ``tables`` of a package, in the order of their tags."""
    entries = files(package).joinpath(_FOLDER).iterdir()
    return tuple(sorted(e.name.removesuffix(_ENDING) for e in entries if e.name.endswith(_ENDING)))
