"""README and docs/ lead where they say, and name what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main

from anamnesis_tools.bench.command import app as bench
from anamnesis_tools.cli import COMMANDS
from anamnesis_tools.erase_command import app as erase
from anamnesis_tools.wiki_command import app as wiki
from support.template import written

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
#: A link or a picture of Markdown, with where it leads; a code block is none.
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^```[\s\S]*?^```$|^ {4}.*$|`[^`\n]*`", re.MULTILINE)
#: A file or folder of the tree that a text names; below the package for its layers.
PLACE = re.compile(r"`((?:tests|tools|shared|functions|docs|domain|service|adapters)/[\w./-]*)`")
#: A command of ours as it is typed, with the word behind it, and a target of the Makefile.
COMMAND = re.compile(r"(?:^ +|`|bin/|env )anamnesis ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?", re.MULTILINE)
TARGET = re.compile(r"(?:^ +|`)make ([a-z]+)", re.MULTILINE)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(file: Path) -> set[str]:
    """The anchors that GitHub gives to a file's headings: lower case, no punctuation, hyphens for spaces."""
    headings = HEADING.findall(CODE.sub("", file.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(file: Path) -> list[str]:
    """Where its links within the project lead."""
    found = LINK.findall(CODE.sub("", file.read_text(encoding="utf-8")))
    return [link for link in found if "://" not in link]


@pytest.mark.parametrize("file", DOCS, ids=lambda file: file.name)
def test_every_link_resolves(file: Path) -> None:
    """Every relative link of README and docs leads to a file that is there, and to a heading in it (SV-2)."""
    for link in links(file):
        path, _, anchor = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_place_named_is_there() -> None:
    """Every file and folder of the tree that README and docs name is there (SV-2)."""
    named = {place for file in DOCS for place in PLACE.findall(file.read_text(encoding="utf-8"))}
    roots = (ROOT, ROOT / "shared" / "anamnesis")
    assert [place for place in sorted(named) if not any((root / place).exists() for root in roots)] == []
    assert len(named) > 20


def test_every_command_shown_is_there() -> None:
    """Every command of ours and every target that README and docs show is one (SV-8, SV-9)."""
    texts = [file.read_text(encoding="utf-8") for file in DOCS]
    groups = {
        name: set(typer.main.get_group(group).commands)
        for name, group in (("wiki", wiki), ("erase", erase), ("bench", bench))
    }
    shown = {found.groups() for text in texts for found in COMMAND.finditer(text)}
    assert {command for command, _ in shown} <= set(COMMANDS)
    assert [pair for pair in shown if pair[0] in groups and pair[1] not in groups[pair[0]] | {None}] == []
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {target for text in texts for target in TARGET.findall(text)} <= targets
    assert len(shown) > 20


def test_a_newcomer_reaches_every_page() -> None:
    """README leads to each page of docs, and is short enough to be read to its end (SV-2)."""
    readme = DOCS[0]
    reached = {(ROOT / link.partition("#")[0]).resolve() for link in links(readme)}
    assert [file.name for file in DOCS[1:] if file not in reached] == []
    assert len(readme.read_bytes()) < 32_000


def test_every_dependency_is_a_decision() -> None:
    """README's Decisions have a row that names each library that is asked for (SV-2)."""
    _, _, decisions = DOCS[0].read_text(encoding="utf-8").partition("\n## Decisions\n")
    rows = [line.split(" | ")[1] for line in decisions.splitlines() if line.startswith("| 20")]
    named = {name for row in rows for name in re.findall(r"[a-z][\w-]+", row.lower())}
    asked = {
        name
        for file in sorted((ROOT / "requirements").glob("*.in"))
        for name in re.findall(r"^[a-z][\w-]+", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert asked - named == set()


def test_every_parameter_is_described() -> None:
    """The page about deploying names each parameter of the template, and none that it has not (SV-1)."""
    text = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
    table = text.partition("\n## Parameters\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(written()["Parameters"])
