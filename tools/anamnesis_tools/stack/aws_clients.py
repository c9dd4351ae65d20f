"""boto3 clients for the emulator that know nothing of the caller's own AWS account."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import boto3
import botocore.config
import botocore.exceptions
import botocore.session

from anamnesis_tools.stack.errors import EmulatorFailed

REGION = "us-east-1"
ACCESS_KEY = "test"
SECRET_KEY = "test"


@contextlib.contextmanager
def in_plain_words() -> Iterator[None]:
    """Turn what boto3 raises into an `EmulatorFailed` that says the same."""
    try:
        yield
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError) as error:
        raise EmulatorFailed(f"The emulator refused or did not answer: {error}") from error


class EmulatorClients:
    """Makes clients for one endpoint, with dummy credentials, and keeps them.

    Neither ``~/.aws`` nor any ``AWS_*`` variable of the caller is read: a profile, an endpoint or a proxy that is
    configured for real work must not reach a test, nor a test's calls a real account.

    Parameters
    ----------
    endpoint_url
        Where the emulator listens.
    """

    def __init__(self, endpoint_url: str) -> None:
        nowhere = (None, None, os.devnull, None)
        session = botocore.session.Session(
            session_vars={
                "profile": (None, None, None, None),
                "config_file": nowhere,
                "credentials_file": nowhere,
                "region": (None, None, REGION, None),
                "ca_bundle": (None, None, None, None),
            }
        )
        self._session = boto3.session.Session(
            aws_access_key_id=ACCESS_KEY,
            aws_secret_access_key=SECRET_KEY,
            region_name=REGION,
            botocore_session=session,
        )
        self.endpoint_url = endpoint_url
        self._clients: dict[str, Any] = {}

    def client(self, service: str) -> Any:
        """Return a client of one service, made on first use."""
        if service not in self._clients:
            config = botocore.config.Config(
                proxies={},
                ignore_configured_endpoint_urls=True,
                retries={"mode": "standard", "max_attempts": 3},
                s3={"addressing_style": "path"},
                signature_version="s3v4" if service == "s3" else None,
            )
            self._clients[service] = self._session.client(
                service, endpoint_url=self.endpoint_url, config=config
            )
        return self._clients[service]
