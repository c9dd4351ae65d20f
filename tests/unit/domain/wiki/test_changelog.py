"""What changed, in words: the changelog by the days of the evidence, and a commit's message by two trees."""

from __future__ import annotations

from dataclasses import replace

from anamnesis.domain.beliefs import Claim
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.pages import MAX_PAGE_BYTES
from anamnesis.domain.wiki.writing.changelog import MAX_FIRST_LINE, commit_message
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from support.wiki_values import ana, belief, evidence, subject_evidence, turn


def write(wiki: WikiEvidence) -> dict[str, str]:
    return dict(DeterministicWriter().write(wiki, {}))


def without_last(wiki: WikiEvidence, positions: int) -> WikiEvidence:
    """The evidence before its last episodes of biology, and before what they changed."""
    biology = wiki.subjects[0]
    left = biology.episodes[:positions]
    known = {e.id for e in left}
    rows = tuple(replace(row, superseded_by=None) for row in biology.beliefs if set(row.evidence) <= known)
    return replace(wiki, subjects=(replace(biology, episodes=left, beliefs=rows), *wiki.subjects[1:]))


def test_the_changelog_tells_each_day_the_newest_first() -> None:
    """Days stand newest first, with their sessions and the changes of mind of that day (WK-5, WK-4)."""
    text = write(ana())["CHANGELOG.md"]
    days = [line[3:] for line in text.split("\n") if line.startswith("## ")]
    assert days == sorted(days, reverse=True)
    of_day = text.split("## 2026-03-09")[1].split("## ")[0]
    assert "now understands (before: struggles with)" in of_day
    assert "2026-03-09 biology: osmosis" in of_day


def test_the_changelog_stays_within_a_page() -> None:
    """After years of daily work the changelog is one page, and says how many days it leaves out (WK-5)."""
    said = [turn(n, day=n, session=f"s{n}") for n in range(1, 901)]
    text = write(evidence(subject_evidence(said)))["CHANGELOG.md"]
    assert len(text.encode()) <= MAX_PAGE_BYTES
    assert "earlier days left out here" in text
    assert "780 earlier days" in text


def test_a_message_tells_in_its_first_line_what_is_new() -> None:
    """A commit says how many sessions and concepts it brings, and on what the student stands otherwise (WK-5)."""
    wiki = ana()
    before, after = write(without_last(wiki, 5)), write(wiki)
    first = commit_message(before, after).split("\n")[0]
    assert first.startswith("2 sessions, 2 concepts")
    assert "osmosis now understood" in first
    assert len(first) <= MAX_FIRST_LINE


def test_a_message_names_the_pages() -> None:
    """Below its first line a message names what is new, changed and removed, by title and path (WK-5)."""
    wiki = ana()
    message = commit_message(write(without_last(wiki, 5)), write(wiki))
    assert "- New: 2026-03-09 biology: osmosis (sessions/2026-03-09-s2/summary.md)" in message
    assert "- Changed: osmosis (knowledge/concepts/biology/osmosis.md)" in message
    gone = commit_message(write(wiki), write(without_last(wiki, 5)))
    assert "- Removed: 2026-03-09 biology: osmosis (sessions/2026-03-09-s2/summary.md)" in gone


def test_messages_and_the_changelog_hold_no_words_of_the_student() -> None:
    """What somebody said is in no message and not in the changelog, which stay when a page is erased (EP-8)."""
    wiki = ana()
    told = commit_message({}, write(wiki)) + write(wiki)["CHANGELOG.md"]
    for subject in wiki.subjects:
        for episode in subject.episodes:
            assert episode.content is not None
            assert episode.content.text not in told


def test_the_first_message_says_so() -> None:
    """The first compile is told as such (WK-5)."""
    assert commit_message({}, write(ana())).startswith("First compile: 4 sessions, 4 concepts")


def test_a_message_of_very_many_pages_is_bounded() -> None:
    """A message about a thousand pages names some dozens and counts the others (WK-5)."""
    said = [turn(n, day=n, session=f"s{n}") for n in range(1, 400)]
    message = commit_message({}, write(evidence(subject_evidence(said))))
    assert len(message.split("\n")) < 100
    assert "- New: " in message.split("\n")[-1]
    assert message.split("\n")[-1].endswith(" more")


def test_a_struggle_is_news_too() -> None:
    """When a student begins to struggle, the message says it (WK-5)."""
    passed = turn(1, "a", Kind.CHECK, concepts=["osmosis"], correct=True)
    missed = turn(2, "b", Kind.CHECK, day=3, session="s2", concepts=["osmosis"], correct=False)
    first = belief("osmosis", Claim.UNDERSTANDS, [passed])
    rows = [
        replace(first, superseded_by="belief-osmosis-2"),
        belief("osmosis", Claim.STRUGGLES_WITH, [missed], number=2),
    ]
    before = write(evidence(subject_evidence([passed], beliefs=[first])))
    after = write(evidence(subject_evidence([passed, missed], beliefs=rows)))
    assert "osmosis now a struggle" in commit_message(before, after).split("\n")[0]
