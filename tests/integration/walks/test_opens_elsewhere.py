"""What note-taking tools and code hosts make of a checkout: links and front matter as they read them, not as we do."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from support.wiki_histories import history

#: As note-taking tools find them: up to the first bar or the end; a backslash before the bracket makes it text.
_WIKILINK = re.compile(r"(?<!\\)\[\[([^\]|#]+)(?:\|(?:\\.|[^\]\\])*)?\]\]")
#: As CommonMark has them: a target without spaces and brackets.
_LINK = re.compile(r"(?<![\\\]])\[(?:\\.|[^\[\]\\])*\]\(([^()\s]+)\)")


def pages(folder: Path) -> dict[Path, str]:
    return {page: page.read_text(encoding="utf-8") for page in sorted(folder.rglob("*.md"))}


def broken(folder: Path) -> list[str]:
    """Links that lead nowhere, in either form."""
    found: list[str] = []
    for page, text in pages(folder).items():
        where = page.relative_to(folder)
        found += [
            f"{where}: [[{name}]]"
            for name in _WIKILINK.findall(text)
            if not (folder / f"{name}.md").is_file()
        ]
        found += [
            f"{where}: ({target})"
            for target in _LINK.findall(text)
            if not (page.parent / unquote(target)).is_file()
        ]
    return found


@pytest.fixture(scope="module", params=["lived", "hostile"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of months, and the files of one whose student tries to write markup, in twelve languages."""
    if request.param == "lived":
        found: Path = request.getfixturevalue("checkout")
        return found
    made = tmp_path_factory.mktemp("hostile")
    for path, text in DeterministicWriter().write(history(36), {}).items():
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_text(text, encoding="utf-8")
    return made


def test_every_link_opens_in_a_vault_and_on_a_code_host(folder: Path) -> None:
    """Every wikilink is the path of a file of the vault, every other link one on disk, and each has its twin (WK-3)."""
    assert broken(folder) == []
    links = {page: (_WIKILINK.findall(text), _LINK.findall(text)) for page, text in pages(folder).items()}
    assert sum(len(named) for named, _ in links.values()) > 100
    for page, (named, related) in links.items():
        one = {(folder / f"{name}.md").resolve() for name in named}
        other = {(page.parent / unquote(target)).resolve() for target in related}
        assert one == other, page


@pytest.mark.parametrize("text", ["[[knowledge/none|None]]", "[none](../none.md)"])
def test_a_broken_link_would_be_seen(tmp_path: Path, text: str) -> None:
    """A link to no file is found, in either form (WK-3)."""
    (tmp_path / "page.md").write_text(f"See {text}.")
    assert len(broken(tmp_path)) == 1


def test_front_matter_is_yaml(folder: Path) -> None:
    """A YAML reader reads from every page's front matter what we write: titles, kinds, days, lists (WK-2)."""
    for page, text in pages(folder).items():
        assert text.startswith("---\n"), page
        front, body = text.removeprefix("---\n").split("\n---\n", 1)
        values = yaml.safe_load(front)
        assert values == read(str(page), text).front, page
        assert isinstance(values["title"], str)
        assert all(isinstance(source, str) for source in values["sources"])
        assert body.lstrip().startswith("# "), page
