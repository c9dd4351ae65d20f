"""What a model on Bedrock answered, as far as it can be used: nothing about its shape is trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from anamnesis.adapters.bedrock_prompt import TOOL_NAME
from anamnesis.domain.concepts import ExtractedConcept, ModelUse, Rejection
from anamnesis.domain.concepts.validation import RejectionReason, rejection

#: Concepts of one answer that are looked at; what a model gone astray adds is dropped unread.
MOST_LOOKED_AT = 240
#: Longest tool input in characters that is parsed when it comes as a string: several times the longest answer.
_MOST_CHARS = 400_000


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
    use: ModelUse

    @property
    def cut_off(self) -> bool:
        """Whether it ended at the limit of tokens."""
        return self.stopped in {"max_tokens", "model_context_window_exceeded"}


def understood(response: Mapping[str, Any]) -> Answer:
    """Read a response of Converse."""
    blocks = _blocks(response)
    calls = [block["toolUse"] for block in blocks if "toolUse" in block]
    items = _items(next((call["input"] for call in calls if call["name"] == TOOL_NAME), None))
    concepts: list[ExtractedConcept] = []
    malformed: list[Rejection] = []
    for item in items or ():
        try:
            concepts.append(_Concept.model_validate(_unquoted(item)).extracted())
        except ValidationError:
            name = item.get("name") if isinstance(item, dict) else item
            shown = name if isinstance(name, str) else _shown(name)
            malformed.append(rejection(shown, RejectionReason.MALFORMED))
    return Answer(
        # Converse refuses an empty turn, a blank text and an input that is no object.
        turn={"role": "assistant", "content": blocks or [{"text": "(no answer)"}]},
        concepts=None if items is None else tuple(concepts),
        malformed=tuple(malformed),
        stopped=str(response.get("stopReason") or ""),
        use=_use(response.get("usage")),
    )


def _blocks(response: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The texts and tool calls of an answer, each in the form that Converse takes back."""
    output = response.get("output")
    message = output.get("message") if isinstance(output, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    found: list[dict[str, Any]] = []
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        call, text = block.get("toolUse"), block.get("text")
        if isinstance(call, dict) and isinstance(call.get("toolUseId"), str):
            given = _unquoted(call.get("input"))
            usable = (
                given if isinstance(given, dict) else {"concepts": given} if isinstance(given, list) else {}
            )
            found.append(
                {"toolUse": {"toolUseId": call["toolUseId"], "name": str(call.get("name")), "input": usable}}
            )
        elif isinstance(text, str) and text.strip():
            found.append({"text": text})
    return found


def _items(given: Any) -> list[Any] | None:
    """The list of concepts in a tool's input, which some models write as a string of JSON, whole or in part."""
    listed = _unquoted(given.get("concepts")) if isinstance(given, dict) else None
    return listed[:MOST_LOOKED_AT] if isinstance(listed, list) else None


def _unquoted(value: Any) -> Any:
    if not isinstance(value, str) or len(value) > _MOST_CHARS or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _shown(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return "?"


def _use(usage: Any) -> ModelUse:
    counts = usage if isinstance(usage, dict) else {}
    given, made = (counts.get(name) for name in ("inputTokens", "outputTokens"))
    return ModelUse(1, given if isinstance(given, int) else 0, made if isinstance(made, int) else 0)
