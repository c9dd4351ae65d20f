"""The built page that ships is what its sources make, small, and in all its languages. Needs no Node.js."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "tools" / "page"
BUILT = ROOT / "functions" / "page" / "built"
MESSAGES = SOURCES / "src" / "messages"
#: Of everything that a browser may fetch, compressed (issue 9).
MOST_BYTES = 300_000
PLACES = re.compile(r"\{\w+\}")


def hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder, as tools/page/record.mjs notes them."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and "node_modules" not in path.parts and path.name != "record.json"
    }


def test_the_built_page_comes_from_its_sources() -> None:
    """Whoever changes the page's sources builds it anew (`make page`), and nobody edits what was built (SV-2)."""
    record = json.loads((BUILT / "record.json").read_text(encoding="utf-8"))
    assert hashes(SOURCES) == record["sources"], "tools/page has changed since: run `make page`"
    assert hashes(BUILT) == record["built"], "functions/page/built was edited: run `make page`"


def test_the_page_is_light() -> None:
    """All of the page, in every language, is 300 kB compressed at most (SV-12)."""
    files = [path for path in BUILT.rglob("*") if path.is_file() and path.name != "record.json"]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) <= MOST_BYTES


def test_the_page_names_nobody_else() -> None:
    """The page's own markup has no inline script or style, and fetches nothing from another address (SV-11)."""
    page = (BUILT / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|https?:|//", page)
    assert re.findall(r"<script[^>]*>([^<]*)</script>", page) == [""]
    sources = [path.read_text(encoding="utf-8") for path in (SOURCES / "src").rglob("*.ts*")]
    assert not [
        text for text in sources if re.search(r"innerHTML|dangerouslySetInnerHTML|document\.write", text)
    ]


@pytest.mark.parametrize("language", ["es", "id", "hi", "ar"])
def test_every_language_says_everything(language: str) -> None:
    """A language has every message, with the same places for values, in words of its own (SV-6)."""
    english = json.loads((MESSAGES / "en.json").read_text(encoding="utf-8"))
    said = json.loads((MESSAGES / f"{language}.json").read_text(encoding="utf-8"))
    assert said.keys() == english.keys()
    assert [
        key for key in said if sorted(PLACES.findall(said[key])) != sorted(PLACES.findall(english[key]))
    ] == []
    assert sum(said[key] == english[key] for key in said) <= 12
