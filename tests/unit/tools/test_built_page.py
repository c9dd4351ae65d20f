"""The built page that ships is what its sources make, small, and in all its languages. Needs no Node.js."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from anamnesis.domain.beliefs.values import ChangeReason, Claim
from anamnesis.domain.files import FileStatus, RefusalReason, Shortcoming
from anamnesis.domain.grounding.values import Shortfall, Stance
from anamnesis.domain.log.chain import BreakKind
from anamnesis.domain.log.checkpoints import CheckpointBreakKind
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.log.erasures import ErasureBreakKind
from anamnesis.domain.night.records import Verification
from anamnesis.domain.night.verification import DANGLING_ANNOTATION

#: Problems that no request of the page can meet.
NOT_OF_A_PAGE = frozenset(
    {"gate-refused", "page-conflict", "method-not-allowed", "no-such-route", "not-json", "not-checkpointed"}
)
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


def problems_of_the_api() -> list[str]:
    """Every kind of problem in the table of errors; read as text, since importing it makes the functions' metrics."""
    table = (ROOT / "functions" / "http_errors.py").read_text(encoding="utf-8").split("TABLE:")[1]
    return re.findall(r'\(\s*[45]\d\d,\s*"([a-z-]+)"', table.split("\n}")[0])


#: The families of stable words that the page says in its own: the beginning of their messages' names.
STABLE = {
    "kind": Kind,
    "file": FileStatus,
    "file_why": [*RefusalReason, *Shortcoming],
    "reason": ChangeReason,
    "claim": Claim,
    "verified": Verification,
    "stance": Stance,
    "lacks": Shortfall,
    "broken": [*BreakKind, *CheckpointBreakKind, *ErasureBreakKind, DANGLING_ANNOTATION],
    "problem": [kind for kind in problems_of_the_api() if kind not in NOT_OF_A_PAGE],
}


@pytest.mark.parametrize("family", STABLE)
def test_every_stable_word_of_the_service_has_words_of_the_page(family: str) -> None:
    """Reasons, kinds, claims, stances and breaks, all that the service can give, are said in every language (SV-6)."""
    english = json.loads((MESSAGES / "en.json").read_text(encoding="utf-8"))
    assert len(STABLE[family]) > 1
    stable = {re.sub(r"[^a-z0-9]+", "_", f"{family}_{word}") for word in STABLE[family]}
    assert stable - english.keys() == set()
