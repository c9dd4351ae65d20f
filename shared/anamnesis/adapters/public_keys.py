"""Public keys of checkpoints, for whoever checks signatures without KMS.

It needs the ``cryptography`` library, which no Lambda ships.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class PublicKey:
    """A P-256 public key as a ``signed_notes.NoteKey``.

    Parameters
    ----------
    pem
        SubjectPublicKeyInfo.
    name
        Key name in signed notes.

    Raises
    ------
    ValueError
        If it is not a P-256 public key.
    """

    def __init__(self, pem: bytes, *, name: str) -> None:
        try:
            key = serialization.load_pem_public_key(pem)
        except UnsupportedAlgorithm as error:
            raise ValueError("no public key of a known kind") from error
        if not isinstance(key, ec.EllipticCurvePublicKey) or not isinstance(key.curve, ec.SECP256R1):
            raise ValueError("checkpoints are signed with a P-256 key")
        self._key = key
        self._name = name

    @property
    def name(self) -> str:
        """Key name in signed notes."""
        return self._name

    @property
    def public_key_der(self) -> bytes:
        """SubjectPublicKeyInfo, DER."""
        return self._key.public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Tell whether the signature (ECDSA over SHA-256, DER) is this key's over `message`."""
        try:
            self._key.verify(signature, message, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            return False
        return True
