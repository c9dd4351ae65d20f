"""Whether what came back is what must come back: every function returns what is wrong, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any

from anamnesis.domain.block import wording
from anamnesis.domain.block.bridge import BRIDGE, bridge_assessment
from anamnesis_tools.bench.scenarios.expected import (
    BeliefExpected,
    BeliefsExpected,
    BlockExpected,
    ChainExpected,
    Count,
    EpisodesExpected,
    FileExpected,
    MapExpected,
    Refusal,
)
from anamnesis_tools.bench.scenarios.ledger import Ledger

_FENCE = "====="
_MAP = "SUBJECT MAP"
#: Beginnings of the lines that are no items of a list; content can be none of them.
_FIXED = (
    wording.OPENING,
    wording.ASKING,
    *(
        statement.partition(".")[0].partition("{")[0]
        for statement in (
            wording.NO_RECORD,
            wording.NO_RECORD_FOR,
            wording.ONLY_WINDOW,
            wording.NOTHING_MATCHED,
            wording.NOTHING_LISTED,
        )
    ),
    wording.BELIEFS,
    wording.EARLIER_WORK,
    _MAP,
    wording.LIMITS,
    wording.HOW_TO_USE,
    wording.CLOSING,
)
_ONCE = (wording.BELIEFS, wording.EARLIER_WORK, _MAP, wording.LIMITS, wording.HOW_TO_USE)
#: What tells a statement about the record apart.
_STATEMENTS = {
    "asking": wording.ASKING,
    "no_record": wording.NO_RECORD.partition(".")[0],
    "no_record_for_window": wording.NO_RECORD_FOR.partition("{")[0],
    "only_window": wording.ONLY_WINDOW.partition("{")[0],
    "nothing_matches": wording.NOTHING_MATCHED.partition(".")[0],
}


def under(block: str, heading: str) -> list[str]:
    """The items below a heading."""
    lines = block.split("\n")
    start = next((at for at, line in enumerate(lines) if line.startswith(heading)), None)
    return [] if start is None else list(takewhile(lambda line: line.startswith("- "), lines[start + 1 :]))


def structure(reply: Mapping[str, Any], budget_tokens: int) -> list[str]:
    """What is wrong with a block as a block, whatever it holds: nothing in it may look like a part of its frame."""
    block = reply["block"]
    lines = block.split("\n")
    wrong = []
    if (lines[0], lines[-1]) != (wording.OPENING, wording.CLOSING):
        wrong.append("the block does not begin and end with its two marker lines")
    if sum(_FENCE in line for line in lines) != 2:
        wrong.append("something inside the block looks like one of its markers")
    wrong += [
        f"{heading!r} heads {found} lines"
        for heading in _ONCE
        if (found := sum(line.startswith(heading) for line in lines)) > 1
    ]
    strange = [line for line in lines if not line.startswith(("- ", *_FIXED))]
    if strange:
        wrong.append(f"{len(strange)} lines are neither items nor the block's own")
    # Control and format characters turn text around or end a line for some reader; joiners spell words of scripts.
    unseen = {c for c in block if not c.isprintable() and c not in "\n\u200c\u200d\u00a0\u3000\u202f"}
    if unseen:
        wrong.append(f"the block holds {', '.join(sorted(f'U+{ord(c):04X}' for c in unseen))}")
    if reply["tokens"] > budget_tokens:
        wrong.append(f"{reply['tokens']} tokens are more than the {budget_tokens} asked for")
    shown, ids = len(under(block, wording.EARLIER_WORK)), reply["memory_ids"]
    if shown != len(ids):
        wrong.append(f"{shown} lines of earlier work, {len(ids)} memory ids")
    if len(set(ids)) != len(ids):
        wrong.append("a memory id stands twice")
    return wrong


def ownership(reply: Mapping[str, Any], log: Mapping[str, datetime]) -> list[str]:
    """What is wrong with the ids: each is of this student's log, and they come oldest first."""
    ids: Sequence[str] = reply["memory_ids"]
    foreign = [one for one in ids if one not in log]
    if foreign:
        return [f"{len(foreign)} memory ids are of no episode of this student and subject"]
    times = [log[one] for one in ids]
    return [] if times == sorted(times) else ["the memories do not stand oldest first"]


def block_reply(reply: Mapping[str, Any], expected: BlockExpected, ledger: Ledger) -> list[str]:
    """What is wrong with a turn's reply."""
    return [
        *_plain_fields(reply, expected),
        *_window(reply["window"], expected),
        *_memories(reply["memory_ids"], expected, ledger),
        *_lines(reply, expected, ledger),
        *_words(reply["block"], expected),
    ]


