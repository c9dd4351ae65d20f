"""Scenario files: where they lie, and how their text is read.

They are YAML, because they are written and read by people and hold texts of many lines in many scripts. It is read as
YAML 1.2's core schema reads it: a time stays text, ``no`` stays a word, and no name may stand twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from anamnesis_tools.bench.scenarios.script import Scenario
from anamnesis_tools.failures import CommandFailed

SUFFIX = ".yaml"


class BadScenario(CommandFailed):
    """A scenario file that says nothing that can be played; the text names the file and the field."""


class _Reader(yaml.SafeLoader):
    """YAML 1.2's core schema over a reader of 1.1: only true, false, null and numbers are not text."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 the base's own shape

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names = [key.value for key, _ in node.value]
        for name in names:
            if names.count(name) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"{name!r} stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


for _tag, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("null", r"null|~|", "n~"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?[0-9]*\.[0-9]+", "-+.0123456789"),
):
    # The empty text stands for what has no first letter: an empty value is null.
    _Reader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), [*_first, ""])


def names() -> list[str]:
    """Names of the scenarios that come with the project, sorted."""
    folder = files(__package__) / "data"
    return sorted(file.name.removesuffix(SUFFIX) for file in folder.iterdir() if file.name.endswith(SUFFIX))


def load(wanted: Sequence[str] = ()) -> dict[str, Scenario]:
    """Scenarios by name: those wanted, by name or as a path to a file, or all that come with the project.

    Raises
    ------
    BadScenario
        If there is none of that name, or it cannot be played.
    """
    return dict(_loaded(name) for name in wanted or names())


def parsed(text: str, where: str) -> Scenario:
    """A scenario from its text; `where` is named when it is wrong.

    Raises
    ------
    BadScenario
        Names the field.
    """
    try:
        document = yaml.load(text, Loader=_Reader)  # noqa: S506 a SafeLoader
    except yaml.YAMLError as error:
        raise BadScenario(f"{where}: {' '.join(str(error).split())}") from None
    try:
        return Scenario.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadScenario(": ".join(filter(None, (where, _field(first["loc"]), first["msg"])))) from None


def _field(path: Sequence[int | str]) -> str:
    """A field's path as it is written: behind a step's number, pydantic names the kind of step once more."""
    written = [part for at, part in enumerate(path) if not (at == 2 and path[0] == "steps" and len(path) > 2)]
    return ".".join(map(str, written))


def _loaded(name: str) -> tuple[str, Scenario]:
    if name.endswith(SUFFIX):
        path = Path(name)
        try:
            return path.stem, parsed(path.read_text(encoding="utf-8"), name)
        except (OSError, UnicodeDecodeError) as error:
            raise BadScenario(f"{name}: {error}") from None
    if name not in names():
        raise BadScenario(f"no scenario is called {name!r}; `anamnesis bench scenarios --list` names them")
    file = files(__package__) / "data" / f"{name}{SUFFIX}"
    return name, parsed(file.read_text(encoding="utf-8"), file.name)
