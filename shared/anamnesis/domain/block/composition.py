"""Composing the block: what is always said, what is filled in while it fits, and in which order it stands.

The budget is kept by construction. ``estimate_tokens`` of a text is at most the sum over its lines plus one for each
line break (see ``domain.text.tokens``), so a line is taken only while that sum stays within the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import chain, islice, zip_longest
from zoneinfo import ZoneInfo

from anamnesis.domain.beliefs import Claim
from anamnesis.domain.block import wording
from anamnesis.domain.block.lines import (
    Line,
    belief_line,
    listed_line,
    memory_line,
    shown_phrase,
    shown_span,
)
from anamnesis.domain.block.material import Block, BlockMaterial, BlockWindow, LeftOut
from anamnesis.domain.block.missed import missed_words
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.messages.intents import Intent, RecordFocus
from anamnesis.domain.text.tokens import estimate_tokens

#: Smallest budget: whatever happened, the frame and every honest statement about the record fit into it.
MIN_BUDGET_TOKENS = 500

#: In an ordinary question a belief is told after so many lines; after fewer where it names no concept. Ours.
_BELIEF_AFTER, _BELIEF_AFTER_UNNAMED = 4, 2
#: Memories that are told before each belief where a time is asked about. Ours.
_MEMORIES_A_BELIEF = 3
#: What beliefs say that answer a question about results.
_ASKED_CLAIM = {RecordFocus.WRONG: Claim.STRUGGLES_WITH, RecordFocus.RIGHT: Claim.UNDERSTANDS}
#: What missed checks asked and how they were answered takes at most this share of what the fixed lines leave. Ours: it
#: matters more than the last of many checks, and must not push out more than a few of them.
_MISSED_SHARE = 0.25
#: After so many lines of a part in a row that did not fit, the rest of it is not tried: reading must stay quick.
_MAX_MISSES = 6
#: Makes a line when its turn comes; most lines of a large map never get one.
_Pending = Callable[[], Line]


class _Part(StrEnum):
    MEMORIES = "memories"
    BELIEFS = "beliefs"
    MAP = "map_lines"
    LIMITS = "limits"


_ORDINARY_ORDER = (_Part.MAP, _Part.BELIEFS, _Part.MEMORIES, _Part.LIMITS)
_HISTORY_ORDER = (_Part.BELIEFS, _Part.MEMORIES, _Part.LIMITS, _Part.MAP)


@dataclass(slots=True)
class _Draft:
    """A block being filled.

    Attributes
    ----------
    headings
        Heading of each part; paid for with the part's first line.
    said
        Lines that stand under a heading whatever the budget.
    chosen
        Lines taken so far, by their rank in the part.
    """

    budget_tokens: int
    statements: list[str]
    headings: dict[_Part, str]
    said: dict[_Part, str]
    chosen: dict[_Part, dict[int, Line]] = field(default_factory=lambda: {part: {} for part in _Part})
    used_tokens: int = 0

    def __post_init__(self) -> None:
        fixed = [wording.OPENING, *self.statements, wording.HOW_TO_USE, wording.CLOSING]
        fixed += [line for part, said in self.said.items() for line in (self.headings[part], said)]
        self.used_tokens = sum(map(_cost, fixed))

    @property
    def left_tokens(self) -> int:
        """How many tokens of the budget nothing has taken yet; 0 or more."""
        return max(0, self.budget_tokens - self.used_tokens)

    def take(self, part: _Part, rank: int, line: Line) -> bool:
        """Add a line if it has words and fits."""
        heading = 0 if self.chosen[part] or part in self.said else _cost(self.headings[part])
        fitted = line.fitted(self.budget_tokens - self.used_tokens - heading - 1)
        if fitted is None or not fitted.content:
            return False
        self.used_tokens += heading + _cost(fitted.text)
        self.chosen[part][rank] = fitted
        return True


def _cost(line: str) -> int:
    """Tokens of a line and of the break behind it."""
    return estimate_tokens(line) + 1


def compose_block(material: BlockMaterial, *, budget_tokens: int) -> Block:
    """Compose the memory block of one turn (BL-1, BL-4, BL-5, BL-6, BL-8).

    Parameters
    ----------
    budget_tokens
        At least ``MIN_BUDGET_TOKENS``; the block's tokens never exceed it.

    Raises
    ------
    InvalidInput
        If the budget is below the minimum; names ``budget_tokens``.
    """
    if budget_tokens < MIN_BUDGET_TOKENS:
        raise InvalidInput(
            f"a block needs a budget of at least {MIN_BUDGET_TOKENS} tokens", field="budget_tokens"
        )
    listed = _listed(material)
    draft = _Draft(
        budget_tokens,
        list(_statements(material, has_memories=bool(listed[_Part.MEMORIES]))),
        _headings(material),
        _said(material) if _may_list(material) else {},
    )
    if material.focus is RecordFocus.WRONG and listed[_Part.MEMORIES]:
        listed[_Part.MEMORIES] = _with_missed(material, int(_MISSED_SHARE * draft.left_tokens))
    left_out = dict.fromkeys(_Part, 0)
    misses = dict.fromkeys(_Part, 0)
    for part, rank in _by_importance(listed, material):
        if misses[part] < _MAX_MISSES and draft.take(part, rank, listed[part][rank]()):
            misses[part] = 0
        else:
            misses[part] += 1
            left_out[part] += 1
    return _written(draft, material, LeftOut(**{part.value: count for part, count in left_out.items()}))


def _may_list(material: BlockMaterial) -> bool:
    """Whether there is any past that may be listed: an empty time and an empty record list none (BL-6)."""
    return material.has_record and not (material.window is not None and material.window.empty)


def _statements(material: BlockMaterial, *, has_memories: bool) -> Iterator[str]:
    """Say what is so about the record before anything is listed, the most important first (BL-4, BL-6)."""
    asks_for_record = material.intent is Intent.HISTORY
    asking = f"{wording.ASKING} " if asks_for_record else ""
    if not material.has_record:
        yield asking + (wording.NO_RECORD_KEPT if material.had_record else wording.NO_RECORD)
        return
    window = material.window
    if window is not None and window.empty:
        yield asking + _about_window(wording.NO_RECORD_FOR, window, material.zone)
        return
    if asks_for_record:
        yield asking + wording.ANSWER_FROM
    if window is not None:
        yield _about_window(wording.ONLY_WINDOW, window, material.zone)
    if not material.matched:
        yield wording.NOTHING_MATCHED_LATEST if has_memories else wording.NOTHING_MATCHED
    elif asks_for_record and not has_memories and not material.beliefs:
        yield wording.NOTHING_LISTED
    elif material.intent is Intent.NONE and not has_memories and not material.beliefs:
        yield wording.NOTHING_TO_LIST


def _about_window(statement: str, window: BlockWindow, zone: ZoneInfo) -> str:
    return statement.format(phrase=shown_phrase(window.phrase), dates=shown_span(window, zone=zone))


def _headings(material: BlockMaterial) -> dict[_Part, str]:
    return {
        _Part.MEMORIES: wording.EARLIER_WORK,
        _Part.BELIEFS: wording.BELIEFS,
        _Part.MAP: " ".join(material.map_lines[0].split()) if material.map_lines else "",
        _Part.LIMITS: wording.LIMITS,
    }


def _said(material: BlockMaterial) -> dict[_Part, str]:
    """Report checks that are tied to nothing as such, never as "no checks yet" (BE-6)."""
    count = material.checks_tied_to_nothing
    if count < 1:
        return {}
    line = wording.SOME_CHECKS_UNTIED if material.beliefs else wording.ALL_CHECKS_UNTIED
    return {_Part.BELIEFS: line.format(checks=f"{count} check" if count == 1 else f"{count} checks")}


def _listed(material: BlockMaterial) -> dict[_Part, list[_Pending]]:
    """Return the lines that may be filled in, the most wanted of each part first."""
    listed: dict[_Part, list[_Pending]] = {part: [] for part in _Part}
    if _may_list(material):
        listed[_Part.MEMORIES] = [
            partial(memory_line, memory, zone=material.zone, now=material.now) for memory in material.memories
        ]
        listed[_Part.BELIEFS] = [partial(belief_line, belief) for belief in material.beliefs]
        listed[_Part.LIMITS] = [partial(listed_line, limit) for limit in material.limits]
    # Under a question about the record, a map beside an empty record would be told as if it had been covered.
    if _may_list(material) or material.intent is not Intent.HISTORY:
        listed[_Part.MAP] = [partial(listed_line, line.removeprefix("- ")) for line in material.map_lines[1:]]
    return listed


def _with_missed(material: BlockMaterial, room_tokens: int) -> list[_Pending]:
    """Return the memories' lines, those of missed checks with what was asked and said while it takes no more room."""
    lines: list[_Pending] = []
    for memory in material.memories:
        more = missed_words(memory) if room_tokens > 0 else ""
        if estimate_tokens(more) > room_tokens:
            # Nor for those behind it: the first are the ones that were asked about most.
            more, room_tokens = "", 0
        room_tokens -= estimate_tokens(more)
        lines.append(partial(memory_line, memory, zone=material.zone, now=material.now, more=more))
    return lines


