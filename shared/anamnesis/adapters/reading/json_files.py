"""JSON: notebooks are read, other data is refused."""

from __future__ import annotations

import json
from typing import Any

from anamnesis.adapters.reading import refusals
from anamnesis.domain.reading.text_decoding import decode_text
from anamnesis.domain.reading.typed.notebooks import is_notebook, notebook_pages


def json_pages(data: bytes) -> list[str]:
    """Sections of a notebook.

    Raises
    ------
    FileRefused
        If it is JSON, or a JSON value on each line, and no notebook; or a notebook without a word.
    ValueError, RecursionError
        If it is no JSON, so that it may be text.
    """
    text = decode_text(data)
    if text is None:
        raise refusals.unknown_encoding()
    value = _value(text.lstrip("\ufeff"))
    if not is_notebook(value):
        raise refusals.data_file("data in JSON")
    pages = notebook_pages(value)
    if not any(page.strip() for page in pages):
        raise refusals.notebook_without_text()
    return pages


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        lines = [line for line in text.split("\n") if line.strip()]
        values = [json.loads(line) for line in lines]
        # A line of text may be a number or a word in quotes; lines of data are objects and arrays.
        if not all(isinstance(value, dict | list) for value in values):
            raise
        return values
