"""Where the dead letters are: the local stack, or a stack on AWS with the operator's own credentials."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import botocore.config
import botocore.exceptions

from anamnesis_tools import plain_json
from anamnesis_tools.failures import CommandFailed
from anamnesis_tools.stack.local_stack import LocalStack

#: Longest wait for a function's answer: their own time limit is 300 s.
ANSWER_SECONDS = 310


class ReplayFailed(CommandFailed):
    """The stack, a queue or a function did not answer, or refused."""


class NotReplayed(Exception):
    """One letter stays where it is; the text says why, in words that hold no student text."""


@dataclass(frozen=True)
class Place:
    """A deployed stack.

    Attributes
    ----------
    name
        For people: which stack this is.
    outputs
        The stack's outputs.
    client
        Gives a boto3 client of a service there.
    """

    name: str
    outputs: Mapping[str, str]
    client: Callable[[str], Any]

    def output(self, name: str) -> str:
        """Return one of the stack's outputs.

        Raises
        ------
        ReplayFailed
            If the stack has none of this name: it was deployed from an earlier template.
        """
        if name not in self.outputs:
            raise ReplayFailed(
                f"The stack {self.name} has no output {name}: deploy the current template first."
            )
        return self.outputs[name]

    def start(self, function: str, event: Any) -> None:
        """Hand an event to a function that reports elsewhere.

        Parameters
        ----------
        function
            Name of the stack's output that names it.

        Raises
        ------
        NotReplayed
            If Lambda did not take it.
        """
        answer = self._invoke(function, event, "Event")
        if answer["StatusCode"] != 202:
            raise NotReplayed(f"Lambda did not take it (status {answer['StatusCode']})")

    def call(self, function: str, event: Any) -> Any:
        """Return what a function answers to an event.

        Raises
        ------
        NotReplayed
            If it fails; what it says may hold data, so that only the kind of its error is told.
        """
        answer = self._invoke(function, event, "RequestResponse")
        said = plain_json.read(answer["Payload"].read() or b"null")
        if "FunctionError" in answer:
            kind = said.get("errorType", answer["FunctionError"]) if isinstance(said, dict) else "unknown"
            raise NotReplayed(f"the function failed again: {kind}")
        return said

    def _invoke(self, function: str, event: Any, how: str) -> Any:
        name, payload = self.output(function), json.dumps(event).encode()
        return self.client("lambda").invoke(FunctionName=name, InvocationType=how, Payload=payload)


@contextlib.contextmanager
def in_plain_words(place: str) -> Iterator[None]:
    """Turn what boto3 raises into a `ReplayFailed` that says the same."""
    try:
        yield
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError) as error:
        raise ReplayFailed(f"{place} refused or did not answer: {error}") from error


def local_place(state: Path) -> Place:
    """Return the local stack that runs in this state folder."""
    stack = LocalStack(state).attach()
    return Place(f"in {state}", stack.outputs, stack.client)


def aws_place(stack_name: str) -> Place:
    """Return a stack on AWS, reached as the AWS CLI would: by the environment's profile, region and credentials."""
    session = boto3.session.Session()
    config = botocore.config.Config(read_timeout=ANSWER_SECONDS, retries={"mode": "standard"})
    clients: dict[str, Any] = {}

    def client(service: str) -> Any:
        if service not in clients:
            clients[service] = session.client(service, config=config)
        return clients[service]

    with in_plain_words(stack_name):
        [stack] = client("cloudformation").describe_stacks(StackName=stack_name)["Stacks"]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}
    return Place(stack_name, outputs, client)
