"""A ``WikiWriter`` of a page a session and concept, for tests of what becomes of a tree."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from anamnesis.domain.wiki.addresses import episode_address
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.gates.front_matter import is_agents
from anamnesis.domain.wiki.page_format import agent_notes, read, written
from anamnesis.domain.wiki.pages import INDEX_PATH, Page, PageKind, Related, Section, Statement, Tree
from anamnesis.domain.wiki.sessions import Session, sessions_of
from anamnesis.domain.wiki.slugs import slug
from anamnesis.domain.wiki.writing.transcripts import transcript_files


class TinyWriter:
    """Each session has a transcript and a summary of all turns, each taught note a page; the index links to all."""

    name = "tiny 1"

    def write(self, evidence: WikiEvidence, current: Tree, **_more: Any) -> Tree:
        pages = [_summary(session) for session in sessions_of(evidence)]
        for subject in evidence.subjects:
            said = {e.id: e for e in subject.episodes if e.content is not None}
            for key, notes in subject.layer.taught.items():
                standing = [note for note in notes if note.episode_id in said]
                if not standing:
                    continue
                days = [said[note.episode_id].occurred_at.astimezone(UTC).date() for note in standing]
                path = f"knowledge/concepts/{slug(subject.pair.subject)}/{slug(key)}.md"
                reference = read(path, current.get(path, "")).references
                pages.append(
                    Page(
                        path,
                        key,
                        PageKind.CONCEPT,
                        min(days),
                        max(days),
                        tuple(
                            Statement(
                                f"the student taught “{note.note}”.",
                                (episode_address(subject.pair.subject, note.episode_id),),
                            )
                            for note in standing
                        ),
                        agent_notes=agent_notes(current.get(path, "")),
                        note_references={str(n): a for n, a in reference.items() if a is not None},
                    )
                )
        tree = {page.path: written(page) for page in pages}
        for session in sessions_of(evidence):
            tree.update(transcript_files(session, session.name))
        tree |= {path: text for path, text in current.items() if is_agents(read(path, text))}
        if pages:
            days = [day for page in pages for day in (page.created, page.updated)]
            index = Page(
                INDEX_PATH,
                "Index",
                PageKind.INDEX,
                min(days),
                max(days),
                (),
                related=tuple(Related(page.path.removesuffix(".md"), page.title) for page in pages),
            )
            tree[INDEX_PATH] = written(index)
        return tree


def _summary(session: Session) -> Page:
    turns = tuple(
        Statement(f"“{turn.episode.content.text}”", (session.address(turn.number),))
        for turn in session.said
        if turn.episode.content is not None
    )
    return Page(
        f"{session.summary_page}.md",
        session.name,
        PageKind.SESSION,
        session.day,
        session.ended.date(),
        (),
        sections=(Section("Turns", turns),),
    )
