"""A teaching that contradicts an earlier one, from the message to the map line."""

from __future__ import annotations

from anamnesis.domain.block.map_view import map_lines
from support.wired_memory import ANA, BEN, Memory, question


def test_the_latest_teaching_stands_and_the_earlier_is_kept() -> None:
    """The map shows the later of two contradicting teachings; both are kept, for this student alone (TE-1, CM-9)."""
    memory = Memory()
    memory.add_file()
    memory.say(question("Remember that in our class we call mitochondria the powerhouse of the cell."))
    memory.say(question("From now on call mitochondria the battery."))
    view = memory.view_map(ANA)
    [notes] = view.layer.taught.values()
    assert [note.note for note in notes] == [
        "in our class we call mitochondria the powerhouse of the cell",
        "call mitochondria the battery",
    ]
    shown = "\n".join(map_lines(view.subject_map, view.layer))
    assert "[taught: call mitochondria the battery]" in shown
    assert memory.view_map(BEN).layer.taught == {}