def _by_importance(
    listed: dict[_Part, list[_Pending]], material: BlockMaterial
) -> Iterator[tuple[_Part, int]]:
    """Say in which order lines are tried: the record first when that is asked about, else memories beside the map."""
    ranks = {part: [(part, rank) for rank in range(len(lines))] for part, lines in listed.items()}
    if material.intent is Intent.HISTORY:
        yield from _record_first(ranks, material)
        return
    beliefs = iter(ranks[_Part.BELIEFS])
    # Where the question names no concept the map is about nothing that it asks, and a belief takes a third of a line.
    every = _BELIEF_AFTER if material.names_concepts else _BELIEF_AFTER_UNNAMED
    for index, item in enumerate(_alternating(ranks[_Part.MEMORIES], ranks[_Part.MAP])):
        yield item
        if index % every == every - 1:
            yield from islice(beliefs, 1)
    yield from beliefs
    yield from ranks[_Part.LIMITS]


def _record_first(
    ranks: dict[_Part, list[tuple[_Part, int]]], material: BlockMaterial
) -> Iterator[tuple[_Part, int]]:
    """Alternate memories with the beliefs that say what is asked; all other beliefs come behind them.

    Beliefs are of today: of a time that is asked about only memories tell, so that they have most of the places then.
    """
    asked = _ASKED_CLAIM.get(material.focus) if material.focus is not None else None
    telling = [
        item
        for item, belief in zip(ranks[_Part.BELIEFS], material.beliefs, strict=False)
        if asked is None or belief.claim is asked
    ]
    memories = ranks[_Part.MEMORIES]
    if material.window is None:
        yield from _alternating(telling, memories)
    else:
        yield from _alternating(
            *(memories[start::_MEMORIES_A_BELIEF] for start in range(_MEMORIES_A_BELIEF)), telling
        )
    yield from [item for item in ranks[_Part.BELIEFS] if item not in telling]
    yield from ranks[_Part.LIMITS][:1]
    yield from ranks[_Part.MAP]
    yield from ranks[_Part.LIMITS][1:]


def _alternating(*queues: list[tuple[_Part, int]]) -> Iterator[tuple[_Part, int]]:
    return (item for item in chain.from_iterable(zip_longest(*queues)) if item is not None)


def _written(draft: _Draft, material: BlockMaterial, dropped: LeftOut) -> Block:
    """Write the chosen lines down in the order of the intent, memories oldest first."""
    shown = sorted(
        draft.chosen[_Part.MEMORIES],
        key=lambda rank: (material.memories[rank].occurred_at, material.memories[rank].position),
    )
    lines = [wording.OPENING, *draft.statements]
    for part in _HISTORY_ORDER if material.intent is Intent.HISTORY else _ORDINARY_ORDER:
        chosen = draft.chosen[part]
        if not chosen and part not in draft.said:
            continue
        lines.append(draft.headings[part])
        lines += [chosen[rank].text for rank in (shown if part is _Part.MEMORIES else sorted(chosen))]
        lines += [draft.said[part]] if part in draft.said else []
    text = "\n".join([*lines, wording.HOW_TO_USE, wording.CLOSING])
    return Block(
        text=text,
        tokens=estimate_tokens(text),
        memory_ids=tuple(material.memories[rank].id for rank in shown),
        dropped=dropped,
    )
