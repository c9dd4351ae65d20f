"""Secrets of pairs from an HMAC key that never leaves AWS KMS (EP-8)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any, Final

from anamnesis.adapters.aws_errors import store_errors
from anamnesis.domain.identifiers import Pair

_ALGORITHM: Final = "HMAC_SHA_256"
_DOMAIN: Final = b"anamnesis pair secret v1\n"
#: Secrets kept in a warm process: 32 bytes each.
_KEPT: Final = 1_024


class KmsKeyedHash:
    """A symmetric KMS key (HMAC_256, GENERATE_VERIFY_MAC) as a ``ports.KeyedHash``; safe to use from many threads.

    Parameters
    ----------
    client
        boto3 KMS client. The role needs kms:GenerateMac on the key, nothing else.
    key_id
        Id or ARN of the key. With another key erased events are not known again.
    """

    def __init__(self, client: Any, key_id: str) -> None:
        self._client = client
        self._key_id = key_id
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def secret_for(self, pair: Pair) -> bytes:
        """Return 32 bytes that follow from the pair and the key; asked for once in a warm process.

        Raises
        ------
        StoreUnavailable
            If KMS does not answer or refuses.
        """
        with self._lock:
            kept = self._kept.get(pair.key)
        if kept is not None:
            return kept
        with store_errors("kms"):
            answer = self._client.generate_mac(
                KeyId=self._key_id, Message=_DOMAIN + pair.key.encode(), MacAlgorithm=_ALGORITHM
            )
        secret = bytes(answer["Mac"])
        with self._lock:
            self._kept[pair.key] = secret
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return secret
