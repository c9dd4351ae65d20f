"""What AWS asks for a unit of what a night takes, in USD: on demand, us-east-1, x86, without free tiers or discounts.

As AWS published them from November 2024 on (when DynamoDB's were halved) and others quote them in 2026; to be read off
its price pages again before a bill is promised:

- Lambda: https://aws.amazon.com/lambda/pricing/
- DynamoDB, on demand: https://aws.amazon.com/dynamodb/pricing/on-demand/
- S3 Standard: https://aws.amazon.com/s3/pricing/
- KMS: https://aws.amazon.com/kms/pricing/ (asymmetric requests cost five times as much as symmetric ones)
- SQS, standard queue: https://aws.amazon.com/sqs/pricing/
- CloudWatch Logs: https://aws.amazon.com/cloudwatch/pricing/
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Final

LAMBDA_GB_SECOND: Final = 0.0000166667
LAMBDA_REQUEST: Final = 0.20 / 1e6
#: A strongly consistent read of 4 kB takes one unit, a write of 1 kB one, in a transaction two.
DYNAMODB_READ_UNIT: Final = 0.125 / 1e6
DYNAMODB_WRITE_UNIT: Final = 0.625 / 1e6
SQS_REQUEST: Final = 0.40 / 1e6
LOGS_GB: Final = 0.50
#: Requests of S3 and KMS by operation; a deletion costs nothing.
BY_OPERATION: Final[Mapping[str, float]] = MappingProxyType(
    {
        "s3.PutObject": 0.005 / 1e3,
        "s3.ListObjectsV2": 0.005 / 1e3,
        "s3.ListObjectVersions": 0.005 / 1e3,
        "s3.GetObject": 0.0004 / 1e3,
        "s3.DeleteObject": 0.0,
        "s3.DeleteObjects": 0.0,
        "kms.Sign": 0.15 / 1e4,
        "kms.Verify": 0.15 / 1e4,
        "kms.GetPublicKey": 0.15 / 1e4,
    }
)


@dataclass(frozen=True, slots=True)
class Usage:
    """What is paid for.

    Attributes
    ----------
    gb_seconds
        Memory given to functions times the time that they ran.
    requests
        Of S3 and KMS, by operation; others are priced by their units.
    """

    gb_seconds: float
    invocations: float
    read_units: float
    write_units: float
    requests: Mapping[str, float]
    queue_requests: float
    log_bytes: float


@dataclass(frozen=True, slots=True)
class Bill:
    """USD by service."""

    functions: float
    dynamodb: float
    s3: float
    kms: float
    sqs: float
    logs: float

    @property
    def total(self) -> float:
        """All of it."""
        return float(sum(getattr(self, part.name) for part in fields(self)))


def bill_of(usage: Usage) -> Bill:
    """Price what was used.

    Raises
    ------
    KeyError
        For a request of S3 or KMS that has no price here.
    """

    def requests(service: str) -> float:
        return sum(n * BY_OPERATION[name] for name, n in usage.requests.items() if name.startswith(service))

    return Bill(
        functions=usage.gb_seconds * LAMBDA_GB_SECOND + usage.invocations * LAMBDA_REQUEST,
        dynamodb=usage.read_units * DYNAMODB_READ_UNIT + usage.write_units * DYNAMODB_WRITE_UNIT,
        s3=requests("s3."),
        kms=requests("kms."),
        sqs=usage.queue_requests * SQS_REQUEST,
        logs=usage.log_bytes / 1e9 * LOGS_GB,
    )
