"""What the deployed template does before any of our code runs: who gets in, and what nobody can do."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import boto3
import botocore.exceptions
import pytest
import requests

from anamnesis_tools.stack.local_stack import LocalStack

ORIGIN = "http://localhost:3000"


@pytest.fixture(scope="module")
def token(stack: LocalStack) -> str:
    """Token of a student whose ids are not ASCII."""
    return stack.token("école", "学生/1")


def get(stack: LocalStack, path: str, token: str | None = None) -> requests.Response:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return requests.get(f"{stack.api_url}{path}", headers=headers, timeout=35)


def part(token: str, index: int) -> dict[str, Any]:
    """Decode one of a token's parts: 0 its header, 1 its claims."""
    encoded = token.split(".")[index]
    return dict(json.loads(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))))


def encoded(claims: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()


def test_without_a_token_nobody_gets_in(stack: LocalStack) -> None:
    """A request without a token is refused before any function runs (SV-11)."""
    assert get(stack, "/v1/subjects/biology/map").status_code == 401
    refused = requests.post(f"{stack.api_url}/v1/subjects/biology/block", json={}, timeout=35)
    assert refused.status_code == 401


def test_a_token_with_other_claims_is_refused(stack: LocalStack, token: str) -> None:
    """A token whose claims were changed does not pass, whoever it says it is (SV-11)."""
    header, _, signature = token.split(".")
    forged = ".".join([header, encoded(part(token, 1) | {"custom:student": "somebody else"}), signature])
    assert get(stack, "/v1/subjects/biology/map", forged).status_code == 401


def test_an_unsigned_token_is_refused(stack: LocalStack, token: str) -> None:
    """A token that claims to need no signature does not pass (SV-11)."""
    unsigned = f"{encoded(part(token, 0) | {'alg': 'none'})}.{token.split('.')[1]}."
    assert get(stack, "/v1/subjects/biology/map", unsigned).status_code == 401


def test_a_token_names_tenant_student_and_role(stack: LocalStack, token: str) -> None:
    """Who calls is in the token that the user pool issued (SV-11)."""
    claims = part(token, 1)
    assert (claims["custom:tenant"], claims["custom:student"]) == ("école", "学生/1")
    assert claims["cognito:groups"] == ["student"]
    assert claims["aud"] == stack.outputs["UserPoolClientId"]


@pytest.mark.parametrize("path", ["/v1/health", "/v1/openapi.json"])
def test_the_open_routes_are_open(stack: LocalStack, path: str) -> None:
    """Health and description need no token (SV-6)."""
    assert get(stack, path).status_code == 200


def test_a_browser_of_an_allowed_origin_may_call(stack: LocalStack) -> None:
    """A preflight of an allowed origin is answered without a token, another origin's is refused (SV-11)."""
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    url = f"{stack.api_url}/v1/subjects/biology/block"
    allowed = requests.options(url, headers=asked | {"Origin": ORIGIN}, timeout=35)
    assert allowed.status_code == 204
    assert allowed.headers["Access-Control-Allow-Origin"] == ORIGIN
    refused = requests.options(url, headers=asked | {"Origin": "https://elsewhere.example"}, timeout=35)
    assert "Access-Control-Allow-Origin" not in refused.headers


@pytest.fixture(scope="module")
def as_function(stack: LocalStack) -> Callable[[str, str], Any]:
    """Make clients with the rights of a deployed function's role."""
    roles = {role["RoleName"]: role["Arn"] for role in stack.client("iam").list_roles()["Roles"]}

    def client(function: str, service: str) -> Any:
        arn = next(arn for name, arn in roles.items() if f"-{function}FunctionRole-" in name)
        session = stack.client("sts").assume_role(RoleArn=arn, RoleSessionName="platform-tests")[
            "Credentials"
        ]
        return boto3.client(
            service,
            endpoint_url=stack.endpoint_url,
            region_name="us-east-1",
            aws_access_key_id=session["AccessKeyId"],
            aws_secret_access_key=session["SecretAccessKey"],
            aws_session_token=session["SessionToken"],
        )

    return client


@pytest.mark.parametrize("function", ["Api", "RunNight"])
def test_who_writes_checkpoints_cannot_take_them_back(
    stack: LocalStack, as_function: Callable[[str, str], Any], function: str
) -> None:
    """The functions that store checkpoints can neither delete one nor bypass or shorten its lock (EP-5)."""
    s3 = as_function(function, "s3")
    where = {"Bucket": stack.outputs["CheckpointsBucketName"], "Key": f"platform/{function}"}
    version = s3.put_object(Body=b"signed head", **where)["VersionId"]
    until = datetime(2027, 1, 1, tzinfo=UTC)
    attempts: list[Callable[[], Any]] = [
        lambda: s3.delete_object(**where),
        lambda: s3.delete_object(VersionId=version, **where),
        lambda: s3.delete_object(VersionId=version, BypassGovernanceRetention=True, **where),
        lambda: s3.put_object_retention(
            Retention={"Mode": "GOVERNANCE", "RetainUntilDate": until}, VersionId=version, **where
        ),
    ]
    for attempt in attempts:
        with pytest.raises(botocore.exceptions.ClientError, match="AccessDenied"):
            attempt()
    assert s3.get_object(**where)["Body"].read() == b"signed head"


def test_the_lock_holds_against_the_account_itself(stack: LocalStack) -> None:
    """Whoever owns the account does not delete a checkpoint without saying that the lock be bypassed (EP-5)."""
    s3, bucket = stack.client("s3"), stack.outputs["CheckpointsBucketName"]
    version = s3.put_object(Bucket=bucket, Key="platform/account", Body=b"signed head")["VersionId"]
    with pytest.raises(botocore.exceptions.ClientError, match="object lock"):
        s3.delete_object(Bucket=bucket, Key="platform/account", VersionId=version)


@pytest.mark.parametrize("table", ["EpisodesTableName", "BeliefsTableName", "ConceptsTableName"])
def test_reading_a_block_cannot_change_memory(
    stack: LocalStack, as_function: Callable[[str, str], Any], table: str
) -> None:
    """The function that reads a block is refused every write to the memory (SV-11)."""
    dynamodb = as_function("ReadBlock", "dynamodb")
    row = {"pk": {"S": "platform"}, "sk": {"S": "E#1"}}
    assert "Item" not in dynamodb.get_item(TableName=stack.outputs[table], Key=row)
    with pytest.raises(botocore.exceptions.ClientError, match="AccessDenied"):
        dynamodb.put_item(TableName=stack.outputs[table], Item=row)
    with pytest.raises(botocore.exceptions.ClientError, match="AccessDenied"):
        dynamodb.delete_item(TableName=stack.outputs[table], Key=row)


def test_the_signing_key_signs_and_stays(stack: LocalStack) -> None:
    """Checkpoints are signed inside KMS with a P-256 key that only verifies outside (EP-5)."""
    kms, key = stack.client("kms"), stack.outputs["SigningKeyId"]
    described = kms.describe_key(KeyId=key)["KeyMetadata"]
    assert (described["KeySpec"], described["KeyUsage"]) == ("ECC_NIST_P256", "SIGN_VERIFY")
    how = {"KeyId": key, "MessageType": "DIGEST", "SigningAlgorithm": "ECDSA_SHA_256"}
    signature = kms.sign(Message=bytes(32), **how)["Signature"]
    assert kms.verify(Message=bytes(32), Signature=signature, **how)["SignatureValid"] is True
