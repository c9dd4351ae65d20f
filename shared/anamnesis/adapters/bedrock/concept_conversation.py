"""One part of a file and one model: ask, show what was refused, keep what is good (CM-1, CM-2).

Answers differ from call to call even at temperature 0; what a part gave is therefore kept (``ReadingProgress``) under a
name that is made of everything that it was asked for, and a later try takes it instead of asking again.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from anamnesis.adapters.bedrock.calls import ConverseCalls
from anamnesis.adapters.bedrock.concept_answers import Answer, understood
from anamnesis.adapters.bedrock.concept_prompt import SYSTEM, correction, prompt, tool_configuration
from anamnesis.domain.concepts import ExtractedConcept, ModelUse, Rejection
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.validation import RejectionReason, clean_name, validate
from anamnesis.domain.errors import ModelUnavailable, StoreUnavailable
from anamnesis.domain.files import Page
from anamnesis.ports import ReadingProgress

logger = logging.getLogger(__name__)

#: The first answer and two corrected ones. Each round is paid for with the whole part again.
MAX_ROUNDS = 3
#: Longest answer: sixty concepts of some 130 tokens.
MAX_ANSWER_TOKENS = 8_000
#: With less time left no call is begun: most answers take longer.
LEAST_SECONDS = 15.0
#: Refusals kept of one part.
_MOST_REFUSED = 60
#: What another round would not change, or not for the better.
_SETTLED = frozenset({RejectionReason.DUPLICATE, RejectionReason.TOO_MANY, RejectionReason.SELF_LOOP})


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file.

    Attributes
    ----------
    pages
        As they are shown.
    whole
        The same pages, in whole where they are shown in part: what a concept's name is looked for in.
    number, of
        Which of how many it is, from 1.
    page_count
        Pages of the file.
    most
        Most concepts.
    """

    pages: tuple[Page, ...]
    whole: tuple[Page, ...]
    number: int
    of: int
    file_name: str
    page_count: int
    most: int


@dataclass(frozen=True, slots=True)
class PartReading:
    """What a part gave: concepts, the most important first, refusals that stayed, and what it took."""

    concepts: tuple[ExtractedConcept, ...]
    rejected: tuple[Rejection, ...]
    use: ModelUse

    def to_bytes(self) -> bytes:
        """Return the kept form."""
        return json.dumps(asdict(self), separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> PartReading:
        """Return the reading behind ``to_bytes``.

        Raises
        ------
        ValueError, KeyError, TypeError
            If it is damaged.
        """
        value = json.loads(data)
        concepts = tuple(
            ExtractedConcept(
                **concept
                | {name: tuple(concept[name]) for name in ("builds_on", "assumed", "pages", "evidence")}
            )
            for concept in value["concepts"]
        )
        rejected = tuple(Rejection(**refused) for refused in value["rejected"])
        return cls(concepts, rejected, ModelUse(**value["use"]))


@dataclass(frozen=True, slots=True)
class Conversation:
    """Reads parts; safe to use from many threads.

    Parameters
    ----------
    reader
        Name of the concept reader, part of what a kept reading is known by.
    """

    calls: ConverseCalls
    reader: str

    def read(self, part: Part, progress: ReadingProgress) -> PartReading:
        """What the part explains.

        Raises
        ------
        ModelUnavailable
            If the model cannot be had, answers outside its schema in every round, or the time is over.
        """
        asked = prompt(part.pages, part.file_name, most=part.most, place=(part.number, part.of))
        name = hashlib.sha256(f"{self.reader}\x00{SYSTEM}\x00{asked}".encode("utf-8", "replace")).hexdigest()
        kept = _kept(progress, name)
        if kept is not None:
            return kept
        reading = self._rounds(part, asked, progress)
        try:
            progress.keep(name, reading.to_bytes())
        except StoreUnavailable:
            logger.warning("part_not_kept")
        return reading

    def _rounds(self, part: Part, asked: str, progress: ReadingProgress) -> PartReading:
        messages: list[Mapping[str, Any]] = [{"role": "user", "content": [{"text": asked}]}]
        proposed: dict[str, ExtractedConcept] = {}
        kept: list[ExtractedConcept] = []
        refused: list[Rejection] | None = None
        use = ModelUse()
        stopped = ""
        for _ in range(MAX_ROUNDS):
            answer = self._answer(messages, part, progress)
            use, stopped = use + answer.use, answer.stopped
            before = (len(kept), len(refused or ()))
            if answer.concepts is not None:
                _take(proposed, answer.concepts, refused or (), part)
                kept, faults = _validated(list(proposed.values()), part)
                refused = [*answer.malformed, *faults][:_MOST_REFUSED]
                proposed = {key: proposed[key] for key in map(_key, kept) if key in proposed}
                open_ = [r for r in refused if r.reason not in _SETTLED]
                if not answer.cut_off and (not open_ or before == (len(kept), len(refused))):
                    break
            room = max(1, (part.most - len(kept)) // (2 if answer.cut_off else 1))
            messages += [
                answer.turn,
                correction(
                    answer.turn,
                    refused if answer.concepts is not None else None,
                    part=part.pages,
                    kept=[concept.name for concept in kept],
                    cut_off=answer.cut_off,
                    room=room,
                ),
            ]
        if refused is None:
            why = f" ({stopped})" if stopped.replace("_", "").isalpha() else ""
            raise ModelUnavailable(f"the model answered outside its schema {MAX_ROUNDS} times{why}")
        logger.info(
            "concept_reader_part",
            extra={"part": part.number, "parts": part.of, "concepts": len(kept), **asdict(use)},
        )
        return PartReading(tuple(kept), tuple(refused), use)

    def _answer(self, messages: Sequence[Mapping[str, Any]], part: Part, progress: ReadingProgress) -> Answer:
        turn = self.calls.turn(
            system=SYSTEM,
            messages=messages,
            tools=tool_configuration(part.pages, part.most),
            max_tokens=MAX_ANSWER_TOKENS,
            seconds_left=progress.seconds_left,
        )
        return understood(turn)


def _kept(progress: ReadingProgress, name: str) -> PartReading | None:
    try:
        data = progress.kept(name)
        return None if data is None else PartReading.from_bytes(data)
    except (StoreUnavailable, ValueError, KeyError, TypeError):
        return None


def _key(concept: ExtractedConcept) -> str:
    return canonical_key(clean_name(concept.name))


def _validated(
    concepts: Sequence[ExtractedConcept], part: Part
) -> tuple[list[ExtractedConcept], list[Rejection]]:
    return validate(concepts, page_count=part.page_count, pages=part.whole, most=part.most)


def _take(
    proposed: dict[str, ExtractedConcept],
    concepts: Sequence[ExtractedConcept],
    refused: Sequence[Rejection],
    part: Part,
) -> None:
    """Add what an answer records to what was kept so far.

    What was kept stays as it is, unless it was shown as partly refused and has come again in a form that holds.
    """
    faulty = {canonical_key(rejection.name) for rejection in refused}
    for concept in concepts:
        key = _key(concept)
        if key not in proposed or (key in faulty and _validated([concept], part)[0]):
            proposed[key] = concept
