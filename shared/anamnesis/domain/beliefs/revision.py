"""How a check changes what the tutor believes, and to which concept a check's topic is tied (BE-1 … BE-3).

The mastery behind a belief is recovered from the belief itself, so that beliefs need no second store that
could disagree with them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from anamnesis.domain.beliefs import Belief, ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.beliefs.knowledge_tracing import Mastery, update
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode

#: P(known) from which the tutor believes that a student understands.
UNDERSTANDS_FROM: Final = 0.5

#: Longest topic that still reads as a name with a little around it ("osmosis in plant cells"), not as a
#: sentence, in words and in columns of a fixed-width display (an East Asian wide character takes two). Ours.
MAX_PHRASE_WORDS: Final = 6
MAX_PHRASE_COLUMNS: Final = 48

#: Longest topic whose parts are looked at one by one, in characters. Ours.
MAX_LABEL_CHARS: Final = 200

_SENTENCE_END: Final = re.compile(r"[.!?…。！？؟।॥։።]\s*$|[;\n。！？؟।]")
#: Marks that set a name off from what surrounds it: "Unit 3: osmosis", "osmosis (plant cells)", "biología –
#: ósmosis".
_SET_OFF: Final = re.compile(r"\s*[:：;；,，、،/／|()（）\[\]【】「」«»\"“”]\s*|\s+[-–—]\s+")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check or quiz that was tied to a concept.

    Attributes
    ----------
    concept, concept_name
        Canonical key, and the name to show.
    score
        0–1; 1.0 or 0.0 when only `correct` is known.
    """

    episode_id: str
    occurred_at: datetime
    concept: str
    concept_name: str
    correct: bool
    score: float


def tied_result(episode: Episode, concept: str | None, names: Mapping[str, str]) -> CheckResult | None:
    """The result of a check that is tied to a concept; None of any other episode.

    Parameters
    ----------
    names
        Names to show, by key.
    """
    outcome = episode.outcome
    if outcome is None or concept is None:
        return None
    return CheckResult(
        episode_id=episode.id,
        occurred_at=episode.occurred_at,
        concept=concept,
        concept_name=names.get(concept, concept),
        correct=outcome.correct,
        score=outcome.score,
    )


@dataclass(frozen=True, slots=True)
class Revision:
    """What a check did to the beliefs about its concept.

    Attributes
    ----------
    inserted
        The new row when a claim is made for the first time or the claim changed.
    changed
        The row that was there: with its new history when the claim stands, with nothing but ``superseded_by``
        set when it does not.
    """

    inserted: Belief | None
    changed: Belief | None


def mastery_of(belief: Belief) -> Mastery:
    """Recover the knowledge-tracing state: the last check's confidence, read by the claim; decay is no evidence."""
    checks = (entry for entry in reversed(belief.history) if entry.reason is ChangeReason.CHECK)
    last = next(checks, None)
    confidence, at = (belief.confidence, belief.created_at) if last is None else (last.confidence, last.at)
    return mastery_behind(belief.claim, confidence, at)


def mastery_behind(claim: Claim, confidence: float, at: datetime) -> Mastery:
    """The knowledge-tracing state that a check left, by the claim and the confidence that were made of it."""
    return Mastery(known=confidence if claim is Claim.UNDERSTANDS else 1.0 - confidence, at=at)


def judged(before: Mastery | None, check: CheckResult) -> tuple[Claim, ConfidenceChange]:
    """What is believed after one more check, and the entry of the history that says why."""
    state = update(before, correct=check.correct, score=check.score, at=check.occurred_at)
    claim = Claim.UNDERSTANDS if state.known >= UNDERSTANDS_FROM else Claim.STRUGGLES_WITH
    confidence = state.known if claim is Claim.UNDERSTANDS else 1.0 - state.known
    return claim, ConfidenceChange(state.at, confidence, ChangeReason.CHECK, check.episode_id)


