"""`anamnesis read`: both readers on one file, without a stack (CM-1, CM-2, SV-8)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from anamnesis_tools.cli import app
from support.pdf_samples import pdf_of, picture_only

LESSON = (
    "# Movement\n\nDiffusion is the movement of particles.\n\n"
    "# Water\n\nOsmosis is the diffusion of water [bold]now[/bold].\n"
)


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and output."""
    result = CliRunner().invoke(app, ["read", *arguments])
    return result.exit_code, result.output


def result_of(path: Path) -> dict[str, Any]:
    """The JSON printed for a file that the command can open."""
    code, output = run(str(path), "--json")
    assert code == 0
    parsed: dict[str, Any] = json.loads(output)
    return parsed


def test_json_holds_pages_and_concepts(tmp_path: Path) -> None:
    """The JSON has the media type, the pages, the concepts with prerequisites, and what was refused (SV-8)."""
    (tmp_path / "a b.md").write_text(LESSON, encoding="utf-8")
    result = result_of(tmp_path / "a b.md")
    assert result["media_type"] == "text/markdown"
    assert [page["page"] for page in result["pages"]] == [1, 2]
    osmosis = next(concept for concept in result["concepts"] if concept["name"] == "osmosis")
    assert osmosis["builds_on"] == ["diffusion"]
    assert osmosis["pages"] == [2]
    assert set(osmosis) == {"name", "gist", "definition", "builds_on", "assumed", "pages"}
    assert result["rejected"] == []


def test_a_refusal_is_a_result(tmp_path: Path) -> None:
    """A file that cannot be read gives its refusal with a stable type and exit code 0 (SV-12)."""
    (tmp_path / "scan.pdf").write_bytes(picture_only())
    result = result_of(tmp_path / "scan.pdf")
    assert result["refused"]["type"] == "no-text-layer"
    assert result["refused"]["detail"]
    assert "no-text-layer" in run(str(tmp_path / "scan.pdf"))[1]


def test_the_name_decides_nothing(tmp_path: Path) -> None:
    """A PDF under any name is read as a PDF (CM-1)."""
    (tmp_path / "notes.md").write_bytes(pdf_of([["Osmosis is the diffusion of water."]]))
    assert result_of(tmp_path / "notes.md")["media_type"] == "application/pdf"


def test_people_get_a_table(tmp_path: Path) -> None:
    """Without --json the command prints a table in which a file's words are not taken for markup (SV-8)."""
    (tmp_path / "a.md").write_text(LESSON, encoding="utf-8")
    code, output = run(str(tmp_path / "a.md"))
    assert code == 0
    assert "Osmosis" in output
    assert "diffusion" in output
    assert "[bold]" in output.replace("\n", "")


@pytest.mark.parametrize("name", ["missing.md", "."])
def test_what_cannot_be_opened_is_an_error(tmp_path: Path, name: str) -> None:
    """A missing file or a folder ends with exit code 2 and no traceback (SV-8)."""
    code, output = run(str(tmp_path / name), "--json")
    assert code == 2
    assert "Traceback" not in output


def test_it_loads_no_sdk(tmp_path: Path) -> None:
    """The command needs neither the AWS SDK nor settings (SV-3, SV-8)."""
    (tmp_path / "a.md").write_text(LESSON, encoding="utf-8")
    code = (
        "import sys; from anamnesis_tools.read_command import examined;"
        f"examined(open({str(tmp_path / 'a.md')!r}, 'rb').read(), 'a.md');"
        "print([name for name in ('boto3', 'botocore', 'pynamodb', 'anamnesis.settings') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
