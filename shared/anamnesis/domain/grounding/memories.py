"""Claims about what tutor and student did together, traced to recalled memories and current beliefs (GR-2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from anamnesis.domain.beliefs.values import Claim as BelievedClaim
from anamnesis.domain.grounding.claims import how_understood, is_about_memory
from anamnesis.domain.grounding.indexed_memories import IndexedMemories, Remembered
from anamnesis.domain.grounding.several_times import windows_of
from anamnesis.domain.grounding.statements import Statement, read_statement
from anamnesis.domain.grounding.support import Verdict, judge
from anamnesis.domain.grounding.tables import frame_words, plain, table_of
from anamnesis.domain.grounding.values import SUPPORTED, RecalledMemory, Shortfall
from anamnesis.domain.grounding.vocabulary import Surroundings, Vocabulary, Words
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.time_windows import TimeWindow

_MAX_QUOTE_CHARS = 300
#: Where the student's zone is not known, a day may begin this much earlier, and end this much later, than in UTC.
_EARLIER, _LATER = timedelta(hours=14), timedelta(hours=12)
#: Share of the topic of a claim that a memory must name. Ours: a summary is short.
_TOPIC = 0.5
#: Score of a claim that is recorded, or believed, otherwise. Ours.
_OTHERWISE = 0.4


@dataclass(frozen=True, slots=True)
class TracedMemory:
    """The best memory found for a claim.

    Attributes
    ----------
    about_record
        Whether the claim speaks of the record, so that no file can support it.
    also
        Of a claim that names several times, the memories of the other ones, in their order.
    """

    verdict: Verdict
    memory: RecalledMemory | None
    about_record: bool
    also: tuple[RecalledMemory, ...] = ()


def trace_memory(claim: Statement, indexed: IndexedMemories, vocabulary: Vocabulary) -> TracedMemory:
    """Find the memory that a claim comes from."""
    if is_about_memory(claim):
        return _record(claim, indexed)
    understood = how_understood(claim)
    if understood is not None:
        found = _belief(claim, understood, indexed)
        if found is not None:
            return found
    return _taught(claim, indexed, vocabulary)


# ------------------------------------------------------------------------------- what happened
def _record(claim: Statement, indexed: IndexedMemories) -> TracedMemory:
    """Trace a claim of what happened, at each of the times that it names: "on 1 July and again on 3 July"."""
    windows = windows_of(claim, indexed.remembered)
    times: Sequence[TimeWindow | None] = windows or [None]
    found = [_recorded(claim, window, windows, indexed) for window in times]
    wrong = next((each for each in found if each.memory is None), None)
    memories = list(dict.fromkeys(each.memory for each in found if each.memory is not None))
    return wrong or replace(found[0], also=tuple(memories[1:]))


def _recorded(
    claim: Statement, window: TimeWindow | None, windows: Sequence[TimeWindow], indexed: IndexedMemories
) -> TracedMemory:
    """Trace it at one time: what about, when, and with what outcome, each must be as recorded.

    Parameters
    ----------
    windows
        Every time that the claim names: none of them is what it is about.
    """
    remembered = indexed.remembered
    topic = _topic(claim, windows)
    outcome = _outcome(claim)
    best: tuple[tuple[bool, bool, float], Episode] | None = None
    for episode in remembered.episodes:
        share = _names_topic(topic, episode, indexed)
        if episode.content is None or share < _TOPIC:
            continue
        rank = (
            _within(episode, window, remembered) and _in_month(episode, claim, window),
            _agrees(episode, outcome),
            share,
        )
        if best is None or rank > best[0]:
            best = (rank, episode)
    if best is None:
        return TracedMemory(Verdict(0.0, Shortfall.NOTHING), None, about_record=True)
    (dated, agrees, share), episode = best
    if not dated:
        return _otherwise(Shortfall.DATE)
    if not agrees and not _outcome_nearby(episode, outcome, window, remembered):
        return _otherwise(Shortfall.OUTCOME)
    if _wrong_numbers(claim, windows, episode, indexed):
        return _otherwise(Shortfall.NUMBER)
    return TracedMemory(Verdict(round(max(share, SUPPORTED), 3), None), shown(episode), about_record=True)


def _otherwise(problem: Shortfall) -> TracedMemory:
    return TracedMemory(Verdict(_OTHERWISE, problem), None, about_record=True)


def _topic(claim: Statement, windows: Sequence[TimeWindow]) -> list[frozenset[str]]:
    """What a claim about the record is about: its telling words without the frame, the time and the outcome."""
    table = table_of(claim.language)
    text = claim.plain
    spans = [m.span() for key in ("memory", "right", "wrong") for m in table.of(key).finditer(text)]
    if windows:
        # What stands between two times joins them: "and then again on".
        first, last = (plain(windows[at].phrase, claim.language) for at in (0, -1))
        start = text.find(first)
        if start >= 0:
            spans.append((start, max(start + len(first), text.rfind(last) + len(last))))
    kept = list(text)
    for first, last in spans:
        kept[first:last] = " " * (last - first)
    return [
        forms for forms, _ in read_statement("".join(kept), claim.language).units if not forms & frame_words()
    ]


def _names_topic(topic: Sequence[frozenset[str]], episode: Episode, indexed: IndexedMemories) -> float:
    """Share of a topic that an episode names, 0–1; 1 for no topic."""
    if episode.content is None:
        return 0.0
    if not topic:
        return 1.0
    held = indexed.words(episode)
    return sum(bool(held.holding(forms)) for forms in topic) / len(topic)


def _within(episode: Episode, window: TimeWindow | None, remembered: Remembered) -> bool:
    if window is None:
        return True
    if remembered.zone is not None:
        return window.start <= episode.occurred_at < window.end
    return window.start - _EARLIER <= episode.occurred_at < window.end + _LATER


def _in_month(episode: Episode, claim: Statement, window: TimeWindow | None) -> bool:
    """Whether an episode is of a month that the claim names where no window was found: "in May" may be the verb."""
    return window is not None or not claim.months or episode.occurred_at.month in claim.months


def _outcome(claim: Statement) -> bool | None:
    """What came of it, as the claim has it: right, wrong, or nothing said."""
    table = table_of(claim.language)
    wrong, right = (table.of(key).search(claim.plain) for key in ("wrong", "right"))
    if wrong is not None and (right is None or not _inside(right.span(), wrong.span())):
        denied = right is not None and wrong.start() > right.start()
        return False if right is None or not denied else None
    if wrong is not None:
        return False
    return None if right is None else not claim.denials


def _inside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _agrees(episode: Episode, outcome: bool | None) -> bool:
    return outcome is None or (episode.outcome is not None and episode.outcome.correct is outcome)


def _outcome_nearby(
    episode: Episode, outcome: bool | None, window: TimeWindow | None, remembered: Remembered
) -> bool:
    """Whether a check of the same session or concepts, within the same time, came out as claimed."""
    return any(
        _agrees(other, outcome)
        and _within(other, window, remembered)
        and other.occurred_at.date() == episode.occurred_at.date()
        and ((other.session_id is not None and other.session_id == episode.session_id)
             or not set(other.concepts).isdisjoint(episode.concepts))
        for other in remembered.episodes
        if other.outcome is not None
    )  # fmt: skip


def _wrong_numbers(
    claim: Statement, windows: Sequence[TimeWindow], episode: Episode, indexed: IndexedMemories
) -> bool:
    """Whether the claim has a number that neither its times nor the episode has, such as another score."""
    if episode.content is None or not claim.numbers:
        return False
    phrases = [number for each in windows for number in read_statement(each.phrase, claim.language).numbers]
    score = {round(episode.outcome.score * 100), episode.outcome.score} if episode.outcome else set()
    there = {value for number in phrases for value in number.values} | indexed.figures(episode) | score
    # Small numbers in words count examples and times ("the second", "three times"), which no record holds.
    return any(there.isdisjoint(n.values) for n in claim.numbers if claim.words[n.at].text[:1].isdigit())


# ------------------------------------------------------------------------------- what is believed
def _belief(claim: Statement, understood: str, indexed: IndexedMemories) -> TracedMemory | None:
    words = Words(claim.units)
    for belief, named in indexed.beliefs(claim.language):
        if not named or not all(words.holding(forms) for forms in named):
            continue
        knows = belief.claim is BelievedClaim.UNDERSTANDS
        agrees = knows is (understood == "knows" and not claim.denials)
        if not agrees:
            return _otherwise(Shortfall.OUTCOME)
        source = RecalledMemory(
            belief.evidence[-1] if belief.evidence else "",
            "belief",
            belief.created_at,
            belief.sentence,
            belief.id,
        )
        return TracedMemory(Verdict(1.0, None), source, about_record=True)
    return None


# ------------------------------------------------------------------------------- what was said of the subject
def _taught(claim: Statement, indexed: IndexedMemories, vocabulary: Vocabulary) -> TracedMemory:
    best = TracedMemory(Verdict(0.0, Shortfall.NOTHING), None, about_record=False)
    for episode, line in indexed.lines_for(claim):
        verdict = judge(claim, line, Surroundings(), vocabulary, lambda _: 1.0)
        if (verdict.supports, verdict.score) > (best.verdict.supports, best.verdict.score):
            best = replace(best, verdict=verdict, memory=shown(episode) if verdict.supports else None)
    return best


def shown(episode: Episode) -> RecalledMemory:
    """A recalled episode as a source."""
    said = episode.content.summary if episode.content else ""
    return RecalledMemory(episode.id, episode.kind.value, episode.occurred_at, said[:_MAX_QUOTE_CHARS])
