"""Kept results of evaluations: written, compared and drawn."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anamnesis_tools.bench.charts import Bar, Series, grouped_bars, lines
from anamnesis_tools.bench.command import app
from anamnesis_tools.bench.improvements.comparing import compared
from anamnesis_tools.bench.improvements.plots import plotted
from anamnesis_tools.bench.improvements.record import RESULTS, Kept, kept, latest, load, save


def result(first: str, second: str, *, sha: str = "a", kind: str = "designs") -> Kept:
    """A result with two designs' grades over two categories."""
    half = len(first) // 2
    categories = {
        "all": {
            "questions": len(first),
            "designs": {"full": {"share": first.count("1") / len(first), "interval": [0.1, 0.9]}},
        }
    }
    figures = {
        "questions_sha256": sha,
        "grades": {"full": first, "plain": second},
        "of_category": ["x"] * half + ["y"] * (len(first) - half),
        "categories": categories,
    }
    return kept(kind, figures, commit="c0ffee", note="Try", data_sha256="d", seconds=12.4)


def test_a_result_is_kept_with_all_that_it_takes_to_judge_it(tmp_path: Path) -> None:
    """A kept result has its day, commit, data, figures, note and cost, and is read again as it was written (EV-6)."""
    one = result("1100", "0000")
    path = save(one, tmp_path)
    assert load(path) == one
    told = json.loads(path.read_text(encoding="utf-8"))
    assert told["cost"] == {"processor_seconds": 12}
    assert all(
        told[name] for name in ("kind", "taken_at", "commit", "data_sha256", "note", "machine", "figures")
    )
    assert path.name.startswith(told["taken_at"][:10])
    assert latest("designs", tmp_path) == one
    assert latest("latency", tmp_path) is None


def test_the_same_questions_are_compared_pairwise() -> None:
    """With the same questions only those that changed count, by category and over all (EV-6)."""
    before, after = result("0" * 10 + "1" * 10, "0" * 20), result("1" * 20, "0" * 20)
    found = compared(before, after)
    assert found.common == 20
    by = {(one.of, one.category): one for one in found.differences}
    assert (by["full", "x"].gained, by["full", "x"].lost) == (10, 0)
    assert by["full", "x"].exceeds_noise
    assert by["full", "all"].exceeds_noise
    assert not by["full", "y"].exceeds_noise
    assert not by["plain", "all"].exceeds_noise


def test_other_questions_are_compared_as_shares() -> None:
    """Results of other questions are compared by their shares alone, which takes a larger difference (EV-6)."""
    found = compared(result("0" * 10 + "1" * 10, "0" * 20), result("1" * 12 + "0" * 8, "0" * 20, sha="b"))
    assert found.common == 0
    assert all(
        one.gained is None and not one.exceeds_noise for one in found.differences if one.category == "all"
    )


def with_ids(one: Kept, *names: str) -> Kept:
    return replace(one, figures=one.figures | {"question_ids": list(names)})


def test_what_both_asked_is_compared_pairwise() -> None:
    """Where sets differ in some questions, those that both asked are compared pairwise, whatever their place (EV-6)."""
    before = with_ids(result("0001", "0000"), "a", "b", "c", "d")
    after = with_ids(result("1011", "0000", sha="b"), "x", "a", "c", "d")
    found = compared(before, after)
    (full,) = [one for one in found.differences if (one.of, one.category) == ("full", "all")]
    assert (found.common, full.questions, full.gained, full.lost) == (3, (3, 3), 1, 0)
    other = with_ids(result("1011", "0000", sha="c"), "a", "x", "y", "z")
    assert compared(before, other).common == 0


def test_results_of_two_evaluations_are_not_compared(tmp_path: Path) -> None:
    """Comparing what is not comparable, or no result at all, is refused by name (EV-6)."""
    first = save(result("1", "0"), tmp_path)
    second = save(result("1", "0", kind="ablation"), tmp_path)
    other = tmp_path / "other.json"
    other.write_text('{"kind": 1}')
    for pair in ((first, second), (first, other)):
        refused = CliRunner().invoke(app, ["compare", *map(str, pair)])
        assert refused.exit_code == 2
    same = CliRunner().invoke(app, ["compare", str(first), str(first), "--json"])
    assert json.loads(same.stdout)["common"] == 1


def latency() -> Kept:
    """A result of the latency benchmark, as far as its chart needs it."""
    turns = {name: {"p50": 10.0, "p95": 20.0} for name in ("wall_ms", "cpu_ms", "embedding_alone_ms")}
    return kept(
        "latency", [{"pairs": 1, "episodes": n, "warm": turns} for n in (100, 1_000)], commit="c0ffee"
    )


def charts() -> dict[str, str]:
    return {
        "lines": lines(
            "L", "x", "y", [Series("a", {1: 2, 10: 3}), Series("b <&>", {1: 2.5, 10: 3})], log=True
        ),
        "bars": grouped_bars(
            "B", "y", {"one": {"p": Bar(0.5, 0.4, 0.6)}, "two & more": {"q": Bar(1, 0.9, 1)}}
        ),
    }


def test_charts_are_the_same_every_time_and_well_formed() -> None:
    """The same figures give the same bytes of valid SVG, whatever names hold, with every figure in words (EV-3)."""
    assert charts() == charts()
    for svg in charts().values():
        root = ET.fromstring(svg)
        assert root.tag.endswith("svg")
        assert root.get("aria-label")
    assert "b &lt;&amp;&gt;" in charts()["lines"]
    assert "50.0% (40.0% to 60.0%)" in charts()["bars"]


def test_nothing_is_drawn_of_nothing() -> None:
    """A chart without figures is an error and no empty picture (EV-3)."""
    with pytest.raises(ValueError, match="points"):
        lines("L", "x", "y", [])
    with pytest.raises(ValueError, match="bars"):
        grouped_bars("B", "y", {})


def test_each_kind_of_result_has_its_chart(tmp_path: Path) -> None:
    """The latest result of each kind is drawn beside it, and a second drawing changes nothing (EV-3, EV-7)."""
    old = replace(result("0000", "0000"), taken_at="2020-01-01T00:00:00Z")
    locomo = kept("locomo", {"rankers": {"fitted": {"recall": {"400": 0.7, "800": 0.8}}}}, commit="c0ffee")
    for one in (old, result("1100", "0000"), latency(), locomo):
        save(one, tmp_path)
    drawn = {path.name: path.read_bytes() for path in plotted(tmp_path)}
    assert set(drawn) == {"designs.svg", "latency.svg", "locomo.svg"}
    assert b"50.0%" in drawn["designs.svg"]
    assert {path.name: path.read_bytes() for path in plotted(tmp_path)} == drawn


def test_what_is_kept_can_be_read(tmp_path: Path) -> None:
    """Every result in the tree is one, of small size, and its charts are those of the latest results (EV-6)."""
    kept_here = sorted(RESULTS.glob("*.json"))
    assert kept_here
    for path in kept_here:
        assert load(path).kind in path.name
        assert path.stat().st_size < 200_000
    drawn = {path.name: path.read_bytes() for path in plotted(RESULTS, tmp_path)}
    shown = {path.name: path.read_bytes() for path in RESULTS.glob("*.svg")}
    assert drawn == shown, "run `anamnesis bench plots`"
