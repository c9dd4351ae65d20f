"""sessions/: the summary of each session, made of its own words (WD-1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.log.summaries import first_sentence
from anamnesis.domain.text.utterances import asking_share
from anamnesis.domain.wiki.addresses import Address, file_address
from anamnesis.domain.wiki.pages import Page, PageKind, Related, Section, Statement
from anamnesis.domain.wiki.sessions import Session
from anamnesis.domain.wiki.writing.memories import Memory, Said, dated, listed, remembered
from anamnesis.domain.wiki.writing.subjects import CITED_PAGES, SubjectView
from anamnesis.domain.wiki.writing.wording import (
    MAX_QUOTE_CHARS,
    counted,
    in_pages,
    tally,
    title,
    told,
    words_of,
)

#: Sentences that tell most of a session, as many as a day's consolidation has titles (NI-1).
MAX_TELLING: Final = 5
#: Topics in a session's title, and pages that its summary links to.
MAX_TITLE_TOPICS: Final = 3
MAX_TOPICS: Final = 20
_MAX_TOPIC_CHARS: Final = 40


def session_title(session: Session, view: SubjectView) -> str:
    """Day, subject and main topics: all that a line about a session needs."""
    names = [view.concepts[key].name for key in topics(session, view) if key in view.concepts]
    if not names:
        names = _spoken_topics(view.by_session[session.id])
    about = ", ".join(first_sentence(name, max_chars=_MAX_TOPIC_CHARS) for name in names[:MAX_TITLE_TOPICS])
    return title(f"{session.day.isoformat()} {view.name}" + (f": {about}" if about else ""))


def topics(session: Session, view: SubjectView) -> list[str]:
    """Keys of its concepts, those of the most turns first."""
    touched = Counter(key for said in view.by_session[session.id] for key in view.keys_of(said))
    return sorted(touched, key=lambda key: (-touched[key], key))


def summary_page(session: Session, view: SubjectView, most: int) -> Page:
    """What was asked, checked and taught, in what files, and its most telling sentences.

    Parameters
    ----------
    most
        Most items of each list.
    """
    said = view.by_session[session.id]
    telling = _telling(said)
    # What tells most comes first, since an index shows it.
    first = [Statement(_sentence(memory), (memory.latest.turn_address,)) for memory in telling[:1]]
    sections = [
        Section("Most telling", tuple(dated(memory, by_turn=True) for memory in telling[1:])),
        *(
            Section(heading, listed(remembered(_of_kind(said, kinds)), most, what, by_turn=True))
            for heading, what, kinds in (
                ("Checked", "checks", (Kind.CHECK, Kind.QUIZ)),
                ("Taught by the student", "taught facts", (Kind.TAUGHT,)),
                ("Asked and said by the student", "questions", (Kind.QUESTION,)),
            )
        ),
        Section("Files", _files(said, view, most)),
    ]
    return Page(
        path=f"{session.summary_page}.md",
        title=session_title(session, view),
        kind=PageKind.SESSION,
        created=session.day,
        updated=session.ended.date(),
        summary=(*first, _counts(session, view)),
        sections=tuple(section for section in sections if section.statements),
        related=(
            Related(session.transcript_page, "Transcript", "every turn in full"),
            *(
                Related(view.concepts[key].page, view.concepts[key].name, "worked on")
                for key in topics(session, view)[:MAX_TOPICS]
                if key in view.concepts
            ),
        ),
        references=references(session, view, said),
    )


def references(session: Session, view: SubjectView, said: Sequence[Said]) -> dict[Address, str]:
    """What the addresses that a summary cites are."""
    told = {each.turn_address: f"turn {each.turn.number}, {each.episode.kind.value}" for each in said}
    files = {
        address: view.file_name(address)
        for each in said
        for citation in each.episode.evidence
        for address in view.source_cites(citation.file_id, (citation.page,) if citation.page else ())
    }
    return {session.address(): f"session of {session.day.isoformat()}", **told, **files}


def _of_kind(said: Sequence[Said], kinds: tuple[Kind, ...]) -> list[Said]:
    return [each for each in said if each.episode.kind in kinds]


def _spoken_topics(turns: Sequence[Said]) -> list[str]:
    """What callers said the turns were about, where no concept is known."""
    spoken = Counter(
        topic
        for said in turns
        if said.episode.content and (topic := first_sentence(said.episode.content.topic or ""))
    )
    return sorted(spoken, key=lambda topic: (-spoken[topic], topic))


def _counts(session: Session, view: SubjectView) -> Statement:
    """When, how much of what, and how checks went."""
    said = session.said
    ended = session.ended
    start = f"{session.started:%Y-%m-%d %H:%M}"
    end = f"{ended:%H:%M}" if ended.date() == session.day else f"{ended:%Y-%m-%d %H:%M}"
    held = tally(Counter(turn.episode.kind for turn in said))
    outcomes = [turn.episode.outcome for turn in said if turn.episode.outcome is not None]
    right = sum(outcome.correct for outcome in outcomes)
    results = f" ({right} right, {len(outcomes) - right} wrong)" if outcomes else ""
    names = [
        view.concepts[key].name for key in topics(session, view)[:MAX_TITLE_TOPICS] if key in view.concepts
    ]
    about = f"; on {', '.join(names)}" if names else ""
    narrated = sum(turn.episode.about_record for turn in said)
    record = f"; {counted(narrated, 'turn')} about the record" if narrated else ""
    return Statement(f"{start}–{end} UTC: {held}{results}{about}{record}.", (session.address(),))


def _telling(said: Sequence[Said]) -> list[Memory]:
    """The most salient memories, repeats once; of equally salient ones those that say more, then the earlier ones."""
    memories = [m for m in remembered(said) if m.latest.episode.kind is not Kind.FILE]
    memories.sort(key=lambda m: (-m.latest.episode.salience, -_says(m), m.first.order))
    return memories[:MAX_TELLING]


def _says(memory: Memory) -> float:
    """How much a memory says, in characters as far as they are shown, what it asks left out: a greeting says little.

    It looks at nothing but the turn itself, so that a later session changes no earlier one's page.
    """
    shown = " ".join(words_of(memory.latest.episode)[: 2 * MAX_QUOTE_CHARS].split())[:MAX_QUOTE_CHARS]
    return len(shown) * (1 - asking_share(shown))


def _sentence(memory: Memory) -> str:
    text = told(memory.latest.episode)
    return text[:1].upper() + text[1:]


def _files(said: Sequence[Said], view: SubjectView, most: int) -> tuple[Statement, ...]:
    """Files that answers cited, with their pages, and what is recorded of files themselves."""
    cited: dict[str, dict[int | None, Said]] = {}
    for each in said:
        for citation in each.episode.evidence:
            cited.setdefault(citation.file_id, {}).setdefault(citation.page, each)
    statements = []
    for file_id, pages in sorted(cited.items()):
        numbers = view.known_pages(file_id, sorted(page for page in pages if page is not None))
        addresses = view.source_cites(file_id, numbers)
        if not addresses:
            continue
        name = view.file_name(file_address(view.name, file_id)) or "a file"
        first = min(pages.values(), key=lambda each: each.order)
        statements.append(
            Statement(f"Cited: {name}{in_pages(numbers, CITED_PAGES)}.", (*addresses, first.turn_address))
        )
    events = listed(remembered(_of_kind(said, (Kind.FILE,))), most, "file events", by_turn=True)
    return (*statements[:most], *events)
