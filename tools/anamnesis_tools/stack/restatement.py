"""Settle, through the services' own APIs, what the emulator's CloudFormation takes from the template and loses.

The template stays what an AWS account gets; what differs on loopback is here and nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import botocore.exceptions

from anamnesis_tools.stack.aws_clients import EmulatorClients


def restate(clients: EmulatorClients, outputs: Mapping[str, str]) -> None:
    """Restate CORS, the checkpoints' Object Lock and the right to send in batches, and let plain HTTP in.

    Parameters
    ----------
    clients
        Of the emulator.
    outputs
        Of the deployed stack.
    """
    _restate_cors(clients.client("apigatewayv2"), outputs["ApiId"])
    _restate_object_lock(
        clients.client("s3"), outputs["CheckpointsBucketName"], outputs["CheckpointRetentionDays"]
    )
    _allow_batches(clients, outputs["StartNightFunctionName"], outputs["NightQueueUrl"])
    for bucket in ("FilesBucketName", "ContentBucketName", "CheckpointsBucketName"):
        _allow_plain_http(clients.client("s3"), outputs[bucket])


def _restate_cors(gateway: Any, api_id: str) -> None:
    """CORS is kept under CloudFormation's names, which neither the emulator's gateway nor boto3 reads.

    It is therefore taken from the answer's text.
    """
    texts: list[bytes] = []

    def keep(response_dict: dict[str, Any], **_: object) -> None:
        texts.append(response_dict["body"])

    gateway.meta.events.register("before-parse.apigatewayv2.GetApi", keep)
    gateway.get_api(ApiId=api_id)
    gateway.meta.events.unregister("before-parse.apigatewayv2.GetApi", keep)
    kept = json.loads(texts[-1]).get("corsConfiguration", {})
    stated = {name: value for name, value in kept.items() if name[0].isupper()}
    if stated:
        stated["MaxAge"] = int(stated.get("MaxAge", 0))
        gateway.update_api(ApiId=api_id, CorsConfiguration=stated)


def _restate_object_lock(s3: Any, bucket: str, days: str) -> None:
    """Object Lock is dropped: without this the emulator would let anybody delete a checkpoint."""
    retention = {"Mode": "GOVERNANCE", "Days": int(days)}
    lock = {"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": retention}}
    s3.put_object_lock_configuration(Bucket=bucket, ObjectLockConfiguration=lock)


def _allow_batches(clients: EmulatorClients, function: str, queue_url: str) -> None:
    """Let the dispatcher send batches: on AWS ``sqs:SendMessage`` covers them, the emulator asks for their own name."""
    role = clients.client("lambda").get_function_configuration(FunctionName=function)["Role"]
    queue = clients.client("sqs").get_queue_attributes(QueueUrl=queue_url, AttributeNames=["QueueArn"])
    statement = {
        "Effect": "Allow",
        "Action": "sqs:SendMessageBatch",
        "Resource": queue["Attributes"]["QueueArn"],
    }
    clients.client("iam").put_role_policy(
        RoleName=role.rpartition("/")[2],
        PolicyName="send-batches",
        PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [statement]}),
    )


def _allow_plain_http(s3: Any, bucket: str) -> None:
    """Drop the rule that refuses what does not come over TLS, which loopback has none of; other rules stay."""
    try:
        policy = json.loads(s3.get_bucket_policy(Bucket=bucket)["Policy"])
    except botocore.exceptions.ClientError as error:
        if error.response["Error"]["Code"] == "NoSuchBucketPolicy":
            return  # settled by an earlier deployment
        raise
    kept = [statement for statement in policy["Statement"] if statement.get("Sid") != "TlsOnly"]
    if kept:
        s3.put_bucket_policy(Bucket=bucket, Policy=json.dumps(policy | {"Statement": kept}))
    else:
        s3.delete_bucket_policy(Bucket=bucket)