def revise(belief: Belief | None, check: CheckResult, *, new_id: str, pair: Pair) -> Revision:
    """Take one check into the current belief about its concept (BE-1, BE-2).

    Parameters
    ----------
    belief
        The row about this concept that nothing supersedes, or None.
    new_id
        Id of the new row, used only when one is inserted.

    Notes
    -----
    A check that is among the row's evidence already changes nothing. In the history a check that arrives out
    of order is dated by the latest check known, as in the model; ``created_at`` keeps its own time.

    Raises
    ------
    ValueError
        If the belief is superseded or is about another concept or pair.
    """
    if belief is not None:
        if belief.superseded_by is not None or belief.concept != check.concept or belief.pair != pair:
            raise ValueError("a check revises the current belief of its own pair about its own concept")
        if check.episode_id in belief.evidence:
            return Revision(inserted=None, changed=None)
    claim, entry = judged(None if belief is None else mastery_of(belief), check)
    if belief is not None and belief.claim is claim:
        strengthened = replace(
            belief,
            confidence=entry.confidence,
            needs_confirmation=False,
            evidence=(*belief.evidence, check.episode_id),
            history=(*belief.history, entry),
        )
        return Revision(inserted=None, changed=strengthened)
    inserted = Belief(
        id=new_id,
        pair=pair,
        concept=check.concept,
        concept_name=check.concept_name,
        claim=claim,
        confidence=entry.confidence,
        needs_confirmation=False,
        evidence=(check.episode_id,),
        created_at=check.occurred_at,
        history=(entry,),
    )
    return Revision(inserted, None if belief is None else replace(belief, superseded_by=new_id))


def tie_to_concept(
    topic: str | None,
    evaluation: str | None,
    *,
    exact: Callable[[str], str | None],
    named_in: Callable[[str], tuple[str, ...]],
    reads_like_utterance: Callable[[str], bool],
    contrasted: Callable[[str], tuple[str, str]] = lambda topic: (topic, ""),
) -> str | None:
    """Find the one concept that a check is about: its canonical key, or None (BE-3).

    In this order, and always an exact name and exactly one concept, for a check tied to the wrong concept is
    a false belief, and one tied to nothing is only counted as such:

    1. the topic is a name;
    2. one part of it that punctuation sets off is a name ("Unit 3: osmosis");
    3. it is a short phrase with one name in it ("osmosis in plant cells"). A phrase that names several is
       settled by an evaluation that names just one of those;
    4. it is a sentence, an utterance or missing, and the tutor's evaluation names one concept, or names just one
       of those that the topic names. A phrase that names nothing we know ties to nothing.

    An utterance ("just ask me the questions") thus never ties by itself, whatever words it holds. What a topic names
    only to keep it apart ("not osmosis", "anything but osmosis") is not what the check is about: neither the topic
    nor the evaluation ties to it, and what is left of "diffusion, not osmosis" is read as the topic.

    Parameters
    ----------
    exact
        Key of the concept of exactly this name, or None.
    named_in
        Keys of the concepts whose exact names stand in a text.
    reads_like_utterance
        Whether a topic is something somebody said, not what the check is about.
    contrasted
        A topic in two: what is meant, and what is kept apart ("" for nothing).
    """
    topic = (topic or "").strip()
    if topic and (found := exact(topic)) is not None:
        return found
    topic, apart = _meant(topic, named_in, contrasted)
    if topic and apart and (found := exact(topic)) is not None:
        return found
    said = bool(topic) and reads_like_utterance(topic)
    if topic and not said and len(topic) <= MAX_LABEL_CHARS:
        part = _only(key for part in _SET_OFF.split(topic) if part and (key := exact(part)) is not None)
        if part is not None:
            return part
    in_topic = set(named_in(topic)) if topic else set()
    in_evaluation = set(named_in(evaluation)) - apart if evaluation and evaluation.strip() else set()
    if topic and not said and _is_phrase(topic):
        # A name we do not know is still a name: an evaluation that mentions another concept is no evidence on that.
        return _only(in_topic) or _only(in_topic & in_evaluation)
    return _only(in_evaluation) or _only(in_topic & in_evaluation)


def _meant(
    topic: str, named_in: Callable[[str], tuple[str, ...]], contrasted: Callable[[str], tuple[str, str]]
) -> tuple[str, set[str]]:
    """`topic` without what it keeps apart, and the concepts kept apart."""
    meant, kept_apart = contrasted(topic) if 0 < len(topic) <= MAX_LABEL_CHARS else (topic, "")
    if not kept_apart:
        return topic, set()
    here, away = set(named_in(meant)), set(named_in(kept_apart))
    if set(named_in(topic)) - here - away:
        return topic, set()  # the "not" is part of a name: "NOT gates"
    return meant, away - here


def _only(keys: Iterable[str]) -> str | None:
    distinct = set(keys)
    return distinct.pop() if len(distinct) == 1 else None


def _is_phrase(topic: str) -> bool:
    columns = sum(
        2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in topic[: MAX_PHRASE_COLUMNS + 1]
    )
    return (
        columns <= MAX_PHRASE_COLUMNS
        and len(topic.split()) <= MAX_PHRASE_WORDS
        and _SENTENCE_END.search(topic) is None
    )
