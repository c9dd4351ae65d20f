"""A secret out of AWS Secrets Manager, kept in a warm process until it is refused."""

from __future__ import annotations

from typing import Any

from anamnesis.adapters.aws_errors import store_errors
from anamnesis.domain.errors import StoreUnavailable


class Secret:
    """One secret's text; safe to use from many threads.

    Parameters
    ----------
    client
        A boto3 client of Secrets Manager.
    arn
        Of the secret.
    """

    def __init__(self, client: Any, arn: str) -> None:
        self._client = client
        self._arn = arn
        self._text: str | None = None

    def text(self) -> str:
        """Return the secret.

        Raises
        ------
        StoreUnavailable
            If it cannot be had, or is no text.
        """
        if self._text is None:
            with store_errors("secretsmanager"):
                found = self._client.get_secret_value(SecretId=self._arn).get("SecretString")
            if not isinstance(found, str) or not found.strip():
                raise StoreUnavailable("secretsmanager: the secret is no text")
            self._text = found.strip()
        return self._text

    def forget(self) -> None:
        """Fetch it anew the next time: it may have been rotated."""
        self._text = None
