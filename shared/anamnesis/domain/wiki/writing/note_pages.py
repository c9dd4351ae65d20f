"""notes/: distilled snippets by topic, for a keyword search that needs no second step (WK-1).

A snippet is the beginning of what somebody said, in their words. Topics are the concepts of a subject; what touches
none goes by the topic that its caller named, if that is one, and else by its month. Snippets are parted into pages from
the oldest on, so that new ones change the last page only: that one has the topic's name, earlier ones lie in a folder
of that name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.log.summaries import first_sentence
from anamnesis.domain.messages.teachings import reads_like_utterance
from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.pages import MAX_PAGE_BYTES, NOTES, Page, PageKind, Related, Section, Statement
from anamnesis.domain.wiki.slugs import hashed, slugs
from anamnesis.domain.wiki.writing.concept_pages import told_references
from anamnesis.domain.wiki.writing.memories import Memory, Said, dated, remembered
from anamnesis.domain.wiki.writing.subjects import ConceptView, SubjectView
from anamnesis.domain.wiki.writing.wording import counted, day_of, title

_Snippet = tuple[Memory, Statement]

#: What the snippets of a page may take, in bytes as ``_size`` estimates it: the rest is for links and agents' notes.
_SNIPPET_BYTES: Final = MAX_PAGE_BYTES * 2 // 3
#: Longest topic that a caller may name a page by, in characters. Ours: five words.
MAX_TOPIC_CHARS: Final = 60
#: Links to earlier parts.
_MAX_PARTS_LINKED: Final = 20


def note_pages(subject: SubjectView) -> Iterator[Page]:
    """Every page of snippets of a subject."""
    for view in subject.concepts.values():
        if view.said:
            about = f"Notes on {view.name}"
            yield from _pages(view.notes_page, about, view.said, subject, view)
    taken = {view.notes_page.rsplit("/", 1)[-1] for view in subject.concepts.values()}
    topics: dict[str, tuple[str, list[Said]]] = {}
    for said in subject.loose:
        key, name = _topic(said, subject)
        topics.setdefault(key, (name, []))[1].append(said)
    names = slugs(topics)
    for key, (name, of_topic) in sorted(topics.items()):
        short = names[key] if names[key] not in taken else hashed(f"topic {key}")
        yield from _pages(f"{NOTES}/{subject.slug}/{short}", f"Notes: {name}", of_topic, subject, None)


def _topic(said: Said, subject: SubjectView) -> tuple[str, str]:
    """Key and name of the topic that a turn is noted under."""
    content = said.episode.content
    topic = "" if content is None else " ".join((content.topic or "").split())
    if (
        topic
        and len(topic) <= MAX_TOPIC_CHARS
        and not reads_like_utterance(topic, language=said.episode.language)
    ):
        key = canonical_key(topic)
        if key:
            return key, first_sentence(topic)
    month = f"{day_of(said.at):%Y-%m}"
    return month, f"{subject.name}, {month}"


def _pages(
    path: str, about: str, said: Sequence[Said], subject: SubjectView, view: ConceptView | None
) -> Iterator[Page]:
    snippets = [(memory, dated(memory)) for memory in remembered(said)]
    parts = _parted(sorted(snippets, key=lambda snippet: snippet[0].first.order))
    for number, of_part in enumerate(parts, start=1):
        last = number == len(parts)
        here = path if last else f"{path}/part-{number}"
        links = [] if view is None else [Related(view.page, view.name, "what is known of it")]
        if last:
            earlier = range(len(parts) - 1, max(0, len(parts) - 1 - _MAX_PARTS_LINKED), -1)
            links += [Related(f"{path}/part-{n}", f"{about}, part {n}", "earlier") for n in earlier]
        else:
            links.append(Related(path, about, "the latest"))
        heading = about if last else f"{about}, part {number}"
        yield _page(here, heading, of_part, subject, tuple(links))


def _page(
    path: str, about: str, snippets: Sequence[_Snippet], subject: SubjectView, links: tuple[Related, ...]
) -> Page:
    newest = sorted(snippets, key=lambda snippet: snippet[0].latest.order, reverse=True)
    first = min(memory.first.at for memory, _ in newest)
    last = newest[0][0].latest
    summary = Statement(
        f"{counted(len(newest), 'snippet')} from {day_of(first).isoformat()} to {day_of(last.at).isoformat()}.",
        (last.turn_address,),
    )
    statements = tuple(statement for _, statement in newest)
    cites: list[Address] = [address for s in (summary, *statements) for address in s.cites]
    return Page(
        path=f"{path}.md",
        title=title(about),
        kind=PageKind.NOTE,
        created=day_of(first),
        updated=day_of(last.at),
        summary=(summary,),
        sections=(Section("Snippets", statements),),
        related=links,
        references=told_references(subject, cites),
    )


def _parted(snippets: Sequence[_Snippet]) -> list[list[_Snippet]]:
    """Cut from the oldest on into pages that are full but for the last."""
    parts: list[list[_Snippet]] = []
    size = 0
    for snippet in snippets:
        length = _size(snippet[1])
        if not parts or size + length > _SNIPPET_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(snippet)
        size += length
    return parts


def _size(statement: Statement) -> int:
    """What a snippet takes on a page: its sentence, its references and their places in the front matter."""
    return (
        len(statement.text.encode("utf-8", "replace"))
        + 24
        + sum(2 * len(str(address)) + 60 for address in statement.cites)
    )
