"""How long a report over a long history takes. Not part of the tests: ``pytest tests/benchmarks/bench_report.py``."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import cache
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.beliefs.revision import CheckResult, revise
from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.report import Report
from anamnesis.domain.report.activity import checks_in, positions_of
from anamnesis.domain.report.beliefs import choose
from anamnesis.domain.report.composition import ReportMaterial, compose
from anamnesis.domain.report.html import html_of
from anamnesis.domain.report.layout import document_of
from anamnesis.domain.report.markdown import markdown_of
from anamnesis.domain.report.values import Chain, CheckedWhen
from anamnesis.domain.report.wording import wording
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import build_segment, concatenate
from support.recall_histories import NOW, episode

BLOCK = 5_000
EPISODES = 100_000
CONCEPTS = 5_000
KINDS = ("question", "answer", "check")


def _passed(position: int) -> bool:
    """Two of three checks of a concept are passed, in turns, so that beliefs change."""
    # A concept comes up for a check every third time that it comes up.
    return position // (3 * CONCEPTS) % 3 > 0


def _episode(position: int) -> Episode:
    kind = KINDS[position % 3]
    return episode(
        position,
        f"Said {position} about c{position % CONCEPTS}",
        kind=kind,
        at=NOW - timedelta(minutes=12 * (EPISODES - position)),
        concepts=[f"c{position % CONCEPTS}"],
        correct=_passed(position) if kind == "check" else None,
    )


@cache
def _history() -> Segment:
    """Two years and a quarter of work around the clock."""
    history: Segment | None = None
    for first in range(1, EPISODES, BLOCK):
        block = build_segment(
            [_episode(position) for position in range(first, first + BLOCK)],
            first_position=first,
            vectors={},
            embedder="bench",
            dimension=1,
        )
        history = block if history is None else concatenate(history, block)
    assert history is not None
    return history


@cache
def _rows() -> tuple[Belief, ...]:
    """What every check of the history made of the beliefs, one a concept."""
    rows: dict[str, Belief] = {}
    current: dict[str, str] = {}
    for position in range(2, EPISODES, 3):
        made = _episode(position)
        key = made.concepts[0]
        passed = _passed(position)
        check = CheckResult(made.id, made.occurred_at, key, key, passed, float(passed))
        revision = revise(rows.get(current.get(key, "")), check, new_id=f"b{position}", pair=made.pair)
        for row in (revision.changed, revision.inserted):
            if row is not None:
                rows[row.id] = row
        if revision.inserted is not None:
            current[key] = revision.inserted.id
    return tuple(rows.values())


def _report() -> Report:
    segments, rows = (_history(),), _rows()
    chosen, checks = choose(rows), checks_in(segments)
    untied = checks.behind_nothing(chosen.tied_ids())
    quoted = positions_of(segments, chosen.evidence_ids()).values()
    subject_map = SubjectMap(0, (), (), (), np.zeros((0, 1), np.float32), "bench", {})
    material = ReportMaterial(
        pair=_episode(1).pair,
        composed_at=NOW,
        zone=ZoneInfo("Europe/Madrid"),
        time_zone="Europe/Madrid",
        segments=segments,
        chosen=chosen,
        episodes=[_episode(position) for position in quoted],
        checks=checks,
        untied=untied,
        citation_checks=(),
        subject_map=subject_map,
        readiness=0.0,
        readiness_of={},
        self_model=None,
        groundings=(),
        chain=Chain(None, CheckedWhen.NEVER, None, EPISODES, None, None, (), 0, 0),
    )
    return compose(material)


def test_composing(benchmark: BenchmarkFixture) -> None:
    """A report over 100,000 episodes and what 33,333 checks made of 5,000 beliefs is composed in seconds (SV-12)."""
    _history(), _rows()
    report = benchmark.pedantic(_report, rounds=3, warmup_rounds=1)
    benchmark.extra_info["rows of beliefs"] = len(_rows())
    assert report.beliefs.standings.total == CONCEPTS
    assert report.beliefs.standings.left_out > 0


@pytest.mark.parametrize("form", [html_of, markdown_of])
def test_writing(benchmark: BenchmarkFixture, form: object) -> None:
    """The same written down (SV-12)."""
    report = replace(_report(), student="ana")
    text = benchmark.pedantic(lambda: form(document_of(report, wording("en"))), rounds=5, warmup_rounds=1)  # type: ignore[operator]
    benchmark.extra_info["bytes"] = len(text.encode())
    assert len(text.encode()) < 1_000_000
