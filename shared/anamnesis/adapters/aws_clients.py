"""boto3 clients with tight timeouts and bounded retries."""

from __future__ import annotations

from typing import Any

import boto3
from botocore.config import Config

#: A healthy endpoint of the same region accepts a connection in a few milliseconds.
CONNECT_TIMEOUT_SECONDS = 1.0
READ_TIMEOUT_SECONDS = 5.0
#: The first try and two more; botocore's standard mode waits with jittered exponential backoff in between.
ATTEMPTS = 3
#: Requests that one client may have in flight: a read fans out, and so does a scan over long texts.
POOL_SIZE = 16


def aws_client(
    service: str,
    *,
    region: str | None = None,
    endpoint: str | None = None,
    read_timeout_seconds: float = READ_TIMEOUT_SECONDS,
    attempts: int = ATTEMPTS,
) -> Any:
    """Return a thread-safe boto3 client.

    Parameters
    ----------
    service
        boto3's name of it, such as ``s3``.
    region, endpoint
        None for what boto3 finds in its usual places.
    read_timeout_seconds
        Longest silence of the service, per attempt.
    attempts
        Tries in all.

    Notes
    -----
    S3 addresses are path-style on a named endpoint (a bucket's name is no host of an emulator) and otherwise
    virtual-hosted, which makes pre-signed URLs name the bucket's region: the global host answers a young bucket
    outside us-east-1 with a redirect that browsers refuse to follow with a body.
    """
    config = Config(
        connect_timeout=CONNECT_TIMEOUT_SECONDS,
        read_timeout=read_timeout_seconds,
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=POOL_SIZE,
        signature_version="s3v4" if service == "s3" else None,
        s3={"addressing_style": "path" if endpoint else "virtual"},
    )
    # A session of its own: boto3's default one keeps the first credentials that it ever found, for the whole process.
    session = boto3.session.Session()
    return session.client(service, region_name=region, endpoint_url=endpoint, config=config)
