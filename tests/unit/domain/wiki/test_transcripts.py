"""The raw record: every turn in full, as data."""

from __future__ import annotations

import re

import pytest

from anamnesis.domain.log.episodes import Kind, erased
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import MAX_SESSION_FILE_BYTES
from anamnesis.domain.wiki.sessions import sessions_of
from anamnesis.domain.wiki.writing.transcripts import MAX_LINE_CHARS, transcript_files
from support.wiki_values import evidence, subject_evidence, turn


def files(*episodes) -> list[tuple[str, str]]:
    (session,) = sessions_of(evidence(subject_evidence(episodes)))
    return transcript_files(session, "A session")


def quoted(text: str) -> list[str]:
    return [line[2:] for line in text.split("\n") if line.startswith("> ")]


def test_a_turn_says_who_when_and_what_and_is_found_by_its_address() -> None:
    """Each turn has its number, time in UTC, speaker, words and both addresses, as a search looks for them (WK-1)."""
    ((path, text),) = files(turn(1), turn(2, "Water moves.", Kind.ANSWER, cites=[("f1", 3)]))
    assert path == "sessions/2026-03-02-s1/transcript.md"
    assert "## Turn 1 · 2026-03-02 09:01:00 UTC · student · question · `session://biology/s1#1`" in text
    assert "## Turn 2 · 2026-03-02 09:02:00 UTC · tutor · answer · `session://biology/s1#2`" in text
    assert "`episode://biology/bio2`" in text
    assert "- cites: `file://biology/f1#3`" in text
    assert quoted(text) == ["What is osmosis?", "Water moves."]


def test_a_check_has_its_result_topic_and_evaluation() -> None:
    """What is recorded beside a check's words stands in its turn (WK-1)."""
    checked = turn(1, "To the left.", Kind.CHECK, correct=False, topic="direction", evaluation="Other\nway.")
    ((_, text),) = files(checked)
    assert "- result: wrong" in text
    assert "- topic:\n  > direction\n- evaluation:\n  > Other\n  > way." in text


def test_an_erased_turn_says_that_and_nothing_else() -> None:
    """Of an erased turn neither the time nor the kind nor the episode is told (EP-8)."""
    ((_, text),) = files(turn(1), erased(turn(2, "a secret")), turn(3))
    assert "\n## Turn 2 · `session://biology/s1#2`\n\nerased\n\n## Turn 3" in text
    front = read("t.md", text).front
    assert front is not None
    assert "episode://biology/bio2" not in front["sources"]


@pytest.mark.parametrize(
    "word",
    ["osmosis", "परासरण", "渗透", "浸透", "삼투", "ออสโมซิส", "الأسموزية", "אוסמוזה", "осмос"],
)
def test_a_message_of_a_million_characters_goes_on_in_further_files(word: str) -> None:
    """A text of a million characters is all there, over files within their size that link to each other (WK-1)."""
    text = (f"{word} " * (1_000_000 // (len(word) + 1)))[:1_000_000]
    found = files(turn(1, text), turn(2, "And then?"))
    assert len(found) > 3
    assert all(len(part.encode()) <= MAX_SESSION_FILE_BYTES for _, part in found)
    assert [path.rsplit("/", 1)[1] for path, _ in found[:3]] == [
        "transcript.md",
        "transcript-2.md",
        "transcript-3.md",
    ]
    assert sum(line.count(word) for _, part in found for line in quoted(part)) == text.count(word)
    for path, part in found:
        assert read(path, part).front is not None
        assert "session://biology/s1#1" in part
    assert "transcript-2|" in found[0][1]
    assert "And then?" in found[-1][1]


def test_one_line_of_a_million_characters_without_a_space_is_all_there() -> None:
    """A line without any place to break is cut between characters that people see, and none is lost (WK-1)."""
    text = "e\u0301" * 500_000
    found = files(turn(1, text))
    lines = [line for _, part in found for line in quoted(part)]
    assert "".join(lines) == text
    assert all(len(line) <= MAX_LINE_CHARS and line.startswith("e") for line in lines)


def test_a_long_line_is_cut_between_words() -> None:
    """A long line is cut where a word ends, so that every word of it is found (WK-1)."""
    words = [f"zq{n}x" for n in range(5_000)]
    ((_, text),) = files(turn(1, " ".join(words)))
    assert set(words) <= set(text.split())


def test_how_code_is_indented_is_kept() -> None:
    """The indentation of a student's program shows, and its lines are no code block of the page (SV-13)."""
    ((_, text),) = files(turn(1, "def f(x):\n    if x:\n\treturn 1\n"))
    assert [re.match(r"\u00a0*", line)[0].count("\u00a0") for line in quoted(text)] == [0, 4, 4]  # type: ignore[index]


def test_a_summary_that_the_text_does_not_hold_is_told_too() -> None:
    """What only a caller's summary or topic says is found in the transcript as well (WK-1)."""
    ((_, text),) = files(turn(1, "Why so?", summary="Asked about zweifel.", topic="doubt"))
    assert "zweifel" in text
    assert "doubt" in text
