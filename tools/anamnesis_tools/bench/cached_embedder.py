"""An embedder that makes each text's vector once, in a run and, with a file, over runs."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anamnesis.ports import Embedder

_SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"


class CachedEmbedder:
    """The port ``Embedder`` in front of another one; safe to use from the threads of a turn.

    Parameters
    ----------
    path
        SQLite file that keeps vectors by a digest of their text; None for this run only.
    """

    def __init__(self, embedder: Embedder, path: Path | None = None) -> None:
        self._embedder = embedder
        self._known: dict[bytes, npt.NDArray[np.float32]] = {}
        self._path = path
        #: Seconds that each question's own embedding took, in order; those that were known are not among them.
        self.query_seconds: list[float] = []
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            with sqlite3.connect(path) as database:
                database.execute(_SCHEMA)
                self._known = {
                    key: np.frombuffer(vector, dtype=np.float32)
                    for key, vector in database.execute("SELECT key, vector FROM vectors")
                }

    @property
    def name(self) -> str:
        """Name of the embedder behind."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    @property
    def merge_threshold(self) -> float:
        """As of the embedder behind."""
        return self._embedder.merge_threshold

    @property
    def match_threshold(self) -> float:
        """As of the embedder behind."""
        return self._embedder.match_threshold

    @property
    def floor(self) -> float:
        """As of the embedder behind."""
        return self._embedder.floor

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Shape (dimension,), float32, unit length."""
        key = self._key("query", text)
        if key not in self._known:
            started = time.perf_counter()
            vector = self._embedder.embed_query(text)
            self.query_seconds.append(time.perf_counter() - started)
            self._keep({key: vector})
        return self._known[key]

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), float32, unit length."""
        keys = [self._key("passage", text) for text in texts]
        unknown = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if unknown:
            made = self._embedder.embed_passages(list(unknown.values()))
            self._keep(dict(zip(unknown, made, strict=True)))
        if not keys:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self._known[key] for key in keys])

    def _key(self, kind: str, text: str) -> bytes:
        told = f"{self.name}\0{kind}\0{text}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(told, digest_size=16).digest()

    def _keep(self, made: dict[bytes, npt.NDArray[np.float32]]) -> None:
        self._known.update(made)
        if self._path is not None:
            with sqlite3.connect(self._path, timeout=60) as database:
                rows = [(key, np.asarray(vector, dtype=np.float32).tobytes()) for key, vector in made.items()]
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
