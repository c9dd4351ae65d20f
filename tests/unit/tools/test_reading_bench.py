"""`anamnesis bench reading`: outcomes of a folder of files against its manifest (CM-1, SV-12)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anamnesis_tools.bench.files.reading import judged, measure, shown
from support.pdf_samples import locked, pdf_of, picture_only


def test_outcomes_are_held_against_the_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files read and refused are right or wrong by the manifest, phrases that are missing are named (CM-1)."""
    files = {
        "good.pdf": (
            pdf_of([["Osmosis moves water."]]),
            {"kind": "plain", "expect": 'contains "osmosis  moves"'},
        ),
        "bad.pdf": (pdf_of([["Osmosis moves water."]]), {"kind": "plain", "expect": 'has "diffusion"'}),
        "short.pdf": (pdf_of([["One page."]]), {"kind": "plain", "expect": "two pages", "pages": 2}),
        "locked.pdf": (locked(), {"kind": "encrypted", "expect": "told encrypted"}),
        "scan.pdf": (picture_only(), {"kind": "plain", "expect": "a text"}),
    }
    for name, (data, _) in files.items():
        (tmp_path / name).write_bytes(data)
    manifest = [{"file": name, "format": "pdf", **entry} for name, (_, entry) in files.items()]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    outcomes = measure(tmp_path)
    assert [one.right for one in outcomes] == [True, False, False, True, False]
    assert outcomes[1].missing == ("diffusion",)
    assert (outcomes[0].pages, outcomes[0].chars, outcomes[3].refused) == (1, 20, "encrypted")
    assert all(one.peak_mb > 1 and one.seconds > 0 for one in outcomes)
    shown(outcomes, as_json=True)
    assert [one["file"] for one in json.loads(capsys.readouterr().out)] == list(files)
    shown(outcomes, as_json=False)
    assert "good.pdf" in capsys.readouterr().out


def test_a_folder_without_a_manifest_is_measured_without_a_verdict(tmp_path: Path) -> None:
    """Without a manifest every file of the folder is read and nothing is called right or wrong (CM-1)."""
    (tmp_path / "b.pdf").write_bytes(pdf_of([["Osmosis moves water."], []]))
    (tmp_path / "a.md").write_text("# Cells\n\nThey divide.")
    assert [(one.file, one.right, one.pages, one.empty_pages) for one in measure(tmp_path)] == [
        ("a.md", None, 1, 0),
        ("b.pdf", None, 2, 1),
    ]


def test_unquoted_beginnings_are_looked_for() -> None:
    """What an entry says that a text starts with is looked for, whatever its signs and spaces (CM-1)."""
    entry = {"kind": "indic", "expect": "true first paragraphs: मेन्यू पट्टी / F6 स्विच"}
    assert judged("", ["मेन्यू-पट्टी", "F6स्विच को"], entry) == (True, ())
    assert judged("", ["मेन्यू"], entry)[0] is False