def _plain_fields(reply: Mapping[str, Any], expected: BlockExpected) -> Iterator[str]:
    for field in ("intent", "window_empty", "matched"):
        wanted = getattr(expected, field)
        if wanted is not None and reply[field] != wanted:
            yield f"{field} is {reply[field]}, not {wanted}"
    routed = reply["routed"]
    yield from (
        f"routed to {', '.join(routed) or 'nothing'}, not {key}"
        for key in expected.routed
        if key not in routed
    )
    yield from (f"routed to {key}" for key in expected.routed_not if key in routed)


def _window(window: Mapping[str, Any] | None, expected: BlockExpected) -> Iterator[str]:
    wanted = expected.window
    if wanted is None:
        return
    found = window and (datetime.fromisoformat(window["start"]), datetime.fromisoformat(window["end"]))
    if wanted == "none":
        if found:
            yield f"a window was opened ({window and window['phrase']!r})"
    elif found != (wanted.start, wanted.end):
        shown = f"{window['start']} – {window['end']}" if window else "none"
        yield f"the window is {shown}, not {wanted.start.isoformat()} – {wanted.end.isoformat()}"


def _memories(ids: Sequence[str], expected: BlockExpected, ledger: Ledger) -> Iterator[str]:
    there = set(ids)

    def absent(handles: Iterable[str]) -> Iterator[str]:
        return (
            f"{handle} is not in the block" for handle in handles if not there & set(ledger.episodes[handle])
        )

    yield from absent(expected.in_block)
    yield from (f"{h} is in the block" for h in expected.not_in_block if there & set(ledger.episodes[h]))
    if expected.only is not None:
        yield from absent(expected.only)
        allowed = {one for handle in expected.only for one in ledger.episodes[handle]}
        others = [ledger.handle_of(one) for one in ids if one not in allowed]
        if others:
            meant = ", ".join(expected.only) or "nothing"
            yield f"{', '.join(dict.fromkeys(others))} is in the block, which is for {meant} only"
    if expected.memories is not None:
        yield from _count(len(ids), expected.memories, "memories")


def _count(found: int, wanted: Count, what: str) -> Iterator[str]:
    if wanted.exactly is not None and found != wanted.exactly:
        yield f"{found} {what}, not {wanted.exactly}"
    if wanted.at_least is not None and found < wanted.at_least:
        yield f"{found} {what}, fewer than {wanted.at_least}"
    if wanted.at_most is not None and found > wanted.at_most:
        yield f"{found} {what}, more than {wanted.at_most}"


def _lines(reply: Mapping[str, Any], expected: BlockExpected, ledger: Ledger) -> Iterator[str]:
    # As many lines as ids, in the same order: `structure` says so when they are not.
    shown = dict(zip(reply["memory_ids"], under(reply["block"], wording.EARLIER_WORK), strict=False))
    for handle, words in expected.lines.items():
        lines = [shown[one] for one in ledger.episodes[handle] if one in shown]
        if not lines:
            yield f"{handle} has no line"
        for word in words if lines else ():
            if not any(word in line for line in lines):
                yield f"the line of {handle} does not say {word!r}"


def _words(block: str, expected: BlockExpected) -> Iterator[str]:
    outside = "\n".join(line for line in block.split("\n") if not line.startswith("- "))
    for name in expected.says:
        if _STATEMENTS[name] not in outside:
            yield f"the block does not say {name}"
    for name in expected.says_not:
        if _STATEMENTS[name] in outside:
            yield f"the block says {name}"
    believed = [line.removeprefix("- ") for line in under(block, wording.BELIEFS)]
    for start in expected.believes:
        if not any(line.startswith(start) for line in believed):
            yield f"the block does not believe {start!r}"
    for start in expected.believes_not:
        if any(line.startswith(start) for line in believed):
            yield f"the block believes {start!r}"
    yield from (f"the block lacks {words!r}" for words in expected.contains if words not in block)
    yield from (f"the block holds {words!r}" for words in expected.lacks if words in block)


def legacy_section(block: str, section: str, expected: BlockExpected) -> list[str]:
    """What is wrong with a prompt that has an assessment section of its own (BL-7)."""
    prompt = bridge_assessment(section, block)
    became = (
        "dropped"
        if prompt == block
        else "after"
        if prompt == f"{block}\n\n{BRIDGE}\n{section}"
        else "mixed in"
    )
    return (
        []
        if expected.legacy in {None, became}
        else [f"the legacy section is {became}, not {expected.legacy}"]
    )


def refusal(problem: Mapping[str, Any] | None, status: int, expected: Refusal) -> list[str]:
    """What is wrong with a refusal; `problem` is None when there was none."""
    if problem is None:
        return [f"accepted, though {expected.status} was expected"]
    wrong = []
    if status != expected.status:
        wrong.append(f"refused with {status}, not {expected.status}")
    if expected.field is not None and problem.get("field") != expected.field:
        wrong.append(f"names the field {problem.get('field')}, not {expected.field}")
    return wrong


