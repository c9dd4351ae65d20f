"""The benchmark of wikis with a language model, small."""

from __future__ import annotations

import json

import pytest

from anamnesis_tools.bench.wiki.model_writer import measure, shown


def test_what_a_wiki_with_a_model_takes_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Pages, requests, tokens and money of each compile are told, and a night with nothing new takes none (WD-3)."""
    costs = measure(5, 12, 3.0, 15.0)
    shown(costs, as_json=False)
    assert "price in" in capsys.readouterr().out
    shown(costs, as_json=True)
    first, *_, quiet = json.loads(capsys.readouterr().out)
    assert first["pages"] >= first["written"] > 0
    assert first["requests"] > first["pages"]
    assert first["usd"] == pytest.approx(
        first["input_tokens"] * 3e-6 + first["output_tokens"] * 15e-6, rel=1e-9
    )
    assert (quiet["pages"], quiet["requests"], quiet["changed"]) == (0, 0, 0)
