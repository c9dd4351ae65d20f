"""Which files a session starts with, and what a caller that has some of them is given."""

from __future__ import annotations

from anamnesis.domain.wiki.finding.start_files import fingerprint, hand_out, start_files


def _page(updated: str) -> str:
    return f'---\ntitle: "x"\nkind: "concept"\ncreated: "2026-01-01"\nupdated: "{updated}"\n---\n\n# x\n'


_TREE = {
    "knowledge/index.md": _page("2026-03-01"),
    "knowledge/concepts/b/old.md": _page("2026-01-01"),
    "knowledge/concepts/b/new.md": _page("2026-03-01"),
    "knowledge/learnings/preferences.md": _page("2026-02-01"),
    "knowledge/projects/exam.md": _page("2026-02-01"),
    "notes/b/new.md": _page("2026-03-01"),
    "sessions/index.md": _page("2026-03-01"),
    **{f"sessions/2026-01-{day:02}-s/summary.md": _page(f"2026-01-{day:02}") for day in range(1, 13)},
    "sessions/2026-01-12-s/transcript.md": _page("2026-01-12"),
}


def test_what_a_session_needs_first_comes_first() -> None:
    """Indexes, preferences, goals and the latest sessions come first; transcripts are fetched later (WU-3)."""
    paths = list(dict.fromkeys(start_files(_TREE)))
    assert paths[:4] == [
        "knowledge/index.md",
        "sessions/index.md",
        "knowledge/learnings/preferences.md",
        "knowledge/projects/exam.md",
    ]
    assert paths[4] == "sessions/2026-01-12-s/summary.md"
    assert paths.index("knowledge/concepts/b/new.md") < paths.index("knowledge/concepts/b/old.md")
    assert set(paths) == {path for path in _TREE if "transcript" not in path}


def test_only_what_is_new_is_handed_out() -> None:
    """Asking again brings only what changed, whatever room there is (WU-3)."""
    first = hand_out(_TREE, start_files(_TREE), have={}, max_bytes=10**6)
    have = {file.path: file.fingerprint for file in first.files}
    again = hand_out(_TREE, start_files(_TREE), have=have, max_bytes=0)
    assert again.files == ()
    assert set(again.unchanged) == set(have)
    changed = {**_TREE, "notes/b/new.md": "other"}
    assert [f.path for f in hand_out(changed, start_files(changed), have=have, max_bytes=10**6).files] == [
        "notes/b/new.md"
    ]


def test_no_more_than_there_is_room_for() -> None:
    """The bytes handed out stay within what was asked for, and what had no room is counted (WU-3)."""
    room = 3 * len(_page("2026-03-01"))
    handed = hand_out(_TREE, start_files(_TREE), have={}, max_bytes=room)
    assert sum(len(file.text.encode()) for file in handed.files) <= room
    assert len(handed.files) == 3
    assert handed.left_out == len(set(start_files(_TREE))) - 3
    assert handed.files[0].fingerprint == fingerprint(handed.files[0].text)
