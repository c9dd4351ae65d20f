"""One call of Bedrock Converse: tried again while failures pass and there is time, its answer read without trust."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

from anamnesis.adapters.aws_errors import error_code
from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.errors import ModelUnavailable
from anamnesis.ports import Backoff

logger = logging.getLogger(__name__)

#: Tries of one call against failures that pass; with a bound of 20 s on their pauses they wait a minute in all.
TRIES = 8
#: Longest tool input in characters that is parsed when it comes as a string: several times the longest answer.
_MOST_CHARS = 400_000
#: Failures that pass: throttles (quotas are counted by the minute), overload, time-outs, broken connections.
PASSING = frozenset(
    {
        "ThrottlingException",
        "TooManyRequestsException",
        "ServiceUnavailableException",
        "InternalServerException",
        "ModelTimeoutException",
        "ModelNotReadyException",
        "ModelErrorException",
        "ReadTimeoutError",
        "ConnectTimeoutError",
        "ConnectionClosedError",
        "EndpointConnectionError",
        "HTTPClientError",
        "ResponseParserError",
        "NoOutput",
        "500",
        "502",
        "503",
        "504",
    }
)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool; `given` is any value at all."""

    id: str
    name: str
    given: Any


@dataclass(frozen=True, slots=True)
class Turn:
    """An answer.

    Attributes
    ----------
    message
        The assistant's turn as it can be sent back.
    calls
        Every call of a tool in it, in order.
    stopped
        Why the model stopped, by Converse's name; "" when it does not say.
    """

    message: Mapping[str, Any]
    calls: tuple[ToolCall, ...]
    stopped: str
    use: ModelUse

    @property
    def cut_off(self) -> bool:
        """Whether it ended at the limit of tokens."""
        return self.stopped in {"max_tokens", "model_context_window_exceeded"}


@dataclass(frozen=True, slots=True)
class ConverseCalls:
    """Calls one model; safe to use from many threads.

    Parameters
    ----------
    client
        A boto3 client of ``bedrock-runtime`` that does not try again by itself: tries here know the deadline.
    least_seconds
        With less time left no call is begun.
    on_use
        Told what every answered call took.
    tries
        Most tries of a call.
    list_name
        Under which name a tool's input is sent back that came as a bare list: Converse takes objects only.
    """

    client: Any
    model_id: str
    backoff: Backoff
    on_use: Callable[[ModelUse], None]
    least_seconds: float
    tries: int = TRIES
    list_name: str = "items"

    def turn(
        self,
        *,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Mapping[str, Any],
        max_tokens: int,
        seconds_left: Callable[[], float],
    ) -> Turn:
        """The model's next turn.

        Raises
        ------
        ModelUnavailable
            If the model cannot be had, or the time is over.
        """
        for attempt in count(1):
            if seconds_left() < self.least_seconds:
                raise ModelUnavailable("the time for reading is over")
            response, code = self._response(system, messages, tools, max_tokens)
            if response is not None:
                turn = read_turn(response, self.list_name)
                self.on_use(turn.use)
                return turn
            if code not in PASSING or attempt >= self.tries:
                raise ModelUnavailable(f"Bedrock: {code}")
            logger.info("model_waits", extra={"error": code, "attempt": attempt})
            self.backoff.pause(attempt)
        raise AssertionError("unreachable")

    def _response(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Mapping[str, Any], max_tokens: int
    ) -> tuple[Mapping[str, Any] | None, str]:
        """Return a response, or None and the code of what went wrong: an SDK's message may quote the prompt."""
        try:
            response: Mapping[str, Any] = self.client.converse(
                modelId=self.model_id,
                system=[{"text": system}],
                messages=list(messages),
                inferenceConfig={"temperature": 0.0, "maxTokens": max_tokens},
                toolConfig=tools,
            )
        except (BotoCoreError, ClientError, ResponseParserError) as error:
            return None, error_code(error)
        # The SDK makes an empty response of a body that is no JSON.
        return (response, "") if response.get("output") else (None, "NoOutput")


def read_turn(response: Mapping[str, Any], list_name: str) -> Turn:
    """Read a response of Converse."""
    output = response.get("output")
    message = output.get("message") if isinstance(output, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    blocks: list[dict[str, Any]] = []
    calls: list[ToolCall] = []
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        call, text = block.get("toolUse"), block.get("text")
        if isinstance(call, dict) and isinstance(call.get("toolUseId"), str):
            given = unquoted(call.get("input"))
            calls.append(ToolCall(call["toolUseId"], str(call.get("name")), given))
            # Converse refuses an input that is no object, an empty turn and a blank text.
            usable = (
                given if isinstance(given, dict) else {list_name: given} if isinstance(given, list) else {}
            )
            blocks.append({"toolUse": {"toolUseId": calls[-1].id, "name": calls[-1].name, "input": usable}})
        elif isinstance(text, str) and text.strip():
            blocks.append({"text": text})
    return Turn(
        message={"role": "assistant", "content": blocks or [{"text": "(no answer)"}]},
        calls=tuple(calls),
        stopped=str(response.get("stopReason") or ""),
        use=use_of(response.get("usage")),
    )


def unquoted(value: Any) -> Any:
    """A value that some models write as a string of JSON."""
    if not isinstance(value, str) or len(value) > _MOST_CHARS or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def use_of(usage: Any) -> ModelUse:
    """What a response says that it took."""
    counts = usage if isinstance(usage, dict) else {}
    return ModelUse.as_told(counts.get("inputTokens"), counts.get("outputTokens"))
