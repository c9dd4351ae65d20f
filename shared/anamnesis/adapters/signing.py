"""Checkpoint signing by AWS KMS: the private key never leaves it (EP-5).

Signatures are verified by KMS as well, so that no cryptography library has to ship. What was found good once
is remembered, so that a warm process asks once for each checkpoint.
"""

from __future__ import annotations

import hashlib
import threading
from typing import Any, Final

from botocore.exceptions import ClientError

from anamnesis.adapters.aws_errors import error_code, store_errors

_ALGORITHM: Final = "ECDSA_SHA_256"
#: Longest message that KMS hashes itself. Longer ones could be sent as digests; checkpoints have under 300
#: bytes, and emulators hash digests a second time.
MAX_MESSAGE_BYTES: Final = 4096
#: Good signatures remembered: over ten years of nightly checkpoints of one pair. 32 bytes each.
_REMEMBERED: Final = 4096


class KmsSigner:
    """An asymmetric KMS key (ECC_NIST_P256, SIGN_VERIFY) as a ``ports.Signer``.

    Parameters
    ----------
    client
        boto3 KMS client. The role needs kms:Sign, kms:Verify and kms:GetPublicKey on the key, nothing else.
    key_id
        Id or ARN of the key. An alias may be pointed at another key while a process keeps this one's public
        key.
    name
        Key name in signed notes: no white space, no plus sign.
    """

    def __init__(self, client: Any, key_id: str, *, name: str) -> None:
        self._client = client
        self._key_id = key_id
        self._name = name
        self._public_key: bytes | None = None
        self._good: dict[bytes, None] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Key name in signed notes."""
        return self._name

    @property
    def public_key_der(self) -> bytes:
        """SubjectPublicKeyInfo, DER; asked for once.

        Raises
        ------
        StoreUnavailable
            If KMS does not answer or refuses.
        """
        if self._public_key is None:
            with store_errors("kms"):
                self._public_key = bytes(self._client.get_public_key(KeyId=self._key_id)["PublicKey"])
        return self._public_key

    def sign(self, message: bytes) -> bytes:
        """Sign SHA-256 of `message` with ECDSA P-256; the signature is DER.

        Raises
        ------
        StoreUnavailable
            If KMS does not answer or refuses.
        ValueError
            If the message is longer than ``MAX_MESSAGE_BYTES``.
        """
        if len(message) > MAX_MESSAGE_BYTES:
            raise ValueError("a checkpoint is longer than KMS signs in one piece")
        with store_errors("kms"):
            answer = self._client.sign(
                KeyId=self._key_id, Message=message, MessageType="RAW", SigningAlgorithm=_ALGORITHM
            )
        return bytes(answer["Signature"])

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Tell whether the signature is this key's over `message`.

        Raises
        ------
        StoreUnavailable
            If KMS does not answer or refuses: nothing is known about the signature then.
        """
        if not signature or len(message) > MAX_MESSAGE_BYTES:
            return False
        token = hashlib.sha256(hashlib.sha256(message).digest() + signature).digest()
        if token in self._good:
            return True
        good = self._ask(message, signature)
        if good:
            with self._lock:
                if len(self._good) >= _REMEMBERED:
                    self._good.pop(next(iter(self._good)))
                self._good[token] = None
        return good

    def _ask(self, message: bytes, signature: bytes) -> bool:
        with store_errors("kms"):
            try:
                answer = self._client.verify(
                    KeyId=self._key_id,
                    Message=message,
                    MessageType="RAW",
                    Signature=signature,
                    SigningAlgorithm=_ALGORITHM,
                )
            except ClientError as error:
                # KMS raises for a signature that does not match instead of answering that it does not.
                if error_code(error) == "KMSInvalidSignatureException":
                    return False
                raise
        return bool(answer["SignatureValid"])