def beliefs(rows: Sequence[Mapping[str, Any]], expected: BeliefsExpected, ledger: Ledger) -> list[str]:
    """What is wrong with all rows of a student's beliefs, superseded ones included."""
    current = [row for row in rows if row["superseded_by"] is None]
    past = [row for row in rows if row["superseded_by"] is not None]
    wrong = [
        f"{kind}: {found}"
        for kind, among, wanted in (
            ("current", current, expected.current),
            ("superseded", past, expected.superseded),
        )
        for one in wanted
        if (found := _belief(among, one, ledger))
    ]
    about = {row["concept"] for row in current}
    wrong += [f"something is believed about {concept}" for concept in expected.none_about if concept in about]
    if expected.count is not None and len(current) != expected.count:
        wrong.append(f"{len(current)} current beliefs, not {expected.count}")
    return wrong


def _belief(rows: Iterable[Mapping[str, Any]], wanted: BeliefExpected, ledger: Ledger) -> str | None:
    named = f"{wanted.claim} {wanted.concept}"
    found = [
        row
        for row in rows
        if row["concept"] == wanted.concept and row["claim"].startswith(f"{wanted.claim} ")
    ]
    if not found:
        return f"nobody believes {named!r}"
    for handle in wanted.because:
        if not any(set(ledger.episodes[handle]) & set(row["evidence"]) for row in found):
            return f"{named!r} does not rest on {handle}"
    confirm = wanted.needs_confirmation
    if confirm is not None and all(row["needs_confirmation"] != confirm for row in found):
        return f"{named!r} is {'not ' if confirm else ''}to be confirmed"
    return None


def subject_map(concepts: Sequence[Mapping[str, Any]], expected: MapExpected, ledger: Ledger) -> list[str]:
    """What is wrong with the map."""
    by_key = {concept["key"]: concept for concept in concepts}
    wrong = [f"{key} is not in the map" for key in expected.has if key not in by_key]
    wrong += [f"{key} is in the map" for key in expected.lacks if key in by_key]
    for key, notes in expected.taught.items():
        said = [str(note) for note in by_key.get(key, {}).get("taught", [])]
        wrong += [
            f"{key} was not taught as {note!r}" for note in notes if not any(note in one for one in said)
        ]
    wrong += [f"{key} was taught" for key in expected.not_taught if by_key.get(key, {}).get("taught")]
    for key, handles in expected.sources.items():
        explain = {source["file_id"] for source in by_key.get(key, {}).get("sources", [])}
        wanted = {ledger.files[handle] for handle in handles}
        if explain != wanted:
            wrong.append(f"{key} is explained by {len(explain)} files, not by {', '.join(handles) or 'none'}")
    return wrong


def file(handle: str, found: Mapping[str, Any], expected: FileExpected, ledger: Ledger) -> list[str]:
    """What is wrong with where a file stands."""
    wrong = []
    if expected.status is not None and found["status"] != expected.status:
        wrong.append(f"{handle} is {found['status']}, not {expected.status}")
    if expected.replaced_by is not None:
        wanted = None if expected.replaced_by == "nothing" else ledger.files[expected.replaced_by]
        if found["replaced_by"] != wanted:
            wrong.append(f"{handle} is not replaced by {expected.replaced_by}")
    if expected.deleted is not None and (found["deleted_at"] is not None) != expected.deleted:
        wrong.append(f"{handle} is {'not ' if expected.deleted else ''}deleted")
    return wrong


def listing(
    pages: Sequence[Sequence[Mapping[str, Any]]], expected: EpisodesExpected, ledger: Ledger
) -> list[str]:
    """What is wrong with a listing of episodes."""
    found = [episode["id"] for page in pages for episode in page]
    wanted = [one for handle in expected.are for one in ledger.episodes[handle]]
    wrong = []
    if len(set(found)) != len(found):
        wrong.append(f"{len(found) - len(set(found))} episodes are listed twice")
    if set(found) != set(wanted):
        wrong.append(
            f"{len(set(wanted) - set(found))} episodes are missing, {len(set(found) - set(wanted))} too many"
        )
    times = [datetime.fromisoformat(episode["occurred_at"]) for page in pages for episode in page]
    if times != sorted(times):
        wrong.append("they do not stand oldest first")
    if expected.pages is not None and len(pages) != expected.pages:
        wrong.append(f"{len(pages)} pages, not {expected.pages}")
    return wrong


def chain(found: Mapping[str, Any], expected: ChainExpected) -> list[str]:
    """What is wrong with the verdict on a log."""
    wrong = []
    if found["verified"] != expected.verified:
        wrong.append(f"the log is {'verified' if found['verified'] else 'not verified'}")
    if expected.length is not None and found["length"] != expected.length:
        wrong.append(f"the log has {found['length']} episodes, not {expected.length}")
    if expected.erased is not None and len(found["erased"]) != expected.erased:
        wrong.append(f"{len(found['erased'])} positions are erased, not {expected.erased}")
    return wrong
