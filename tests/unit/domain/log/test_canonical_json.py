"""Canonical JSON: the quick way and the library's give the same bytes."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.log.canonical_json import canonical_json

NUMBERS = st.one_of(
    st.integers(-(2**54), 2**54),
    st.floats(),
    st.floats(0, 1),
    st.floats(1e-8, 1e-3),
    st.floats(1e14, 1e22),
    st.integers(-50, 50).map(float),
)
TEXTS = st.text(st.characters(codec=None), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def outcome(write: Any, value: Any) -> bytes | str:
    """What a way of writing gives, or that it refuses."""
    try:
        written: bytes = write(value)
    except ValueError:
        return "refused"
    return written


@settings(max_examples=300)
@given(VALUES)
def test_both_ways_agree(value: Any) -> None:
    """Whatever the value, the bytes are those of the RFC 8785 library, or both refuse it (EP-4)."""
    assert outcome(canonical_json, value) == outcome(rfc8785.dumps, value)


def test_every_character_is_written_alike() -> None:
    """Characters of all blocks, alone and as a key, are written as the library does (EP-4)."""
    for code in (*range(0x3000), *range(0xD7F0, 0x1_0000, 7)):
        text = chr(code)
        assert outcome(canonical_json, [text]) == outcome(rfc8785.dumps, [text])
        if code < 0x300:
            assert outcome(canonical_json, {text: 1, "m": 2}) == outcome(rfc8785.dumps, {text: 1, "m": 2})


@pytest.mark.parametrize(
    "value, written",
    [
        ({"b": 1.0, "a": [0.85, -0.0, 1e21, 1e-7, True, None]}, b'{"a":[0.85,0,1e+21,1e-7,true,null],"b":1}'),
        ({"\U0001f600": 1, "\ufb33": 2}, '{"😀":1,"\ufb33":2}'.encode()),
        ('\u007f\u2028\x1f"\\/', '"\u007f\u2028\\u001f\\"\\\\/"'.encode()),
        ((1, "a"), b'[1,"a"]'),
    ],
)
def test_the_forms_of_the_standard(value: Any, written: bytes) -> None:
    """Numbers, escapes and the order of keys are those that RFC 8785 lays down (EP-4)."""
    assert canonical_json(value) == written


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, 2**53, -(2**53), "\ud800", {"\ud800": 1}, {1: 2}, {1}, b"x"]
)
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    """A value that JSON cannot carry exactly is refused, never hashed in a form of its own (EP-4)."""
    with pytest.raises(ValueError, match=r".*"):
        canonical_json([value])


def test_enumerations_are_written_by_value() -> None:
    """A text of a type of its own is written as the text that it is (EP-4)."""

    class Word(StrEnum):
        ONE = "one"

    assert canonical_json([Word.ONE]) == b'["one"]'
