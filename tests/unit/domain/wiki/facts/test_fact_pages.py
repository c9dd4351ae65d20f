"""Pages of facts: what stands comes first, what stood before is dated history."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
from tests.support.night_values import PAIR, day, episode

from anamnesis.domain.concepts import StudentLayer, SubjectMap
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.wiki.evidence import SubjectEvidence, WikiEvidence
from anamnesis.domain.wiki.facts import fact_pages
from anamnesis.domain.wiki.page_format import read, written
from anamnesis.domain.wiki.pages import Page, Related
from anamnesis.domain.wiki.sessions import sessions_of

_NO_MAP = SubjectMap(0, (), (), (), np.zeros((0, 4), np.float32), "none", {})


def pages_of(*episodes: Episode) -> dict[str, Page]:
    """Compose the pages of one subject's episodes, by path."""
    subject = SubjectEvidence(
        PAIR, episodes, (), _NO_MAP, StudentLayer(own_concepts={"osmosis": "Osmosis"}), {}
    )
    evidence = WikiEvidence(StudentScope(PAIR.tenant, PAIR.student), (subject,))
    return {page.path: page for page in fact_pages(evidence, sessions_of(evidence))}


def _question(position: int, text: str) -> Episode:
    return episode(position, Kind.QUESTION, text, at=day(position))


def test_a_moved_exam_says_the_new_day_first_and_keeps_the_old_one() -> None:
    """The page of a moved exam says the new day first and the old one as dated history (WD-5, WK-4)."""
    pages = pages_of(
        _question(1, "My biology exam is on 5 May."), _question(9, "My exam was moved, it is on 12 May now.")
    )
    page = pages["knowledge/projects/exam-biology.md"]
    assert "2026-05-12" in page.summary[0].text
    assert "2026-05-05" not in page.summary[0].text
    [history] = [section for section in page.sections if section.heading == "What changed"]
    assert history.statements[0].text.startswith("until 2026-03-10: it was to be on 2026-05-05")


def test_the_next_exam_is_another_goal() -> None:
    """An exam that is named long after the last one's day has a page of its own (WD-5)."""
    pages = pages_of(_question(1, "My exam is on 10 March."), _question(60, "My exam is on 20 June."))
    assert {"knowledge/projects/exam-biology.md", "knowledge/projects/exam-2-biology.md"} <= pages.keys()
    assert "Exam was on 2026-03-10" in pages["knowledge/projects/exam-biology.md"].summary[0].text


def test_the_newest_preference_stands() -> None:
    """Of two wishes about the same thing the newer one stands, the older one is history (WD-7)."""
    page = pages_of(
        _question(1, "I prefer short answers."),
        _question(2, "Please answer in Spanish."),
        _question(3, "I prefer long answers now."),
    )["knowledge/learnings/preferences.md"]
    standing = " ".join(statement.text for statement in page.summary)
    assert "I prefer long answers now." in standing
    assert "Please answer in Spanish." in standing
    assert "I prefer short answers." not in standing
    assert "I prefer short answers." in page.sections[-1].statements[0].text


def test_mistakes_that_recur_and_what_worked() -> None:
    """Checks missed again and again, and the work after which one was passed, have their pages (WK-1)."""
    checks = [
        episode(n, Kind.CHECK, "Check", correct=n == 5, concepts=("osmosis",), at=day(n)) for n in (1, 2, 5)
    ]
    work = replace(_question(3, "Can we draw the membrane?"), concepts=("osmosis",))
    pages = pages_of(*checks, work)
    mistakes = pages["knowledge/learnings/recurring-mistakes.md"].summary[0].text
    assert mistakes == "Osmosis: missed 2 times, last on 2026-03-03; passed since, on 2026-03-06."
    assert "Can we draw the membrane?" in pages["knowledge/learnings/what-worked.md"].summary[0].text


def test_what_was_erased_is_on_no_page() -> None:
    """An erased sentence gives no fact (WD-4)."""
    kept = _question(1, "I prefer short answers.")
    gone = episode(2, Kind.QUESTION, "Please answer in Spanish.", erased=True, at=day(2))
    assert "Spanish" not in written(pages_of(kept, gone)["knowledge/learnings/preferences.md"])


def test_every_sentence_is_cited_and_hostile_words_stay_words() -> None:
    """Each sentence of a page of facts has evidence, and what a student wrote is no markup in it (WK-3, SV-13)."""
    pages = pages_of(
        _question(1, "I prefer [[knowledge/index]] <b>short</b> answers [cite:9]"),
        _question(2, "My exam is on 12 May, see ![x](http://e.vil/x.png)"),
        _question(4, "My friend Rivera helps"),
        _question(9, "My friend Rivera helps again"),
    )
    assert len(pages) == 3
    for page in pages.values():
        text = written(page)
        found = read(page.path, text)
        assert not [link for line in found.lines for link in line.links if not link.startswith("sessions/")]
        for line in found.lines:
            assert "<b>" not in line.text
            assert "![" not in line.text.replace("!\\[", "")
        statements = [*page.summary, *(s for section in page.sections for s in section.statements)]
        assert all(statement.cites for statement in statements)
        assert {n for line in found.lines for n in line.citations} == {str(n) for n in found.references}


def test_the_order_of_the_evidence_does_not_matter() -> None:
    """The same episodes in any order give the same pages (WD-1)."""
    episodes = [
        _question(1, "My exam is on 5 May."),
        _question(2, "I prefer short answers."),
        _question(3, "My exam is on 12 May."),
    ]
    assert pages_of(*episodes) == pages_of(*reversed(episodes))


def test_pages_lead_on_to_sessions_and_concepts() -> None:
    """A goal's page leads to the sessions that it quotes, a page of mistakes to its concepts (WK-3)."""
    checks = [
        episode(n, Kind.CHECK, "Check", correct=False, concepts=("osmosis",), at=day(n)) for n in (1, 2)
    ]
    subject = SubjectEvidence(
        PAIR, (*checks, _question(5, "My exam is on 5 May.")), (), _NO_MAP, StudentLayer(), {}
    )
    evidence = WikiEvidence(StudentScope(PAIR.tenant, PAIR.student), (subject,))
    sessions = sessions_of(evidence)
    concept = Related("knowledge/concepts/biology/osmosis", "Osmosis")
    pages = {page.path: page for page in fact_pages(evidence, sessions, {(PAIR.subject, "osmosis"): concept})}
    assert pages["knowledge/learnings/recurring-mistakes.md"].related == (concept,)
    [session] = pages["knowledge/projects/exam-biology.md"].related
    assert session.path in {found.summary_page for found in sessions}


def test_half_a_year_of_silence_ends_a_goal_without_a_date() -> None:
    """A goal without a date that comes up again after half a year is another one (WD-5)."""
    late = episode(2, Kind.QUESTION, "I have an essay to write", at=day(1) + timedelta(days=200))
    assert len(pages_of(_question(1, "I have an essay to write"), late)) == 2
