"""What all texts have in common in an embedder's eyes, whatever they are about, and what their language alone makes.

Embeddings crowd into a cone around their mean, and texts of one language lie together: of two texts about the same
thing in two languages the cosine is often below that of two texts about different things in one. Taking away the mean
and the few directions in which languages differ most leaves what a text is about (Mu and Viswanath 2018,
"All-but-the-Top", arXiv:1702.01417; Yang et al. 2021, "A Simple and Effective Method To Eliminate the Self Language
Bias in Multilingual Representations", arXiv:2109.04727). The directions were taken from sentences of our own in 26
languages (`anamnesis bench common-directions`) and belong to one embedder; of another one nothing is known.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float32]
FILE = "common_directions.json"


@dataclass(frozen=True, slots=True)
class CommonDirections:
    """Means and directions of an embedder with d dimensions.

    Attributes
    ----------
    passages, questions
        Shape (d,): mean of the unit vectors of passages and of questions.
    languages
        Shape (k, d): orthonormal; where the languages' means differ most.
    """

    passages: _Floats
    questions: _Floats
    languages: _Floats


def common_directions(embedder: str | None) -> CommonDirections | None:
    """Return what is known of an embedder by its name, None of an unknown one."""
    return _known().get(embedder or "")


@lru_cache(maxsize=1)
def _known() -> Mapping[str, CommonDirections]:
    raw: dict[str, Any] = json.loads((files(__package__) / FILE).read_text(encoding="utf-8"))
    return {name: _read(entry) for name, entry in raw.items()}


def _read(entry: Mapping[str, Any]) -> CommonDirections:
    scale = np.float32(entry["unit"])
    parts = [np.array(entry[key], dtype=np.float32) * scale for key in ("passages", "questions", "languages")]
    return CommonDirections(parts[0], parts[1], _orthonormal(parts[2]))


def _orthonormal(directions: _Floats) -> _Floats:
    """Undo what rounding did to directions that were orthonormal."""
    made: _Floats = np.linalg.qr(directions.T)[0].T.astype(np.float32)
    return made
