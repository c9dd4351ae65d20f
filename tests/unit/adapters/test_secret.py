"""A secret out of Secrets Manager, on moto."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from anamnesis.adapters.secret import Secret
from anamnesis.domain.errors import StoreUnavailable
from support.emulated_aws import emulated_aws


@pytest.fixture
def client() -> Iterator[Any]:
    with emulated_aws():
        yield boto3.client("secretsmanager", region_name="eu-west-1")


def test_a_secret_is_read_once_until_it_is_forgotten(client: Any) -> None:
    """A warm process asks once, and again when the secret was refused: a rotated key is found (SV-11, SV-14)."""
    arn = client.create_secret(Name="tutor", SecretString=" sk-1\n")["ARN"]
    secret = Secret(client, arn)
    assert secret.text() == "sk-1"
    client.put_secret_value(SecretId=arn, SecretString="sk-2")
    assert secret.text() == "sk-1"
    secret.forget()
    assert secret.text() == "sk-2"


def test_a_secret_that_is_none_is_a_failure_of_the_store(client: Any) -> None:
    """What is missing, blank or no text is told without anything that it holds (SV-11)."""
    blank = client.create_secret(Name="blank", SecretString=" ")["ARN"]
    binary = client.create_secret(Name="binary", SecretBinary=b"sk-hidden")["ARN"]
    for arn in (blank, binary, "arn:aws:secretsmanager:eu-west-1:123456789012:secret:none"):
        with pytest.raises(StoreUnavailable) as raised:
            Secret(client, arn).text()
        assert "hidden" not in str(raised.value)
