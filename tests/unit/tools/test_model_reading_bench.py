"""The measurement of reading with a language model."""

from __future__ import annotations

import json

import pytest

from anamnesis_tools.bench.costs.model_reading import book_of, cost, shown


@pytest.mark.parametrize("script", ["latin", "devanagari", "han"])
def test_a_book_is_read_through_the_real_reader_and_its_cost_counted(
    script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Requests, tokens and money of a book are those of its parts and corrections, the same at every run (CM-1)."""
    document, names = book_of(script, 200, 900)
    assert len(document.pages) == len(names) == 200
    found = [cost("a book", script, 200, 900, 3.0, 15.0) for _ in "ab"]
    one, other = ((c.requests, c.input_tokens, c.output_tokens, c.concepts, c.tenths) for c in found)
    assert one == other
    book = found[0]
    parts = -(-sum(len(page.text.encode()) for page in document.pages) // 100_000)
    assert parts <= book.requests <= 2 * parts
    assert book.input_tokens > book.output_tokens > 0
    assert book.usd == pytest.approx(book.input_tokens * 3e-6 + book.output_tokens * 15e-6)
    assert book.concepts == 60
    assert book.tenths >= 9
    shown(found, as_json=True)
    assert json.loads(capsys.readouterr().out)[0]["requests"] == book.requests
    shown(found, as_json=False)
    assert "a book" in capsys.readouterr().out
