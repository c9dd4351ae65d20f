"""What recall takes away before it compares meanings, made anew from sentences in 26 languages (RC-1).

The sentences say the same six things in every language, so what differs between the languages' means is the language.
They share no text with anything that recall is measured on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anamnesis.domain.recall import common_directions
from anamnesis.ports import Embedder

SENTENCES = Path(__file__).parent / "texts" / "common_sentences.json"
#: Directions in which languages differ that are taken away. More find more across languages and less within one.
LANGUAGE_DIRECTIONS = 4
#: What the numbers of the file are counted in.
_UNIT = 1e-4


def measure(embedder: Embedder) -> dict[str, Any]:
    """Make the entry of an embedder for ``domain/recall/common_directions.json``."""
    spoken = json.loads(SENTENCES.read_text(encoding="utf-8"))["languages"]
    passages = np.stack([embedder.embed_passages(sentences) for sentences in spoken.values()])
    questions = np.stack(
        [np.stack([embedder.embed_query(one) for one in sentences]) for sentences in spoken.values()]
    )
    apart = passages.mean(axis=1) - passages.mean(axis=(0, 1))
    languages = np.linalg.svd(apart, full_matrices=False)[2][:LANGUAGE_DIRECTIONS]
    return {
        embedder.name: {
            "unit": _UNIT,
            "passages": _counted(passages.mean(axis=(0, 1))),
            "questions": _counted(questions.mean(axis=(0, 1))),
            "languages": _counted(languages),
        }
    }


def _counted(values: npt.NDArray[np.float32]) -> Any:
    return np.rint(values / _UNIT).astype(int).tolist()


def write(found: dict[str, Any]) -> Path:
    """Put the entry into the file that recall reads, beside those of other embedders."""
    path = Path(common_directions.__file__).with_name(common_directions.FILE)
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**known, **found}, separators=(",", ":")) + "\n", encoding="utf-8")
    return path
