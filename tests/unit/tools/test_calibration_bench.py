"""The measurement of predictions, on a learning log in its format."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
import typer

from anamnesis.domain.night.records import ReliabilityBucket
from anamnesis_tools.bench.beliefs.calibration import PREDICTORS, Predictive, measure
from anamnesis_tools.bench.beliefs.calibration_plot import plotted
from anamnesis_tools.bench.beliefs.learning_log import learners

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def log(tmp_path: Path, count: int) -> Path:
    """Learners of whom every other one knows nearly everything and the rest hardly anything."""
    rng = Random(7)
    group = []
    for number in range(count):
        share = 0.9 if number % 2 else 0.1
        events = [
            {
                "time": (START + timedelta(minutes=5 * i)).isoformat(),
                "kc": f"component {i % 6}",
                "outcome": "CORRECT" if rng.random() < share else "INCORRECT",
            }
            for i in range(24)
        ]
        events.append({"time": START.isoformat(), "kc": "component 0", "outcome": "STUDY"})
        group.append({"student": f"S{number}", "events": events})
    file = tmp_path / "log.json"
    file.write_text(json.dumps(group), encoding="utf-8")
    return file


def test_study_is_no_answer(tmp_path: Path) -> None:
    """A trial without an outcome is never taken for a check, right or wrong (BE-5)."""
    assert [len(learner.answers) for learner in learners(log(tmp_path, 2))] == [24, 24]


def test_every_predictor_is_judged_on_the_same_answers(tmp_path: Path) -> None:
    """Every predictor says something of every answer; who knows the student tells right from wrong best (BE-5)."""
    judged = {result.predictor: result for result in measure(log(tmp_path, 10))}
    assert set(judged) == set(PREDICTORS)
    for result in judged.values():
        assert sum(bucket.count for bucket in result.reliability) == 240
    assert judged["always the mean"].auc < 0.6
    assert judged["Anamnesis"].auc > judged["BKT, forgetting"].auc > 0.6
    assert judged["Anamnesis"].bias_by_learner < judged["always the mean"].bias_by_learner
    assert judged["Anamnesis as shipped"].auc > 0.6


@pytest.mark.parametrize(
    "content", ["", "{}", "[{}]", '[{"student": "S", "events": [{"time": "never"}]}]', "\0"]
)
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    """A file that is no learning log is refused by its name, with no table of nothing (BE-5)."""
    file = tmp_path / "log.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(typer.BadParameter, match="log\\.json"):
        learners(file)


def test_the_plot_draws_every_bucket_the_same_every_time(tmp_path: Path) -> None:
    """The reliability plot is one well-formed SVG with a point for each bucket, equal for equal results (NI-3)."""
    buckets = tuple(ReliabilityBucket(n / 10, n / 10 + 0.1, n + 1, n / 10 + 0.05, n / 10) for n in range(10))
    results = [Predictive(f"<{n}>", 0.7, 0.6, 0.05, 0.02, buckets[n:]) for n in range(5)]
    drawn = plotted(results)
    assert plotted(list(results)) == drawn
    root = ET.fromstring(drawn)
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f".//{space}circle")) == sum(len(result.reliability) for result in results)
    names = [text.text for text in root.iter(f"{space}text") if text.get("class") == "name"]
    assert names == [result.predictor for result in results]
    assert "href" not in drawn
    assert plotted([]).startswith("<svg")
