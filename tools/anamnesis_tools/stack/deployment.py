"""Deploy the packaged template through the emulator's CloudFormation and read what it made."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import botocore.exceptions

from anamnesis_tools.stack.aws_clients import EmulatorClients
from anamnesis_tools.stack.errors import DeploymentFailed
from anamnesis_tools.stack.packaging import package
from anamnesis_tools.stack.restatement import restate

STACK = "anamnesis"
_ARTIFACTS = "anamnesis-artifacts"
_DEPLOY_SECONDS = 180.0
_DONE = {"CREATE_COMPLETE", "UPDATE_COMPLETE"}
#: How the states begin in which a stack has never been complete, or is so no more: it can only be made anew.
_NEVER_COMPLETE = ("CREATE_", "ROLLBACK_", "REVIEW_", "DELETE_")


def deploy(
    clients: EmulatorClients, template: Path, functions: Path, parameters: Mapping[str, str]
) -> dict[str, str]:
    """Create the stack, or update it to what template and sources say now.

    Parameters
    ----------
    clients
        Of the emulator.
    template
        The SAM template.
    functions
        Folder that holds the handlers.
    parameters
        Values for the template's parameters; the others keep their defaults.

    Returns
    -------
    dict
        The stack's outputs.

    Raises
    ------
    DeploymentFailed
        With the reasons that CloudFormation gives.
    """
    body = package(
        template.read_text(encoding="utf-8"), functions, lambda key, content: _upload(clients, key, content)
    )
    # By address: a template may be ten times as long there as in the request.
    digest = hashlib.sha256(body.encode()).hexdigest()
    address = _upload(clients, f"{digest}.yaml", body.encode()).removeprefix("s3://")
    arguments = {
        "StackName": STACK,
        "TemplateURL": f"{clients.endpoint_url}/{address}",
        "Capabilities": ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        "Parameters": [{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()],
    }
    try:
        return _deploy(clients, arguments)
    except botocore.exceptions.ClientError as error:
        raise DeploymentFailed(str(error)) from error


def _deploy(clients: EmulatorClients, arguments: dict[str, Any]) -> dict[str, str]:
    """Create or update the stack, whatever an earlier deployment has left of it."""
    cloudformation = clients.client("cloudformation")
    status = _settled(cloudformation)
    if status is not None and status not in _DONE and status.startswith(_NEVER_COMPLETE):
        cloudformation.delete_stack(StackName=STACK)
        status = _settled(cloudformation)
    if status is None or status == "DELETE_COMPLETE":
        cloudformation.create_stack(**arguments, OnFailure="DO_NOTHING")
    else:
        try:
            cloudformation.update_stack(**arguments)
        except botocore.exceptions.ClientError as error:
            if "No updates are to be performed" not in str(error):
                raise
    outputs = _wait(cloudformation)
    restate(clients, outputs)
    return outputs


def api_url(endpoint_url: str, outputs: Mapping[str, str]) -> str:
    """Return the base URL of the API here; the template's own output is its address on AWS.

    Without the stage, which the emulator finds by itself: a shell would take "$default" for a variable.
    """
    return f"{endpoint_url}/_aws/execute-api/{outputs['ApiId']}"


def _upload(clients: EmulatorClients, key: str, content: bytes) -> str:
    """Store one zip among the artifacts and return its address."""
    s3 = clients.client("s3")
    # The bucket may be there: from the last deployment, or as all that a killed emulator has left.
    with contextlib.suppress(s3.exceptions.BucketAlreadyOwnedByYou, s3.exceptions.BucketAlreadyExists):
        s3.create_bucket(Bucket=_ARTIFACTS)
    s3.put_object(Bucket=_ARTIFACTS, Key=key, Body=content)
    return f"s3://{_ARTIFACTS}/{key}"


def _status(cloudformation: Any) -> dict[str, Any] | None:
    """Describe the stack, or None while there is none."""
    try:
        stacks = cloudformation.describe_stacks(StackName=STACK)["Stacks"]
    except botocore.exceptions.ClientError:
        return None
    return stacks[0] if stacks else None


def _settled(cloudformation: Any) -> str | None:
    """Return the stack's status once no earlier deployment works on it any more; None while there is no stack."""
    deadline = time.monotonic() + _DEPLOY_SECONDS
    while (stack := _status(cloudformation)) is not None:
        status = str(stack["StackStatus"])
        if not status.endswith("IN_PROGRESS") or time.monotonic() > deadline:
            return status
        time.sleep(0.1)
    return None


def _wait(cloudformation: Any) -> dict[str, str]:
    """Wait for the stack to be complete and return its outputs."""
    deadline = time.monotonic() + _DEPLOY_SECONDS
    status = "missing"
    while time.monotonic() < deadline:
        stack = _status(cloudformation) or {}
        status = stack.get("StackStatus", "missing")
        if status in _DONE:
            return {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}
        if not status.endswith("IN_PROGRESS"):
            break
        time.sleep(0.1)
    events = cloudformation.describe_stack_events(StackName=STACK)["StackEvents"]
    reasons = [
        f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason', event['ResourceStatus'])}"
        for event in reversed(events)
        if "FAILED" in event["ResourceStatus"]
    ]
    raise DeploymentFailed("\n".join([f"The stack is {status}.", *reasons]))
