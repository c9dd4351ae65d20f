"""The application that nights are measured with: stores, queue and key stand in, and embedding is timed apart."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from anamnesis.ports import Embedder
from anamnesis_tools.bench.costs.long_histories import SEED
from anamnesis_tools.bench.costs.stand_in_stores import ENDPOINT, StandInStores
from anamnesis_tools.bench.costs.turn_costs import WatchedApplication

#: The key lies beside the stores, so that all processes sign and verify with one.
KEY_SUFFIX = ".pem"
QUEUE = f"{ENDPOINT}/night"


class StandInKms:
    """KMS as far as checkpoints need it: one local P-256 key, kept in a file, and a count of the requests."""

    def __init__(self, pem: Path) -> None:
        if not pem.exists():
            made = ec.generate_private_key(ec.SECP256R1())
            form, layout = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
            pem.write_bytes(made.private_bytes(form, layout, serialization.NoEncryption()))
        key = serialization.load_pem_private_key(pem.read_bytes(), password=None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise TypeError("no P-256 key")
        self._key = key
        self.counts: Counter[str] = Counter()

    def get_public_key(self, **_: Any) -> dict[str, bytes]:
        """The key's public half."""
        self.counts["kms.GetPublicKey"] += 1
        form, layout = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        return {"PublicKey": self._key.public_key().public_bytes(form, layout)}

    def sign(self, *, Message: bytes, **_: Any) -> dict[str, bytes]:  # noqa: N803 KMS's own names
        """Sign, and count."""
        self.counts["kms.Sign"] += 1
        return {"Signature": self._key.sign(Message, ec.ECDSA(SHA256()))}

    def verify(self, *, Message: bytes, Signature: bytes, **_: Any) -> dict[str, bool]:  # noqa: N803
        """Verify, and count."""
        self.counts["kms.Verify"] += 1
        try:
            self._key.public_key().verify(Signature, Message, ec.ECDSA(SHA256()))
        except InvalidSignature:
            return {"SignatureValid": False}
        return {"SignatureValid": True}


class TimedEmbedder:
    """The embedding model, timed, for the first texts; for the others a direction of chance and the same name.

    What a night asks of its stores does not depend on what a vector holds, and embedding ten thousand consolidations
    takes most of an hour of one core.
    """

    def __init__(self, embedder: Embedder, real: int) -> None:
        self._embedder = embedder
        self._left = real
        self._chance = np.random.default_rng(SEED)
        self.name, self.dimension = embedder.name, embedder.dimension
        #: Processor milliseconds of the latest texts; None when they were not embedded.
        self.took_ms: float | None = 0.0

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), float32, unit length."""
        if self._left > 0:
            self._left -= len(texts)
            since = time.process_time()
            vectors = self._embedder.embed_passages(texts)
            self.took_ms = (time.process_time() - since) * 1000
            return vectors
        self.took_ms = None
        made = self._chance.normal(size=(len(texts), self.dimension)).astype(np.float32)
        unit: npt.NDArray[np.float32] = made / np.linalg.norm(made, axis=1, keepdims=True)
        return unit


class NightApplication(WatchedApplication):
    """An application on stores that stand in, with a key and a queue.

    Parameters
    ----------
    embedded
        Texts that are really embedded; None for all.
    """

    def __init__(self, path: Path, *, embedded: int | None = None) -> None:
        self._embedded = embedded
        self.stores = StandInStores(path)
        super().__init__(self.stores, night_queue_url=QUEUE)
        self.kms = StandInKms(path.with_suffix(KEY_SUFFIX))

    @cached_property
    def embedder(self) -> Any:
        """The embedding model in use, timed in a night."""
        embedder = super().embedder
        return embedder if self._embedded is None else TimedEmbedder(embedder, self._embedded)

    def _client(self, service: str, **options: Any) -> Any:
        if service == "kms":
            return self.kms
        client = super()._client(service, **options)
        if service == "sqs":
            self.stores.attach(client)
            self.meter.attach(client)
        return client
