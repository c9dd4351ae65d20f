"""Pages of entities, projects and learnings (WK-1): the newest first, and what it replaced as history (WK-4, WD-5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date
from types import MappingProxyType
from typing import Final

from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.wiki.addresses import Address, episode_address
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.facts.calendar_pages import calendar_pages
from anamnesis.domain.wiki.facts.entity_pages import entity_pages
from anamnesis.domain.wiki.facts.learning_pages import learning_pages
from anamnesis.domain.wiki.facts.project_pages import project_pages
from anamnesis.domain.wiki.facts.projects import find_projects
from anamnesis.domain.wiki.facts.said import said_by_student
from anamnesis.domain.wiki.pages import Page, PageKind, Related
from anamnesis.domain.wiki.sessions import Session

#: Most sessions that a page leads to, the latest. Ours.
MAX_SESSIONS: Final = 3


def fact_pages(
    evidence: WikiEvidence,
    sessions: Sequence[Session],
    concepts: Mapping[tuple[str, str], Related] = MappingProxyType({}),
) -> list[Page]:
    """Every page of entities/, projects/ and learnings/, by path.

    Parameters
    ----------
    sessions
        Those of `evidence`, whose turns are what is cited.
    concepts
        By subject and key, the pages of concepts that a page may lead to.
    """
    turns = {
        (session.subject, turn.episode.position): session.address(turn.number)
        for session in sessions
        for turn in session.turns
    }

    def address_of(episode: Episode) -> Address:
        found = turns.get((episode.pair.subject, episode.position))
        return found or episode_address(episode.pair.subject, episode.id)

    by_subject = [
        (subject, list(said_by_student(subject.pair.subject, subject.episodes, address_of)))
        for subject in evidence.subjects
    ]
    everything = sorted(
        (said for _, sentences in by_subject for said in sentences),
        key=lambda s: (s.at, s.subject, s.position),
    )
    summaries = {
        session.address(): Related(
            session.summary_page, f"Session of {session.day.isoformat()}", "where it was said"
        )
        for session in sessions
    }
    pages = [
        *entity_pages(everything, evidence.subjects),
        *project_pages(
            [project for _, sentences in by_subject for project in find_projects(sentences)], everything
        ),
        *learning_pages(everything, evidence.subjects, address_of, concepts),
        *calendar_pages(
            evidence.records, everything[-1].at.astimezone(UTC).date() if everything else date.min
        ),
    ]
    return sorted((_with_sessions(page, summaries) for page in pages), key=lambda page: page.path)


def _with_sessions(page: Page, summaries: Mapping[Address, Related]) -> Page:
    """A page of entities or projects leads to the latest sessions that it quotes."""
    if page.kind is PageKind.LEARNING:
        return page
    cited = [s.cites[0] for section in page.sections for s in section.statements if s.cites]
    wholes = dict.fromkeys(Address(a.scheme, a.where, a.what) for a in cited)
    return replace(page, related=tuple(summaries[a] for a in wholes if a in summaries)[:MAX_SESSIONS])
