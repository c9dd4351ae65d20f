"""Turns read back from the transcripts that the writer writes."""

from __future__ import annotations

from anamnesis.domain.wiki.finding.written_turns import continued_in, is_transcript, turns_in
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from support.wiki_values import ana


def test_every_turn_of_a_transcript_is_read_back() -> None:
    """What the writer writes as turns is read back with numbers, addresses and lines, in order (WU-3)."""
    tree = DeterministicWriter().write(ana(), {})
    transcripts = {path: text for path, text in tree.items() if is_transcript(path)}
    assert transcripts
    for text in transcripts.values():
        turns = list(turns_in(text))
        assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
        for turn in turns:
            heading = text.split("\n")[turn.line - 1]
            assert heading.startswith(f"## Turn {turn.number} ")
            assert heading.endswith(f"`{turn.address}`")
            assert turn.text.startswith(heading)
            assert text[turn.start :].startswith(turn.text)


def test_what_goes_on_from_the_file_before_begins_no_turn() -> None:
    """The rest of a long message, in a file of its own, is no turn that begins there (WU-3)."""
    text = (
        "## Turn 3, continued · `session://b/s#3`\n\n> more\n\n## Turn 4 · x · `session://b/s#4`\n\n> next\n"
    )
    [turn] = turns_in(text)
    assert (turn.number, turn.line) == (4, 5)
    rest = continued_in(text)
    assert rest is not None
    assert (rest.number, rest.line, "> more" in rest.text, "> next" in rest.text) == (3, 1, True, False)
    assert continued_in("## Turn 3 · x · `session://b/s#3`\n\n> it\n") is None


def test_a_text_without_turns_has_none() -> None:
    """A page that is no transcript has no turns (WU-3)."""
    assert list(turns_in("")) == list(turns_in("# A page\n\n## Turns\n")) == []


def test_a_concept_called_transcript_is_none() -> None:
    """Only files of sessions are transcripts, whatever a page is called (WU-2)."""
    assert is_transcript("sessions/2026-03-02-s1/transcript-2.md")
    assert not is_transcript("knowledge/concepts/biology/transcript.md")
    assert not is_transcript("sessions/2026-03-02-s1/summary.md")
