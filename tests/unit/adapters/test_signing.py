"""The signers of checkpoints, by KMS and by a local key, behind the same promises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError
from botocore.stub import Stubber
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from moto import mock_aws

from anamnesis.adapters.local_signing import LocalSigner, new_private_key_pem
from anamnesis.adapters.signing import MAX_MESSAGE_BYTES, KmsSigner
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import check_against, checkpoint_of, roots_at
from anamnesis.ports import Signer

NAME = "anamnesis.example/checkpoints"
PAIR = Pair("school", "ana", "biology")


def kms_client() -> Any:
    """Make a client that reaches nothing real."""
    return boto3.client("kms", "eu-west-1", aws_access_key_id="test", aws_secret_access_key="test")


def kms_signer(client: Any) -> KmsSigner:
    """Make a signer with a fresh key."""
    key = client.create_key(KeyUsage="SIGN_VERIFY", KeySpec="ECC_NIST_P256")
    return KmsSigner(client, key["KeyMetadata"]["KeyId"], name=NAME)


@pytest.fixture(params=["kms", "local"])
def signer(request: pytest.FixtureRequest) -> Iterator[Signer]:
    """Give each signer in turn."""
    if request.param == "local":
        yield LocalSigner(new_private_key_pem(), name=NAME)
    else:
        with mock_aws():
            yield kms_signer(kms_client())


def test_signature_verifies_independently(signer: Signer) -> None:
    """A signature is ECDSA P-256 over SHA-256 in DER, good for any library that has the public key (EP-5)."""
    signature = signer.sign(b"message")
    key = serialization.load_der_public_key(signer.public_key_der)
    assert isinstance(key, ec.EllipticCurvePublicKey)
    assert isinstance(key.curve, ec.SECP256R1)
    key.verify(signature, b"message", ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        key.verify(signature, b"another", ec.ECDSA(hashes.SHA256()))


def test_only_its_own_signatures_are_good(signer: Signer) -> None:
    """A signature is good for its message and key, and for nothing else, however often it is asked (EP-5)."""
    signature = signer.sign(b"message")
    stranger = LocalSigner(new_private_key_pem(), name=NAME).sign(b"message")
    for _ in range(2):
        assert signer.verify(b"message", signature)
        assert not signer.verify(b"another", signature)
        assert not signer.verify(b"message", stranger)
        assert not signer.verify(b"message", b"")
        assert not signer.verify(b"message", b"no signature")


def test_checkpoint_round_trip(signer: Signer) -> None:
    """A root signed by either signer verifies as a checkpoint of its pair (EP-5)."""
    hashes = {1: "ab" * 32}
    kept = [checkpoint_of(PAIR, 1, roots_at(hashes, [1])[1], signer)]
    assert signer.name == NAME
    assert check_against(kept, PAIR, hashes, 1, signer) == []
    assert [b.kind for b in check_against(kept, PAIR, {1: "cd" * 32}, 1, signer)] == ["rewritten"]


class CountingClient:
    """Counts the calls that reach a client."""

    def __init__(self, client: Any) -> None:
        self.client, self.calls = client, []

    def __getattr__(self, name: str) -> Any:
        self.calls.append(name)
        return getattr(self.client, name)


@mock_aws
def test_kms_is_asked_once_for_what_stays_true() -> None:
    """The public key and a signature found good are asked for once, a bad one again each time (BL-3)."""
    counting = CountingClient(kms_client())
    signer = kms_signer(counting)
    signature = signer.sign(b"message")
    counting.calls.clear()
    for _ in range(3):
        assert signer.public_key_der
        assert signer.verify(b"message", signature)
        assert not signer.verify(b"another", signature)
    assert sorted(counting.calls) == ["get_public_key", *["verify"] * 4]


def test_kms_says_no_by_an_error() -> None:
    """KMS's error for a signature that does not match is an answer, not a failure (EP-5)."""
    client = kms_client()
    with Stubber(client) as stub:
        stub.add_client_error("verify", "KMSInvalidSignatureException")
        assert not KmsSigner(client, "key", name=NAME).verify(b"message", b"signature")


@pytest.mark.parametrize("code", ["ThrottlingException", "AccessDeniedException", "KMSInvalidStateException"])
def test_kms_failures_are_no_verdict(code: str) -> None:
    """When KMS does not answer or refuses, nothing is said about a signature and nothing is signed (SV-14)."""
    client = kms_client()
    signer = KmsSigner(client, "key", name=NAME)
    with Stubber(client) as stub:
        for method in ("verify", "sign", "get_public_key"):
            stub.add_client_error(method, code, "quotes the message")
        for act in (
            lambda: signer.verify(b"m", b"s"),
            lambda: signer.sign(b"m"),
            lambda: signer.public_key_der,
        ):
            with pytest.raises(StoreUnavailable, match=code) as raised:
                act()
            assert "quotes" not in str(raised.value)


def test_unreachable_kms_is_unavailable() -> None:
    """A KMS that cannot be reached is a store that is unavailable (SV-14)."""

    class Unreachable:
        def sign(self, **_: object) -> None:
            raise EndpointConnectionError(endpoint_url="https://kms.invalid")

    with pytest.raises(StoreUnavailable, match="EndpointConnectionError"):
        KmsSigner(Unreachable(), "key", name=NAME).sign(b"m")


def test_kms_gets_no_message_longer_than_it_hashes() -> None:
    """A message longer than KMS takes is refused before anything is sent (SV-12)."""
    signer = KmsSigner(None, "key", name=NAME)
    with pytest.raises(ValueError, match="longer"):
        signer.sign(b"x" * (MAX_MESSAGE_BYTES + 1))
    assert not signer.verify(b"x" * (MAX_MESSAGE_BYTES + 1), b"signature")


@pytest.mark.parametrize(
    "key", [ec.generate_private_key(ec.SECP384R1()), ed25519.Ed25519PrivateKey.generate()]
)
def test_only_p256_keys_sign(key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey) -> None:
    """A private key of another kind is refused when it is loaded, not when a night signs (EP-5)."""
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with pytest.raises(ValueError, match="P-256"):
        LocalSigner(pem, name=NAME)
