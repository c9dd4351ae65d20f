"""The comparison of neighbours, without a node."""

from __future__ import annotations

from pathlib import Path

import pytest

from anamnesis_tools.bench.costs.neighbours import measure, shown
from anamnesis_tools.stack import search_node


def test_measures_the_embedded_index_where_no_node_can_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a node the embedded index is measured against exact search alone, and why is said (SV-10)."""
    monkeypatch.setattr(search_node, "BUILD", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    costs = measure([600], [1, 4], 20, None, uniform=True)
    assert [(cost.index, cost.vectors, cost.pairs) for cost in costs] == [
        ("embedded", 600, 1),
        ("embedded", 600, 4),
    ]
    assert all(0.9 < cost.recall <= 1 and cost.p50_ms <= cost.p95_ms for cost in costs)
    # Bytes of 8-bit vectors, whatever they are spread over.
    assert {cost.megabytes for cost in costs} == {0.2}
    shown(costs, as_json=False)
    said = capsys.readouterr()
    assert "embedded" in said.out
    assert "mvn" in said.err
