"""Checkpoint signing by a local private key, for the embedded set-up (EP-5).

It lives apart from the KMS signer because it needs the ``cryptography`` library, which no Lambda ships.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class LocalSigner:
    """A P-256 private key in memory as a ``ports.Signer``.

    Parameters
    ----------
    private_key_pem
        PKCS #8 or SEC 1, PEM, not encrypted.
    name
        Key name in signed notes: no white space, no plus sign.

    Raises
    ------
    ValueError
        If it is not a P-256 private key.
    """

    def __init__(self, private_key_pem: bytes, *, name: str) -> None:
        key = serialization.load_pem_private_key(private_key_pem, password=None)
        if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
            raise ValueError("checkpoints are signed with a P-256 key")
        self._key = key
        self._name = name
        self._public_key = key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    @property
    def name(self) -> str:
        """Key name in signed notes."""
        return self._name

    @property
    def public_key_der(self) -> bytes:
        """SubjectPublicKeyInfo, DER."""
        return self._public_key

    def sign(self, message: bytes) -> bytes:
        """Sign SHA-256 of `message` with ECDSA P-256; the signature is DER."""
        return self._key.sign(message, ec.ECDSA(hashes.SHA256()))

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Tell whether the signature is this key's over `message`."""
        try:
            self._key.public_key().verify(signature, message, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            return False
        return True


def new_private_key_pem() -> bytes:
    """Make a fresh P-256 private key: PKCS #8, PEM, not encrypted."""
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
