"""The page of a report: self-contained, readable, for every reader."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLTree

from anamnesis.domain.beliefs import ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.files import FileStatus
from anamnesis.domain.grounding.values import Stance
from anamnesis.domain.log.chain import Break
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.night.records import Calibration, ReliabilityBucket
from anamnesis.domain.report.beliefs import (
    MAX_EVIDENCE,
    MAX_MISCONCEPTIONS,
    MAX_STAGES,
    MAX_STANDINGS,
    MAX_STEPS,
)
from anamnesis.domain.report.composition import MAX_QUOTED_CHARS, MAX_TOPIC_CHARS, MAX_UNTIED
from anamnesis.domain.report.html import CONTENT_SECURITY_POLICY, STYLE, html_of
from anamnesis.domain.report.layout import document_of
from anamnesis.domain.report.markdown import markdown_of
from anamnesis.domain.report.values import (
    Activity,
    Band,
    BeliefsNow,
    Chain,
    ChangedFile,
    CheckedWhen,
    Checks,
    Citations,
    Cut,
    FileCount,
    Material,
    Month,
    NotChecked,
    Report,
    Stage,
    ToldBelief,
    ToldEpisode,
    TracedAnswers,
    Unanswered,
    WeakHub,
    Week,
)
from anamnesis.domain.report.wording import LANGUAGES, wording
from anamnesis.schemas.report import ReportOut

AT = datetime(2026, 7, 3, 9, tzinfo=UTC)


def evidence(number: int, *, correct: bool = False) -> ToldEpisode:
    return ToldEpisode(f"e{number}", number, AT, Kind.CHECK, "Explained it", None, correct, float(correct))


def standing(name: str, claim: Claim, stages: int = 2) -> ToldBelief:
    told = tuple(
        Stage(
            claim=claim,
            since=AT + timedelta(days=n),
            confidence=0.7,
            steps=tuple(
                ConfidenceChange(AT + timedelta(days=n), 0.5 + n / 10, reason, "e1")
                for reason in (ChangeReason.CHECK, ChangeReason.CHECK, ChangeReason.DECAY)
            ),
            because=evidence(1) if n else None,
            evidence=Cut((evidence(1), ToldEpisode("gone", 0, None, None, None, None, None, None)), 3),
            decays=n,
        )
        for n in range(stages)
    )
    return ToldBelief(f"b-{name}", name, name, claim, 0.7, True, AT, AT, Cut(told, 2))


def full(beliefs: int = 3) -> Report:
    """A report in which every section has something to say and something left out."""
    struggles = tuple(standing(f"struggle {n}", Claim.STRUGGLES_WITH) for n in range(beliefs))
    return Report(
        tenant="school",
        student="ana",
        subject="biology",
        composed_at=AT,
        time_zone="Asia/Kolkata",
        episodes=90,
        first_at=AT - timedelta(days=90),
        last_at=AT,
        beliefs=BeliefsNow(Cut((*struggles, standing("osmosis", Claim.UNDERSTANDS)), 5), 6, beliefs, 2, 4),
        misconceptions=Cut(struggles, 1),
        traced=TracedAnswers(
            9, Cut((Unanswered("Why?", AT, Stance.COULD_NOT), Unanswered(None, AT, Stance.PARTIAL)), 2)
        ),
        checks=Checks(30, 20, 4, Cut((evidence(4), evidence(5, correct=True)), 2)),
        citations=Citations(
            8,
            3,
            40,
            1,
            Cut((ChangedFile("f", "", True, None, 2), ChangedFile("g", "g", False, "h", 1)), 1),
            AT.date(),
        ),
        calibration=Calibration(
            24,
            0.08,
            0.2,
            (ReliabilityBucket(0.1, 0.2, 4, 0.15, 0.5), ReliabilityBucket(0.9, 1.0, 20, 0.97, 1.0)),
            calibrated=True,
        ),
        activity=Activity(
            Cut(
                tuple(Week(date(2026, 1, 5) + timedelta(weeks=n), n % 7, n % 3, n % 2) for n in range(26)), 9
            ),
            Cut((Month(date(2026, 6, 1), 9, 30, 8, 2, 1, Cut(("osmosis", "cell"), 3)),), 4),
            40,
            60,
        ),
        material=Material(
            0.7,
            5,
            tuple(Band(band, 1) for band in (1.0, 0.85, 0.6, 0.35)),
            Cut((WeakHub("lipid", 2),), 1),
            1,
            (FileCount(FileStatus.READ, 2), FileCount(FileStatus.REFUSED, 1)),
        ),
        chain=Chain(
            False,
            CheckedWhen.NOW,
            None,
            90,
            3,
            Cut((Break(4, "hash_mismatch"),), 2),
            (
                NotChecked("no-checkpoint"),
                NotChecked("since-checkpoint", 4, 9),
                NotChecked("erasing"),
                NotChecked(None, text="x"),
            ),
            2,
            3,
        ),
        self_model=None,
    )


@pytest.fixture(params=LANGUAGES, scope="module")
def page(request: pytest.FixtureRequest) -> HTMLTree:
    """The whole page in each language."""
    return HTMLTree(html_of(document_of(full(), wording(request.param))))


def test_the_page_fetches_and_runs_nothing(page: HTMLTree) -> None:
    """No script, event handler, inline style, external address, frame or form stands in the page (SV-13)."""
    assert not page.css("script, link, img, iframe, object, embed, form, base, image, use, foreignObject")
    for node in page.css("*"):
        for name, value in node.attributes.items():
            assert not name.startswith("on"), node.html
            assert name not in {"style", "src", "srcset", "xlink:href"}, node.html
            assert name != "href" or str(value).startswith("#"), node.html
    assert "url(" not in STYLE
    assert "@import" not in STYLE


def test_the_policy_allows_the_page_s_own_style_only(page: HTMLTree) -> None:
    """The policy in page and header names the very style of the page by its hash, and nothing else (SV-13)."""
    [style] = page.css("style")
    text = style.text(deep=True)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    policy = page.css_first('meta[http-equiv="Content-Security-Policy"]').attributes["content"]
    assert f"style-src 'sha256-{digest}'" in str(policy)
    assert str(policy).startswith("default-src 'none'")
    assert f"{policy}; frame-ancestors 'none'" == CONTENT_SECURITY_POLICY


def test_headings_tables_and_charts_can_be_read_aloud(page: HTMLTree) -> None:
    """One heading of the first rank and no rank skipped, captions and scopes, and words for each chart (SV-6)."""
    ranks = [int(node.tag[1]) for node in page.css("h1, h2, h3, h4")]
    assert ranks.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in itertools.pairwise(ranks))
    for table in page.css("table"):
        assert table.css_first("caption").text()
        assert all(head.attributes.get("scope") for head in table.css("th"))
    for svg in page.css("svg"):
        words = svg.attributes.get("aria-label")
        assert words or svg.attributes.get("aria-hidden") == "true"
    charts = page.css('svg[role="img"]')
    assert len(charts) == 2
    assert all(svg.css_first("title") is not None and svg.css_first("desc") is not None for svg in charts)
    ids = [node.attributes["id"] for node in page.css("[id]")]
    assert len(ids) == len(set(ids))
    assert {f"#{node}" for node in ids} >= {link.attributes["href"] for link in page.css("nav a")}


def test_direction_follows_the_language(page: HTMLTree) -> None:
    """An Arabic page runs from the right, others from the left, and quoted words go their own way (SV-6)."""
    root = page.css_first("html")
    assert root.attributes["dir"] == ("rtl" if root.attributes["lang"] == "ar" else "ltr")
    assert all(node.attributes["dir"] == "auto" for node in page.css("bdi"))
    physical = re.findall(r"[\w-]*(?:left|right)[\w-]*\s*:", re.sub(r"/\*.*?\*/", "", STYLE))
    assert physical == []


def _luminance(colour: str) -> float:
    shares = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", range(3), ids=["light", "dark", "paper"])
def test_colours_have_contrast(scheme: int) -> None:
    """Text has the contrast of WCAG 2.2 AA (1.4.3), marks of charts that of 1.4.11, in light, dark and print (SV-6)."""
    blocks = re.findall(r":root\s*\{([^}]*--paper[^}]*)\}", STYLE)
    colours = dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", blocks[scheme]))
    for ground in ("paper", "card"):
        for text in ("ink", "soft", "accent", "good", "bad", "warning"):
            assert _contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
        for mark in ("turns", "good", "bad", "accent", "warning"):
            assert _contrast(colours[mark], colours[ground]) >= 3, (mark, ground)
    for tone in ("good", "bad", "warning"):
        for text in (tone, "ink"):
            assert _contrast(colours[text], colours[f"{tone}-wash"]) >= 4.5, (text, tone)
    assert _contrast(colours["ink"], colours["track"]) >= 4.5


def test_a_report_stays_small() -> None:
    """With every list full and the longest words a report of any form stays under Lambda's 6 MB (SV-12)."""
    said, name = "🧬" * MAX_QUOTED_CHARS, "🧬" * 80
    quoted = replace(evidence(1), summary=said, topic="🧬" * MAX_TOPIC_CHARS)
    stage = standing(name, Claim.STRUGGLES_WITH).stages.shown[0]
    stage = replace(
        stage,
        steps=stage.steps[:1] * MAX_STEPS,
        because=quoted,
        evidence=Cut((quoted,) * MAX_EVIDENCE, 1_000),
    )
    long = replace(standing(name, Claim.STRUGGLES_WITH), stages=Cut((stage,) * MAX_STAGES, 1_000))
    many = replace(
        full(),
        beliefs=BeliefsNow(Cut((long,) * MAX_STANDINGS, 9_940), 0, 10_000, 0, 0),
        misconceptions=Cut((replace(long, stages=Cut((stage,), 9)),) * MAX_MISCONCEPTIONS, 9_980),
        checks=Checks(90_000, 1, 80_000, Cut((quoted,) * MAX_UNTIED, 79_980)),
    )
    document = document_of(many, wording("hi"))
    assert len(html_of(document).encode()) < 3_000_000
    assert len(markdown_of(document).encode()) < 3_000_000
    # As JSON that spells every character beyond ASCII.
    reply = ReportOut.model_validate(many, from_attributes=True).model_dump(mode="json")
    assert len(json.dumps(reply)) < 5_000_000
    assert "9,940" in markdown_of(document)
