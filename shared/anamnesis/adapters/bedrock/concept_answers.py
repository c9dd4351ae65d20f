"""What a model on Bedrock answered, as far as it can be used: nothing about its shape is trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from anamnesis.adapters.bedrock.calls import Turn, unquoted
from anamnesis.adapters.bedrock.concept_prompt import TOOL_NAME
from anamnesis.domain.concepts import ExtractedConcept, ModelUse, Rejection
from anamnesis.domain.concepts.validation import RejectionReason, rejection

#: Concepts of one answer that are looked at; what a model gone astray adds is dropped unread.
MOST_LOOKED_AT = 240


def _whole_numbers(value: Any) -> Any:
    """Pages that some models write as "3" or 3.0; whatever else stays, to be refused."""
    if not isinstance(value, list):
        return value
    return [_whole_number(page) for page in value]


def _whole_number(page: Any) -> Any:
    if isinstance(page, str) and page.strip().isdecimal() and len(page.strip()) < 10:
        return int(page)
    return int(page) if isinstance(page, float) and page.is_integer() else page


def _none_is(empty: Any) -> BeforeValidator:
    return BeforeValidator(lambda value: empty if value is None else value)


class _Concept(BaseModel):
    """One concept as the tool's schema asks for it."""

    model_config = ConfigDict(strict=True)

    name: str
    gist: str
    definition: Annotated[str, _none_is("")] = ""
    builds_on: Annotated[list[str], _none_is([])] = Field(default_factory=list)
    assumed: Annotated[list[str], _none_is([])] = Field(default_factory=list)
    pages: Annotated[list[int], BeforeValidator(_whole_numbers)]

    def extracted(self) -> ExtractedConcept:
        """Return the domain's value, unvalidated."""
        return ExtractedConcept(
            name=self.name,
            gist=self.gist,
            definition=self.definition,
            builds_on=tuple(self.builds_on),
            assumed=tuple(self.assumed),
            pages=tuple(self.pages),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer.

    Attributes
    ----------
    turn
        The assistant's turn as it can be sent back.
    concepts
        What it records, not yet validated; None when it holds no usable call of the tool.
    malformed
        Concepts of wrong types.
    cut_off
        Whether it ended at the limit of tokens.
    stopped
        Why the model stopped, by Converse's name; "" when it does not say.
    """

    turn: Mapping[str, Any]
    concepts: tuple[ExtractedConcept, ...] | None
    malformed: tuple[Rejection, ...]
    stopped: str
    cut_off: bool
    use: ModelUse


def understood(turn: Turn) -> Answer:
    """Read what a turn records."""
    items = _items(next((call.given for call in turn.calls if call.name == TOOL_NAME), None))
    concepts: list[ExtractedConcept] = []
    malformed: list[Rejection] = []
    for item in items or ():
        try:
            concepts.append(_Concept.model_validate(unquoted(item)).extracted())
        except ValidationError:
            name = item.get("name") if isinstance(item, dict) else item
            shown = name if isinstance(name, str) else _shown(name)
            malformed.append(rejection(shown, RejectionReason.MALFORMED))
    return Answer(
        turn=turn.message,
        concepts=None if items is None else tuple(concepts),
        malformed=tuple(malformed),
        stopped=turn.stopped,
        cut_off=turn.cut_off,
        use=turn.use,
    )


def _items(given: Any) -> list[Any] | None:
    """The list of concepts in a tool's input, which some models write as a string of JSON, whole or in part."""
    listed = unquoted(given.get("concepts")) if isinstance(given, dict) else given
    return listed[:MOST_LOOKED_AT] if isinstance(listed, list) else None


def _shown(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return "?"
